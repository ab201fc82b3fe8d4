"""How often the right one is found among n: the figure by which both encoders are compared. Knows numbers only."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def accuracy(similarity: npt.NDArray[np.floating], among: int | None = None, seed: int = 0) -> float:
    """Rows are prose, columns verses, the diagonal the true pairs: how often a row's own is the best of a set of
    `among`, itself and others drawn by the seed; of all, where none is given. A tie is not a find."""
    rows, columns = similarity.shape
    if rows != columns:
        raise ValueError(f"Expected as many verses as prose; got {rows} and {columns}.")
    own = similarity.diagonal()
    if among is None or among >= columns:
        others = similarity.copy()
        np.fill_diagonal(others, -np.inf)
        return float((own > others.max(axis=1)).mean())
    chance = random.Random(seed)
    found = 0
    for row in range(rows):
        drawn = chance.sample(range(columns - 1), among - 1)
        rivals = [column + (column >= row) for column in drawn]  # any but its own
        found += int((own[row] > similarity[row, rivals]).all())
    return float(found / rows)


def spread(true: Sequence[float], crossed: Sequence[float]) -> dict[str, float]:
    """Mean score of true pairs, of crossed ones, and the distance, in points of a hundred."""
    positive, negative = 100 * float(np.mean(true)), 100 * float(np.mean(crossed))
    return {"positive": positive, "negative": negative, "spread": positive - negative}
