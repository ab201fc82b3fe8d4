"""How certain a mean is, and whether two settings differ: bootstrap intervals and paired permutation tests, by scipy.

Rows are what is drawn again: prose and verses differ more than anything else here. Knows numbers only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats  # type: ignore[import-untyped]

DRAWS, FLIPS, BATCH = 2000, 9999, 250


@dataclass(frozen=True)
class Interval:
    """A figure, and between what it lies with 95 % confidence."""

    value: float
    low: float
    high: float


def mean(values: Sequence[float], seed: int = 0) -> Interval:
    data = np.asarray(values, float)
    if len(data) == 0:
        raise ValueError("Expected values to take the mean of; got none.")
    if len(data) == 1:
        return Interval(float(data[0]), float(data[0]), float(data[0]))
    return _interval((data,), np.mean, seed)


def ratio(above: Sequence[float], below: Sequence[float], seed: int = 0) -> Interval:
    """Of two means over the same rows."""

    def of_means(one: Any, other: Any, axis: int = -1) -> Any:
        return one.mean(axis=axis) / other.mean(axis=axis)

    return _interval((np.asarray(above, float), np.asarray(below, float)), of_means, seed)


def _interval(data: tuple[Any, ...], statistic: Any, seed: int) -> Interval:
    found = stats.bootstrap(
        data, statistic, n_resamples=DRAWS, batch=BATCH, paired=True, vectorized=True, method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval  # fmt: skip
    return Interval(float(statistic(*data)), float(found.low), float(found.high))


def paired(one: Sequence[float], other: Sequence[float], seed: int = 0) -> float:
    """The chance of so large a difference of means if the two were alike on every row: signs are flipped at random."""
    data = (np.asarray(one, float), np.asarray(other, float))
    if np.array_equal(*data):
        return 1.0

    def difference(left: Any, right: Any, axis: int = -1) -> Any:
        return (left - right).mean(axis=axis)

    found = stats.permutation_test(
        data, difference, permutation_type="samples", n_resamples=FLIPS, batch=BATCH, vectorized=True,
        rng=np.random.default_rng(seed),
    )  # fmt: skip
    return float(found.pvalue)
