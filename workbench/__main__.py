"""The command line: `pingala COMMAND`, or `python -m workbench COMMAND`.

Each command's module is loaded only when it is asked for.
"""

from __future__ import annotations

import argparse
import sys

from workbench.commands import (
    bench,
    candidates,
    compose,
    corpus,
    doctor,
    evaluate,
    examples,
    figure,
    measure,
    models,
    ratings,
    read,
    reproduce,
    results,
    scan,
    score,
    settings,
    sweep,
    table,
    train,
    verify,
)
from workbench.commands.errors import answer


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m workbench", description="The Pingala Workbench.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in (
        compose, scan, read, score, models, evaluate, measure, reproduce, table, figure, results, settings, examples,
        sweep, candidates, corpus, train, verify, bench, ratings, doctor,
    ):  # fmt: skip
        module.add_to(commands)
    options = parser.parse_args(arguments)
    try:
        return answer(lambda: int(options.run(options)))
    except BrokenPipeError:  # the reader of our output, head for one, has what it wants
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
