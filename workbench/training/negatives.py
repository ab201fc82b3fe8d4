"""Pairs for the cross-encoder to learn from: true ones, and easy and hard ones that do not belong together.

Easy: any other verse. Hard: the verses a bi-encoder takes for near; the verse's own prose with one thing changed that
changes what it says; the generator's own verses, in the right metre and more or less beside the point. These are no
plain negatives. Were all of them called wrong, the judge would learn to know the generator's style; so a verse that was
composed for this prose is right by as much as it shares with the true one, and one that was composed for another prose,
a near one, is wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt
from sacrebleu.metrics.chrf import CHRF

from workbench.prosody.verse import Verse
from workbench.semantics.changes import changes
from workbench.training.pairs import Pair

UNRELATED, SAME = 15.0, 60.0  # chrF of verses that have nothing in common but the epics; of verses that tell the same
NEAREST = range(1, 30)  # ranks of the retrieved: the first may be the same verse told twice


@dataclass(frozen=True)
class Labelled:
    prose: str
    verse: str
    label: float
    kind: str


def shared(verse: str, true: str) -> float:
    """How much of the true verse a composed one tells, from 0 to 1, by sentence chrF of their words."""
    said, given = (Verse.from_slp1(each).plain for each in (verse, true))
    chrf: float = CHRF().sentence_score(said, [given]).score
    return min(1.0, max(0.0, (chrf - UNRELATED) / (SAME - UNRELATED)))


def nearest(
    prose: npt.NDArray[np.float32], verses: npt.NDArray[np.float32], tell: Callable[[str], None], block: int = 2048
) -> npt.NDArray[np.int64]:
    """For every prose, the numbers of the nearest verses other than its own, nearest first."""
    most = min(NEAREST.stop, len(verses) - 1)
    found = np.empty((len(prose), most), np.int64)
    for start in range(0, len(prose), block):
        tell(f"looking for what is near: {start:,} of {len(prose):,}")
        similarity = prose[start : start + block] @ verses.T
        rows = np.arange(len(similarity))
        similarity[rows, start + rows] = -np.inf
        best = np.argpartition(-similarity, most - 1, axis=1)[:, :most]
        order = np.argsort(-np.take_along_axis(similarity, best, axis=1), axis=1)
        found[start : start + block] = np.take_along_axis(best, order, axis=1)
    return found


def easy(pairs: Sequence[Pair], chance: random.Random) -> list[Labelled]:
    """Every pair, and every prose with some other verse. Rows of one prose follow each other."""
    rows = []
    for number, pair in enumerate(pairs):
        other = (number + chance.randrange(1, len(pairs))) % len(pairs)
        rows.append(Labelled(pair.prose, pair.verse, 1, "true"))
        rows.append(Labelled(pair.prose, pairs[other].verse, 0, "easy"))
    return rows


def hard(
    pairs: Sequence[Pair],
    near: npt.NDArray[np.int64],
    composed: dict[str, list[str]],
    chance: random.Random,
    changed_share: float = 1.0,
) -> list[Labelled]:
    """Every pair, and for each a retrieved verse, the generator's own where there are some, and for a share of the
    proses that allow it a change. Rows of one prose follow each other."""
    rows = []
    for number, pair in enumerate(pairs):
        rows.append(Labelled(pair.prose, pair.verse, 1, "true"))
        ranked = [at for at in near[number] if pairs[at].verse != pair.verse]
        if ranked:
            rows.append(Labelled(pair.prose, pairs[chance.choice(ranked)].verse, 0, "retrieved"))
        own = composed.get(pair.prose, [])
        rows += [Labelled(pair.prose, verse, shared(verse, pair.verse), "composed") for verse in own]
        others = [
            verse for at in ranked if pairs[at].prose != pair.prose for verse in composed.get(pairs[at].prose, [])
        ]
        if own and others:
            rows.append(Labelled(pair.prose, chance.choice(others), 0, "composed for another"))
        changed = list(changes(pair.prose, chance.randrange(1 << 30)))
        if changed and chance.random() < changed_share:
            rows.append(Labelled(chance.choice(changed).text, pair.verse, 0, "changed"))
    return rows


def as_many(pairs: Sequence[Pair], rows: int, composed: dict[str, list[str]], chance: random.Random) -> list[Pair]:
    """As many pairs as it takes to make so many hard rows of: those first for which verses were composed."""
    order = list(pairs)
    chance.shuffle(order)
    order.sort(key=lambda pair: pair.prose not in composed)
    found: list[Pair] = []
    for pair in order:
        if rows <= 0:
            break
        found.append(pair)
        rows -= 2 + len(composed.get(pair.prose, []))  # the true verse and a retrieved one at least
    return found


def enough(rows: Sequence[Labelled], wanted: int, first: Container[str], chance: random.Random) -> list[Labelled]:
    """So many rows that each is seen once: those of the proses that come first, then others; no prose is torn."""
    groups = [list(group) for _, group in groupby(rows, key=lambda row: row.prose)]
    chance.shuffle(groups)
    groups.sort(key=lambda group: group[0].prose not in first)
    found: list[Labelled] = []
    for group in groups:
        if len(found) >= wanted:
            break
        found += group
    return found
