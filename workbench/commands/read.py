"""`read`: verses in, what they say in English, their words and meanings, for people or as JSON lines."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from workbench import composer
from workbench.commands.verse_input import add_verses, answer_each


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "read",
        help="what verses say, in English",
        description="Read verses from the arguments or, one a line, from standard input. The reading is a machine's.",
    )
    add_verses(parser)
    parser.add_argument("--prose", help="show as well which words of this English are heard in each verse")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    def read(text: str, to: str) -> Iterator[tuple[dict[str, Any], str]]:
        for verse in composer.read(text, options.script):
            found = verse.as_json(to)
            if options.prose:
                said = composer.support(options.prose, [verse.slp1])[0]
                found["support"] = [{"word": e.word, "nats": round(e.nats, 2), "heard": e.heard} for e in said]
            yield found, ""

    return answer_each(options, read, show)


def show(verse: dict[str, Any]) -> str:
    """A reading for people: the verse, what it says, its words; under a prose, what of it is not heard."""
    lines = [verse["text"], verse["english"]]
    lines += [f"  {word['lemma']}: {', '.join(word['meanings'])}" for word in verse["words"]]
    if "support" in verse:
        marks = {"heard": "", "faintly": "~", "not heard": "✗"}
        lines.append(" ".join(marks[each["heard"]] + each["word"] for each in verse["support"]))
    return "\n".join([*lines, *verse["notes"]]) + "\n"
