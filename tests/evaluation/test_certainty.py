"""Intervals and tests: what is known of them beforehand."""

import numpy as np
import pytest

from workbench.evaluation import certainty


def test_a_mean_lies_in_its_interval_which_narrows_with_rows():
    chance = np.random.default_rng(1)
    few, many = chance.normal(50, 10, 40), chance.normal(50, 10, 4000)
    wide, narrow = certainty.mean(few), certainty.mean(many)
    assert wide.low < wide.value < wide.high and wide.value == pytest.approx(few.mean())
    # 1.96 standard errors on either side, as theory has it for a mean
    assert narrow.high - narrow.low == pytest.approx(2 * 1.96 * many.std() / np.sqrt(4000), rel=0.1)
    assert certainty.mean(few) == wide  # the same draw every time


def test_what_does_not_vary_has_no_interval():
    assert certainty.mean([100.0] * 30) == certainty.Interval(100.0, 100.0, 100.0)
    assert certainty.mean([3.0]) == certainty.Interval(3.0, 3.0, 3.0)
    with pytest.raises(ValueError, match="Expected values"):
        certainty.mean([])


def test_a_ratio_is_drawn_over_the_same_rows():
    """Rows in which both are high or both are low: drawn apart, the interval would be wide; drawn together it is not."""
    below = np.random.default_rng(2).uniform(1, 100, 300)
    found = certainty.ratio(2 * below, below)
    assert found.value == pytest.approx(2) and found.high - found.low < 1e-9


def test_a_small_difference_on_every_row_is_heard_and_noise_is_not():
    chance = np.random.default_rng(3)
    base = chance.normal(20, 8, 200)
    assert certainty.paired(base + 1 + chance.normal(0, 1, 200), base) < 0.001
    assert certainty.paired(base + chance.normal(0, 1, 200), base) > 0.05
    assert certainty.paired(base, base) == 1.0
