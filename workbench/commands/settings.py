"""`settings`: every setting of a search and every recipe of training, as they are declared: docs/SETTINGS.md.

Nothing in it is written by hand: a test fails when it is not what this command prints.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from workbench import composer
from workbench.options import Option, options_of
from workbench.training.recipes import RECIPES

INTRODUCTION = """# Settings

Printed by `python -m workbench settings`; nothing here is written by hand. A setting has one name and one set of bounds
at every door: on the page it stands under its label, in a link and for programs (`client.predict(prose=..., top_k=50,
api_name="/compose")`, the tools for assistants) under its name, on the command line as `--top-k`. What is out of bounds
gets the same sentence everywhere. `--preset paper` starts from the paper's values, otherwise from ours, which were
[chosen on dev](settings-on-dev.tsv)."""
GROUPS = {"main": "At hand", "more": "Under *More*"}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("settings", help="all settings and recipes as a document", description=__doc__)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    print(document(), end="")
    return 0


def document() -> str:
    parts = [INTRODUCTION]
    for group, title in GROUPS.items():
        these = [option for option in composer.OFFERED if option.group == group]
        presets = [
            {each.name: getattr(composer.PRESETS[name], each.name) for each in these} for name in ("paper", "house")
        ]
        parts += [f"## {title}", _table(these, ("paper's", "ours"), presets)]
    parts.append("## Recipes of training")
    for name, kind in RECIPES.items():
        offered = [option for option in options_of(kind) if option.group]
        usual = {option.name: option.default for option in offered}
        parts += [f"`python -m workbench train {name}`", _table(offered, ("default",), [usual])]
    return "\n\n".join(parts) + "\n"


def _table(options: Iterable[Option], names: Sequence[str], values: Sequence[dict[str, Any]]) -> str:
    rows = [["name", "what it is", "value", *names]]
    rows.append(["---"] * len(rows[0]))
    for option in options:
        words = f"**{option.label}.** {option.help}".strip()
        cells = [str(option.shown(each[option.name])) for each in values]
        rows.append([f"`{option.name}`", words, option.expected, *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
