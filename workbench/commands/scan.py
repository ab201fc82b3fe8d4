"""`scan`: verses in, metre, syllables, weights and faults out, for people or as JSON lines."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from workbench import composer
from workbench.commands.errors import complain
from workbench.refusal import Refusal


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "scan",
        help="scan verses: metre, weights, faults",
        description="Scan verses from the arguments or, one a line, from standard input. ।, | or / divide half-verses.",
    )
    parser.add_argument("verse", nargs="*", help="a verse; without any, verses are read from standard input")
    parser.add_argument("--script", default="auto", help=f"auto (the default), {', '.join(composer.SCRIPTS)}")
    parser.add_argument("--to", default=None, help="the script to write in; devanagari for JSON, iast for people")
    parser.add_argument("--metre", default=None, help="judge as this metre, instead of the one it is in")
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
            scans = composer.scan(text, options.script, options.metre)
        except Refusal as error:
            code = complain(str(error))
            continue
        for scan in scans:
            verse = scan.as_json(to)
            print(json.dumps(verse, ensure_ascii=False) if options.json else _show(verse), flush=True)
            if not scan.verdict.complete:
                code = complain(scan.verdict.problems[0].sentence)
    if empty:
        return complain("Expected verses as arguments or, one a line, on standard input; got none.")
    return code


def lines_of_input() -> Iterator[str]:
    """Standard input by lines. Bytes that are not UTF-8 become characters that the reader refuses with a sentence."""
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", errors="surrogateescape").rstrip("\r\n")


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
    if verse["near"]:
        lines.append(f"Also near: {', '.join(verse['near'])}.")
    lines.append(f"skrutable: {verse['skrutable']['label']} ({verse['skrutable']['score']} of 9)")
    return "\n".join(lines) + "\n"
