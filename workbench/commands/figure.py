"""`figure`: the paper's figures as PNG, SVG or a page: the β curve, ours beside the paper's, and the pipeline."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.paths import RESULTS


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("figure", help="the paper's figures", description=__doc__)
    parser.add_argument("figure", choices=("beta", "pipeline"))
    parser.add_argument("--out", type=Path, required=True, help="a file that ends in .png, .svg or .html")
    parser.add_argument("--results", type=Path, help="a folder of results (the one that ships)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from workbench.evaluation import figures, tables

    if options.figure == "beta":
        drawn = figures.beta(tables.from_results("beta", options.results or RESULTS))
    else:
        drawn = figures.pipeline()
    figures.write(drawn, options.out)
    print(options.out)
    return 0
