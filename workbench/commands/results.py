"""`results`: docs/RESULTS.md, and the β curve that the page draws, made anew from the results that ship.

Nothing in them is written by hand: a test fails when they are not what this command would write.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.commands.errors import complain
from workbench.paths import RESULTS


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("results", help="docs/RESULTS.md from the results", description=__doc__)
    parser.add_argument("--results", type=Path, help="a folder of results (the one that ships)")
    parser.add_argument("--out", type=Path, help="the document (RESULTS.md beside that folder)")
    parser.add_argument("--check", action="store_true", help="write nothing; say whether it is stale")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from workbench.evaluation import report

    results = options.results or RESULTS
    out = options.out or results.parent / "RESULTS.md"
    written = {out: report.document(results), results / report.CURVE: report.curve(results)}
    stale = [file for file, text in written.items() if not file.is_file() or file.read_text(encoding="utf-8") != text]
    if options.check:
        if stale:
            names = " and ".join(file.name for file in stale)
            return complain(f"Expected {names} as `python -m workbench results` writes them; they are stale.")
        return 0
    for file, text in written.items():
        file.write_text(text, encoding="utf-8")
        print(file)
    return 0
