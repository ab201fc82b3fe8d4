"""`corpus`: every file of a corpus folder read, given its metres and kept apart from dev and test, as a table."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from workbench.commands.progress import teller


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("corpus", help="what there is to learn from", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder with the corpora's files")
    parser.add_argument("--out", type=Path, help="keep the prepared texts here, for `train`")
    parser.add_argument("--workers", type=int, default=2, help="processes (2)")
    parser.add_argument("--json", action="store_true", help="the table as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from workbench.corpora.prepare import prepare

    with tempfile.TemporaryDirectory() as scratch:
        table = prepare(options.folder, options.out or Path(scratch), teller(), options.workers)
    lines = [row.as_json() for row in table]
    print(json.dumps(lines, indent=1, ensure_ascii=False) if options.json else show(lines))
    return 0


COLUMNS = ("source", "rows", "kept", "anustubh", "other_metres", "prose", "words", "english_words", "licence", "sha256")


def show(lines: list[dict[str, Any]]) -> str:
    """The table for people, the reasons for leaving out under it."""
    numbers = [name for name in COLUMNS if isinstance(lines[0][name], int)]
    cells = [[f"{line[name]:,}" if name in numbers else str(line[name]) for name in COLUMNS] for line in lines]
    widths = [max(map(len, column)) for column in zip(COLUMNS, *cells, strict=True)]
    shown = [
        "  ".join(
            cell.rjust(width) if name in numbers else cell.ljust(width)
            for name, cell, width in zip(COLUMNS, row, widths, strict=True)
        ).rstrip()
        for row in [list(COLUMNS), *cells]
    ]
    reasons = [
        f"{line['source']}: " + ", ".join(f"{number:,} {reason}" for reason, number in line["dropped"].items())
        for line in lines
        if line["dropped"]
    ]
    return "\n".join([*shown, "", "Left out:", *reasons])
