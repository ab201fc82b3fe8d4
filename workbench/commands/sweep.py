"""`sweep`: the same prose under every setting of the search, side by side: what each does to metre and to meaning."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from workbench import composer
from workbench.commands.errors import complain, not_on_test


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("sweep", help="the same prose under every setting", description=__doc__)
    parser.add_argument("path", type=Path, help="the dev corpus, a .jsonl.gz file: id, en, slp1")
    parser.add_argument("--limit", type=int, default=200, help="rows (200)")
    parser.add_argument("--model", default="embedded", help="a generator (embedded)")
    parser.add_argument("--workers", type=int, default=1, help="processes (1)")
    parser.add_argument("--words", type=Path, nargs="*", help="corpora whose words count as known")
    parser.add_argument("--only", nargs="*", default=[], help="variants, instead of all")
    parser.add_argument("--table", type=Path, help="write the figures there, tab by tab")
    parser.add_argument("--json", action="store_true", help="one JSON object for each variant")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from workbench.corpora import signature
    from workbench.evaluation import evaluate
    from workbench.evaluation.sweep import BASE, VARIANTS, sweep

    not_on_test(options.path.name, "settings are never chosen")
    unknown = [name for name in options.only if name not in VARIANTS]
    if unknown:
        return complain(f"Expected variants among {'; '.join(VARIANTS)}; got {'; '.join(unknown)}.")
    lexicon = evaluate.known_words(options.words) if options.words else None
    header = [
        "variant",
        "full %",
        "chrF own",
        "chrF other",
        "ratio",
        "distinct",
        "commonest half",
        "known words %",
        "a word twice %",
        "a stem twice %",
        "heard %",
        "s",
    ]
    rows = []
    for figures in sweep(options.path, options.limit, options.model, options.workers, options.only, lexicon):
        chrf = figures.get("chrf")  # prose of today has no poet's verse, and where no reader is, nobody hears
        alike = [f"{chrf['own']:.2f}", f"{chrf['shuffled']:.2f}", f"{chrf['ratio']:.3f}"] if chrf else ["–"] * 3
        heard = figures["heard_percent"]
        rows.append([
            figures["variant"], f"{figures['full_percent']:.2f}", *alike,
            str(figures["distinct_verses"]), str(figures["most_frequent_half"]["times"]),
            f"{figures['words']['composed_known_percent']:.1f}" if lexicon else "",
            f"{figures['repeating_percent']['composed']:.1f}", f"{figures['repeating_stems_percent']['composed']:.1f}",
            "–" if heard is None else f"{heard:.1f}", f"{figures['seconds_a_verse']:.2f}",
        ])  # fmt: skip
        if options.json:
            print(json.dumps(figures, ensure_ascii=False), flush=True)
        elif len(rows) == 1:
            print("  ".join(header))
        if not options.json:
            print("  ".join(rows[-1]), flush=True)
    signed = f"{composer.compose_signature(composer.identity(options.model), BASE)} | {options.limit} rows of "
    signed += signature(options.path, packages=("sacrebleu", "skrutable"))
    signed += f" | {composer.reader().identity}" if composer.reader_at_hand() else ""
    if not options.json:
        print(f"  {signed}")
    if options.table:
        lines = ["\t".join(header), *("\t".join(row) for row in rows), f"# {signed}"]
        options.table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0
