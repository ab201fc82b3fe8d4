"""How far automatic scores go with ratings: Pearson and Spearman, before and after isotonic calibration. Knows numbers.

Calibrated on the very items it is judged on, a score flatters itself; so beside those figures stand the ones where each
item's calibrated score comes from a curve fitted on the other folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats  # type: ignore[import-untyped]
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import KFold

from workbench.ratings.agreement import Figure
from workbench.ratings.kinds import SCALE

LEAST, FOLDS = 10, 5
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Correlation:
    pearson: Figure
    spearman: Figure


@dataclass(frozen=True)
class Metric:
    """One score against the items' mean ratings."""

    name: str
    items: int
    raw: Correlation
    calibrated: Correlation  # on the items it was fitted on
    crossed: Correlation  # each item by a curve fitted on others


def compare(name: str, scores: Sequence[float], ratings: Sequence[float], seed: int = 0) -> Metric:
    given, said = np.asarray(scores, float), np.asarray(ratings, float)
    if len(given) < LEAST:
        few = Figure(None, f"Correlation needs {LEAST} rated items with this score; there are {len(given)}.")
        none = Correlation(few, few)
        return Metric(name, len(given), none, none, none)
    crossed = np.empty_like(said)
    for others, held in KFold(FOLDS, shuffle=True, random_state=seed).split(given):
        crossed[held] = _fitted(given[others], said[others]).predict(given[held])
    calibrated = _fitted(given, said).predict(given)
    return Metric(name, len(given), _both(given, said), _both(calibrated, said), _both(crossed, said))


def without(found: Sequence[Metric]) -> list[str]:
    """Why some scores have no figures, in as few sentences as there are reasons."""
    few = [metric for metric in found if metric.items < LEAST]
    sentences = []
    if few:
        alike = len({metric.items for metric in few}) == 1
        counts = str(few[0].items) if alike else ", ".join(f"{metric.items} with {metric.name}" for metric in few)
        sentences.append(f"Correlation needs {LEAST} rated items with a score; there are {counts}.")
    other: dict[str, list[str]] = {}
    for metric in found:
        if metric not in few and metric.raw.pearson.value is None:
            other.setdefault(metric.raw.pearson.reason, []).append(metric.name)
    return sentences + [f"{', '.join(names)}: {reason}" for reason, names in other.items()]


def _fitted(scores: Numbers, ratings: Numbers) -> IsotonicRegression:
    return IsotonicRegression(y_min=SCALE[0], y_max=SCALE[-1], out_of_bounds="clip").fit(scores, ratings)


def _both(scores: Numbers, ratings: Numbers) -> Correlation:
    for values, what in ((ratings, "ratings"), (scores, "scores")):
        if np.ptp(values) <= 1e-9 * np.abs(values).max():
            same = Figure(None, f"All {what} are the same, so that nothing can go with them.")
            return Correlation(same, same)
    pearson, spearman = stats.pearsonr(scores, ratings).statistic, stats.spearmanr(scores, ratings).statistic
    return Correlation(Figure(float(pearson)), Figure(float(spearman)))
