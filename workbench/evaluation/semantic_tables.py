"""The paper's tables of the judges of meaning: how far apart true and crossed pairs stand, and how often the true one
is found; and whether a judge hears one change of meaning."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from workbench.corpora import CorpusError, signature
from workbench.evaluation.measures import Example
from workbench.prosody.verse import Verse
from workbench.semantics.changes import changes
from workbench.semantics.judges import Judge, Judges, judges
from workbench.semantics.registry import JudgeEntry, compared, judge_entries
from workbench.semantics.retrieval import accuracy, spread
from workbench.semantics.verse_spelling import DEVANAGARI

LEAST = 17  # rows: the true one and sixteen
FIRST = 50  # of the ranking of one that compares vectors, that others order anew


def _compared() -> JudgeEntry:
    return next(entry for entry in compared() if entry.name in judge_entries())


def _texts(chosen: Sequence[Example]) -> tuple[list[str], list[Verse]]:
    return [example.prose for example in chosen], [Verse.read(example.reference, "slp1") for example in chosen]


def measure(source: str, chosen: Sequence[Example], names: Sequence[str]) -> dict[str, Any]:
    """What is asked for of the judges at hand: spread, accuracy, changes; `slp1` is the first two. Script and
    changes are told of one's own cross-encoder, where there is one, else of the judge whose mean is Sim."""
    if len(chosen) < LEAST:
        raise CorpusError(f"Expected at least {LEAST} rows with full anuṣṭubh verses; got {len(chosen)}.")
    data = signature(source, packages=("sentence-transformers",))
    found: dict[str, Any] = {
        "script": "Devanagari" if judges().judge(_compared().name).spelling == DEVANAGARI else "SLP1",
        "signature": f"{judges().identity} | {len(chosen)} rows of {data}",
    }
    wanted = ("spread", "accuracy") if "slp1" in names else names
    of: dict[str, Any] = {"spread": spread_of, "accuracy": accuracy_of, "changes": changes_heard}
    for name in wanted:
        found[name] = of[name](chosen, judges())
    return found


def spread_of(chosen: Sequence[Example], judging: Judges, seed: int = 0) -> dict[str, dict[str, float]]:
    """Positive mean, negative mean and spread of each judge; negatives are other rows' verses."""
    prose, verses = _texts(chosen)
    order = list(range(len(chosen)))
    random.Random(seed).shuffle(order)
    following = dict(zip(order, order[1:] + order[:1], strict=True))
    crossed = [verses[following[at]] for at in range(len(chosen))]
    found = {}
    for name, entry in judge_entries().items():
        judge = judging.judge(name)
        found[entry.title] = spread(judge.score(prose, verses), judge.score(prose, crossed))
    return found


def accuracy_of(chosen: Sequence[Example], judging: Judges, seed: int = 0) -> dict[str, dict[str, float]]:
    """How often the true verse is the best among 4, among 16 and among all. A judge that compares vectors, as the
    bi-encoder does, is asked of all; others order the first fifty of the first that does."""
    prose, verses = _texts(chosen)
    found: dict[str, dict[str, float]] = {}
    finder: Any = None
    for name, entry in sorted(judge_entries().items(), key=lambda each: not _compares(judging.judge(each[0]))):
        judge: Any = judging.judge(name)
        if _compares(judge):
            similarity = judge.similarity(prose, verses).numpy()
            finder = similarity if finder is None else finder
            found[entry.title] = {str(n): accuracy(similarity, n, seed) for n in (4, 16)}
            found[entry.title]["all"] = accuracy(similarity)
        else:
            found[entry.title] = {str(n): _among(prose, verses, judge, n, seed) for n in (4, 16)}
            found[entry.title]["all"] = _among_first(prose, verses, judge, finder)
    return found


def _compares(judge: Judge) -> bool:
    return hasattr(judge, "similarity")


def _among(prose: Sequence[str], verses: Sequence[Verse], judge: Judge, among: int, seed: int) -> float:
    """The same sets of rivals as for those who compare vectors, so that all are asked the same."""
    chance = random.Random(seed)
    hits = 0
    for row, text in enumerate(prose):
        drawn = chance.sample(range(len(verses) - 1), among - 1)
        rivals = [column + (column >= row) for column in drawn]
        scores = judge.score([text] * among, [verses[row], *(verses[rival] for rival in rivals)])
        hits += scores[0] > max(scores[1:])
    return hits / len(prose)


def _among_first(prose: Sequence[str], verses: Sequence[Verse], judge: Judge, similarity: Any) -> float:
    hits = 0
    for row, text in enumerate(prose):
        first = np.arange(len(verses)) if similarity is None else np.argsort(-similarity[row])[:FIRST]
        if row not in first:
            continue
        scores = judge.score([text] * len(first), [verses[at] for at in first])
        own = scores[int(np.flatnonzero(first == row)[0])]
        hits += sum(score >= own for score in scores) == 1
    return hits / len(prose)


def changes_heard(chosen: Sequence[Example], judging: Judges, most: int = 500, seed: int = 0) -> dict[str, Any]:
    """In how many pairs with one change to the English the true pair scores higher, by kind and in all."""
    cases = []
    for example in chosen:
        found = list(changes(example.prose, seed))
        if found:
            cases.append((example, random.Random(f"{seed} {example.id}").choice(found)))
    cases = cases[:most]
    verses = [Verse.read(example.reference, "slp1") for example, _ in cases]
    judge = judging.judge(_compared().name)
    true = judge.score([example.prose for example, _ in cases], verses)
    changed = judge.score([change.text for _, change in cases], verses)
    heard: dict[str, list[bool]] = {}
    for (_, change), own, other in zip(cases, true, changed, strict=True):
        heard.setdefault(change.kind, []).append(own > other)
    every = [hit for hits in heard.values() for hit in hits]
    kinds = {kind: {"pairs": len(hits), "heard": sum(hits) / len(hits)} for kind, hits in sorted(heard.items())}
    return {"pairs": len(every), "heard": sum(every) / max(1, len(every)), "kinds": kinds}
