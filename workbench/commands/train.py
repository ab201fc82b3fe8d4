"""`train`: the models that are trained here. Every run can be stopped at any moment and resumed from its folder."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench import composer
from workbench.commands import run_folder, train_judges, train_reader
from workbench.commands.arguments import add_options, given
from workbench.commands.errors import complain
from workbench.commands.progress import teller
from workbench.options import options_of
from workbench.training.recipes import Recipe, Tuning


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("train", help="train a model", description=__doc__)
    models = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    generator = models.add_parser("generator", help="the embedded generator: English prose to a verse in SLP1")
    run_folder.add_arguments(generator, Recipe, "generator")
    generator.add_argument("--made", type=Path, nargs="+", default=[], help="proses of `train back-translate`")
    generator.add_argument(
        "--made-least", type=float, default=-9.0, help="leave out those with a lower score, in nats a token (-9: none)"
    )
    generator.add_argument("--text", type=float, default=1.0, help="the share of all text that is read (1)")
    generator.add_argument("--encoder", type=Path, help="all-MiniLM-L6-v2's folder, where its package is not installed")
    generator.add_argument(
        "--grow-from",
        type=Path,
        help="a generator whose pieces and weights a new, larger one begins with",
    )
    generator.set_defaults(run=train_generator)
    add_tuning(models)
    train_reader.add_to(models)
    train_reader.add_back_translation(models)
    train_judges.add_to(models, teller)


def train_generator(options: argparse.Namespace) -> int:
    from workbench.training import prose_encoder, recipes
    from workbench.training.generator import GeneratorTraining
    from workbench.training.generator_texts import material

    if not 0 < options.text <= 1:
        return complain(f"Expected --text above 0 and at most 1; got {options.text:g}.")
    if options.grow_from and options.start:
        return complain("Expected --start or --grow-from; got both.")
    recipe, start = run_folder.begin(options, Recipe)
    encoder = prose_encoder.find(options.encoder)
    prose_encoder.check(encoder)
    tell = teller()
    tell("reading the corpora")
    found = material(options.data, options.made, options.text, options.made_least)
    training = GeneratorTraining(options.out, recipe, found, encoder, tell, start, options.grow_from)
    folders = (options.data, options.out, options.encoder, options.start, options.grow_from, *options.made)
    command = recipes.command(*folders)
    recipes.note_run(options.out, recipe, command, [*sorted(options.data.glob("*.jsonl.gz")), *options.made])
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
