"""`train bi-encoder`, `train cross-encoder`, `train judge` and `train judge-weights`: the judges of meaning. Part of
`train`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from workbench.commands import run_folder
from workbench.commands.arguments import add_options, given
from workbench.commands.errors import complain, not_on_test
from workbench.options import options_of
from workbench.training.recipes import BiRecipe, CrossRecipe, JointRecipe

TRAIN, DEV = "itihasa.train.jsonl.gz", "itihasa.dev.jsonl.gz"
INFOXLM = "microsoft/infoxlm-large"  # the paper's


def add_to(models: argparse._SubParsersAction[argparse.ArgumentParser], teller: Callable[[], Any]) -> None:
    bi = models.add_parser("bi-encoder", help="the embedded bi-encoder: verses where their English stands")
    cross = models.add_parser("cross-encoder", help="a cross-encoder from the Hub, trained as the paper's")
    for parser in (bi, cross):
        run_folder.add_folders(parser, f"the folder with {TRAIN} and {DEV}", "of training")
    bi.add_argument("--reader", type=Path, help="a generator whose encoder reads the English, instead of MiniLM")
    bi.add_argument("--encoder", type=Path, help="all-MiniLM-L6-v2's folder, where its package is not installed")
    add_options(bi, options_of(BiRecipe), defaults=True)
    bi.set_defaults(run=train_bi, teller=teller)
    cross.add_argument("--start", required=True, help=f"a model on the Hub, such as {INFOXLM}, or its folder")
    cross.add_argument("--finder", default="checkpoints/bi-encoder", help="the bi-encoder that finds hard negatives")
    cross.add_argument("--composed", type=Path, nargs="*", default=[], help="verses.jsonl of `evaluate --out` on train")
    add_options(cross, options_of(CrossRecipe), defaults=True)
    cross.set_defaults(run=train_cross, teller=teller)
    judge = models.add_parser("judge", help="a cross-encoder of its own, over prose and verse in one sequence")
    run_folder.add_arguments(judge, JointRecipe, "judge")
    judge.add_argument("--reader", type=Path, required=True, help="the reader over whose states it judges")
    judge.add_argument(
        "--composed", type=Path, nargs="*", default=[], help="what `measure choice TRAIN --described FILE` kept"
    )
    judge.add_argument("--read", type=Path, help="the dev corpus: what careful readers gave its composed verses counts")
    judge.add_argument("--read-half", type=int, choices=(0, 1), help="only of one half of the proses (all)")
    judge.set_defaults(run=train_judge, teller=teller)
    weights = models.add_parser(
        "judge-weights", help="how the cross-encoder and the reader are weighed together, on dev"
    )
    weights.add_argument("--judge", type=Path, required=True, help="what `train judge` made; the weights come into it")
    weights.add_argument("--data", type=Path, required=True, help="the dev corpus, as JSON lines: en, slp1")
    weights.add_argument(
        "--composed", type=Path, nargs="*", default=[], help="what `measure choice DEV --described FILE` kept"
    )
    weights.add_argument("--rows", type=int, default=600, help="beside those of which composed verses are there (600)")
    weights.add_argument("--read-half", type=int, choices=(0, 1), help="careful readers' points of one half of their "
                         "proses; without it, of all that may be learnt from")  # fmt: skip
    weights.set_defaults(run=train_weights, teller=teller)


def train_bi(options: argparse.Namespace) -> int:
    from workbench.training import english, prose_encoder, recipes
    from workbench.training.biencoder import train_biencoder
    from workbench.training.pairs import pairs
    from workbench.training.trainer_runs import PLAN

    run_folder.check(options, PLAN)
    if options.reader and not english.is_generator(options.reader):
        return complain(f"Expected a generator's folder for --reader; {options.reader} is none.")
    encoder = options.reader or prose_encoder.find(options.encoder)
    if not options.reader:
        prose_encoder.check(encoder)
    train = list(pairs([options.data / TRAIN]))
    dev = [pair for pair in pairs([options.data / DEV]) if pair.whole]
    reader = english.identity(options.reader) if options.reader else ""
    recipe = BiRecipe(**given(options, options_of(BiRecipe)), reader=reader)
    command = recipes.command(options.data, options.out, options.encoder, options.reader)
    recipes.note_run(options.out, recipe, command, [options.data / TRAIN, options.data / DEV])
    figures = train_biencoder(options.out, recipe, train, dev, encoder, options.hours, options.resume, options.teller())
    print(f"\nThe bi-encoder is in {options.out / 'model'}: on dev {_as_text(figures)}.")
    return 0


def train_cross(options: argparse.Namespace) -> int:
    from workbench.paths import at_home
    from workbench.semantics import biencoder
    from workbench.training import english, recipes
    from workbench.training.crossencoder import train_crossencoder
    from workbench.training.pairs import pairs, verses_for
    from workbench.training.trainer_runs import PLAN

    run_folder.check(options, PLAN)
    if english.is_generator(at_home(options.start)):
        return complain(f"Expected an encoder for --start, such as {INFOXLM}; {options.start} is a generator.")
    train = [pair for pair in pairs([options.data / TRAIN]) if pair.whole]
    dev = [pair for pair in pairs([options.data / DEV]) if pair.whole]
    composed = verses_for(options.data / TRAIN, options.composed)
    recipe = CrossRecipe(**given(options, options_of(CrossRecipe)))
    command = recipes.command(options.data, options.out, Path(options.start), Path(options.finder), *options.composed)
    recipes.note_run(options.out, recipe, command, [options.data / TRAIN, options.data / DEV])
    figures = train_crossencoder(
        options.out, recipe, train, dev, options.start, biencoder.load(options.finder), composed,
        options.hours, options.resume, options.teller(),
    )  # fmt: skip
    print(f"\nThe cross-encoder is in {options.out / 'model'}: on dev {_as_text(figures)}.")
    print("PINGALA_CROSS_ENCODER names the one to ask.")
    return 0


def train_judge(options: argparse.Namespace) -> int:
    from workbench.corpora.blind_readings import blind_readings, to_learn_from
    from workbench.training import recipes
    from workbench.training.joint_encoder import JointTraining
    from workbench.training.joint_texts import material, read_verses

    recipe, start = run_folder.begin(options, JointRecipe)
    if not (options.reader / "model.safetensors").is_file():
        return complain(f"Expected a reader's folder for --reader; {options.reader} has no model.safetensors.")
    tell = options.teller()
    tell("reading the corpora")
    read = blind_readings({"dev": options.read}) if options.read else []
    learnt = read_verses(to_learn_from(read, options.read_half))
    found = material(options.data, options.composed, learnt)
    training = JointTraining(options.out, recipe, found, options.reader, tell, start)
    command = recipes.command(options.data, options.out, options.reader, options.start, options.read, *options.composed)
    recipes.note_run(options.out, recipe, command, [*sorted(options.data.glob("*.jsonl.gz")), *options.composed])
    training.run(options.hours, options.every * 60, options.steps)
    print(f"\nThe judge is in {options.out / 'model'}, with the widest gap on dev in {options.out / 'best'}.")
    return 0


def train_weights(options: argparse.Namespace) -> int:
    from workbench.corpora import signature
    from workbench.corpora.blind_readings import blind_readings, to_learn_from
    from workbench.evaluation.reader_figures import spread
    from workbench.semantics.weighing import features_of
    from workbench.training import judge_weights
    from workbench.training.joint_texts import composed_verses, read_verses
    from workbench.training.judge_cards import write_joint_card

    not_on_test(options.data, "nothing is fitted")
    if not (options.judge / "training" / "log.jsonl").is_file():
        return complain(f"Expected what `train judge` made for --judge; {options.judge} has no training/log.jsonl.")
    tell = options.teller()
    composed = composed_verses(options.composed, graded_by=("chrf",))
    every = judge_weights.dev_rows(options.data)
    with_composed = [row for row in every if row.prose in composed]
    chosen = [*with_composed, *spread([row for row in every if row.prose not in composed], options.rows)]
    if len(chosen) < 17:
        return complain(f"Expected at least 17 rows; got {len(chosen)}.")
    read = to_learn_from(blind_readings({"dev": options.data}), options.read_half)
    graded = [*judge_weights.graded_rows(chosen, composed), *read_verses(read)]
    features, reader = features_of(options.judge)
    columns, wanted = judge_weights.described(graded, features, tell)
    kinds = [each.kind for these in graded for each in these]
    owner = [number for number, these in enumerate(graded) for _ in these]
    table = judge_weights.what_each_adds(columns, wanted, kinds, owner)
    for line in table:
        figures = (f"{name} {value:.3f}" for name, value in line.items() if name != "features")
        print(f"{line['features']:18}  " + ", ".join(figures))
    signed = signature(options.data, *options.composed, packages=("scikit-learn",))
    data = f"{len(wanted):,} graded verses of {len(graded):,} rows of {signed}"
    judge_weights.fit(columns, wanted, judge_weights.WEIGHED, reader, data).save(options.judge)
    write_joint_card(options.judge, reader, table)
    print(f"\nThe weights are in {options.judge}. {reader} | {data}")
    return 0


def _as_text(figures: dict[str, float]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in figures.items())
