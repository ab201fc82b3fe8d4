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


def add_arguments(parser: argparse.ArgumentParser, recipe: type, name: str) -> None:
    parser.add_argument("--data", type=Path, required=True, help="the folder that `corpus FOLDER --out DATA` made")
    parser.add_argument("--out", type=Path, required=True, help="the run's folder; the model comes to OUT/model")
    parser.add_argument("--hours", type=float, required=True, help="of training in all, earlier runs included")
    parser.add_argument("--resume", action="store_true", help="go on with the run in OUT")
    parser.add_argument("--start", type=Path, help=f"begin with a finished {name}'s weights, not from nothing")
    parser.add_argument("--steps", type=float, default=math.inf, help="stop after so many steps, earlier ones included")
    parser.add_argument("--every", type=float, default=10.0, help="minutes between figures on dev (10)")
    add_options(parser, options_of(recipe), defaults=True)


def begin(options: argparse.Namespace, kind: type[Kind]) -> tuple[Kind, Path | None]:
    """The run's recipe, and the model it begins with, if it does."""
    from workbench.training import recipes
    from workbench.training.loop import STATE

    if options.hours <= 0:
        raise Refusal(f"Expected --hours above 0; got {options.hours:g}.")
    begun = (options.out / STATE).is_file()
    if begun and not options.resume:
        raise Refusal(f"Expected a new folder, or --resume to go on; got {options.out}, which has a run.")
    if options.resume and not begun and not (options.out / recipes.RECIPE).is_file():
        raise Refusal(f"Expected a run to go on with in {options.out}; found none.")
    start: Path | None = None if begun else options.start
    if start:
        recipes.continue_from(start, options.out)
    return recipes.recipe(options.out, given(options, options_of(kind)), kind), start
