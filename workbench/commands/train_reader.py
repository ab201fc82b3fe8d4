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
    if start:
        recipes.continue_from(start, options.out)
    recipe = recipes.recipe(options.out, given(options, options_of(ReaderRecipe)), ReaderRecipe)
    tell = teller()
    tell("reading the corpora")
    training = ReaderTraining(options.out, recipe, material(options.data), tell, start)
    told = recipes.command(options.data, options.out, options.start)
    recipes.note_run(options.out, recipe, told, sorted(options.data.glob("*.jsonl.gz")))
    training.run(options.hours, options.every * 60, options.steps)
    print(f"\nThe reader is in {options.out / 'model'}.")
    return 0


def add_back_translation(models: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    back = models.add_parser("back-translate", help="an English prose, by the reader, for verses that have none")
    back.add_argument("--verses", type=Path, nargs="+", required=True, help="JSON lines with slp1, or with sa")
    back.add_argument("--out", type=Path, required=True, help="a file; what it has already is kept and gone on from")
    back.add_argument("--reader", type=Path, help="its folder (checkpoints/reader)")
    back.add_argument("--metres", action="store_true", help="only verses whose metre is known")
    back.add_argument("--temperature", type=float, default=0.9, help="of the draws (0.9)")
    back.add_argument("--seed", type=int, default=1, help="(1)")
    back.add_argument("--most", type=int, help="stop after so many verses, earlier ones included")
    back.set_defaults(run=back_translate)


def back_translate(options: argparse.Namespace) -> int:
    from workbench import composer
    from workbench.semantics.reader import load
    from workbench.training import back_translation

    if not 0 < options.temperature <= 2:
        return complain(f"Expected --temperature above 0 and at most 2; got {options.temperature:g}.")
    reader = load(options.reader) if options.reader else composer.reader()
    found = back_translation.verses(options.verses, lambda row: bool(row.get("metre")) or not options.metres)
    number = back_translation.back_translate(
        reader, found, options.out, teller(), options.temperature, options.seed, options.most
    )
    print(f"{number:,} verses have a prose in {options.out}.")
    return 0
