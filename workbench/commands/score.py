"""`score`: pairs of prose and verse in, as JSON lines {en, sa}; what the judges say out, a line for each: heard, bi,
cross, judge, calibrated, null where nobody was asked."""

from __future__ import annotations

import argparse
import json
import sys

from workbench import composer
from workbench.commands.errors import complain


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("score", help="does a verse say what the prose says?", description=__doc__)
    parser.add_argument("--batch", type=int, default=64, help="pairs scored at once (64)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    code, empty = 0, True
    waiting: list[tuple[str, str] | str] = []  # pairs, and sentences for lines that are none
    for number, line in enumerate(sys.stdin.buffer, start=1):
        if not line.strip():
            continue
        empty = False
        try:
            row = json.loads(line)
            waiting.append((str(row["en"]), str(row["sa"])))
        except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError):
            waiting.append(f'Expected {{"en": ..., "sa": ...}} in line {number}; got {line[:40]!r}.')
        if len(waiting) >= options.batch:
            code = _print(waiting) or code
            waiting = []
    if empty:
        return complain('Expected pairs {"en": ..., "sa": ...}, one a line, on standard input; got none.')
    return _print(waiting) or code


def _print(waiting: list[tuple[str, str] | str]) -> int:
    """A line for each line, in their order; what cannot be scored says why."""
    scores = iter(composer.score([pair for pair in waiting if not isinstance(pair, str)]))
    code = 0
    for each in waiting:
        found = each if isinstance(each, str) else next(scores)
        if isinstance(found, str):
            code = complain(found)
        print(json.dumps({"error": found} if isinstance(found, str) else found, ensure_ascii=False), flush=True)
    return code
