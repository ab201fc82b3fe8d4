"""A rater at work, on both databases: what is shown, entered once, edited, undone, skipped, resumed; what is hidden."""

from dataclasses import asdict, fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from tests.ratings import made
from tests.ratings.made import key
from workbench.ratings import raters, schema, session, tokens
from workbench.ratings.texts import RatingError


@pytest.fixture
def study(engine):
    return made.study(engine)


@pytest.fixture
def who(engine, study):
    return made.rater(engine, study)


def entries(engine):
    with engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(schema.entries))


def test_a_rating_stands_and_the_next_comes(engine, who):
    first = made.proceed(engine, who)
    assert first.position == 1 and first.state == "open" and first.answers == {}
    assert made.proceed(engine, who) == first  # nothing is lost by coming back
    marks = [{"word": 2, "mark": "wrong word"}, {"word": 0, "mark": "missing"}]
    said = {"coherence": 4, "grammar": 2, "comment": " Śobhanam! ", "marks": marks}
    after = made.submit(engine, who, 1, said, key(1))
    assert after.state == "rated"
    assert after.answers == {"coherence": 4, "grammar": 2, "comment": "Śobhanam!", "marks": marks[::-1]}
    assert made.show(engine, who, 1) == after
    assert made.proceed(engine, who).position == 2


def test_what_a_rater_is_shown_tells_nothing_else(engine, who):
    showing = made.proceed(engine, who)
    made.submit(engine, who, 1, {"coherence": 1}, key(1))
    assert {field.name for field in fields(showing)} == {"position", "state", "prose", "verse", "answers"}
    seen = repr([asdict(showing), made.progress(engine, who), who, made.nudge(engine, who)])
    assert "hidden" not in seen and "beta" not in seen and "cross" not in seen
    other = made.rater(engine, made.studies.find(engine, who.study), "other")
    for _ in range(10):
        shown = made.proceed(engine, other)
        assert shown.answers == {}
        made.skip(engine, other, shown.position, key(shown.position))


def test_a_submission_sent_again_counts_once(engine, who):
    made.proceed(engine, who)
    once = made.submit(engine, who, 1, {"coherence": 4}, key(1))
    assert made.submit(engine, who, 1, {"coherence": 4}, key(1)) == once
    assert entries(engine) == 1
    made.submit(engine, who, 1, {"coherence": 2}, key(2))
    assert made.submit(engine, who, 1, {"coherence": 4}, key(1)).answers == {"coherence": 2}  # late, and no edit
    with pytest.raises(RatingError, match="a new key for other answers"):
        made.submit(engine, who, 1, {"coherence": 5}, key(1))
    with pytest.raises(RatingError, match="a new key for another submission"):
        made.undo(engine, who, key(1))
    assert entries(engine) == 2


def test_edits_change_what_they_name_and_undo_goes_back_step_by_step(engine, who):
    made.proceed(engine, who)
    made.submit(engine, who, 1, {"coherence": 4, "comment": "a"}, key(1))
    assert made.submit(engine, who, 1, {"coherence": 5}, key(2)).answers == {"coherence": 5, "comment": "a"}
    assert made.submit(engine, who, 1, {"comment": None}, key(3)).answers == {"coherence": 5}
    made.proceed(engine, who)
    made.skip(engine, who, 2, key(4))
    assert made.undo(engine, who, key(5)).position == 2
    assert made.undo(engine, who, key(6)).answers == {"coherence": 5, "comment": "a"}
    assert made.undo(engine, who, key(6)).answers == {"coherence": 5, "comment": "a"}  # the same sending
    assert made.undo(engine, who, key(7)).answers == {"coherence": 4, "comment": "a"}
    assert made.undo(engine, who, key(8)).state == "open"
    with pytest.raises(RatingError, match="there is none"):
        made.undo(engine, who, key(9))
    assert made.proceed(engine, who).position == 1
    assert entries(engine) == 8  # nothing was deleted


def test_skipped_verses_wait_and_progress_counts(engine, who):
    made.rate_all(engine, who, limit=3)
    made.proceed(engine, who)
    assert made.skip(engine, who, 4, key("s")).state == "skipped"
    assert made.proceed(engine, who).position == 5
    assert made.progress(engine, who) == session.Progress(3, (4,), (5,), 10)
    made.rate_all(engine, who)
    assert made.proceed(engine, who) is None
    assert made.progress(engine, who) == session.Progress(9, (4,), (), 10)
    assert made.submit(engine, who, 4, {"coherence": 1}, key("t")).state == "rated"
    with pytest.raises(RatingError, match="this one is rated"):
        made.skip(engine, who, 4, key("u"))


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({}, "“Semantic coherence"),
        ({"grammar": 3}, "“Semantic coherence"),
        ({"coherence": None}, "has no answer yet"),
        ({"coherence": 6}, "Expected a number from 1 to 5 for coherence; got 6."),
        ({"coherence": True}, "got True"),
        ({"coherence": "5"}, "got '5'"),
        ({"coherence": 5, "metre": 1}, "Expected answers to coherence, grammar"),
        ({"coherence": 5, "comment": 7}, "Expected text as a comment; got 7."),
        ({"coherence": 5, "comment": "a\x00"}, r"the character U\+0000"),
        ({"coherence": 5, "comment": "\ud800"}, r"the character U\+D800"),
        ({"coherence": 5, "marks": "first"}, "Expected a list of marks"),
        ({"coherence": 5, "marks": [{"word": 9, "mark": "missing"}]}, "Expected a word from 0 to 7 of the verse; got 9."),
        ({"coherence": 5, "marks": [{"word": 0, "mark": "ugly"}]}, "Expected a mark among wrong word"),
        ({"coherence": 5, "marks": [3]}, "Expected a word"),
        ([5], "Expected an answer for each question"),
    ],
)  # fmt: skip
def test_what_cannot_be_entered_gets_a_sentence(file_engine, answers, sentence):
    who = made.rater(file_engine, made.study(file_engine))
    made.proceed(file_engine, who)
    with pytest.raises(RatingError, match=sentence):
        made.submit(file_engine, who, 1, answers, key(1))
    assert entries(file_engine) == 0


