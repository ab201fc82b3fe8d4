"""`evaluate`: a generator over a corpus: metre, meaning, chrF against own and other references, words, sameness.

With --out, every verse is kept in a folder as it is made: a run that was stopped, or killed, goes on with --resume, and
`table` makes the paper's tables of such folders.
"""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Any

from workbench import composer
from workbench.commands.compose import add_settings, settings_of
from workbench.commands.errors import complain
from workbench.commands.progress import progress


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("evaluate", help="a generator over a corpus", description=__doc__)
    parser.add_argument("source", help="a .jsonl.gz file of prose and verses (id, en, slp1), or a data set on the Hub")
    add_rows(parser)
    parser.add_argument("--draw", type=int, default=0, help="the seed that --limit draws by (0); -1: the first rows")
    parser.add_argument("--out", type=Path, help="a folder for the run")
    parser.add_argument("--resume", action="store_true", help="go on with the run in that folder")
    parser.add_argument("--unconstrained", action="store_true", help="the same without any metre beside it")
    parser.add_argument(
        "--perplexity", type=Path, help="a corpus (dev) to print the perplexity of its verses, 1,000 rows"
    )
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    add_settings(parser)
    parser.set_defaults(run=run)


def add_rows(parser: argparse.ArgumentParser) -> None:
    """Which rows, and how the work is spread: what every command over a corpus has."""
    parser.add_argument("--limit", type=int, help="so many rows instead of all")
    parser.add_argument(
        "--words", type=Path, nargs="*", help="corpora whose words count as known (train, mono_anustubh)"
    )
    parser.add_argument("--workers", type=int, default=1, help="processes (1)")
    parser.add_argument("--batch", type=int, help="pieces of prose composed together (8)")
    parser.add_argument("--ray", default="", help="a Ray cluster's address, or `local`, instead of --workers")
    parser.add_argument("--gpus", type=float, default=0.0, help="the share of a GPU that a Ray worker needs (0)")


def run(options: argparse.Namespace) -> int:
    from workbench.evaluation import evaluate, measures
    from workbench.evaluation.parallel import Parallelism, is_first

    settings = settings_of(options)
    metre = settings.found_metre()
    seed = None if options.draw < 0 else options.draw
    chosen = evaluate.examples(options.source, options.limit, seed)
    batch = options.batch or evaluate.BATCH
    if not chosen:
        return complain(f"Expected rows with full anuṣṭubh verses in {Path(options.source).name}; found none.")
    if options.unconstrained and options.out:
        return complain("Expected one run for a folder; got two: run --mode free with an --out of its own.")
    if options.resume and not options.out:
        return complain("Expected --out, the folder of the run to go on with, beside --resume; got none.")
    lexicon = evaluate.known_words(options.words) if options.words else None
    where = Parallelism(options.workers, options.ray, options.gpus)
    report: dict[str, Any] = {}
    variants = {"constrained" if settings.mode != "free" else "unconstrained": settings}
    if options.unconstrained:
        variants["unconstrained"] = settings.but(mode="free", guidance=0.0)
    for name, these in variants.items():
        description = evaluate.describe_run(options.source, len(chosen), these, options.model, batch)
        kept = evaluate.run_in(options.out, description, options.resume) if options.out else None
        watch = partial(progress, what=f"verses, {name}", total=len(chosen))
        made, found, judges = evaluate.carry_out(chosen, description, these, where, kept, lexicon, watch)
        if not is_first():
            continue
        report[name] = measures.figures(chosen, made, lexicon, metre)
        if judges:
            report[name]["sim"] = {
                judge: sum(each.scores[judge] for each in found) / len(found) for judge in composer.judge_entries()
            }
        if (heard := measures.heard_percent(each.listened for each in found)) is not None:
            report[name]["heard_percent"] = heard
            judges = judges or composer.reader().identity  # which is one of theirs
        report[name]["signature"] = " | ".join(filter(None, [description["signature"], judges]))
    if not is_first():
        return 0
    if options.perplexity:
        dev = evaluate.examples(options.perplexity, 1000)
        report["perplexity"] = evaluate.perplexity(dev, options.model)
        report["perplexity"]["corpus"] = options.perplexity.name
    if options.json:
        print(json.dumps(report, ensure_ascii=False))
        return 0
    for name in variants:
        print(show(name, report[name], metre))
    if options.perplexity:
        figures = report["perplexity"]
        print(
            f"{figures['nats_a_verse']:>10.2f}  nats a verse, perplexity {figures['perplexity_a_token']:.1f} a token, "
            f"{figures['verses']:,} verses of {figures['corpus']}"
        )
    return 0


def show(name: str, figures: dict[str, Any], metre: composer.Metre) -> str:
    half = figures["most_frequent_half"] or {"text": "", "times": 0}
    lines = [
        f"{name}, {figures['verses']:,} verses",
        f"{figures['full_percent']:>10.2f} %  full, {figures['partial_percent']:.2f} % partial, by skrutable",
    ]
    if "sim" in figures:
        first, *others = composer.by_sim()
        said = [f"{100 * figures['sim'][judge.name]:.2f} by the {judge.title}" for judge in others]
        sim = f"{100 * figures['sim'][first.name]:>10.2f}  Sim by the {first.title}"
        lines.append(", ".join([sim, *said]))
    if "chrf" in figures:
        own, other, ratio = (figures["chrf"][key] for key in ("own", "shuffled", "ratio"))
        lines.append(f"{own:>10.2f}  chrF with the own reference, {other:.2f} with others: {ratio:.3f} x")
        lines.append(f"{figures['bleu']:>10.2f}  BLEU")
    if "heard_percent" in figures:
        lines.append(f"{figures['heard_percent']:>10.2f} %  of the proses' words that say something the reader hears")
    lines += [
        f"{figures['distinct_verses']:>10,}  distinct; the commonest half stands in {half['times']}: {half['text']}",
        f"{figures['repeating_percent']['composed']:>10.2f} %  have a word twice; of the references "
        f"{figures['repeating_percent']['references']:.2f} %",
        f"{figures['repeating_stems_percent']['composed']:>10.2f} %  have a stem twice; of the references "
        f"{figures['repeating_stems_percent']['references']:.2f} %",
        f"{figures['seconds_a_verse']:>10.2f} s  a verse",
    ]
    if "words" in figures:
        words = figures["words"]
        lines.append(
            f"{words['composed_known_percent']:>10.2f} %  of {words['composed']:,} words composed are known; of the "
            f"references' {words['references']:,}, {words['references_known_percent']:.2f} %"
        )
    odd = {length: times for length, times in figures[metre.unit].items() if length not in metre.lengths}
    if odd:
        counts = ", ".join(f"{times} of {length}" for length, times in odd.items())
        wanted = " to ".join(str(each) for each in sorted({metre.lengths[0], metre.lengths[-1]}))
        lines.append(f"{sum(odd.values()):>10,}  verses do not have {wanted} {metre.unit}: {counts}")
    return "\n".join([*lines, f"  {figures['signature']}"])
