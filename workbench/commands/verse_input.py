"""Verses as commands take them: from the arguments or, one a line, from standard input, in any script. Scanning and
reading differ only in what they do with one."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from workbench import composer
from workbench.commands.errors import complain
from workbench.refusal import Refusal


def add_verses(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("verse", nargs="*", help="a verse; without any, verses are read from standard input")
    parser.add_argument("--script", default="auto", help=f"auto (the default), {', '.join(composer.SCRIPTS)}")
    parser.add_argument("--to", default=None, help="the script to write in; devanagari for JSON, iast for people")
    parser.add_argument("--json", action="store_true", help="one JSON object a verse")


def answer_each(
    options: argparse.Namespace,
    answers: Callable[[str, str], Iterator[tuple[dict[str, Any], str]]],
    show: Callable[[dict[str, Any]], str],
) -> int:
    """Print what each text's verses get, as JSON or for people. `answers` takes a text and the script to write in, and
    gives objects, each with a complaint or none."""
    for name, allowed in (("script", ["auto", *composer.SCRIPTS]), ("to", [None, *composer.SCRIPTS])):
        value = getattr(options, name)
        if value not in allowed:
            return complain(f"Expected --{name} to be one of {', '.join(filter(None, allowed))}; got {value!r}.")
    to = options.to or ("devanagari" if options.json else "iast")
    code, empty = 0, True
    for text in options.verse or _lines_of_input():
        if not text.strip() and not options.verse:
            continue
        empty = False
        try:
            for verse, complaint in answers(text, to):
                print(json.dumps(verse, ensure_ascii=False) if options.json else show(verse), flush=True)
                code = complain(complaint) if complaint else code
        except Refusal as error:
            code = complain(str(error))
    if empty:
        return complain("Expected verses as arguments or, one a line, on standard input; got none.")
    return code


def _lines_of_input() -> Iterator[str]:
    """Standard input by lines. Bytes that are not UTF-8 become characters that the reader refuses with a sentence."""
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", errors="surrogateescape").rstrip("\r\n")
