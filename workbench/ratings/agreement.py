"""How far raters agree, and with how much certainty systems differ. Knows numbers: rater -> item -> rating.

Krippendorff's α is written from Klaus Krippendorff, "Computing Krippendorff's Alpha-Reliability" (University of
Pennsylvania, 2011), and the tests hold it against his example and a package of others. Where a figure is undefined, the
reason is given instead of a number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score

Ratings = Mapping[str, Mapping[str, float]]  # by rater, by item
Numbers = NDArray[np.float64]
LEVELS = ("nominal", "ordinal", "interval")  # what differences between ratings mean
DRAWS = 2000


@dataclass(frozen=True)
class Figure:
    """A number, or why there is none."""

    value: float | None
    reason: str = ""


def alpha(ratings: Ratings, level: str = "ordinal") -> Figure:
    """Krippendorff's α at one of LEVELS."""
    names = sorted({item for of_rater in ratings.values() for item in of_rater})
    if len(ratings) < 2:
        return Figure(None, f"Agreement needs two raters; there {'is one' if ratings else 'are none'}.")
    table = np.array([[of_rater.get(item, math.nan) for item in names] for of_rater in ratings.values()])
    paired = table[:, np.isfinite(table).sum(axis=0) > 1]
    if not paired.size:
        return Figure(None, "No item has been rated by two raters yet.")
    values = np.unique(paired[np.isfinite(paired)])
    if len(values) < 2:
        return Figure(None, "All ratings are the same, so that there is no disagreement to measure against.")
    counts = (paired[:, :, None] == values).sum(axis=0).astype(float)  # items x values
    shared = counts / (counts.sum(axis=1, keepdims=True) - 1)
    coincidences = shared.T @ counts - np.diag(shared.sum(axis=0))  # no rating is paired with itself
    totals = counts.sum(axis=0)
    distances = _distances(values, totals, level)
    observed, expected = (coincidences * distances).sum(), (np.outer(totals, totals) * distances).sum()
    return Figure(float(1 - (totals.sum() - 1) * observed / expected))


def _distances(values: Numbers, totals: Numbers, level: str) -> Numbers:
    """The squared difference of every two values: of the values themselves, of their middle ranks, or just whether."""
    if level not in LEVELS:
        raise ValueError(f"Expected a level among {', '.join(LEVELS)}; got {level!r}.")
    if level == "nominal":
        return 1 - np.eye(len(values))
    along = values if level == "interval" else np.cumsum(totals) - totals / 2
    return np.asarray((along[:, None] - along) ** 2)


def kappas(ratings: Ratings, scale: Sequence[int] = (1, 2, 3, 4, 5)) -> dict[tuple[str, str], Figure]:
    """Cohen's κ with quadratic weights for each pair of raters, over the items both have rated."""
    found = {}
    for one, other in combinations(sorted(ratings), 2):
        shared = sorted(set(ratings[one]) & set(ratings[other]))
        first, second = [ratings[one][item] for item in shared], [ratings[other][item] for item in shared]
        if len(shared) < 2:
            found[one, other] = Figure(None, f"They share {len(shared)} items; two are needed.")
        elif len({*first, *second}) < 2:
            found[one, other] = Figure(None, "All ratings are the same.")
        else:
            found[one, other] = Figure(float(cohen_kappa_score(first, second, labels=list(scale), weights="quadratic")))
    return found


def self_agreement(pairs: Sequence[tuple[float, float]], coming: bool = True) -> Figure:
    """Of the items a rater saw twice, the share that got the same rating, within one point; `coming` says whether any
    item is to come twice."""
    if not pairs:
        return Figure(None, "No item has come twice yet." if coming else "No item comes twice.")
    return Figure(sum(abs(first - second) <= 1 for first, second in pairs) / len(pairs))


def mean_with_interval(values: Sequence[float], seed: int = 0, level: float = 0.95) -> tuple[float, float, float]:
    """The mean, and a bootstrap interval around it: with one value, the value itself."""
    if not values:
        raise ValueError("Expected ratings to take the mean of; got none.")
    data = np.asarray(values, float)
    draws = np.random.default_rng(seed).choice(data, (DRAWS, len(data))).mean(axis=1)
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return float(data.mean()), float(low), float(high)
