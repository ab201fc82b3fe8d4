"""Agreement figures against hand computation, a published example and another package; the reasons when there is none."""

import itertools
import math
import random

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from workbench.ratings.agreement import LEVELS, alpha, kappas, mean_with_interval, self_agreement


def alpha_by_hand(table):
    """Ordinal α from its definition, coincidence by coincidence (Krippendorff 2011); `table` is item -> ratings."""
    units = [values for values in table if len(values) > 1]
    counts = dict.fromkeys(range(1, 6), 0.0)
    coincidences = {}
    for values in units:
        for one, other in itertools.permutations(range(len(values)), 2):
            pair = values[one], values[other]
            coincidences[pair] = coincidences.get(pair, 0) + 1 / (len(values) - 1)
        for value in values:
            counts[value] += 1
    total = sum(counts.values())

    def distance(one, other):
        low, high = min(one, other), max(one, other)
        between = sum(counts[value] for value in range(low, high + 1)) - (counts[low] + counts[high]) / 2
        return between**2

    observed = sum(number * distance(*pair) for pair, number in coincidences.items())
    expected = sum(counts[a] * counts[b] * distance(a, b) for a in counts for b in counts) / (total - 1)
    return 1 - observed / expected


def study(raters=5, items=50, seed=0, missing=0.0):
    """Five annotators' 50 ratings on the paper's scale, hardly agreeing, as there."""
    chance = random.Random(seed)
    ratings = {f"rater {number}": {} for number in range(raters)}
    for item in range(items):
        truth = chance.choice([2, 3, 3, 4])
        for rater in ratings:
            if chance.random() >= missing:
                value = truth if chance.random() < 0.15 else chance.choices([1, 2, 3, 4, 5], [10, 20, 30, 25, 15])[0]
                ratings[rater][f"item {item}"] = value
    return ratings


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_alpha_is_the_one_computed_by_hand(seed, missing):
    ratings = study(seed=seed, missing=missing)
    items = sorted({item for of_rater in ratings.values() for item in of_rater})
    table = [[of_rater[item] for of_rater in ratings.values() if item in of_rater] for item in items]
    assert alpha(ratings).value == pytest.approx(alpha_by_hand(table), abs=1e-12)


# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), part C: four observers, twelve units.
PUBLISHED = """
    1 2 3 3 2 1 4 1 2 . . .
    1 2 3 3 2 2 4 1 2 5 . 3
    . 3 3 3 2 3 4 2 2 5 1 .
    1 2 3 3 2 4 4 1 2 5 1 .
"""


def by_rater(table):
    """Rows of numbers, None where there is no rating, as the ratings of named raters."""
    return {
        f"r{at}": {f"i{n}": value for n, value in enumerate(row) if value is not None} for at, row in enumerate(table)
    }


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_the_published_example_is_the_published_one(level, published):
    table = [[None if said == "." else int(said) for said in row.split()] for row in PUBLISHED.strip().splitlines()]
    assert round(alpha(by_rater(table), level).value, 3) == published


scales = st.sampled_from([(1, 2, 3, 4, 5), (1, 2), (0, 10, 11, 500), (-1.5, 0.25, 3.0)])
tables = st.tuples(scales, st.integers(2, 6), st.integers(1, 12)).flatmap(
    lambda size: st.lists(
        st.lists(st.sampled_from([None, *size[0]]), min_size=size[2], max_size=size[2]),
        min_size=size[1], max_size=size[1],
    )
)  # fmt: skip


@given(tables, st.sampled_from(LEVELS))
def test_alpha_is_the_other_packages_whatever_is_missing(table, level):
    columns = [[value for value in column if value is not None] for column in zip(*table, strict=True)]
    assume(len({value for column in columns if len(column) > 1 for value in column}) > 1)
    theirs = krippendorff.alpha(np.array(table, float), level_of_measurement=level)
    assert alpha(by_rater(table), level).value == pytest.approx(theirs, abs=1e-9)


def test_a_level_nobody_knows_is_refused():
    with pytest.raises(ValueError, match="Expected a level among nominal, ordinal, interval; got 'ratio'."):
        alpha({"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}}, "ratio")


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ({}, "there are none"),
        ({"a": {"x": 1}}, "there is one"),
        ({"a": {"x": 1}, "b": {"y": 2}}, "No item has been rated by two raters yet."),
        ({"a": {"x": 3, "y": 3}, "b": {"x": 3, "y": 3}}, "All ratings are the same"),
    ],
)
def test_alpha_says_why_it_is_undefined(ratings, reason):
    figure = alpha(ratings)
    assert figure.value is None and reason in figure.reason


def test_kappa_by_hand():
    ratings = {"a": {"x": 1, "y": 2, "z": 5}, "b": {"x": 1, "y": 3, "z": 5}, "c": {"x": 4}}
    found = kappas(ratings)
    # observed: squares 0, 1, 0; expected: all nine pairs of {1, 2, 5} with {1, 3, 5}
    expected = sum((one - other) ** 2 for one in (1, 2, 5) for other in (1, 3, 5)) / 9
    assert found["a", "b"].value == pytest.approx(1 - (1 / 3) / expected)
    assert found["a", "c"].value is None and "They share 1 items" in found["a", "c"].reason


def test_self_agreement_counts_within_one_point():
    assert self_agreement([(1, 1), (2, 3), (1, 4), (5, 4)]).value == 0.75
    assert self_agreement([]).value is None


def test_the_interval_holds_the_mean_and_shrinks_with_more():
    few, many = [1, 2, 3, 4, 5], [1, 2, 3, 4, 5] * 40
    for values in (few, many):
        mean, low, high = mean_with_interval(values)
        assert mean == 3 and low <= mean <= high
    width = [math.dist(mean_with_interval(values)[1:2], mean_with_interval(values)[2:3]) for values in (few, many)]
    assert width[1] < width[0] / 4
    assert mean_with_interval([4.0]) == (4.0, 4.0, 4.0)
