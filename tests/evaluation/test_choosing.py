"""Who chooses best: figures over candidates made by hand, where it is known which feature tells the best verse."""

import random

import numpy as np
import pytest

from workbench.corpora import CorpusError
from workbench.evaluation.choosing import CHOOSERS, Described, as_lines, compare, cross_fitted, fit, from_line, pick
from workbench.evaluation.measures import Example


def candidate(chance, likeness, **features):
    by_chance = {name: chance.random() for name in ("generator", "reader", "heard", "bi", "judge", "consensus")}
    return Described(f"verse {likeness}", likeness, **{**by_chance, "new_words": 1.0, **features})


@pytest.fixture
def rows():
    """The reader knows which verse is like the poet's, up to what another prose's candidates get; the rest is chance."""
    chance = random.Random(2)
    found = []
    for number in range(40):
        shift = chance.uniform(-50, 50)
        likenesses = [chance.uniform(10, 40) for _ in range(8)]
        found.append((str(number), [candidate(chance, each, reader=shift + each) for each in likenesses]))
    return found


def test_what_knows_chooses_the_best_and_the_fit_finds_it_out(rows):
    best = CHOOSERS["best there is"](rows)
    assert pick(rows, ["reader"], np.ones(1)) == best
    fitted = cross_fitted(rows, ["bi", "reader", "judge"])
    assert sum(one == other for one, other in zip(fitted, best, strict=True)) >= 36  # the others nearly
    weights = fit(rows, ["bi", "reader", "judge"])
    assert weights[1] > 10 * abs(weights[0]) and weights[1] > 10 * abs(weights[2])


def test_rows_keep_their_order_whichever_half_they_are_in(rows):
    assert [each.verse for each in cross_fitted(rows[:5], ["reader"])] == [
        max(candidates, key=lambda each: each.reader).verse for _, candidates in rows[:5]
    ]


def test_gains_are_over_the_first(rows):
    told = {row["chooser"]: row for row in compare(rows)}
    assert told["first of the search"]["gain_percent"] == 0 and told["first of the search"]["p"] == 1
    best = told["best there is"]
    assert best["gain_percent"] == pytest.approx(100 * (best["chrf"] / told["first of the search"]["chrf"] - 1))
    assert told["reader"]["chrf"] == best["chrf"] > told["bi"]["chrf"]
    assert told["reader"]["p"] < 0.001


def test_a_feature_that_never_differs_chooses_the_first(rows):
    assert pick(rows, ["new_words"], np.ones(1)) == [candidates[0] for _, candidates in rows]


def test_what_is_kept_is_read_again(rows):
    number, candidates = rows[0]
    (line,) = as_lines([(Example(number, "prose"), candidates)])
    assert from_line(line) == rows[0]
    line["candidates"][3]["cross"] = line["candidates"][3].pop("judge")  # as a former version kept them
    with pytest.raises(CorpusError, match="Expected candidates as .* keeps them now; got others .*cross"):
        from_line(line)
