"""`table`: the paper's tables, over a corpus of prose and verses."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from workbench.commands.errors import complain

TABLES = ("spread", "accuracy", "changes")


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("table", help="the paper's tables", description=__doc__)
    parser.add_argument("table", choices=TABLES, help="spread and accuracy of the judges; changes of meaning heard")
    parser.add_argument("path", type=Path, help="a .jsonl.gz file of prose and verses: id, en, slp1")
    parser.add_argument("--limit", type=int, help="so many rows instead of all")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from workbench.corpora import signature
    from workbench.experiments import semantic_tables
    from workbench.experiments.evaluation import examples
    from workbench.semantics.judges import judges

    chosen = examples(options.path, options.limit)
    if len(chosen) < 17:
        return complain(f"Expected at least 17 rows with full anuṣṭubh verses; got {len(chosen)}.")
    make: Any = {
        "spread": semantic_tables.spread_table,
        "accuracy": semantic_tables.accuracy_table,
        "changes": semantic_tables.changes_table,
    }[options.table]
    found: dict[str, Any] = make(chosen, judges())
    signed = (
        f"{judges().identity} | {len(chosen)} rows of {signature(options.path, packages=('sentence-transformers',))}"
    )
    if options.json:
        print(json.dumps({**found, "signature": signed}, ensure_ascii=False))
        return 0
    for name, row in found.items():
        told = row if isinstance(row, dict) else {"": row}
        print(f"{name:18}", "  ".join(f"{key} {_figure(value)}" for key, value in told.items()))
    print(f"  {signed}")
    return 0


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value['heard']:.3f} of {value['pairs']}"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
