"""`scan`: verses in, metre, syllables, weights and faults out, for people or as JSON lines."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from workbench import composer
from workbench.commands.verse_input import add_verses, answer_each


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "scan",
        help="scan verses: metre, weights, faults",
        description="Scan verses from the arguments or, one a line, from standard input. ।, | or / divide half-verses.",
    )
    add_verses(parser)
    parser.add_argument("--metre", default=None, help="judge as this metre, instead of the one it is in")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    def scanned(text: str, to: str) -> Iterator[tuple[dict[str, Any], str]]:
        for scan in composer.scan(text, options.script, options.metre):
            yield scan.as_json(to), "" if scan.verdict.complete else scan.verdict.problems[0].sentence

    return answer_each(options, scanned, _show)


def _show(verse: dict[str, Any]) -> str:
    """A verse for people: pādas on one column grid, each akṣara over its weight."""
    state = "full" if verse["full"] else "not full"
    lines = [verse["text"], f"{verse['metre'] or 'no known metre'} · {state}"]
    width = max(len(syllable) for pada in verse["padas"] for syllable in pada["syllables"]) + 1
    for number, pada in enumerate(verse["padas"], start=1):
        syllables = "".join(syllable.ljust(width) for syllable in pada["syllables"])
        weights = "".join(glyph.ljust(width) for glyph in composer.glyphs(pada["weights"]))
        lines += [f"{number}  {syllables.rstrip()}", f"   {weights}{pada['form']}".rstrip()]
    lines += [note["sentence"] for note in (*verse["problems"], *verse["licences"])]
    if "part_of" in verse:
        lines.append(f"By itself it can be: {'; '.join(verse['part_of'])}.")
    if verse["near"]:
        lines.append(f"Also near: {', '.join(verse['near'])}.")
    lines.append(f"skrutable: {verse['skrutable']['label']} ({verse['skrutable']['score']} of 9)")
    return "\n".join(lines) + "\n"
