"""No one in where they do not belong: guessed, withdrawn and other studies' tokens, on both databases."""

import pytest

from tests.ratings import made
from workbench.ratings import raters, schema, studies, tokens
from workbench.ratings.texts import RatingError


@pytest.fixture
def limiter():
    return tokens.Limiter()


def test_a_link_opens_its_study_and_consent_is_asked_once(engine, limiter):
    study = made.study(engine)
    invited = raters.invite(engine, study, "Gārgī")
    entered = made.enter(engine, study.id, invited.token, limiter, "here")
    assert entered == raters.Rater(invited.rater.id, study.id, "Gārgī", False)
    assert made.consent(engine, entered, {"training": "Nyāya"}).consented
    made.consent(engine, entered, {"training": "something else"})
    assert made.enter(engine, study.id, invited.token, limiter, "elsewhere").consented
    with engine.connect() as connection:
        assert connection.execute(schema.raters.select()).one().background == {"training": "Nyāya"}


def test_wrong_tokens_open_nothing_and_are_not_told_apart(engine):
    study, other = made.study(engine), made.study(engine)
    mine = raters.invite(engine, study, "one").token
    foreign = raters.invite(engine, other, "one").token
    gone = raters.invite(engine, study, "two").token
    raters.revoke(engine, study, "two")
    said = set()
    for number, token in enumerate(("", "guess", mine[:-1], mine + "x", foreign, gone, tokens.digest(mine), "\ud800")):
        with pytest.raises(tokens.NoEntry) as refusal:
            made.enter(engine, study.id, token, tokens.Limiter(), f"place {number}")
        said.add(str(refusal.value))
    assert said == {raters.CLOSED}
    with pytest.raises(tokens.NoEntry):
        made.enter(engine, other.id, mine, tokens.Limiter(), "here")
    with pytest.raises(tokens.NoEntry):
        made.enter(engine, "no such study", mine, tokens.Limiter(), "here")


def test_guessing_is_slowed_down_and_shuts_out_nobody_with_a_right_token(engine, limiter):
    study = made.study(engine)
    token = raters.invite(engine, study, "one").token
    for _ in range(tokens.TRIES):
        with pytest.raises(tokens.NoEntry, match="opens no study"):
            made.enter(engine, study.id, "guess", limiter, "here")
    for call in (
        lambda: made.enter(engine, study.id, "guess", limiter, "here"),
        lambda: studies.own(engine, study.id, "guess", limiter, "here"),
    ):
        with pytest.raises(tokens.TooMany, match="Too many wrong links from here"):
            call()
    assert made.enter(engine, study.id, token, limiter, "here").name == "one"
    founded = studies.create(engine, "Mine")
    assert studies.own(engine, founded.study.id, founded.token, limiter, "here") == founded.study


def test_results_are_the_owners(engine, limiter):
    founded, other = studies.create(engine, "Mine"), studies.create(engine, "Other")
    assert studies.own(engine, founded.study.id, founded.token, limiter, "here") == founded.study
    rater = raters.invite(engine, founded.study, "rater").token
    for token in ("", other.token, rater, founded.token.swapcase()):
        with pytest.raises(tokens.NoEntry, match="This token opens no study here."):
            studies.own(engine, founded.study.id, token, tokens.Limiter(), "here")
    for unknown in ("unknown", "", "0" * 16, "\x00", "\ud800", "../x"):
        with pytest.raises(tokens.NoEntry):
            studies.own(engine, unknown, founded.token, tokens.Limiter(), "here")
        with pytest.raises(RatingError, match="Expected the id of a study"):
            studies.find(engine, unknown)


def test_tokens_are_neither_in_the_database_nor_in_what_might_be_logged(tmp_path, caplog):
    engine = schema.connect(f"sqlite:///{tmp_path / 'ratings.db'}")
    caplog.set_level("DEBUG")
    founded = studies.create(engine, "A study")
    invited = raters.invite(engine, founded.study, "one")
    for token in (founded.token, invited.token):
        assert token not in repr(founded) + repr(invited) + str(invited) + caplog.text
    engine.dispose()
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert founded.token.encode() not in kept and invited.token.encode() not in kept
    assert tokens.digest(invited.token).encode() in kept


