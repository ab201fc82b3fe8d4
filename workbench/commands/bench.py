"""`bench`: timings, as ratios measured side by side in one run. Never part of the tests."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from workbench.commands.compose import add_settings, settings_of


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("bench", help="timings side by side", description=__doc__)
    benches = parser.add_subparsers(dest="bench", required=True, metavar="WHAT")
    for name, (said, _) in BENCHES.items():
        bench = benches.add_parser(name, help=said)
        if name == "scansion":
            bench.add_argument("path", help="a .jsonl.gz file whose rows have a verse in slp1 or Devanagari")
            bench.add_argument("--verses", type=int, default=5000, help="how many (5000)")
        bench.add_argument("--json", action="store_true", help="the figures as JSON")
        if name in COMPOSING:
            add_settings(bench)
        bench.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure, by the module of the bench's name, and print."""
    measure: Callable[..., dict[str, Any]] = import_module(f"workbench.benchmarks.{options.bench}").measure
    if options.bench == "scansion":
        figures = measure(options.path, options.verses)
    elif options.bench in COMPOSING:
        figures = measure(options.model, settings_of(options))
    else:
        figures = measure()
    if options.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    for line in BENCHES[options.bench][1](figures):
        print(line)
    return 0


def scansion_lines(figures: dict[str, Any]) -> Iterator[str]:
    yield f"{figures['verses']:,} verses, one core, best of {figures['rounds']} rounds side by side"
    for name, rate in figures["verses_per_second"].items():
        yield f"{rate:>12,.0f} verses/s  {name}"
    for name, ratio in figures["ratios"].items():
        yield f"{ratio:>12,.1f} x         {name}"
    for name, seconds in figures["compile_seconds"].items():
        yield f"{seconds:>12.3f} s         anuṣṭubh compiled, {name}"
    yield f"  {figures['signature']}"


def decoding_lines(figures: dict[str, Any]) -> Iterator[str]:
    for size, part in figures["generate"].items():
        what = f"generate() with the metre / without, {int(size):,} tokens, {part['steps']} steps"
        yield f"{part['ratio']:>10.3f} x  {what}"
    for size, part in figures["mask"].items():
        yield (
            f"{part['ratio']:>10.0f} x  the paper's masks / ours, a step, {int(size):,} tokens "
            f"({part['paper_seconds'] * 1e3:.0f} ms / {part['seconds'] * 1e3:.2f} ms)"
        )
    table = figures["table"]
    yield (
        f"{table['build_seconds'] + table['read_seconds']:>10.2f} s  the table of {table['tokens']:,.0f} tokens, all "
        f"{table['states']:,.0f} states, {table['megabytes']:.0f} MB"
    )
    yield f"  {figures['beams']} beams, {figures['rounds']} rounds | {figures['signature']}"


def compose_lines(figures: dict[str, Any]) -> Iterator[str]:
    yield f"{figures['first_seconds']:>10.2f} s   to the first verse, from starting Python"
    yield (
        f"{figures['next_seconds']:>10.2f} s   for a verse after that (median of {figures['verses'] - 1}, "
        f"slowest {figures['slowest_seconds']:.2f})"
    )
    yield f"{figures['weighing_seconds']:>10.2f} s   of that to weigh the meaning of the candidates"
    yield f"{figures['peak_megabytes']:>10.0f} MB  of memory at most"
    yield f"  {figures['signature']}"


def read_lines(figures: dict[str, Any]) -> Iterator[str]:
    yield f"{figures['first_seconds']:>10.2f} s   to the first reading, the reader loading"
    yield (
        f"{figures['reading_seconds']:>10.2f} s   for a verse after that: its reading, words and support (median; "
        f"slowest {figures['slowest_seconds']:.2f})"
    )
    yield f"{figures['support_seconds']:>10.2f} s   for the support of {figures['candidates']} candidates"
    yield f"  {figures['signature']}"


