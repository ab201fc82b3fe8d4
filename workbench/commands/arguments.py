"""Options as arguments of a command: added to its parser, and read from what was given.

Text stays text until an option reads it, so that every refusal is the option's own sentence. Knows no option by name.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from workbench.options import Option


def add_options(parser: argparse.ArgumentParser, options: Iterable[Option], defaults: bool = False) -> None:
    """An argument for each option that doors offer; `defaults` are told where nothing else decides them."""
    for option in options:
        if not option.group:
            continue
        default = f" Default: {option.default}." if defaults else ""
        words = (option.about + default).replace("%", "%%")
        if option.kind == "switch":
            parser.add_argument(f"--{option.flag}", action=argparse.BooleanOptionalAction, help=words)
        else:
            parser.add_argument(f"--{option.flag}", metavar=option.flag.split("-")[-1].upper(), help=words)


def given(arguments: argparse.Namespace, options: Iterable[Option]) -> dict[str, Any]:
    """What was given, checked; SettingsError says what was expected."""
    found = {option: getattr(arguments, option.name, None) for option in options if option.group}
    return {
        option.name: option.check(option.parse(value) if isinstance(value, str) else value)
        for option, value in found.items()
        if value is not None
    }
