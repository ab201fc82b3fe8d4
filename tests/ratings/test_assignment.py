"""Who gets what: orders of one's own, overlap kept by raters who come and go, repeats at a distance, gold for all."""

from collections import Counter
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ratings import made
from workbench.ratings import assignment, items, schema, session


def test_everyone_gets_everything_in_an_order_of_their_own(engine):
    study = made.study(engine, 12)
    orders = [made.rate_all(engine, made.rater(engine, study, name)) for name in "abc"]
    assert all(sorted(order) == sorted(orders[0]) and len(order) == 12 for order in orders)
    assert len(set(map(tuple, orders))) == 3


def test_the_seed_decides_the_order(tmp_path):
    orders = []
    for file, seed in (("a", 1), ("b", 1), ("c", 2)):
        engine = schema.connect(f"sqlite:///{tmp_path / file}")
        orders.append(made.rate_all(engine, made.rater(engine, made.study(engine, 12, seed=seed))))
        engine.dispose()
    assert orders[0] == orders[1] != orders[2]


def test_overlap_is_kept_and_spread(engine):
    study = made.study(engine, 6, overlap=2)
    people = [made.rater(engine, study, name) for name in "abcd"]
    seen = Counter()
    for turn in range(3):  # 6 items x 2 = 12 ratings: 3 for each of four raters who take turns
        for who in people:
            seen.update(made.rate_all(engine, who, limit=1))
        assert set(seen.values()) == ({1} if turn == 0 else {1, 2} if turn == 1 else {2})
    assert all(made.proceed(engine, who) is None for who in people)


def test_what_a_rater_left_open_goes_to_others_once_they_have_been_away(engine):
    study = made.study(engine, 1, overlap=1)
    gone, here = made.rater(engine, study, "gone"), made.rater(engine, study, "here")
    assert made.proceed(engine, gone).position == 1
    assert made.proceed(engine, here) is None  # it may still come
    later = schema.now() + assignment.HELD + timedelta(minutes=1)
    assert made.proceed(engine, here, later).position == 1
    made.submit(engine, here, 1, {"coherence": 2}, made.key(1))
    assert made.submit(engine, gone, 1, {"coherence": 3}, made.key(1)).state == "rated"  # late, and not lost


def test_a_skipped_item_goes_to_someone_else(engine):
    study = made.study(engine, 1, overlap=1)
    one, other = made.rater(engine, study, "one"), made.rater(engine, study, "other")
    made.proceed(engine, one)
    made.skip(engine, one, 1, made.key(1))
    assert made.rate_all(engine, other) == ["Prose 0."]


def test_repeats_are_silent_and_some_distance_away(engine):
    study = made.study(engine, 20, repeats=0.2, distance=5)
    who = made.rater(engine, study)
    assert made.progress(engine, who).total == 24
    order = made.rate_all(engine, who)
    assert made.progress(engine, who) == session.Progress(24, (), (), 24)
    twice = [prose for prose, times in Counter(order).items() if times == 2]
    assert len(order) == 24 and len(twice) == 4
    for prose in twice:
        first, second = (at for at, each in enumerate(order) if each == prose)
        assert second - first >= 5


def test_every_rater_gets_all_gold_items_among_the_others(engine):
    study = made.study(engine, 12, gold=3, overlap=1)
    first = made.rate_all(engine, made.rater(engine, study, "first"))
    second = made.rate_all(engine, made.rater(engine, study, "second"))
    gold = {f"Prose {at}." for at in range(3)}
    assert len(first) == 12 and set(second) == gold  # the others have had their one rating
    assert {prose in gold for prose in first[:9]} == {True, False}


def test_items_added_later_come_too(engine):
    study = made.study(engine, 2)
    who = made.rater(engine, study)
    made.rate_all(engine, who)
    items.add(engine, study, [items.Item("late", "Late.", made.VERSE, "s")])
    assert made.rate_all(engine, who) == ["Late."]


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    engine = schema.connect(f"sqlite:///{tmp_path_factory.mktemp('turns') / 'ratings.db'}")
    yield engine
    engine.dispose()


@given(st.integers(1, 3), st.integers(1, 5), st.lists(st.integers(0, 3), max_size=15))
@settings(max_examples=15)
def test_overlap_is_never_passed_and_always_reached(quiet, overlap, number, turns):
    """Four raters come in any order and stop at any time; then all who are left finish."""
    study = made.study(quiet, number, overlap=overlap)
    people = [made.rater(quiet, study, name) for name in "abcd"]
    seen = Counter()
    for turn in turns:
        seen.update(made.rate_all(quiet, people[turn], limit=1))
        assert max(seen.values(), default=0) <= overlap
    for who in people[1:]:  # the first has left for good
        seen.update(made.rate_all(quiet, who))
    assert set(seen.values()) == {overlap} and len(seen) == number
