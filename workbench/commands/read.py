"""`read`: verses in, what they say in English, their words and meanings, for people or as JSON lines."""

from __future__ import annotations

import argparse
import json
from typing import Any

from workbench import composer
from workbench.commands.errors import complain
from workbench.commands.scan import lines_of_input
from workbench.refusal import Refusal


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "read",
        help="what verses say, in English",
        description="Read verses from the arguments or, one a line, from standard input. The reading is a machine's.",
    )
    parser.add_argument("verse", nargs="*", help="a verse; without any, verses are read from standard input")
    parser.add_argument("--script", default="auto", help=f"auto (the default), {', '.join(composer.SCRIPTS)}")
    parser.add_argument("--to", default=None, help="the script to write in; devanagari for JSON, iast for people")
    parser.add_argument("--prose", help="show as well which words of this English are heard in each verse")
    parser.add_argument("--json", action="store_true", help="one JSON object a verse")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    for name, allowed in (("script", ["auto", *composer.SCRIPTS]), ("to", [None, *composer.SCRIPTS])):
        value = getattr(options, name)
        if value not in allowed:
            return complain(f"Expected --{name} to be one of {', '.join(filter(None, allowed))}; got {value!r}.")
    to = options.to or ("devanagari" if options.json else "iast")
    code, empty = 0, True
    for text in options.verse or lines_of_input():
        if not text.strip() and not options.verse:
            continue
        empty = False
        try:
            for verse in composer.read(text, options.script):
                told = verse.as_json(to)
                if options.prose:
                    said = composer.support(options.prose, [verse.slp1])[0]
                    told["support"] = [
                        {"word": each.word, "nats": round(each.nats, 2), "heard": each.heard} for each in said
                    ]
                print(json.dumps(told, ensure_ascii=False) if options.json else show(told), flush=True)
        except Refusal as error:
            code = complain(str(error))
    if empty:
        return complain("Expected verses as arguments or, one a line, on standard input; got none.")
    return code


def show(verse: dict[str, Any]) -> str:
    """A reading for people: the verse, what it says, its words; under a prose, what of it is not heard."""
    lines = [verse["text"], verse["english"]]
    lines += [f"  {word['lemma']}: {', '.join(word['meanings'])}" for word in verse["words"]]
    if "support" in verse:
        marks = {"heard": "", "faintly": "~", "not heard": "✗"}
        lines.append(" ".join(marks[each["heard"]] + each["word"] for each in verse["support"]))
    return "\n".join([*lines, *verse["notes"]]) + "\n"
