"""`compose`: English prose in, a verse out, with its pattern; or everything about it as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from workbench import composer
from workbench.commands.arguments import add_options, given
from workbench.commands.errors import complain


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "compose",
        help="compose a verse from English prose",
        description="Compose a verse from English prose, given as an argument or, one piece a line, on standard input.",
    )
    parser.add_argument("prose", nargs="*", help="English prose; without any, lines of standard input")
    parser.add_argument("--script", default=None, help="to write in: devanagari (the default), iast, slp1, ...")
    parser.add_argument("--json", action="store_true", help="one JSON object for each piece of prose")
    parser.add_argument("--trace", action="store_true", help="with --json: the whole search, step by step, as well")
    wished = parser.add_argument_group("wishes", "What the verse keeps beside its metre; each may come several times.")
    for kind, (form, words) in composer.WISH_FORMS.items():
        wished.add_argument(f"--{kind}", action="append", default=[], metavar=form, help=words)
    add_settings(parser)
    parser.set_defaults(run=run)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """The arguments that every command that composes has."""
    parser.add_argument("--model", default="embedded", help="a generator (embedded)")
    parser.add_argument("--preset", default="house", choices=sorted(composer.PRESETS), help="settings to start from")
    add_options(parser, composer.OFFERED)


def settings_of(options: argparse.Namespace) -> composer.Settings:
    """The settings that arguments ask for; SettingsError and UnknownMetre say what was expected."""
    return composer.PRESETS[options.preset].asked(given(options, composer.OFFERED))


def wishes_of(options: argparse.Namespace) -> tuple[composer.Wish, ...]:
    """The wishes that arguments ask for; WishError and ReadingError say what was expected."""
    return composer.read_wishes([f"{kind} {value}" for kind in composer.WISH_FORMS for value in getattr(options, kind)])


def run(options: argparse.Namespace) -> int:
    to = options.script or "devanagari"
    if to not in composer.SCRIPTS:
        return complain(f"Expected --script to be one of {', '.join(composer.SCRIPTS)}; got {to!r}.")
    settings, wishes = settings_of(options), wishes_of(options)
    pieces = (
        [" ".join(options.prose)] if options.prose else [line.decode("utf-8", "replace") for line in sys.stdin.buffer]
    )
    if not options.prose:
        pieces = [piece for piece in pieces if piece.strip()]
    if not pieces:
        return complain("Expected English prose as an argument or, one piece a line, on standard input; got none.")
    code = 0
    for prose in pieces:
        try:
            composition = _compose(prose, settings, options.model, wishes)
        except composer.ProseError as error:
            code = complain(str(error))
            continue
        if options.json:
            trace = {"trace": composition.trace} if options.trace else {}
            print(json.dumps({**composition.as_json(to), **trace}, ensure_ascii=False), flush=True)
        elif composition.chosen:
            print(show(composition.as_json(to)), flush=True)
        if not composition.chosen:
            code = complain("Expected a beam that ends in a verse; none did. More beams, or the mode pingala, would.")
    return code


def _compose(
    prose: str, settings: composer.Settings, model: str, wishes: tuple[composer.Wish, ...]
) -> composer.Composition:
    composing = composer.compose(prose, settings, model, wishes=wishes)
    seen = sys.stderr.isatty()
    for event in composing:
        if seen:
            line = event["sentence"] if event["kind"] == "progress" else f"Step {event['number']}"
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
    if seen:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    return composing.composition


def show(composition: dict[str, Any]) -> str:
    """The verse in two lines, and its pattern, a line for each half."""
    chosen = composition["candidates"][0]
    patterns = [composer.glyphs(pada["weights"]) for pada in chosen["padas"]]
    lines = [*chosen["lines"]]
    lines += ["  ".join(patterns[at : at + 2]) for at in range(0, len(patterns), 2)]
    state = "full" if chosen["full"] else "not full"
    lines.append(f"{composition['metre']} · {state} · log p {chosen['log_prob']:.1f}")
    return "\n".join([*lines, *composition["notes"]])