@pytest.mark.parametrize("position", [0, -1, 2, 2**31, 2**70, "1", None])
def test_a_place_one_has_not_had_is_refused(engine, who, position):
    made.proceed(engine, who)
    with pytest.raises(RatingError, match="Expected a verse you have been shown"):
        made.submit(engine, who, position, {"coherence": 3}, key(1))


@pytest.mark.parametrize("bad", ["", "short", "x" * 65, "a b c d e f", None, 12345678])
def test_a_submission_needs_a_key(file_engine, bad):
    who = made.rater(file_engine, made.study(file_engine))
    made.proceed(file_engine, who)
    for call in (
        lambda: made.submit(file_engine, who, 1, {"coherence": 3}, bad),
        lambda: made.skip(file_engine, who, 1, bad),
        lambda: made.undo(file_engine, who, bad),
    ):
        with pytest.raises(RatingError, match="Expected a key of 8 to 64"):
            call()


def test_a_comment_of_ten_thousand_characters_and_not_one_more(engine, who):
    made.proceed(engine, who)
    long = "स" * 9_999 + "\n" + "x"
    with pytest.raises(RatingError, match="Expected a comment of at most 10,000 characters; got 10,001."):
        made.submit(engine, who, 1, {"coherence": 3, "comment": long}, key(1))
    kept = made.submit(engine, who, 1, {"coherence": 3, "comment": long[:10_001].replace("\n", "")}, key(1))
    assert kept.answers["comment"] == "स" * 9_999 + "x"


def test_no_rating_without_consent_nor_after_the_link_is_closed(engine, study, who):
    stranger = raters.invite(engine, study, "stranger").rater
    with pytest.raises(tokens.NoEntry, match="consent"):
        made.proceed(engine, stranger)
    made.proceed(engine, who)
    made.submit(engine, who, 1, {"coherence": 3}, key(1))
    made.proceed(engine, who)
    raters.revoke(engine, study, who.name)
    for call in (
        lambda: made.show(engine, who, 1),
        lambda: made.progress(engine, who),
        lambda: made.submit(engine, who, 1, {"coherence": 1}, key(2)),
        lambda: made.skip(engine, who, 1, key(2)),
        lambda: made.undo(engine, who, key(2)),
        lambda: made.proceed(engine, who),
    ):
        with pytest.raises(tokens.NoEntry, match="opens no study"):
            call()
    assert entries(engine) == 1


def test_a_nudge_comes_when_repeats_disagree(engine):
    study = made.study(engine, 12, repeats=0.25, distance=4)
    steady, fickle = made.rater(engine, study, "steady"), made.rater(engine, study, "fickle")
    made.rate_all(engine, steady)
    assert made.nudge(engine, steady) == ""
    seen = set()

    def contrary(showing):
        again = showing.prose in seen
        seen.add(showing.prose)
        return 5 if again else 1

    made.rate_all(engine, fickle, contrary, limit=6)
    assert made.nudge(engine, fickle).startswith("A verse has come to you twice, and it got ratings more than one")
    made.rate_all(engine, fickle, contrary)
    assert made.nudge(engine, fickle).startswith("3 verses have come to you twice, and 3 of them got ratings")


actions = st.lists(
    st.tuples(st.sampled_from(["rate", "edit", "skip", "undo", "again"]), st.integers(1, 4), st.integers(1, 5)),
    max_size=25,
)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    engine = schema.connect(f"sqlite:///{tmp_path_factory.mktemp('actions') / 'ratings.db'}")
    yield engine, made.study(engine, 4, overlap=10_000)
    engine.dispose()


@given(actions)
@settings(max_examples=40)
def test_whatever_a_rater_does_the_log_says_what_stands(many, done):
    """Against a model of two lines: a pile of what was done, from which undo takes the top."""
    engine, study = many
    with engine.connect() as connection:
        number = connection.scalar(select(func.count()).select_from(schema.raters))
    who = made.rater(engine, study, f"rater {number}")
    for _ in range(4):
        made.skip(engine, who, made.proceed(engine, who).position, key("first", _))
    pile, last = [], None
    for at, (action, position, value) in enumerate(done):
        stands = dict(pile)
        try:
            if action == "undo":
                last = (made.undo, (key(at),))
            elif action == "skip":
                last = (made.skip, (position, key(at)))
            elif action != "again":
                name = "coherence" if action == "rate" else "grammar"
                last = (made.submit, (position, {name: value}, key(at)))
            if last:
                last[0](engine, who, *last[1])
        except RatingError:
            last = None
            continue
        if action == "undo" and pile:
            pile.pop()
        elif action == "skip":
            pile.append((position, None))
        elif action in ("rate", "edit"):
            pile.append((position, {**(stands.get(position) or {}), **last[1][1]}))
    stands = dict(pile)
    for position in range(1, 5):
        assert made.show(engine, who, position).answers == (stands.get(position) or {})
