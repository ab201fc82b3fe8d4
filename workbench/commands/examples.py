"""`examples`: the verses that an empty page shows, made and read anew by the models that ship: workbench/examples.json.

After another generator or reader has moved to checkpoints/, a test fails until this command has run.
"""

from __future__ import annotations

import argparse


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("examples", help="the page's examples, composed and read anew", description=__doc__)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from workbench import examples

    examples.STORED.write_text(examples.written(examples.make()), encoding="utf-8")
    print(examples.STORED)
    return 0
