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
    first = session.proceed(engine, who)
    assert first.position == 1 and first.state == "open" and first.answers == {}
    assert session.proceed(engine, who) == first  # nothing is lost by coming back
    marks = [{"word": 2, "mark": "wrong word"}, {"word": 0, "mark": "missing"}]
    said = {"coherence": 4, "grammar": 2, "comment": " Śobhanam! ", "marks": marks}
    after = session.submit(engine, who, 1, said, key(1))
    assert after.state == "rated"
    assert after.answers == {"coherence": 4, "grammar": 2, "comment": "Śobhanam!", "marks": marks[::-1]}
    assert session.show(engine, who, 1) == after
    assert session.proceed(engine, who).position == 2


def test_what_a_rater_is_shown_tells_nothing_else(engine, who):
    showing = session.proceed(engine, who)
    session.submit(engine, who, 1, {"coherence": 1}, key(1))
    assert {field.name for field in fields(showing)} == {"position", "state", "prose", "verse", "words", "answers"}
    seen = repr([asdict(showing), session.progress(engine, who), who, session.nudge(engine, who)])
    assert "hidden" not in seen and "beta" not in seen and "cross" not in seen
    other = made.rater(engine, made.studies.find(engine, who.study), "other")
    for _ in range(10):
        shown = session.proceed(engine, other)
        assert shown.answers == {}
        session.skip(engine, other, shown.position, key(shown.position))


def test_a_submission_sent_again_counts_once(engine, who):
    session.proceed(engine, who)
    once = session.submit(engine, who, 1, {"coherence": 4}, key(1))
    assert session.submit(engine, who, 1, {"coherence": 4}, key(1)) == once
    assert entries(engine) == 1
    session.submit(engine, who, 1, {"coherence": 2}, key(2))
    assert session.submit(engine, who, 1, {"coherence": 4}, key(1)).answers == {"coherence": 2}  # late, and no edit
    with pytest.raises(RatingError, match="a new key for other answers"):
        session.submit(engine, who, 1, {"coherence": 5}, key(1))
    with pytest.raises(RatingError, match="a new key for another submission"):
        session.undo(engine, who, key(1))
    assert entries(engine) == 2


def test_edits_change_what_they_name_and_undo_goes_back_step_by_step(engine, who):
    session.proceed(engine, who)
    session.submit(engine, who, 1, {"coherence": 4, "comment": "a"}, key(1))
    assert session.submit(engine, who, 1, {"coherence": 5}, key(2)).answers == {"coherence": 5, "comment": "a"}
    assert session.submit(engine, who, 1, {"comment": None}, key(3)).answers == {"coherence": 5}
    session.proceed(engine, who)
    session.skip(engine, who, 2, key(4))
    assert session.undo(engine, who, key(5)).position == 2
    assert session.undo(engine, who, key(6)).answers == {"coherence": 5, "comment": "a"}
    assert session.undo(engine, who, key(6)).answers == {"coherence": 5, "comment": "a"}  # the same sending
    assert session.undo(engine, who, key(7)).answers == {"coherence": 4, "comment": "a"}
    assert session.undo(engine, who, key(8)).state == "open"
    with pytest.raises(RatingError, match="there is none"):
        session.undo(engine, who, key(9))
    assert session.proceed(engine, who).position == 1
    assert entries(engine) == 8  # nothing was deleted


def test_skipped_verses_wait_and_progress_counts(engine, who):
    made.rate_all(engine, who, limit=3)
    session.proceed(engine, who)
    assert session.skip(engine, who, 4, key("s")).state == "skipped"
    assert session.proceed(engine, who).position == 5
    assert session.progress(engine, who) == session.Progress(3, (4,), (5,), 10)
    made.rate_all(engine, who)
    assert session.proceed(engine, who) is None
    assert session.progress(engine, who) == session.Progress(9, (4,), (), 10)
    assert session.submit(engine, who, 4, {"coherence": 1}, key("t")).state == "rated"
    with pytest.raises(RatingError, match="this one is rated"):
        session.skip(engine, who, 4, key("u"))


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({}, "Expected an answer to “Semantic coherence"),
        ({"grammar": 3}, "Expected an answer to “Semantic coherence"),
        ({"coherence": None}, "got none yet"),
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
    session.proceed(file_engine, who)
    with pytest.raises(RatingError, match=sentence):
        session.submit(file_engine, who, 1, answers, key(1))
    assert entries(file_engine) == 0


@pytest.mark.parametrize("position", [0, -1, 2, 2**31, 2**70, "1", None])
def test_a_place_one_has_not_had_is_refused(engine, who, position):
    session.proceed(engine, who)
    with pytest.raises(RatingError, match="Expected a verse you have been shown"):
        session.submit(engine, who, position, {"coherence": 3}, key(1))


