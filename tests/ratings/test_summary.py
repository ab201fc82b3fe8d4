"""The figures of a study that went through the database: α by hand on the paper's marginals, means, repeats, scores."""

import random
import statistics

import numpy as np
import pytest

from tests.ratings import made
from tests.ratings.test_agreement import alpha_by_hand
from workbench.ratings import raters, schema, session
from workbench.ratings.metrics import compare, without
from workbench.ratings.overview import overview
from workbench.ratings.summary import rated_verses, summarise

# The paper's table of annotators: the mean of each over 50 verses.
MEANS = {"A1": 3.08, "A2": 2.32, "A3": 2.50, "A4": 1.96, "A5": 2.28}


def annotators(seed=1131):
    """Ratings with exactly these means. With this seed they agree as little as there: α = 0.0585."""
    chance = random.Random(seed)
    quality = [chance.gauss(0, 1) for _ in range(50)]
    table = {}
    for name, mean in MEANS.items():
        ratings = [min(5, max(1, round(mean + 0.5 * good + chance.gauss(0, 1.1)))) for good in quality]
        while sum(ratings) != round(50 * mean):
            at, step = chance.randrange(50), 1 if sum(ratings) < round(50 * mean) else -1
            ratings[at] = min(5, max(1, ratings[at] + step))
        table[name] = ratings
    return table


def test_five_annotators_with_the_papers_marginals_have_the_papers_alpha(engine):
    study, table = made.study(engine, 50, ask=()), annotators()
    for name, ratings in table.items():
        made.rate_all(engine, made.rater(engine, study, name), lambda shown, said=ratings: said[int(shown.prose[6:-1])])
    found = summarise(engine, study)
    by_hand = alpha_by_hand(list(zip(*table.values(), strict=True)))
    assert found.alpha.value == pytest.approx(by_hand, abs=1e-12)
    assert round(found.alpha.value, 3) == 0.059
    assert {line.name: line.mean.value for line in found.raters} == pytest.approx(MEANS)
    assert [line.rated for line in found.raters] == [50] * 5 and found.covered == 50 and found.ratings == 250
    assert len(found.kappas) == 10
    (system,) = found.systems
    assert system.mean.value == pytest.approx(statistics.fmean(MEANS.values()))
    assert system.mean.low < system.mean.value < system.mean.high
    assert sum(system.counts) == 250


def test_gold_repeats_skips_and_edits_count_where_they_belong(engine):
    study = made.study(engine, 20, gold=2, repeats=0.1, distance=5, systems=("even", "odd"))
    who = made.rater(engine, study, "one")
    seen = []

    def rating(shown):
        seen.append(shown.prose)
        return 5 if seen.count(shown.prose) == 1 else 1  # every repeat disagrees, every gold item is one point off

    made.rate_all(engine, who, rating)
    made.submit(engine, who, 1, {"coherence": 2}, made.key("edit"))
    made.undo(engine, who, made.key("undo"))
    silent = made.rater(engine, study, "two")
    made.skip(engine, silent, made.proceed(engine, silent).position, made.key(1))
    raters.revoke(engine, study, "two")
    found = summarise(engine, study)
    one, two = found.raters
    assert (one.shown, one.rated, one.skipped, one.open_link) == (22, 22, 0, True)
    assert (two.shown, two.rated, two.skipped, two.open_link) == (1, 0, 1, False)
    assert (found.items, found.gold_items, found.ratings, found.covered) == (18, 2, 18, 0)
    assert one.mean.value == 5 and one.counts == (0, 0, 0, 0, 18)
    assert one.itself.value == 0 and one.gold.value == 1
    assert (
        one.background == {"training": "kāvya"}
        and two.mean is None
        and two.gold.reason == "No gold item has been rated yet."
    )
    assert [(line.name, line.items, line.ratings) for line in found.systems] == [("even", 9, 9), ("odd", 9, 9)]
    assert found.alpha.value is None and found.alpha.reason == "Agreement needs two raters; there is one."


@pytest.mark.parametrize(
    ("items", "plan", "twice"),
    [
        (10, {"repeats": 0.0}, False),
        (9, {"repeats": 0.1, "distance": 2}, False),  # a tenth of nine is none
        (10, {"repeats": 0.1, "distance": 11}, False),  # too few for the distance
        (10, {"repeats": 0.1, "distance": 10}, True),
        (10, {"repeats": 0.1, "distance": 2}, True),
    ],
)
def test_whether_an_item_comes_twice_is_known_before_it_does(engine, items, plan, twice):
    study = made.study(engine, items, ask=(), **plan)
    who = made.rater(engine, study)
    (line,) = summarise(engine, study).raters
    assert line.itself.reason == ("No item has come twice yet." if twice else "No item comes twice.")
    assert overview(engine, study).repeats is twice
    assert (len(made.rate_all(engine, who)) > items) is twice  # and so it comes


