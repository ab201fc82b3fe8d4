"""`evaluate`: a generator over a corpus: metre, chrF against own and other references, words, sameness, perplexity."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from workbench import composer
from workbench.commands.compose import add_settings, settings_of
from workbench.commands.errors import complain
from workbench.commands.progress import progress


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("evaluate", help="a generator over a corpus", description=__doc__)
    parser.add_argument("path", type=Path, help="a .jsonl.gz file of prose and verses: id, en, slp1")
    parser.add_argument("--limit", type=int, help="so many rows, drawn by --draw, instead of all")
    parser.add_argument("--draw", type=int, default=0, help="the seed of that draw (0)")
    parser.add_argument(
        "--words", type=Path, nargs="*", help="corpora whose words count as known (train, mono_anustubh)"
    )
    parser.add_argument("--unconstrained", action="store_true", help="the same without any metre beside it")
    parser.add_argument(
        "--perplexity", type=Path, help="a corpus (dev) to print the perplexity of its verses, 1,000 rows"
    )
    parser.add_argument("--workers", type=int, default=1, help="processes (1)")
    parser.add_argument("--keep", type=Path, help="a file for the verses; what it has is not made again")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    add_settings(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from workbench.experiments import evaluation

    settings = settings_of(options)
    chosen = evaluation.examples(options.path, options.limit, options.draw)
    if not chosen:
        return complain(f"Expected rows with full anuṣṭubh verses in {options.path.name}; found none.")
    lexicon = evaluation.known_words(options.words) if options.words else None
    report: dict[str, Any] = {}
    variants = {"constrained": settings}
    if options.unconstrained:
        variants["unconstrained"] = settings.but(mode="free")
    for name, these in variants.items():
        kept = (
            options.keep.with_stem(f"{options.keep.stem}-{name}")
            if options.keep and name != "constrained"
            else options.keep
        )
        run_ = evaluation.outcomes(chosen, these, options.model, options.workers, kept, options.rank)
        made = list(progress(run_, f"verses, {name}"))
        report[name] = evaluation.figures(chosen, made, lexicon)
        report[name]["signature"] = evaluation.signed(
            options.path, composer.identity(options.model), these, len(chosen)
        )
    if options.perplexity:
        dev = evaluation.examples(options.perplexity, 1000)
        report["perplexity"] = evaluation.perplexity(dev, options.model)
        report["perplexity"]["corpus"] = options.perplexity.name
    if not evaluation.is_first():
        return 0
    if options.json:
        print(json.dumps(report, ensure_ascii=False))
        return 0
    for name in variants:
        print(show(name, report[name]))
    if options.perplexity:
        figures = report["perplexity"]
        print(
            f"{figures['nats_a_verse']:>10.2f}  nats a verse, perplexity {figures['perplexity_a_token']:.1f} a token, "
            f"{figures['verses']:,} verses of {figures['corpus']}"
        )
    return 0


def show(name: str, figures: dict[str, Any]) -> str:
    half = figures["most_frequent_half"] or {"text": "", "times": 0}
    chrf = figures["chrf"]
    lines = [
        f"{name}, {figures['verses']:,} verses",
        f"{figures['full_percent']:>10.2f} %  full, {figures['partial_percent']:.2f} % partial, by skrutable",
        f"{chrf['own']:>10.2f}  chrF with the own reference, {chrf['shuffled']:.2f} with others: {chrf['ratio']:.3f} x",
        f"{figures['distinct_verses']:>10,}  distinct; the commonest half stands in {half['times']}: {half['text']}",
        f"{figures['seconds_a_verse']:>10.2f} s  a verse",
    ]
    if "words" in figures:
        words = figures["words"]
        lines.append(
            f"{words['composed_known_percent']:>10.2f} %  of {words['composed']:,} words composed are known; of the "
            f"references' {words['references']:,}, {words['references_known_percent']:.2f} %"
        )
    return "\n".join([*lines, f"  {figures['signature']}"])