def test_a_login_is_one_rater_where_the_study_allows_it(engine):
    study = made.study(engine, logins=True)
    first = made.enter_as(engine, study.id, "maitreyi")
    assert made.enter_as(engine, study.id, "maitreyi") == first
    assert made.enter_as(engine, study.id, "katyayani").id != first.id
    raters.revoke(engine, study, "maitreyi")
    with pytest.raises(tokens.NoEntry, match="opens no study"):
        made.enter_as(engine, study.id, "maitreyi")
    with pytest.raises(tokens.NoEntry, match="by invitation only"):
        made.enter_as(engine, made.study(engine).id, "maitreyi")


def test_a_link_made_anew_closes_the_one_before_and_keeps_what_was_rated(engine):
    study = made.study(engine, 3, overlap=1)
    first = raters.invite(engine, study, "Gārgī")
    made.rate_all(engine, made.consent(engine, first.rater, {}), limit=2)
    second = raters.renew(engine, study, " Gārgī ")
    assert second.rater.id == first.rater.id and second.token != first.token
    with pytest.raises(tokens.NoEntry, match="opens no study"):
        made.enter(engine, study.id, first.token, tokens.Limiter(), "x")
    who = made.enter(engine, study.id, second.token, tokens.Limiter(), "x")
    assert made.progress(engine, who).rated == 2
    raters.revoke(engine, study, "Gārgī")
    third = raters.renew(engine, study, "Gārgī")  # opens the door again
    assert made.enter(engine, study.id, third.token, tokens.Limiter(), "x").id == who.id
    with pytest.raises(RatingError, match="Expected the name of a rater of the study; got 'nobody'"):
        raters.renew(engine, study, "nobody")
    with pytest.raises(RatingError, match="Expected the name of a rater of the study"):
        raters.renew(engine, made.study(engine), "Gārgī")


def test_raters_need_names_of_their_own(engine):
    study = made.study(engine)
    raters.invite(engine, study, "one")
    for name, sentence in (("one", "no other rater"), (" ", "got nothing"), ("x" * 201, "at most 200 characters")):
        with pytest.raises(RatingError, match=sentence):
            raters.invite(engine, study, name)
    with pytest.raises(RatingError, match="whose link is open; got 'nobody'"):
        raters.revoke(engine, study, "nobody")
    with pytest.raises(RatingError, match="at most 20 fields"):
        made.consent(engine, raters.invite(engine, study, "two").rater, {str(at): "x" for at in range(21)})


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        ({"name": ""}, "Expected a study's name; got nothing."),
        ({"ask": ("metre",)}, "Expected questions among grammar, poetry"),
        ({"overlap": 0}, "at least one rater an item; got 0"),
        ({"repeats": 0.6}, "from 0 to 0.5; got 0.6"),
        ({"distance": 0}, "at least one showing later"),
    ],
)
def test_a_study_that_cannot_be_says_why(file_engine, plan, sentence):
    with pytest.raises(RatingError, match=sentence):
        studies.create(file_engine, **{"name": "A study", **plan})


def test_the_rubric_has_a_real_verse_for_every_point(engine):
    study = studies.create(engine, "A study", made.ALL).study
    coherence, *others = studies.find(engine, study.id).questions
    assert [point.value for point in coherence.points] == [1, 2, 3, 4, 5]
    assert all(point.rubric and point.example and point.example.source for point in coherence.points)
    assert [question.name for question in others] == list(made.ALL)
    assert all(len(question.points) == (5 if question.kind == "scale" else 0) for question in others)
    with pytest.raises(RatingError, match="Expected a question among coherence, grammar, poetry, recitability"):
        study.scale("comment")


def test_every_verse_of_the_rubric_is_a_full_anustubh():
    from workbench.composer import scan
    from workbench.ratings.questions import COHERENCE

    for point in COHERENCE.points:
        (found,) = scan(point.example.verse, "slp1")
        assert found.verdict.full and found.verdict.metre.name == "anuṣṭubh"
