"""`models`: the generators that can be asked for, what each is, how large, and what it needs."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from workbench import composer


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("models", help="the generators, their size and needs", description=__doc__)
    parser.add_argument("--json", action="store_true", help="the register as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    known = composer.entries()
    if options.json:
        print(json.dumps({name: asdict(entry) for name, entry in known.items()}, ensure_ascii=False))
        return 0
    for name, entry in known.items():
        print(f"{name}: {entry.says or entry.kind}")
        needs = f", needs {entry.needs}" if entry.needs else ""
        print(f"    {entry.where}{f' with {entry.adapter}' if entry.adapter else ''}, writes {entry.script}")
        if entry.size:
            print(f"    {entry.size}{needs}")
    return 0
