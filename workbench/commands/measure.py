"""`measure reader`: every figure about the reader, with its signature: on dev, on test, on a generator's verses."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from workbench.commands.errors import complain
from workbench.commands.progress import teller

FIGURES = ("readings", "support", "found", "lemmas", "glosses")


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("measure", help="figures about a model of meaning", description=__doc__)
    models = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    reader = models.add_parser("reader", help="readings, support, lemmas, glosses", description=__doc__)
    reader.add_argument("corpus", type=Path, help="rows with en and a verse: dev or test, as JSON lines")
    reader.add_argument("--figures", nargs="+", choices=FIGURES, default=list(FIGURES), help="which (all)")
    reader.add_argument("--reader", type=Path, help="its folder (checkpoints/reader)")
    reader.add_argument("--data", type=Path, help="what `corpus --out` made: for lemmas and glosses")
    reader.add_argument("--wordnet", type=Path, help="the folder with WordNet's data files: synonyms count as right")
    reader.add_argument("--composed", type=Path, help="a run's verses.jsonl over these rows: support of these as well")
    reader.add_argument("--limit", type=int, help="only so many rows")
    reader.add_argument("--choose", action="store_true", help="choose and keep the thresholds of support on these rows")
    reader.add_argument("--out", type=Path, help="write the figures here as JSON too")
    reader.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from workbench import composer
    from workbench.corpora import rows, signature
    from workbench.evaluation import reader_figures
    from workbench.evaluation.wordnet import WordNet
    from workbench.semantics.reader import THRESHOLDS, load
    from workbench.understanding import canonical

    reader = load(options.reader) if options.reader else composer.reader()
    tell = teller()

    chosen = [row for row in rows(options.corpus) if row.get("full_anustubh", True)][: options.limit]
    pairs = [reader_figures.Pair(row["id"], row["en"], canonical(row["slp1"], "slp1")) for row in chosen]
    if len(pairs) < 17:
        return complain(f"Expected at least 17 rows; got {len(pairs)}.")
    found: dict[str, Any] = {}
    if options.choose:
        own, other = (list(reader_figures.gains(reader, p, tell)) for p in (pairs, reader_figures.crossed(pairs)))
        reader.thresholds = reader_figures.choose_thresholds(other)
        folder = options.reader or composer.reader_folder()
        kept = {
            **reader_figures.as_json(reader.thresholds),
            "chosen_on": f"{len(pairs)} rows of {signature(options.corpus)}",
        }
        (folder / THRESHOLDS).write_text(json.dumps(kept) + "\n", encoding="utf-8")
        found["support"] = {
            "own": reader_figures.heard(own, reader.thresholds),
            "crossed": reader_figures.heard(other, reader.thresholds),
            "pairs": len(pairs),
        }
    if "readings" in options.figures:
        said = reader_figures.readings(reader, pairs, tell)
        found["readings"] = reader_figures.likeness(said, [pair.english for pair in pairs])
    if "support" in options.figures and "support" not in found:
        found["support"] = reader_figures.support(reader, pairs, reader.thresholds, tell)
    if options.composed:
        verses = {row["id"]: row["verse"] for row in rows(options.composed) if row["verse"]}
        made = [reader_figures.Pair(p.id, p.english, canonical(verses[p.id], "slp1")) for p in pairs if p.id in verses]
        found["support_composed"] = reader_figures.support(reader, made, reader.thresholds, tell)
    if "found" in options.figures:
        found["among_16"] = reader_figures.found_among(reader, pairs, reader_figures.drawn_rivals(len(pairs), 16), tell)
        found["among_first_50"] = reader_figures.found_among(reader, pairs, reader_figures.nearest_rivals(pairs), tell)
    if "lemmas" in options.figures and options.data:
        found["lemmas"] = reader_figures.lemma_scores(reader, options.data, tell, options.limit)
    if "glosses" in options.figures and options.data:
        wordnet = WordNet(options.wordnet) if options.wordnet else None
        found["glosses"] = reader_figures.gloss_scores(reader, options.data, wordnet, tell)
    found["thresholds"] = reader_figures.as_json(reader.thresholds)
    data = signature(options.corpus, packages=("sacrebleu", "torch", "transformers"))
    found["signature"] = f"{reader.identity} | {len(pairs)} rows of {data}"
    shown = json.dumps(found, indent=1, ensure_ascii=False)
    print(shown)
    if options.out:
        options.out.write_text(shown + "\n", encoding="utf-8")
    return 0
