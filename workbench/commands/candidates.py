"""`candidates`: how many candidates are worth their time, and what a judge of meaning makes of them, over dev."""

from __future__ import annotations

import argparse
import json
from typing import Any

from workbench import composer
from workbench.commands.compose import add_settings, settings_of
from workbench.commands.errors import complain, not_on_test
from workbench.commands.progress import progress


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("candidates", help="how many candidates are worth their time", description=__doc__)
    parser.add_argument("source", help="the dev corpus, a .jsonl.gz file: id, en, slp1")
    parser.add_argument("--limit", type=int, default=200, help="rows (200)")
    parser.add_argument("--beside", action="store_true", help="beams first and draws beside them, not draws alone")
    parser.add_argument("--sizes", type=int, nargs="*", help="of candidates (1 5 25 100)")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    add_settings(parser)
    parser.set_defaults(run=run, temperature=0.6)


def run(options: argparse.Namespace) -> int:
    from workbench.evaluation import candidates, evaluate

    not_on_test(options.source, "settings are never chosen")
    sizes = sorted(options.sizes or candidates.SIZES)
    if sizes[0] < 1:
        return complain(f"Expected --sizes of at least 1; got {sizes[0]}.")
    settings = candidates.asked_for(settings_of(options), sizes[-1], options.beside)
    chosen = evaluate.examples(options.source, options.limit)
    coming = candidates.draw(chosen, settings, options.model)
    drawn = [each for each in progress(coming, "proses", total=len(chosen)) if each[1]]
    if len(drawn) < 2:
        return complain(f"Expected at least two rows of prose with verses; got {len(drawn)}.")
    rows = []
    for size in sizes:
        waited = candidates.seconds(chosen, candidates.asked_for(settings, size, options.beside), options.model)
        rows.append({**candidates.best_of(drawn, size), "seconds": waited})
    signature = evaluate.signed(options.source, composer.identity(options.model), settings, len(chosen))
    signature += f" | {composer.judges_identity()}"
    if options.json:
        print(json.dumps({"rows": rows, "signature": signature}, ensure_ascii=False))
        return 0
    print(f"candidates  chrF [95 %]           x others  gain %      p  {composer.ranker().name:5}     s")
    print("\n".join(map(_line, rows)))
    print(f"  {signature}")
    return 0


def _line(row: dict[str, Any]) -> str:
    interval = f"{row['own']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"
    return (
        f"{row['candidates']:>10}  {interval:20}  {row['ratio']:>8.3f}  {row['gain_percent']:>6.1f}  {row['p']:>5.3f}"
        f"  {row[composer.ranker().name]:.3f}  {row['seconds']:>4.2f}"
    )
