"""`bench`: timings, as ratios measured side by side in one run. Never part of the tests."""

from __future__ import annotations

import argparse
import json

from workbench.commands.compose import add_settings, settings_of


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("bench", help="timings side by side", description=__doc__)
    benches = parser.add_subparsers(dest="bench", required=True, metavar="WHAT")
    scansion = benches.add_parser("scansion", help="identification of real verses: ours, vidyut, skrutable")
    scansion.add_argument("path", help="a .jsonl.gz file whose rows have a verse in slp1 or Devanagari")
    scansion.add_argument("--verses", type=int, default=5000, help="how many (5000)")
    scansion.add_argument("--json", action="store_true", help="the figures as JSON")
    scansion.set_defaults(run=bench_scansion)
    decoding = benches.add_parser("decoding", help="what the metre costs a search, and the paper's way beside ours")
    decoding.add_argument("--json", action="store_true", help="the figures as JSON")
    decoding.set_defaults(run=bench_decoding)
    composing = benches.add_parser("compose", help="how long a person waits for a verse, and the memory it takes")
    composing.add_argument("--json", action="store_true", help="the figures as JSON")
    add_settings(composing)
    composing.set_defaults(run=bench_compose)
    reading = benches.add_parser("read", help="how long a verse's reading takes, and the support of 25 candidates")
    reading.add_argument("--json", action="store_true", help="the figures as JSON")
    reading.set_defaults(run=bench_read)
    desk = benches.add_parser("desk", help="how long a poet waits for other pādas, other words and live scansion")
    desk.add_argument("--json", action="store_true", help="the figures as JSON")
    add_settings(desk)
    desk.set_defaults(run=bench_desk)
    page = benches.add_parser(
        "page", help="how long a person waits for the page, its first verse and each key, in a Chromium"
    )
    page.add_argument("--json", action="store_true", help="the figures as JSON")
    page.set_defaults(run=bench_page)
    load = benches.add_parser("load", help="how a server stands a crowd, beside the same server idle")
    load.add_argument("--json", action="store_true", help="the figures as JSON")
    load.set_defaults(run=bench_load)


def bench_scansion(options: argparse.Namespace) -> int:
    from workbench.benchmarks.scansion import measure

    figures = measure(options.path, options.verses)
    if options.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    print(f"{figures['verses']:,} verses, one core, best of {figures['rounds']} rounds side by side")
    for name, rate in figures["verses_per_second"].items():
        print(f"{rate:>12,.0f} verses/s  {name}")
    for name, ratio in figures["ratios"].items():
        print(f"{ratio:>12,.1f} x         {name}")
    for name, seconds in figures["compile_seconds"].items():
        print(f"{seconds:>12.3f} s         anuṣṭubh compiled, {name}")
    print(f"  {figures['signature']}")
    return 0


def bench_decoding(options: argparse.Namespace) -> int:
    from workbench.benchmarks.decoding import measure

    figures = measure()
    if options.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    for size, part in figures["generate"].items():
        what = f"generate() with the metre / without, {int(size):,} tokens, {part['steps']} steps"
        print(f"{part['ratio']:>10.3f} x  {what}")
    for size, part in figures["mask"].items():
        print(
            f"{part['ratio']:>10.0f} x  the paper's masks / ours, a step, {int(size):,} tokens "
            f"({part['paper_seconds'] * 1e3:.0f} ms / {part['seconds'] * 1e3:.2f} ms)"
        )
    table = figures["table"]
    print(
        f"{table['build_seconds'] + table['read_seconds']:>10.2f} s  the table of {table['tokens']:,.0f} tokens, all "
        f"{table['states']:,.0f} states, {table['megabytes']:.0f} MB"
    )
    print(f"  {figures['beams']} beams, {figures['rounds']} rounds | {figures['signature']}")
    return 0


def bench_compose(options: argparse.Namespace) -> int:
    from workbench.benchmarks.compose import measure

    figures = measure(options.model, settings_of(options))
    if options.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    print(f"{figures['first_seconds']:>10.2f} s   to the first verse, from starting Python")
    print(
        f"{figures['next_seconds']:>10.2f} s   for a verse after that (median of {figures['verses'] - 1}, "
        f"slowest {figures['slowest_seconds']:.2f})"
    )
    print(f"{figures['weighing_seconds']:>10.2f} s   of that to weigh the meaning of the candidates")
    print(f"{figures['peak_megabytes']:>10.0f} MB  of memory at most")
    print(f"  {figures['signature']}")
    return 0


