"""`compose`: English prose in, a verse out, with its pattern; or everything about it as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from workbench import composer
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
    add_settings(parser)
    parser.set_defaults(run=run)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """The arguments that every command that composes has."""
    parser.add_argument("--model", default="embedded", help="a generator (embedded)")
    parser.add_argument("--preset", default="house", choices=sorted(composer.PRESETS), help="settings to start from")
    parser.add_argument("--metre", help="anuṣṭubh, vasantatilakā, ...; diacritics may be left out")
    parser.add_argument("--rank", default="meaning", help="meaning (the default), or model: the generator's own order")
    parser.add_argument("--draws", type=int, help="verses drawn at random beside the beams")
    parser.add_argument("--no-repeat-ngram", type=int, help="so many tokens may not come twice in a row; 0: any may")
    parser.add_argument("--mode", help="pingala, cd (filter only), paper (its own steps), free (no metre at all)")
    parser.add_argument("--beta", type=float, help="what a completed pāda is worth in the search")
    parser.add_argument("--beams", type=int, help="beams, and candidates returned")
    parser.add_argument("--top-k", type=int, help="tokens looked at in each row; 0 for the whole vocabulary")
    parser.add_argument("--yati", help="none, prefer, require: words end where pādas do")
    parser.add_argument("--guidance", type=float, help="how far to move away from what would be said without the prose")
    parser.add_argument("--repetition", type=float, help="what a word costs that the verse has already, in nats")
    parser.add_argument("--samples", type=int, help="draw so many verses instead of searching with beams")
    parser.add_argument("--temperature", type=float, help="of the draws")
    parser.add_argument("--groups", type=int, help="groups of diverse beams")
    parser.add_argument("--diversity", type=float, help="what a group gives up for saying the same as another")
    parser.add_argument("--length-penalty", type=float, help="0: verses of one metre are all equally long")
    parser.add_argument("--synchronous", action=argparse.BooleanOptionalAction, help="compare beams at equal pādas")
    parser.add_argument("--alpha", type=float, help="where no verse is full: what a syllable too many or few costs (1)")
    parser.add_argument("--gamma", type=float, help="where no verse is full: what a right pāda is worth (1)")
    parser.add_argument("--seed", type=int, help="of the draws")


def settings_of(options: argparse.Namespace) -> composer.Settings:
    """The settings that arguments ask for; ValueError says what was expected."""
    names = (
        "metre", "mode", "beta", "beams", "yati", "guidance", "samples", "temperature", "groups", "diversity",
        "length_penalty", "synchronous", "seed", "draws", "no_repeat_ngram", "repetition", "alpha", "gamma",
    )  # fmt: skip
    changes: dict[str, Any] = {name: value for name in names if (value := getattr(options, name)) is not None}
    if options.beams is not None:
        changes["returned"] = options.beams
    if options.top_k is not None:
        changes["top_k"] = options.top_k or None
    return composer.PRESETS[options.preset].but(**changes)


def run(options: argparse.Namespace) -> int:
    to = options.script or "devanagari"
    if to not in composer.SCRIPTS:
        return complain(f"Expected --script to be one of {', '.join(composer.SCRIPTS)}; got {to!r}.")
    settings = settings_of(options)
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
            composition = _compose(prose, settings, options.model, options.rank)
        except composer.ProseError as error:
            code = complain(str(error))
            continue
        if options.json:
            trace = {"trace": composition.trace} if options.trace else {}
            print(json.dumps({**composition.as_json(to), **trace}, ensure_ascii=False), flush=True)
        elif composition.chosen:
            print(show(composition.as_json(to)), flush=True)
        if not composition.chosen:
            code = complain("No beam ended in a verse; more beams, or the mode pingala, would.")
    return code


def _compose(prose: str, settings: composer.Settings, model: str, rank: str) -> composer.Composition:
    composing = composer.compose(prose, settings, model, rank=rank)
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
