"""Pairs that do not belong together, easy and hard, for the cross-encoder to learn from.

Easy: any other verse. Hard: the verses a bi-encoder takes for near; the generator's own verses for the prose, in the
right metre and beside the point; and the verse's own prose with one thing changed that changes what it says.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.semantics.changes import changes
from workbench.training.pairs import Pair

NEAREST = range(1, 30)  # ranks of the retrieved: the first may be the same verse told twice


@dataclass(frozen=True)
class Labelled:
    prose: str
    verse: str
    label: int
    kind: str


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
    composed: dict[str, str],
    chance: random.Random,
    changed_share: float = 1.0,
) -> list[Labelled]:
    """Every pair, and for each a retrieved verse, the generator's own where there is one, and for a share of the proses
    that allow it a change. Rows of one prose follow each other."""
    rows = []
    for number, pair in enumerate(pairs):
        rows.append(Labelled(pair.prose, pair.verse, 1, "true"))
        ranked = [at for at in near[number] if pairs[at].verse != pair.verse]
        if ranked:
            rows.append(Labelled(pair.prose, pairs[chance.choice(ranked)].verse, 0, "retrieved"))
        if composed.get(pair.prose, pair.verse) != pair.verse:
            rows.append(Labelled(pair.prose, composed[pair.prose], 0, "composed"))
        changed = list(changes(pair.prose, chance.randrange(1 << 30)))
        if changed and chance.random() < changed_share:
            rows.append(Labelled(chance.choice(changed).text, pair.verse, 0, "changed"))
    return rows
