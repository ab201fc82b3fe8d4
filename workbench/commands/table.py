"""`table`: the paper's tables, its figures beside ours, each of ours with its signature.

main, ood, beta and both bins come from results, those that ship or a folder that `reproduce` filled. spread, accuracy,
changes and slp1 come from there too, or are measured now over a corpus. correlation and annotators are a study's.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.commands.errors import complain
from workbench.paths import RESULTS

if TYPE_CHECKING:
    from workbench.evaluation.layout import Table

FORMATS = ("text", "markdown", "latex", "json", "csv")


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("table", help="the paper's tables", description=__doc__)
    parser.add_argument("table", help="its name, main for one; any other word lists them all")
    parser.add_argument("source", nargs="?", help="for the judges' tables: a corpus to measure now (id, en, slp1)")
    parser.add_argument("--results", type=Path, help="a folder of results (the one that ships)")
    parser.add_argument("--limit", type=int, help="of the corpus, so many rows instead of all")
    parser.add_argument("--study", help="for correlation and annotators: a study in the ratings' database")
    parser.add_argument("--question", default="coherence", help="of that study (coherence)")
    parser.add_argument("--format", choices=FORMATS, default="text", help="(text)")
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="the same as --format json")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from workbench.evaluation import tables
    from workbench.evaluation.layout import render

    name = options.table
    if name not in tables.NAMES:
        return complain(f"Expected a table among {', '.join(tables.NAMES)}; got {name!r}.")
    if options.source and name not in tables.FROM_JUDGES:
        return complain(f"Expected no corpus for the table {name}, which is made of results; got {options.source}.")
    if options.study and name not in tables.FROM_RATINGS:
        return complain(f"Expected --study only for {' and '.join(tables.FROM_RATINGS)}; got {name}.")
    if name in tables.FROM_RATINGS:
        made = tables.FROM_RATINGS[name](*_summary(options.study, options.question))
    elif options.source:
        made = _measured(name, options.source, options.limit)
    else:
        made = tables.from_results(name, options.results or RESULTS)
    print(render(made, options.format))
    return 0


def _measured(name: str, source: str, limit: int | None) -> Table:
    """A table of the judges at hand, over a corpus."""
    from workbench.evaluation import semantic_tables, tables
    from workbench.evaluation.evaluate import examples

    found = semantic_tables.measure(source, examples(source, limit, None), (name,))
    return tables.FROM_JUDGES[name]([found])


def _summary(study: str | None, question: str) -> tuple[dict[str, Any] | None, str]:
    """A study's figures and what they were made from."""
    if study is None:
        return None, ""
    from workbench.corpora import signature
    from workbench.ratings import storage, studies, summary

    engine = storage.connect()
    try:
        found = summary.summarise(engine, studies.find(engine, study), question).as_json()
    finally:
        engine.dispose()
    packages = signature(packages=("numpy", "scikit-learn", "scipy"))
    return found, f"study {study} | {question} | {found['ratings']} ratings of {found['items']} items | {packages}"
