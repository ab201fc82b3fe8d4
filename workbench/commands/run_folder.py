"""The folder of a run, as every `train` command of a model from nothing takes it: begun, gone on with, or refused."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TypeVar

from workbench.commands.arguments import add_options, given
from workbench.options import options_of
from workbench.refusal import Refusal

Kind = TypeVar("Kind")


def add_folders(parser: argparse.ArgumentParser, data: str, hours: str) -> None:
    """What every run needs; `data` and `hours` say what these are."""
    parser.add_argument("--data", type=Path, required=True, help=data)
    parser.add_argument("--out", type=Path, required=True, help="the run's folder; the model comes to OUT/model")
    parser.add_argument("--hours", type=float, required=True, help=hours)
    parser.add_argument("--resume", action="store_true", help="go on with the run in OUT")


def add_arguments(parser: argparse.ArgumentParser, recipe: type, name: str) -> None:
    data = "the folder that `corpus FOLDER --out DATA` made"
    add_folders(parser, data, "of training in all, earlier runs included")
    parser.add_argument("--start", type=Path, help=f"begin with a finished {name}'s weights, not from nothing")
    parser.add_argument("--steps", type=float, default=math.inf, help="stop after so many steps, earlier ones included")
    parser.add_argument("--every", type=float, default=10.0, help="minutes between figures on dev (10)")
    add_options(parser, options_of(recipe), defaults=True)


def check(options: argparse.Namespace, begun_by: str, or_by: str = "") -> bool:
    """Whether there is a run in the folder, as a file tells that it has once it works; the other is there before."""
    if options.hours <= 0:
        raise Refusal(f"Expected --hours above 0; got {options.hours:g}.")
    begun: bool = (options.out / begun_by).is_file()
    if begun and not options.resume:
        raise Refusal(f"Expected a new folder, or --resume to go on; got {options.out}, which has a run.")
    if options.resume and not begun and not (or_by and (options.out / or_by).is_file()):
        raise Refusal(f"Expected a run to go on with in {options.out}; found none.")
    return begun


def begin(options: argparse.Namespace, kind: type[Kind]) -> tuple[Kind, Path | None]:
    """The run's recipe, and the model it begins with, if it does."""
    from workbench.training import recipes
    from workbench.training.loop import STATE

    start: Path | None = None if check(options, STATE, recipes.RECIPE) else options.start
    if start:
        recipes.continue_from(start, options.out)
    return recipes.recipe(options.out, given(options, options_of(kind)), kind), start