def desk_lines(figures: dict[str, Any]) -> Iterator[str]:
    words = {
        "compose": "for a verse, unwatched", "others": "for ten others of a pāda",
        "instead": "for words instead of one",
        "next": "for the next words of a draft", "scansion": "to scan what was typed, at the server",
    }  # fmt: skip
    for name, said in words.items():
        measured = figures["seconds"][name]
        ratio = f", {figures['ratios'][name]:.3f} of a verse" if name in figures["ratios"] else ""
        yield (
            f"{measured['median'] * 1e3:>10.1f} ms  {said} (median of {measured['times']:,}, slowest "
            f"{measured['slowest'] * 1e3:.1f}{ratio})"
        )
    for art, measured in figures["wished"].items():
        yield (
            f"{measured['times']:>10.2f} x   a verse without wishes: a {art} (median; most {measured['most']:.2f}), "
            f"compiled in {measured['compiling'] * 1e3:.0f} ms"
        )
    yield f"  load {figures['load']:.1f} | {figures['signature']}"


def page_lines(figures: dict[str, Any]) -> Iterator[str]:
    rounds, targets = figures["rounds"], figures["targets"]
    yield f"{figures['answer_seconds']:>10.2f} s   from `python app.py` to its first answer"
    yield (
        f"{figures['paint_seconds']:>10.2f} s   to the first paint in Chromium (median of {rounds}, slowest "
        f"{figures['slowest_paint_seconds']:.2f}; target: under {targets['paint_seconds']:g} s)"
    )
    yield f"{figures['usable_seconds']:>10.2f} s   until Compose can be pressed (median of {rounds})"
    yield f"{figures['first_seconds']:>10.2f} s   to the first verse, everything loading"
    yield (
        f"{figures['next_seconds']:>10.2f} s   for a verse after that (median of {figures['verses'] - 1}, "
        f"slowest {figures['slowest_seconds']:.2f})"
    )
    for box, said in {"prose": "in the prose box", "write": "in Write, scanning"}.items():
        yield (
            f"{figures[f'{box}_key_ms']:>10.1f} ms  a key {said} (median of {figures[f'{box}_keys']}, slowest "
            f"{figures[f'slowest_{box}_key_ms']:.1f}; target: under {targets[f'{box}_key_ms']:g} ms)"
        )
    yield f"  load {figures['load']:.1f} | {figures['signature']}"


def load_lines(figures: dict[str, Any]) -> Iterator[str]:
    asked = figures["asked"]
    yield (
        f"{asked['scan']} scans, {asked['compose']} compositions, {asked['rate']} raters' calls, {asked['page']} pages"
    )
    yield "           idle, median   in the crowd, median   slowest   answered"
    for name, crowd in figures["crowd"].items():
        idle = figures["idle"][name]
        yield (
            f"{name:<10} {idle['median']:>10.2f} s {crowd['median']:>20.2f} s {crowd['slowest']:>7.2f} s "
            f"{crowd['count']:>5.0f} of {asked[name]}"
        )
    yield f"  {figures['signature']}"


COMPOSING = ("compose", "desk")  # what is timed is composing, by a generator with settings
BENCHES: dict[str, tuple[str, Callable[[dict[str, Any]], Iterator[str]]]] = {  # what each times, and its lines
    "scansion": ("identification of real verses: ours, vidyut, skrutable", scansion_lines),
    "decoding": ("what the metre costs a search, and the paper's way beside ours", decoding_lines),
    "compose": ("how long a person waits for a verse, and the memory it takes", compose_lines),
    "read": ("how long a verse's reading takes, and the support of 25 candidates", read_lines),
    "desk": ("how long a poet waits for other pādas, other words and live scansion", desk_lines),
    "page": ("how long a person waits for the page, its first verse and each key, in a Chromium", page_lines),
    "load": ("how a server stands a crowd, beside the same server idle", load_lines),
}
