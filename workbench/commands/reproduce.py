"""`reproduce`: the runs behind a table of the paper, all of them, for a model of yours; then the table.

Runs stand in RESULTS/EXPERIMENT/MODEL/SETTING. What is finished there is not run again, and what was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.commands.errors import complain
from workbench.commands.evaluate import add_rows
from workbench.commands.progress import progress

if TYPE_CHECKING:
    from workbench.evaluation.reproduction import PlannedRun

WHAT = ("main", "beta", "ood", "judges")


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("reproduce", help="the runs behind a table, and the table", description=__doc__)
    parser.add_argument("experiment", choices=WHAT)
    parser.add_argument("source", nargs="?", help="a corpus (id, en, slp1); for ood, the modern sentences that ship")
    parser.add_argument("--results", type=Path, required=True, help="the folder of results")
    parser.add_argument("--model", default="embedded", help="a generator (embedded)")
    parser.add_argument("--only", nargs="*", default=[], help="settings, instead of all")
    parser.add_argument(
        "--again", action="store_true", help="measure finished runs again, with the judges at hand; nothing is composed"
    )
    add_rows(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from workbench.evaluation import reproduction, tables
    from workbench.evaluation.layout import render
    from workbench.evaluation.parallel import is_first

    source = options.source or (str(reproduction.MODERN) if options.experiment == "ood" else None)
    if source is None:
        return complain(f"Expected a corpus for {options.experiment}, JSON lines or a data set on the Hub; got none.")
    if options.experiment == "judges":
        return _judges(source, options)
    plans = reproduction.EXPERIMENTS[options.experiment]
    unknown = set(options.only) - {plan.folder for plan in plans}
    if unknown:
        names = ", ".join(plan.folder for plan in plans)
        return complain(f"Expected --only among {names}; got {', '.join(sorted(unknown))}.")
    for plan in plans:
        if not options.only or plan.folder in options.only:
            _run(plan, source, options)
    if is_first():
        print(render(tables.from_results(options.experiment, options.results), "text"))
    return 0


def _run(plan: PlannedRun, source: str, options: argparse.Namespace) -> None:
    from workbench.evaluation import evaluate
    from workbench.evaluation.parallel import Parallelism
    from workbench.evaluation.runs import MEASURES, Run

    folder = options.results / options.experiment / options.model / plan.folder
    done = (folder / MEASURES).is_file()
    lexicon = evaluate.known_words(options.words) if options.words and (options.again or not done) else None
    if options.again and done:
        evaluate.measure_again(Run.load(folder), source, lexicon)
        return
    limit = min(filter(None, (options.limit, plan.first or plan.drawn)), default=None)
    chosen = evaluate.examples(source, limit, 0 if plan.drawn else None)
    batch = options.batch or evaluate.BATCH
    description = evaluate.describe_run(source, len(chosen), plan.settings, options.model, batch)
    kept = evaluate.run_in(folder, description, resume=True)
    if done:
        return
    where = Parallelism(options.workers, options.ray, options.gpus)
    watch = partial(progress, what=f"verses, {plan.says}", total=len(chosen))
    evaluate.carry_out(chosen, description, plan.settings, where, kept, lexicon, watch)


def _judges(source: str, options: argparse.Namespace) -> int:
    from workbench.evaluation import semantic_tables, tables
    from workbench.evaluation.evaluate import examples
    from workbench.evaluation.layout import render

    names = ("spread", "accuracy", "changes")
    found = semantic_tables.measure(source, examples(source, options.limit, None), names)
    folder = options.results / tables.JUDGES
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{found['script'].lower()}.json"
    file.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print("\n\n".join(render(tables.from_results(name, options.results), "text") for name in names))
    return 0
