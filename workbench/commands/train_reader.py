"""`train reader` and `train back-translate`: the model that reads Sanskrit, and proses for verses that have none."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from workbench.commands.arguments import add_options, given
from workbench.commands.errors import complain
from workbench.commands.progress import teller
from workbench.options import options_of
from workbench.training.recipes import ReaderRecipe


def add_to(models: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    reader = models.add_parser("reader", help="the reader: SLP1 to English, lemmas and glosses")
    reader.add_argument("--data", type=Path, required=True, help="the folder that `corpus FOLDER --out DATA` made")
    reader.add_argument("--out", type=Path, required=True, help="the run's folder; the model comes to OUT/model")
    reader.add_argument("--hours", type=float, required=True, help="of training in all, earlier runs included")
    reader.add_argument("--resume", action="store_true", help="go on with the run in OUT")
    reader.add_argument("--start", type=Path, help="begin with a finished reader's weights, not from nothing")
    reader.add_argument("--steps", type=float, default=math.inf, help="stop after so many steps, earlier ones included")
    reader.add_argument("--every", type=float, default=10.0, help="minutes between figures on dev (10)")
    add_options(reader, options_of(ReaderRecipe), defaults=True)
    reader.set_defaults(run=train_reader)


def train_reader(options: argparse.Namespace) -> int:
    from workbench.training import recipes
    from workbench.training.loop import STATE
    from workbench.training.reader import ReaderTraining
    from workbench.training.reader_texts import material

    if options.hours <= 0:
        return complain(f"Expected --hours above 0; got {options.hours:g}.")
    begun = (options.out / STATE).is_file()
    if begun and not options.resume:
        return complain(f"There is a run in {options.out} already: --resume goes on with it.")
    if options.resume and not begun:
        return complain(f"Expected a run to go on with in {options.out}; found none.")
    start = None if begun else options.start
    try:
        if start:
            recipes.go_on_from(start, options.out)
        recipe = recipes.recipe(options.out, given(options, options_of(ReaderRecipe)), ReaderRecipe)
    except ValueError as error:
        return complain(str(error))
    tell = teller()
    tell("reading the corpora")
    training = ReaderTraining(options.out, recipe, material(options.data), tell, start)
    told = recipes.command(options.data, options.out, options.start)
    recipes.note_run(options.out, recipe, told, sorted(options.data.glob("*.jsonl.gz")))
    training.run(options.hours, options.every * 60, options.steps)
    print(f"\nThe reader is in {options.out / 'model'}.")
    return 0