def test_too_little_to_correlate_is_one_sentence_for_all_scores():
    few, more = compare("bi", [0.1] * 3, [1] * 3), compare("cross", [0.1] * 3, [1] * 3)
    assert without([few, more]) == ["Correlation needs 10 rated items with a score; there are 3."]
    assert without([few, compare("cross", [0.1] * 4, [1] * 4)]) == [
        "Correlation needs 10 rated items with a score; there are 3 with bi, 4 with cross."
    ]
    same = [compare(name, [0.5] * 10, range(10)) for name in ("a", "b")]
    assert without(same) == ["a, b: All scores are the same, so that nothing can go with them."]
    assert without([compare("cross", range(10), range(10))]) == []


def test_an_overview_counts_what_is_wanted_and_who_is_at_work(engine):
    study = made.study(engine, 4, gold=1, overlap=1, logins=True)
    who = made.rater(engine, study, "Gārgī")
    made.rate_all(engine, who, limit=2)
    made.skip(engine, who, made.proceed(engine, who).position, made.key("skip"))
    raters.invite(engine, study, "Maitreyī")
    raters.revoke(engine, study, "Maitreyī")
    made.enter_as(engine, study.id, "lopamudra")
    found = overview(engine, study)
    assert (found.items, found.gold_items, found.wanted, found.at_work) == (3, 1, 3, 2)
    first, second, third = found.raters
    assert (first.name, first.rated, first.skipped, first.open_link, first.by_login) == ("Gārgī", 2, 1, True, False)
    assert first.last and first.consented
    assert (second.open_link, second.consented, second.last) == (False, False, None)
    assert third.by_login and third.open_link
    with schema.reading(engine) as connection:
        gold = sum(each.place.item == 1 for each in session.standing(connection, study.id))
    assert found.ratings == 2 - gold


def test_an_empty_study_has_reasons_instead_of_figures(engine):
    study = made.study(engine)
    found = summarise(engine, study, "grammar")
    assert found.alpha.reason == "Agreement needs two raters; there are none."
    assert found.raters == () and found.systems[0].mean is None
    assert found.metrics[0].raw.pearson.reason == "Correlation needs 10 rated items with this score; there are 0."
    assert found.as_json()["alpha"] == {"value": None, "reason": found.alpha.reason}


def test_scores_are_compared_with_mean_ratings(engine):
    study = made.study(engine, 20, ask=(), gold=2)
    for name, more in (("a", 0), ("b", 1)):
        rating = lambda shown, more=more: 1 + int(shown.prose[6:-1]) // 6 + more  # noqa: E731
        made.rate_all(engine, made.rater(engine, study, name), rating)
    proses, verses, ratings = zip(*rated_verses(engine, study), strict=True)
    assert proses == tuple(f"Prose {at}." for at in range(2, 20))  # gold items are none of the study's own
    assert set(verses) == {made.VERSE} and ratings == tuple(1.5 + at // 6 for at in range(2, 20))
    scores = [at / 20 for at in range(2, 20)]
    (metric,) = summarise(engine, study).metrics
    assert (metric.name, metric.items) == ("cross", 18)
    assert metric.raw.pearson.value == pytest.approx(np.corrcoef(scores, ratings)[0, 1])
    assert metric.calibrated.pearson.value == pytest.approx(1)  # a rising staircase is what isotonic regression fits
    assert metric.crossed.pearson.value < metric.calibrated.pearson.value
    with schema.reading(engine) as connection:
        assert session.repeated(connection, study, 1, "coherence") == []


def test_calibration_straightens_a_curve_and_cannot_turn_one_around():
    chance = np.random.default_rng(0)
    ratings = chance.uniform(1, 5, 60)
    curved = compare("curved", np.exp(4 * ratings), ratings)
    assert curved.raw.spearman.value == pytest.approx(1) and curved.raw.pearson.value < 0.8
    assert curved.calibrated.pearson.value == pytest.approx(1) and curved.crossed.pearson.value > 0.97
    falling = compare("falling", -ratings, ratings)
    assert falling.raw.pearson.value == pytest.approx(-1)
    assert falling.calibrated.pearson.reason.startswith("All scores are the same")


def test_noise_looks_better_in_sample_than_it_is():
    chance = np.random.default_rng(1)
    noise = compare("noise", chance.normal(size=40), chance.integers(1, 6, 40))
    assert noise.calibrated.pearson.value > 0.2 > noise.crossed.pearson.value
    assert compare("same", [1.0] * 12, range(1, 13)).raw.pearson.reason.startswith("All scores are the same")
    assert compare("same", range(12), [3] * 12).raw.spearman.reason.startswith("All ratings are the same")
