"""`verify`: what the prosody engine claims, shown: against skrutable on the corpus, by walks, by proof, on labelled
verses. Prints figures; exits with 1 when a claim does not hold."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from workbench import composer
from workbench.commands.progress import progress

FIVE = ("anuṣṭubh", "vasantatilakā", "āryā", "upajāti", "puṣpitāgrā")


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("verify", help="show what the prosody engine claims", description=__doc__)
    claims = parser.add_subparsers(dest="claim", required=True, metavar="CLAIM")
    corpus = claims.add_parser("corpus", help="every verse of a corpus against skrutable")
    corpus.add_argument("path", nargs="+", help="itihasa .jsonl.gz files")
    corpus.add_argument("--table", type=Path, help="write the disagreements there, with their reasons")
    corpus.set_defaults(run=verify_corpus)
    walks = claims.add_parser("walks", help="random walks of live letters against skrutable")
    walks.add_argument("--number", type=int, default=1000, help="walks a metre and script (1000)")
    walks.add_argument("--metre", action="append", help="a metre, several times; `all` for the whole table")
    walks.set_defaults(run=verify_walks)
    proof = claims.add_parser("automata", help="every state of every automaton reaches an end")
    proof.set_defaults(run=verify_automata)
    noise = claims.add_parser("noise", help="random models of three families, every setting, every verse full")
    noise.set_defaults(run=verify_noise)
    wishes = claims.add_parser("wishes", help="random sets of wishes, random models: every verse full, every wish kept")
    wishes.add_argument("--number", type=int, default=2000, help="sets of wishes (2000)")
    wishes.add_argument("--small", type=int, default=200, help="sets in a world of four letters, written out (200)")
    wishes.add_argument("--workers", type=int, default=2, help="processes that share the sets (2)")
    wishes.set_defaults(run=verify_wishes)
    metres = claims.add_parser("metres", help="verses with known metres")
    metres.add_argument("path", help="the meters .jsonl.gz file")
    metres.set_defaults(run=verify_metres)
    stored = claims.add_parser("stored", help="verses of a stored run, composed anew: the same to the letter?")
    stored.add_argument("run_folder", type=Path, help="a finished run, as `evaluate --out` makes one")
    stored.add_argument("corpus", help="the corpus it was over, a .jsonl.gz file")
    stored.add_argument("--limit", type=int, default=40, help="rows, the run's first (40)")
    stored.set_defaults(run=verify_stored)
    peers = claims.add_parser("peers", help="another's table of metres against ours")
    peers.add_argument("path", type=Path, help="a name in SLP1 and a pattern a line")
    peers.set_defaults(run=verify_peers)


def verify_corpus(options: argparse.Namespace) -> int:
    from workbench.corpora import signature
    from workbench.verification.agreement import compare_corpus

    seen: Counter[str] = Counter()
    listed = []
    signed = signature(*options.path, packages=("skrutable",))
    for verse in progress(compare_corpus(options.path), "verses"):
        seen["verses"] += 1
        seen["full by skrutable"] += verse.full
        seen["accepted by the automaton"] += verse.accepted
        seen["full, with the same weights"] += verse.full and verse.same_weights
        seen["with a dead prefix"] += not verse.prefixes_alive
        seen["disagreements"] += not verse.agrees
        seen["disagreements without a reason"] += not verse.agrees and not verse.reason
        seen["labelled otherwise than skrutable says now"] += verse.full != verse.labelled_full
        if not verse.agrees:
            listed.append((verse.id, "full" if verse.full else "not full", verse.reason or "UNEXPLAINED"))
    for name, number in seen.items():
        print(f"{number:>8,}  {name}")
    print(f"  {signed}")
    if options.table:
        rows = ["id\tskrutable\treason", *("\t".join(row) for row in sorted(listed))]
        options.table.write_text("\n".join(rows) + "\n", encoding="utf-8")
        print(f"  {len(listed)} disagreements listed in {options.table.name}")
    return int(seen["disagreements without a reason"] > 0 or seen["with a dead prefix"] > 0)


def verify_walks(options: argparse.Namespace) -> int:
    from workbench.corpora import signature
    from workbench.verification.agreement import skrutable_cannot, walks

    if options.metre == ["all"]:
        metres = list(composer.all_metres())
    else:
        metres = [metre for name in options.metre or FIVE if (metre := composer.find_metre(name))]
    failed = 0
    for metre in metres:
        name, reason = metre.name, skrutable_cannot(metre)
        for script in ("slp1", "devanagari"):
            found = list(progress(walks(name, script, options.number), f"walks, {name}, {script}"))
            theirs, ours = sum(found_[1] for found_ in found), sum(found_[2] for found_ in found)
            excuse = f"  ({reason})" if reason else ""
            print(f"{name:32} {script:10} {theirs:>6,} of {len(found):,} perfect by skrutable, {ours:,} by us{excuse}")
            failed += ours < len(found) or (theirs < len(found) and not excuse)
            for text, perfect, full in found:
                if not full or (not perfect and not excuse):
                    print(f"    not so: {text!r}")
    print(f"  seeds 0 to {options.number - 1} | {signature(packages=('skrutable',))}")
    return int(failed > 0)


def verify_automata(options: argparse.Namespace) -> int:
    from workbench.corpora import signature
    from workbench.verification.agreement import prove_all

    proved = list(progress(prove_all(), "automata"))
    states = sum(number for *_, number in proved)
    metres = len({name for name, *_ in proved})
    print(f"{len(proved)} automata of {metres} metres, {states:,} states: every live state reaches an end, none is met")
    print("twice on one way, so every walk of live letters ends in a verse.")
    print(f"  {signature()}")
    return 0


def verify_noise(options: argparse.Namespace) -> int:
    from workbench.corpora import signature
    from workbench.verification.noise import matrix

    returned: Counter[str] = Counter()
    full: Counter[str] = Counter()
    for run in progress(matrix(), "searches"):
        returned[run.family] += run.returned
        full[run.family] += run.full
        for text in run.wrong:
            print(f"    not full: {run.family}, {run.settings}: {text!r}")
    for family, number in returned.items():
        print(f"{family:18} {full[family]:>6,} of {number:,} verses full by skrutable")
    print(f"  {signature(packages=('skrutable', 'torch', 'transformers'))}")
    return int(full != returned)


def verify_wishes(options: argparse.Namespace) -> int:
    from workbench.corpora import signature
    from workbench.evaluation.parallel import Parallelism, run_parallel
    from workbench.verification.wishes import random_outcome, small_disagreement, small_world

    seen: Counter[str] = Counter()
    outcomes = run_parallel(random_outcome, range(options.number), Parallelism(options.workers))
    for one in progress(outcomes, "sets", total=options.number):
        seen["refused"] += bool(one.refused)
        seen["too large"] += one.too_large
        seen["certain"] += one.certain
        seen["states"] += one.states
        seen["verses"] += one.verses
        seen["full"] += one.full
        seen["kept"] += one.kept
        seen["without a verse"] += not one.refused and not one.verses
        wrong = one.full < one.verses or one.kept < one.verses or one.stranded or one.found
        seen["wrong"] += bool(wrong) or (not one.refused and not one.verses)
        if wrong:
            lines = "; ".join(wish.line for wish in one.wishes)
            print(f"    not so: {one.metre}, {one.script}, {one.family}: {lines} {one.refused} {one.found}")
    small: Counter[str] = Counter()
    for wishes, refused, disagreed in progress(map(small_disagreement, range(options.small)), "small sets"):
        small["refused"] += refused
        small["wrong"] += bool(disagreed)
        if disagreed:
            print(f"    not so: {'; '.join(wish.line for wish in wishes)}: {disagreed[0]!r}")
    kept, exact = options.number - seen["refused"], options.small - small["wrong"]
    print(f"{kept:,} of {options.number:,} sets of wishes can be kept; {seen['states']:,} states, all reach an end")
    print(f"{seen['full']:,} of {seen['verses']:,} verses full by skrutable, {seen['kept']:,} keep every wish")
    print(
        f"{seen['refused']:,} sets refused: {seen['certain']:,} by their texts, {seen['too large']:,} as too large, "
        "the others looked for in vain"
    )
    print(
        f"{exact:,} of {options.small:,} sets, {small['refused']:,} refused, accept exactly the verses that keep them,"
    )
    print(f"of {len(small_world()[1]):,} in a small world")
    print(f"  seeds 0 to {options.number - 1} | {signature(packages=('skrutable', 'torch', 'transformers'))}")
    return int(seen["wrong"] + small["wrong"] > 0)


def verify_metres(options: argparse.Namespace) -> int:
    from workbench.corpora import signature
    from workbench.verification.agreement import count, labelled

    verses = list(progress(labelled(options.path), "verses"))
    for (curated, kind), number in sorted(count(verses).items(), reverse=True):
        print(f"{number:>6,}  {'curated' if curated else 'machine-labelled'}: {kind}")
    for verse in verses:
        if verse.curated and not (verse.same and verse.full):
            state = "full" if verse.full else "with faults"
            print(f"        labelled {verse.label}, found {verse.found or 'none'} {state}: {verse.verse}")
    print(f"  {signature(options.path)}")
    return 0


def verify_peers(options: argparse.Namespace) -> int:
    from workbench.corpora import signature
    from workbench.verification.peers import compare

    found = list(compare(options.path))
    for peer in found:
        if not peer.ours:
            print(f"  {peer.iast}: {peer.reason or 'missing, and no reason is known'}")
    ours, reasoned = sum(bool(peer.ours) for peer in found), sum(bool(peer.reason) for peer in found)
    missing = len(found) - ours - reasoned
    print(f"{ours} of {len(found)} metres are ours, {reasoned} otherwise for a reason, {missing} missing")
    print(f"  {signature(options.path)}")
    return int(missing > 0)


def verify_stored(options: argparse.Namespace) -> int:
    from workbench.evaluation.recomposed import recompose
    from workbench.evaluation.runs import Run

    run = Run.load(options.run_folder)
    found = list(progress(recompose(run, options.corpus, options.limit), "verses"))
    for verse in found:
        if not verse.same:
            print(f"  {verse.id}\n    before: {verse.before}\n    now:    {verse.now}")
    same = sum(verse.same for verse in found)
    print(f"{same} of {len(found)} verses are the same to the letter")
    print(f"  {run.signature}")
    return int(same < len(found))