@pytest.mark.parametrize("bad", ["", "short", "x" * 65, "a b c d e f", None, 12345678])
def test_a_submission_needs_a_key(file_engine, bad):
    who = made.rater(file_engine, made.study(file_engine))
    session.proceed(file_engine, who)
    for call in (
        lambda: session.submit(file_engine, who, 1, {"coherence": 3}, bad),
        lambda: session.skip(file_engine, who, 1, bad),
        lambda: session.undo(file_engine, who, bad),
    ):
        with pytest.raises(RatingError, match="Expected a key of 8 to 64"):
            call()


def test_a_comment_of_ten_thousand_characters_and_not_one_more(engine, who):
    session.proceed(engine, who)
    long = "स" * 9_999 + "\n" + "x"
    with pytest.raises(RatingError, match="Expected a comment of at most 10,000 characters; got 10,001."):
        session.submit(engine, who, 1, {"coherence": 3, "comment": long}, key(1))
    kept = session.submit(engine, who, 1, {"coherence": 3, "comment": long[:10_001].replace("\n", "")}, key(1))
    assert kept.answers["comment"] == "स" * 9_999 + "x"


def test_no_rating_without_consent_nor_after_the_link_is_closed(engine, study, who):
    stranger = raters.invite(engine, study, "stranger").rater
    with pytest.raises(tokens.NoEntry, match="consent"):
        session.proceed(engine, stranger)
    session.proceed(engine, who)
    session.submit(engine, who, 1, {"coherence": 3}, key(1))
    session.proceed(engine, who)
    raters.revoke(engine, study, who.name)
    for call in (
        lambda: session.show(engine, who, 1),
        lambda: session.progress(engine, who),
        lambda: session.submit(engine, who, 1, {"coherence": 1}, key(2)),
        lambda: session.skip(engine, who, 1, key(2)),
        lambda: session.undo(engine, who, key(2)),
        lambda: session.proceed(engine, who),
    ):
        with pytest.raises(tokens.NoEntry, match="opens no study"):
            call()
    assert entries(engine) == 1


def test_a_nudge_comes_when_repeats_disagree(engine):
    study = made.study(engine, 12, repeats=0.25, distance=4)
    steady, fickle = made.rater(engine, study, "steady"), made.rater(engine, study, "fickle")
    made.rate_all(engine, steady)
    assert session.nudge(engine, steady) == ""
    seen = set()

    def contrary(showing):
        again = showing.prose in seen
        seen.add(showing.prose)
        return 5 if again else 1

    made.rate_all(engine, fickle, contrary, limit=6)
    assert session.nudge(engine, fickle).startswith("A verse has come to you twice, and it got ratings more than one")
    made.rate_all(engine, fickle, contrary)
    assert session.nudge(engine, fickle).startswith("3 verses have come to you twice, and 3 of them got ratings")


deeds = st.lists(
    st.tuples(st.sampled_from(["rate", "edit", "skip", "undo", "again"]), st.integers(1, 4), st.integers(1, 5)),
    max_size=25,
)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    engine = schema.connect(f"sqlite:///{tmp_path_factory.mktemp('deeds') / 'ratings.db'}")
    yield engine, made.study(engine, 4, overlap=10_000)
    engine.dispose()


@given(deeds)
@settings(max_examples=40)
def test_whatever_a_rater_does_the_log_says_what_stands(many, done):
    """Against a model of two lines: a pile of what was done, from which undo takes the top."""
    engine, study = many
    with engine.connect() as connection:
        number = connection.scalar(select(func.count()).select_from(schema.raters))
    who = made.rater(engine, study, f"rater {number}")
    for _ in range(4):
        session.skip(engine, who, session.proceed(engine, who).position, key("first", _))
    pile, last = [], None
    for at, (deed, position, value) in enumerate(done):
        stands = dict(pile)
        try:
            if deed == "undo":
                last = (session.undo, (key(at),))
            elif deed == "skip":
                last = (session.skip, (position, key(at)))
            elif deed != "again":
                name = "coherence" if deed == "rate" else "grammar"
                last = (session.submit, (position, {name: value}, key(at)))
            if last:
                last[0](engine, who, *last[1])
        except RatingError:
            last = None
            continue
        if deed == "undo" and pile:
            pile.pop()
        elif deed == "skip":
            pile.append((position, None))
        elif deed in ("rate", "edit"):
            pile.append((position, {**(stands.get(position) or {}), **last[1][1]}))
    stands = dict(pile)
    for position in range(1, 5):
        assert session.show(engine, who, position).answers == (stands.get(position) or {})
