"""`train`: the models that are trained here. Every run can be stopped at any moment and resumed from its folder."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from workbench import composer
from workbench.commands import train_judges, train_reader
from workbench.commands.arguments import add_options, given
from workbench.commands.errors import complain
from workbench.commands.progress import teller
from workbench.options import options_of
from workbench.training.recipes import Recipe, Tuning

TRAIN, DEV, LONE = "itihasa.train.jsonl.gz", "itihasa.dev.jsonl.gz", "mono_anustubh.jsonl.gz"


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("train", help="train a model", description=__doc__)
    models = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    generator = models.add_parser("generator", help="the embedded generator: English prose to a verse in SLP1")
    generator.add_argument("--data", type=Path, required=True, help=f"the folder with {TRAIN}, {DEV} and {LONE}")
    generator.add_argument("--out", type=Path, required=True, help="the run's folder; the model comes to OUT/model")
    generator.add_argument("--hours", type=float, required=True, help="of training in all, earlier runs included")
    generator.add_argument("--resume", action="store_true", help="go on with the run in OUT")
    generator.add_argument("--start", type=Path, help="begin with a finished generator's weights, not from nothing")
    generator.add_argument("--encoder", type=Path, help="all-MiniLM-L6-v2's folder, where its package is not installed")
    generator.add_argument(
        "--steps", type=float, default=math.inf, help="stop after so many steps, earlier ones included"
    )
    generator.add_argument("--every", type=float, default=10.0, help="minutes between figures on dev (10)")
    add_options(generator, options_of(Recipe), defaults=True)
    generator.set_defaults(run=train_generator)
    add_tuning(models)
    train_reader.add_to(models)
    train_reader.add_back_translation(models)
    train_judges.add_to(models, teller)


def train_generator(options: argparse.Namespace) -> int:
    from workbench.training import prose_encoder, recipes
    from workbench.training.generator import STATE, GeneratorTraining
    from workbench.training.pairs import pairs, verses

    if options.hours <= 0:
        return complain(f"Expected --hours above 0; got {options.hours:g}.")
    begun = (options.out / STATE).is_file()
    if begun and not options.resume:
        return complain(f"There is a run in {options.out} already: --resume goes on with it.")
    if options.resume and not begun and not (options.out / recipes.RECIPE).is_file():
        return complain(f"Expected a run to go on with in {options.out}; found none.")
    start = None if begun else options.start
    if start:
        recipes.continue_from(start, options.out)
    recipe = recipes.recipe(options.out, given(options, options_of(Recipe)), Recipe)
    encoder = prose_encoder.find(options.encoder)
    prose_encoder.check(encoder)
    files = [options.data / name for name in (TRAIN, DEV, LONE)]
    tell = teller()
    tell("reading the corpora")
    dev = [pair for pair in pairs([files[1]]) if pair.whole]
    lone = list(verses([files[2]]))
    training = GeneratorTraining(options.out, recipe, list(pairs([files[0]])), lone, dev, encoder, tell, start)
    told = recipes.command(options.data, options.out, options.encoder, options.start)
    recipes.note_run(options.out, recipe, told, files)
    training.run(options.hours, options.every * 60, options.steps)
    print(f"\nThe generator is in {options.out / 'model'}, its figures in its README.md.")
    return 0


def add_tuning(models: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    tuned = models.add_parser(
        "tune", help="fine-tune a generator from the Hub: nllb, phi4, phi4-slp1 or one of your own"
    )
    tuned.add_argument("model", help="its name among the generators")
    tuned.add_argument("--data", required=True, help="a file of JSON lines, or a data set's name (sanganaka/anushtup)")
    tuned.add_argument("--out", type=Path, required=True, help="the folder for the run and for what comes of it")
    tuned.add_argument("--resume", action="store_true", help="go on from the last checkpoint in OUT")
    add_options(tuned, options_of(Tuning), defaults=True)
    tuned.set_defaults(run=tune)


def tune(options: argparse.Namespace) -> int:
    from workbench.training.finetune import finetune

    entry = composer.find_entry(options.model)
    tuning = Tuning(**given(options, options_of(Tuning)))
    folder = finetune(entry, options.data, options.out, tuning, options.resume)
    key = "adapter" if folder.name == "adapter" else "where"
    print(f"To compose with it, put this into a file and name the file in PINGALA_MODELS:\n\n[{entry.name}]")
    print(f'{key} = "{folder.resolve()}"')
    return 0