def bench_read(options: argparse.Namespace) -> int:
    from workbench.benchmarks.read import measure

    figures = measure()
    if options.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    print(f"{figures['first_seconds']:>10.2f} s   to the first reading, the reader loading")
    print(
        f"{figures['reading_seconds']:>10.2f} s   for a verse after that: its reading, words and support (median; "
        f"slowest {figures['slowest_seconds']:.2f})"
    )
    print(f"{figures['support_seconds']:>10.2f} s   for the support of {figures['candidates']} candidates")
    print(f"  {figures['signature']}")
    return 0


def bench_desk(options: argparse.Namespace) -> int:
    from workbench.benchmarks.desk import measure

    figures = measure(options.model, settings_of(options))
    if options.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    words = {
        "compose": "for a verse, unwatched", "others": "for ten others of a pāda",
        "instead": "for words instead of one",
        "next": "for the next words of a draft", "scansion": "to scan what was typed, at the server",
    }  # fmt: skip
    for name, said in words.items():
        told = figures["seconds"][name]
        ratio = f", {figures['ratios'][name]:.3f} of a verse" if name in figures["ratios"] else ""
        print(
            f"{told['median'] * 1e3:>10.1f} ms  {said} (median of {told['times']:,}, slowest "
            f"{told['slowest'] * 1e3:.1f}{ratio})"
        )
    for art, told in figures["wished"].items():
        print(
            f"{told['times']:>10.2f} x   a verse without wishes: a {art} (median; most {told['most']:.2f}), "
            f"compiled in {told['compiling'] * 1e3:.0f} ms"
        )
    print(f"  load {figures['load']:.1f} | {figures['signature']}")
    return 0


def bench_page(options: argparse.Namespace) -> int:
    from workbench.benchmarks.page import measure

    figures = measure()
    if options.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    rounds, targets = figures["rounds"], figures["targets"]
    print(f"{figures['answer_seconds']:>10.2f} s   from `python app.py` to its first answer")
    print(
        f"{figures['paint_seconds']:>10.2f} s   to the first paint in Chromium (median of {rounds}, slowest "
        f"{figures['slowest_paint_seconds']:.2f}; target: under {targets['paint_seconds']:g} s)"
    )
    print(f"{figures['usable_seconds']:>10.2f} s   until Compose can be pressed (median of {rounds})")
    print(f"{figures['first_seconds']:>10.2f} s   to the first verse, everything loading")
    print(
        f"{figures['next_seconds']:>10.2f} s   for a verse after that (median of {figures['verses'] - 1}, "
        f"slowest {figures['slowest_seconds']:.2f})"
    )
    for box, said in {"prose": "in the prose box", "write": "in Write, scanning"}.items():
        print(
            f"{figures[f'{box}_key_ms']:>10.1f} ms  a key {said} (median of {figures[f'{box}_keys']}, slowest "
            f"{figures[f'slowest_{box}_key_ms']:.1f}; target: under {targets[f'{box}_key_ms']:g} ms)"
        )
    print(f"  load {figures['load']:.1f} | {figures['signature']}")
    return 0


def bench_load(options: argparse.Namespace) -> int:
    from workbench.benchmarks.load import measure

    figures = measure()
    if options.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    asked = figures["asked"]
    print(
        f"{asked['scan']} scans, {asked['compose']} compositions, {asked['rate']} raters' calls, {asked['page']} pages"
    )
    print("           idle, median   in the crowd, median   slowest   answered")
    for name, crowd in figures["crowd"].items():
        idle = figures["idle"][name]
        print(
            f"{name:<10} {idle['median']:>10.2f} s {crowd['median']:>20.2f} s {crowd['slowest']:>7.2f} s "
            f"{crowd['count']:>5.0f} of {asked[name]}"
        )
    print(f"  {figures['signature']}")
    return 0
