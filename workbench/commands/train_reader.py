"""`train reader`, `train lemmatizer` and `train back-translate`: the model that reads Sanskrit, the one that finds its
words, and proses for verses that have none."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.commands import run_folder
from workbench.commands.errors import complain
from workbench.commands.progress import teller
from workbench.training.recipes import LemmatizerRecipe, ReaderRecipe


def add_to(models: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    reader = models.add_parser("reader", help="the reader: SLP1 to English, lemmas and glosses")
    run_folder.add_arguments(reader, ReaderRecipe, "reader")
    reader.set_defaults(run=train_reader)
    lemmatizer = models.add_parser("lemmatizer", help="the lemmatizer: the words of a text, as a dictionary has them")
    run_folder.add_arguments(lemmatizer, LemmatizerRecipe, "lemmatizer")
    lemmatizer.set_defaults(run=train_lemmatizer)


def train_reader(options: argparse.Namespace) -> int:
    from workbench.training import recipes
    from workbench.training.reader import ReaderTraining
    from workbench.training.reader_texts import material

    recipe, start = run_folder.begin(options, ReaderRecipe)
    tell = teller()
    tell("reading the corpora")
    training = ReaderTraining(options.out, recipe, material(options.data), tell, start)
    command = recipes.command(options.data, options.out, options.start)
    recipes.note_run(options.out, recipe, command, sorted(options.data.glob("*.jsonl.gz")))
    training.run(options.hours, options.every * 60, options.steps)
    print(f"\nThe reader is in {options.out / 'model'}.")
    return 0


def train_lemmatizer(options: argparse.Namespace) -> int:
    from workbench.training import recipes
    from workbench.training.lemmatizer import LemmatizerTraining, material

    recipe, start = run_folder.begin(options, LemmatizerRecipe)
    tell = teller()
    tell("reading the corpora")
    found = material(options.data)
    if not found.train:
        return complain(
            f"Expected texts with lemmas in {options.data}; found none: `corpus` makes them of mono_dcs.jsonl.gz."
        )
    training = LemmatizerTraining(options.out, recipe, found, tell, start)
    command = recipes.command(options.data, options.out, options.start)
    recipes.note_run(options.out, recipe, command, [options.data / "dcs.jsonl.gz"])
    training.run(options.hours, options.every * 60, options.steps)
    print(f"\nThe lemmatizer is in {options.out / 'model'}.")
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
