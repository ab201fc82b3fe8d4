"""`measure reader`: every figure about the reader, with its signature: on dev, on test, on a generator's verses.
`measure graded`: what a judge makes of verses with none to four of their pādas true, and of a generator's beside them;
its curve to the rubric's scale. `measure blind`: how far judges go with what careful readers gave a generator's
verses. `measure choice`: who chooses best among a generator's candidates, on dev. `measure
avadhana`: thirty tasks of an avadhāna and the verse that comes of each, as Markdown."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.commands.compose import add_settings, settings_of
from workbench.commands.errors import complain, not_on_test
from workbench.commands.progress import progress, teller

FIGURES = ("readings", "support", "found", "lemmas", "glosses")


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("measure", help="figures about a model of meaning", description=__doc__)
    models = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    reader = models.add_parser("reader", help="readings, support, lemmas, glosses", description=__doc__)
    reader.add_argument("corpus", type=Path, help="rows with en and a verse: dev or test, as JSON lines")
    reader.add_argument("--figures", nargs="+", choices=FIGURES, default=list(FIGURES), help="which (all)")
    reader.add_argument("--reader", type=Path, help="its folder (checkpoints/reader)")
    reader.add_argument(
        "--lemmatizer", type=Path, help="its folder; with --reader and without this, the reader's lemmas"
    )
    reader.add_argument("--data", type=Path, help="what `corpus --out` made: for lemmas and glosses")
    reader.add_argument("--wordnet", type=Path, help="the folder with WordNet's data files: synonyms count as right")
    reader.add_argument("--composed", type=Path, help="a run's verses.jsonl over these rows: support of these as well")
    reader.add_argument("--limit", type=int, help="only so many rows, spread over the whole file")
    reader.add_argument("--first", type=int, help="print the first so many with their readings, and no figures")
    reader.add_argument("--choose", action="store_true", help="choose and keep the thresholds on these rows")
    reader.add_argument("--out", type=Path, help="write the figures here as JSON too")
    reader.set_defaults(run=run)
    graded = models.add_parser("graded", help="a judge on verses graded by construction", description=__doc__)
    graded.add_argument("corpus", type=Path, help="rows with en and a verse: dev or test, as JSON lines")
    graded.add_argument("--judge", help="its name in judges.toml (the one that ranks)")
    graded.add_argument("--limit", type=int, default=500, help="rows, spread over the whole file (500)")
    graded.add_argument("--composed", type=Path, help="a run's verses.jsonl over these rows: beside the references")
    graded.add_argument("--choose", action="store_true", help="fit the curve on these rows and keep it by the judge")
    graded.set_defaults(run=measure_graded)
    blind = models.add_parser("blind", help="judges beside careful readers of composed verses", description=__doc__)
    blind.add_argument("--dev", type=Path, help="the dev corpus, for its proses and poets' verses")
    blind.add_argument("--test", type=Path, help="the test corpus, for the same")
    blind.add_argument("--judges", nargs="+", help="their names in judges.toml (all)")
    blind.add_argument(
        "--half", type=int, choices=(0, 1), help="only this half of the proses, where learnt on the other"
    )
    blind.add_argument(
        "--choose", action="store_true", help="put the judge that ranks on the readers' scale, and keep it"
    )
    blind.add_argument(
        "--between", type=Path, help="readings of two generators' verses for the same proses, and no more"
    )
    blind.set_defaults(run=measure_blind)
    choice = models.add_parser("choice", help="who chooses best among a generator's candidates", description=__doc__)
    choice.add_argument("corpus", help="the dev corpus, a .jsonl.gz file: id, en, slp1")
    choice.add_argument("--limit", type=int, default=200, help="rows (200)")
    choice.add_argument("--candidates", type=int, default=25, help="of each prose: beams, and beyond them draws (25)")
    choice.add_argument("--described", type=Path, help="keep the candidates here; where they are, take them from here")
    choice.add_argument("--json", action="store_true", help="the figures as JSON")
    add_settings(choice)
    choice.set_defaults(run=measure_choice, temperature=0.6)
    thirty = models.add_parser("avadhana", help="thirty tasks of an avadhāna", description=__doc__)
    thirty.add_argument("--say-wishes", action="store_true", help="tell the generator in English what is asked for")
    add_settings(thirty)
    thirty.set_defaults(run=print_avadhana)


def run(options: argparse.Namespace) -> int:
    from workbench import composer
    from workbench.corpora import full_rows, rows, signature
    from workbench.evaluation import reader_figures
    from workbench.evaluation.wordnet import WordNet
    from workbench.semantics.english_prose import choose_most
    from workbench.semantics.lemmatizer import Lemmatizer
    from workbench.semantics.reader import THRESHOLDS, load

    if options.choose:
        not_on_test(options.corpus)
    reader = load(options.reader) if options.reader else composer.reader()
    finder: Any = Lemmatizer.load(options.lemmatizer) if options.lemmatizer else reader if options.reader else None
    find_words, words_by = (finder.lemmas, finder.identity) if finder else (composer.lemmas, composer.words_identity())
    tell = teller()

    full = full_rows(options.corpus)
    chosen = full[: options.first] if options.first else reader_figures.spread(full, options.limit)
    pairs = reader_figures.as_pairs(chosen)
    if options.first:
        print(f"{reader.identity} | {signature(options.corpus, packages=('torch', 'transformers'))}")
        for line in reader_figures.printed(reader, pairs, find_words):
            print(line)
        return 0
    if len(pairs) < 17:
        return complain(f"Expected at least 17 rows; got {len(pairs)}.")
    found: dict[str, Any] = {}
    if options.choose:
        own, other = (list(reader_figures.gains(reader, p, tell)) for p in (pairs, reader_figures.crossed(pairs)))
        modern = reader_figures.modern_sentences(options.data) if options.data else []
        reader.thresholds = replace(
            reader_figures.choose_thresholds(other), english=choose_most(reader, modern) if modern else None
        )
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
        composed = ({"id": p.id, "en": p.english, "slp1": verses[p.id]} for p in pairs if p.id in verses)
        made = reader_figures.as_pairs(composed)
        found["support_composed"] = reader_figures.support(reader, made, reader.thresholds, tell)
    if "found" in options.figures:
        found["among_16"] = reader_figures.found_among(reader, pairs, reader_figures.drawn_rivals(len(pairs), 16), tell)
        found["among_first_50"] = reader_figures.found_among(reader, pairs, reader_figures.nearest_rivals(pairs), tell)
    if "lemmas" in options.figures and options.data:
        found["lemmas"] = {"by": words_by, **reader_figures.lemma_scores(find_words, options.data, tell, options.limit)}
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


def measure_graded(options: argparse.Namespace) -> int:
    from workbench import composer
    from workbench.corpora import full_rows, rows, signature
    from workbench.evaluation import graded_figures, reader_figures
    from workbench.semantics import calibration
    from workbench.semantics.judges import judge_identity, judges, place

    if options.choose:
        not_on_test(options.corpus)
    entries = composer.judge_entries()
    name = options.judge or composer.ranker().name
    if name not in entries:
        return complain(f"Expected a judge of {', '.join(entries)}; got {name}.")
    tell, identity, folder = teller(), judge_identity(entries[name]), Path(place(entries[name]))
    score = judges().judge(name).score
    pairs = reader_figures.as_pairs(full_rows(options.corpus))
    sets = graded_figures.graded_verses(pairs, options.limit)
    if len(sets) < 2:
        return complain(f"Expected at least two verses whose pādas end with words; got {len(sets)}.")
    weighed = graded_figures.weigh(sets, score, tell)
    if options.choose:
        graded_figures.fit(weighed, identity).save(folder / calibration.SCALE)
    curve = calibration.load(folder / calibration.SCALE, identity)
    found: dict[str, Any] = {"judge": name, "graded": graded_figures.figures(weighed, curve)}
    if options.composed:
        verses = {row["id"]: row["verse"] for row in rows(options.composed) if row["verse"]}
        both = reader_figures.spread([pair for pair in pairs if pair.id in verses], options.limit)
        found["composed"] = graded_figures.beside_the_books(both, verses, score, curve, tell)
    data = signature(options.corpus, packages=("scipy", "torch", "transformers"))
    found["signature"] = " | ".join(filter(None, (identity, curve.identity if curve else "", data)))
    print(json.dumps(found, indent=1, ensure_ascii=False))
    return 0


def measure_blind(options: argparse.Namespace) -> int:
    from workbench import composer
    from workbench.corpora import blind_readings, rows, signature
    from workbench.evaluation import blind_figures
    from workbench.semantics import calibration
    from workbench.semantics.judges import judge_identity, judges, place

    if options.between:
        print("\n".join(blind_figures.as_table(blind_figures.between(list(rows(options.between))))))
        print(f"  {signature(options.between)}")
        return 0
    entries, ranker = composer.judge_entries(), composer.ranker()
    names = options.judges or list(entries)
    if unknown := set(names) - set(entries):
        return complain(f"Expected judges among {', '.join(entries)}; got {', '.join(sorted(unknown))}.")
    corpora = {name: path for name in ("dev", "test") if (path := getattr(options, name))}
    read = blind_readings.blind_readings(corpora)
    if options.half is not None:
        told_only = [each for each in read if each.of not in blind_readings.CHOSEN_ON]
        read = blind_readings.to_learn_from(read, options.half) + told_only
    proses, verses = [each.prose for each in read], [composer.Verse.from_slp1(each.slp1) for each in read]
    if two := blind_figures.agreement(read):
        print("two readers: " + ", ".join(f"{name} {value:.3f}" for name, value in two.items()))
    print("\n".join(blind_figures.as_table(blind_figures.points(read))))
    for name in names:
        said = judges().judge(name).score(proses, verses)
        print(f"{entries[name].title}:")
        print("\n".join(blind_figures.as_table(blind_figures.beside(read, said))))
        kept = Path(place(entries[name])) / calibration.SCALE
        if options.choose and name == ranker.name:
            fitted = [at for at, each in enumerate(read) if each.of in blind_readings.CHOSEN_ON]
            scores, points = [said[at] for at in fitted], [read[at].points for at in fitted]
            calibration.fit(scores, points, judge_identity(ranker), calibration.READERS).save(kept)
        if curve := calibration.load(kept, judge_identity(entries[name])):
            print("on the scale from 1 to 5:")
            scaled = [curve.apply(one) for one in said]
            print("\n".join(blind_figures.as_table(blind_figures.on_the_scale(read, scaled))))
    identities = [judge_identity(entries[name]) for name in names]
    signed = [*identities, f"{len(read):,} verses of {signature(blind_readings.FILE, *corpora.values())}"]
    print("  " + " | ".join(signed))
    return 0


def print_avadhana(options: argparse.Namespace) -> int:
    from workbench import composer
    from workbench.evaluation import avadhana

    settings = settings_of(options)
    for line in avadhana.printed(settings, options.model, options.say_wishes):
        print(line, flush=True)
    print(f"\n{composer.compose_signature(composer.identity(options.model), settings)} | {composer.judges_identity()}")
    return 0


def measure_choice(options: argparse.Namespace) -> int:
    from workbench import composer
    from workbench.corpora import rows
    from workbench.evaluation import choosing, evaluate

    not_on_test(options.corpus)
    settings = settings_of(options)
    if options.described and options.described.is_file():
        found = [choosing.from_line(line) for line in rows(options.described)]
    else:
        examples = evaluate.examples(options.corpus, options.limit)
        coming = choosing.described(examples, settings, options.model, options.candidates)
        made = list(progress(coming, "proses", total=len(examples)))
        found = [(example.id, candidates) for example, candidates in made]
        if options.described:
            lines = (json.dumps(line, ensure_ascii=False) + "\n" for line in choosing.as_lines(made))
            options.described.write_text("".join(lines), encoding="utf-8")
    if len(found) < 4:
        return complain(f"Expected at least four proses with several verses each; got {len(found)}.")
    table = choosing.compare(found)
    signed = evaluate.signed(options.corpus, composer.identity(options.model), settings, len(found))
    signed += f" | {composer.reader().identity} | {composer.judges_identity()}"
    if options.json:
        print(json.dumps({"choosers": table, "signature": signed}, ensure_ascii=False))
        return 0
    print(f"{'chooser':22}  chrF [95 %]           gain %      p  reader  heard")
    for row in table:
        interval = f"{row['chrf']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"
        print(
            f"{row['chooser']:22}  {interval:20}  {row['gain_percent']:>6.1f}  {row['p']:>5.3f}"
            f"  {row['reader']:>6.1f}  {row['heard']:>5.1f}"
        )
    weights = choosing.fit(found, choosing.FEATURES)
    print("weights: " + ", ".join(f"{n} {w:.2f}" for n, w in zip(choosing.FEATURES, weights, strict=True)))
    print(f"  {signed}")
    return 0
