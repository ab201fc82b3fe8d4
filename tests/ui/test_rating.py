"""A rater's screens as data: what they hold, what they never hold, and what is refused. Without a browser."""

import json
import uuid

import gradio as gr
import pytest
from sqlalchemy import event, update

from tests.counted import counted
from tests.ratings import made
from workbench import composer
from workbench.paths import ASSETS
from workbench.prosody import text_reading, verdict
from workbench.prosody.script import write
from workbench.ratings import raters, saved, schema, session, tokens
from workbench.ratings.questions import OPTIONAL
from workbench.ui import database, quick_row, rate_tab, rating
from workbench.ui import rating_strings as strings
from workbench.ui.composing import FinishedComposition
from workbench.ui.literal import literal
from workbench.ui.templates import template

SYSTEM, SIGNATURE = "hidden-system", "hidden-signature"


@pytest.fixture
def engine(monkeypatch, tmp_path):
    monkeypatch.setenv("PINGALA_DATA", str(tmp_path))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(database, "LIMITER", tokens.Limiter())
    monkeypatch.setattr(rating, "LIMITER", tokens.Limiter())
    yield database.engine()
    database._open.popitem()[1].dispose()


@pytest.fixture
def door(engine):
    """A study's number and a rater's token for it."""
    study = made.study(engine, 4)
    return study.id, raters.invite(engine, study, "Gārgī").token


def key():
    return uuid.uuid4().hex


@pytest.fixture
def rater(door):
    assert rating.rate_consent(*door, {"training": "student"})["rate"]
    return door


def test_consent_comes_first_and_once(door):
    first = rating.rate_show(*door)
    assert first["consent"] and not first["rate"] and first["showing"] is None and first["rater"] == "Gārgī"
    assert "consent" in rating.rate_submit(*door, 1, {"coherence": 3}, key())["error"]
    assert rating.rate_consent(*door, {"training": "student"})["showing"]["position"] == 1
    assert not rating.rate_show(*door)["consent"]


def test_a_screen_has_prose_verse_words_grid_and_questions_in_the_script_asked_for(rater):
    screen = rating.rate_show(*rater, 0, "iast")
    showing = screen["showing"]
    assert showing["prose"].startswith("Prose ")
    assert [word["word"] for word in showing["lines"][0]["words"]] == [
        "dharmakṣetre", "kurukṣetre", "samavetā", "yuyutsavaḥ",
    ]  # fmt: skip
    assert [word["at"] for line in showing["lines"] for word in line["words"]] == list(range(8))
    assert [line["danda"] for line in showing["lines"]] == ["|", "||"]
    assert [len(row["tiles"]) for row in showing["grid"]["rows"]] == [8, 8, 8, 8]
    assert [question["name"] for question in screen["questions"]] == ["coherence", *made.ALL]
    examples = screen["questions"][0]["examples"]
    assert [example["value"] for example in examples] == [1, 2, 3, 4, 5]
    assert examples[0]["lines"][0].startswith("dharmakṣetre kurukṣetre") and examples[0]["source"]
    assert rating.rate_show(*rater)["showing"]["lines"][0]["words"][0]["word"] == "धर्मक्षेत्रे"
    assert "Expected script to be one of" in rating.rate_show(*rater, 0, "runes")["error"]
    assert "Expected script to be one of" in rating.rate_show(*rater, 0, ["iast"])["error"]


@pytest.mark.parametrize("script", ["devanagari", "iast"])
def test_a_verse_is_read_scanned_and_written_once_on_its_way_to_a_rater(rater, monkeypatch, script):
    """One reading, one verdict, one writing of its lines and one of its akṣaras; a writing a word before."""
    rating.rate_show(*rater, 0, script)  # the questions' examples are written once for all
    readings, verdicts = counted(monkeypatch, text_reading.read_text), counted(monkeypatch, verdict.metre_verdict)
    writings = counted(monkeypatch, write, but=("workbench.prosody.scansion",))
    showing = rating.rate_show(*rater, 0, script)["showing"]
    assert showing["grid"] and showing["lines"] and (len(readings), len(verdicts), len(writings)) == (1, 1, 2)


def test_what_is_no_verse_has_words_to_mark_and_no_grid(engine):
    study = made.study(engine, 1)
    with engine.begin() as connection:
        connection.execute(update(schema.items).values(verse="kim | etad ж 12 . na . iti"))
    who = (study.id, raters.invite(engine, study, "Gārgī").token)
    showing = rating.rate_consent(*who, {}, "iast")["showing"]
    words = [(word["at"], word["word"]) for line in showing["lines"] for word in line["words"]]
    assert words == list(enumerate(["kim", "etad", "ж", "12", "na", "iti"])) and showing["grid"] is None
    assert {line["danda"] for line in showing["lines"]} == {""}


def test_rating_editing_undoing_and_skipping(rater):
    answers = {"coherence": 4, "comment": "good", "marks": [{"word": 1, "mark": "wrong word"}]}
    second = rating.rate_submit(*rater, 1, answers, key())
    assert (second["saved"], second["showing"]["position"]) == (1, 2)
    assert second["progress"]["sentence"] == "1 of 4 rated"
    assert second["progress"]["places"][0]["label"] == "1: rated"
    earlier = rating.rate_show(*rater, 1)
    assert earlier["showing"]["answers"] == answers and earlier["showing"]["state"] == "rated"
    rating.rate_submit(*rater, 1, {"coherence": 2, "comment": None}, key())
    assert rating.rate_show(*rater, 1)["showing"]["answers"] == {"coherence": 2, "marks": answers["marks"]}
    undone = rating.rate_undo(*rater, key())
    assert (undone["saved"], undone["showing"]["answers"]) == (1, answers)
    third = rating.rate_skip(*rater, 2, key())
    assert (third["saved"], third["showing"]["position"]) == (2, 3)
    assert third["progress"]["sentence"] == "1 of 4 rated, 1 skipped"
    rating.rate_submit(*rater, 3, {"coherence": 5}, key())
    end = rating.rate_submit(*rater, 4, {"coherence": 5}, key())
    assert not end["rate"] and end["done"].startswith(strings.RATE_DONE) and "passed over 1" in end["done"]
    assert rating.rate_show(*rater)["showing"]["position"] == 2  # the next unrated one is the skipped one then


def test_a_submission_sent_twice_counts_once(rater):
    mine = key()
    first = rating.rate_submit(*rater, 1, {"coherence": 4}, mine)
    again = rating.rate_submit(*rater, 1, {"coherence": 4}, mine)
    assert first["progress"] == again["progress"] and again["saved"] == 1
    assert "Expected a new key" in rating.rate_submit(*rater, 1, {"coherence": 5}, mine)["error"]


@pytest.fixture
def watched(engine):
    """What reaches the database: transactions and statements since the last look."""
    seen = []
    event.listen(engine, "begin", lambda connection: seen.append("transaction"))
    event.listen(engine, "before_cursor_execute", lambda connection, cursor, said, *rest: seen.append(said))

    def look():
        said = [each for each in seen if not each.startswith("BEGIN")]
        seen.clear()
        return said.count("transaction"), len(said) - said.count("transaction")

    return look


def test_a_screen_is_one_transaction_of_a_few_statements(engine, watched):
    study = made.study(engine, 20, repeats=0.5, distance=1)
    for name in ("Maitreyī", "Kātyāyanī"):
        made.rate_all(engine, made.rater(engine, study, name), limit=3)
    who = (study.id, raters.invite(engine, study, "Gārgī").token)
    watched()
    found = {}
    for name, call in {
        "asked for consent": lambda: rating.rate_show(*who),
        "consents": lambda: rating.rate_consent(*who, {"training": "student"}),
        "rates": lambda: rating.rate_submit(*who, 1, {"coherence": 4}, key()),
        "skips": lambda: rating.rate_skip(*who, 2, key()),
        "comes back": lambda: rating.rate_show(*who),
        "looks at an earlier one": lambda: rating.rate_show(*who, 1),
        "edits": lambda: rating.rate_submit(*who, 1, {"coherence": 5}, key()),
        "takes back": lambda: rating.rate_undo(*who, key()),
    }.items():
        assert call()["error"] == ""
        found[name] = watched()
    assert {name: transactions for name, (transactions, _) in found.items()} == dict.fromkeys(found, 1)
    most = {"asked for consent": 2, "consents": 10, "comes back": 8, "looks at an earlier one": 8}
    assert {name: count for name, (_, count) in found.items() if count > most.get(name, 13)} == {}


def test_their_number_does_not_grow_with_what_has_been_rated(engine, watched):
    study = made.study(engine, 30)
    who = (study.id, raters.invite(engine, study, "Gārgī").token)
    rating.rate_consent(*who, {})
    counts = set()
    for position in range(1, 30):
        watched()
        rating.rate_submit(*who, position, {"coherence": 4}, key())
        counts.add(watched())
    assert len(counts) == 1


def test_whoever_only_looks_waits_for_no_writer_and_locks_out_none(engine, rater):
    rating.rate_submit(*rater, 1, {"coherence": 4}, key())
    with engine.begin():  # SQLite's one lock for writers is held
        assert rating.rate_show(*rater)["showing"]["position"] == 2
        assert rating.rate_show(*rater, 1)["showing"]["answers"] == {"coherence": 4}


def test_what_cannot_be_shown_is_not_entered_either(engine, rater, monkeypatch):
    def rated():
        with schema.reading(engine) as connection:
            return len(session.standing(connection, rater[0]))

    assert "Expected script" in rating.rate_submit(*rater, 1, {"coherence": 4}, key(), "runes")["error"]
    assert rated() == 0
    with monkeypatch.context() as broken:
        broken.setattr(rating.session.RaterSession, "proceed", lambda desk: 1 / 0)
        screen = rating.rate_submit(*rater, 1, {"coherence": 4}, key())
        assert (screen["error"], screen["saved"], rated()) == (strings.RATE_UNEXPECTED, 0, 0)
    assert rating.rate_submit(*rater, 1, {"coherence": 4}, key())["saved"] == 1 and rated() == 1


def test_no_screen_tells_the_system(engine, rater):
    screens = [rating.rate_show(*rater), rating.rate_submit(*rater, 1, {"coherence": 4}, key())]
    screens += [rating.rate_undo(*rater, key()), rating.rate_skip(*rater, 1, key()), rating.rate_show(*rater, 1)]
    said = json.dumps(screens)
    assert not any(word in said for word in (SYSTEM, SIGNATURE, "gold", "repeat", "cross"))


@pytest.mark.parametrize(
    ("call", "given", "sentence"),
    [
        (rating.rate_submit, (1, {}, "k" * 8), "“Semantic coherence"),
        (rating.rate_submit, (1, {"coherence": 6}, "k" * 8), "Expected a number from 1 to 5"),
        (rating.rate_submit, (1, {"coherence": "3"}, "k" * 8), "Expected a number from 1 to 5"),
        (rating.rate_submit, (1, [], "k" * 8), "Expected an answer for each question"),
        (rating.rate_submit, (1, {"coherence": 3}, "short"), "Expected a key of 8 to 64"),
        (rating.rate_submit, (99, {"coherence": 3}, "k" * 8), "Expected a verse you have been shown"),
        (rating.rate_submit, ("1", {"coherence": 3}, "k" * 8), "Expected a verse you have been shown"),
        (rating.rate_submit, (1, {"coherence": 3, "comment": "x" * 10_001}, "k" * 8), "at most 10,000 characters"),
        (rating.rate_submit, (1, {"coherence": 3, "comment": "\x00"}, "k" * 8), "U+0000"),
        (rating.rate_submit, (1, {"coherence": 3, "marks": [{"word": 8, "mark": "missing"}]}, "k" * 8), "from 0 to 7"),
        (rating.rate_show, (-1,), "Expected a verse you have been shown"),
        (rating.rate_show, ({},), "Expected a verse you have been shown"),
        (rating.rate_undo, ("k" * 8,), "Expected a rating to undo"),
        (rating.rate_consent, ([],), "Expected fields about a rater"),
    ],
)
def test_what_cannot_be_entered_gets_a_sentence(rater, caplog, call, given, sentence):
    screen = call(*rater, *given)
    assert sentence in screen["error"] and not screen["saved"] and not screen["closed"]
    assert rating.rate_show(*rater)["progress"]["rated"] == 0
    assert caplog.text == ""


def test_closed_doors_say_no_more_than_that(engine, door, caplog):
    other = made.study(engine, 2)
    foreign = raters.invite(engine, other, "other").token
    for study, token in ((door[0], "guess"), (door[0], ""), (door[0], foreign), (other.id, door[1]), ("../x", "y")):
        for call, given in ((rating.rate_show, ()), (rating.rate_submit, (1, {"coherence": 3}, "k" * 8))):
            screen = call(study, token, *given)
            assert (screen["error"], screen["closed"]) == (raters.CLOSED, True)
            assert screen["showing"] is None and screen["study"] == ""
    assert "Too many wrong links" in rating.rate_show(door[0], "guess")["error"]
    assert rating.rate_show(*door)["error"] == ""  # who has a right one is not shut out by those who guess
    assert not rating.rate_show(*door)["closed"]  # the link may be right: it is kept for later
    assert "Expected text as a token" in rating.rate_show(door[0], ["x"])["error"]
    assert caplog.text == ""


def test_a_login_opens_only_studies_that_take_logins(engine):
    profile = gr.OAuthProfile({"name": "M", "preferred_username": "maitreyi", "profile": "", "picture": ""})
    study = made.study(engine, 2, logins=True)
    assert rating.rate_show(study.id, "", profile=profile)["consent"]
    assert rating.rate_consent(study.id, "", {}, profile=profile)["rater"] == "maitreyi"
    assert rating.rate_show(study.id, "", profile=None)["closed"]
    assert "by invitation only" in rating.rate_show(made.study(engine, 2).id, "", profile=profile)["error"]


def test_the_template_has_every_word_of_the_tab_as_text(monkeypatch):
    monkeypatch.setattr(strings, "RATE_SUBMIT", "<b>it's & 'sent'</b>")
    made = template("rating", strings=strings, scripts=composer.SCRIPTS.values())
    assert "&lt;b&gt;it&#39;s &amp; &#39;sent&#39;&lt;/b&gt;" in made and "<b>" not in made
    for left in ("[[", "]]", "[#", "#]", "{%", "%}"):
        assert left not in made
    assert made.count("{{#") == made.count("{{/") and "{{#each rows}}" in made  # the grid is markup, not text
    written = (ASSETS / "templates" / "rating.html").read_text(encoding="utf-8")
    missing = {name for name in vars(strings) if name.startswith("RATE_") and f"strings.{name} " not in written}
    assert missing == {  # said by the tab itself, the server or assets/rating.js
        "RATE_TAB", "RATE_LOGIN", "RATE_AT", "RATE_BUSY", "RATE_PLACE", "RATE_PROGRESS", "RATE_SKIPPED", "RATE_DONE",
        "RATE_DONE_SKIPPED", "RATE_UNEXPECTED", "RATE_SAYS",
    }  # fmt: skip


def test_a_new_study_is_offered_every_question():
    assert [name for _, name in strings.NEW_ASK_CHOICES] == list(OPTIONAL)


def test_logins_are_offered_only_where_there_are_any(monkeypatch):
    for name in ("SPACE_ID", "OAUTH_CLIENT_ID"):
        monkeypatch.delenv(name, raising=False)
    assert not rate_tab.logins()
    monkeypatch.setenv("SPACE_ID", "somebody/pingala")
    assert not rate_tab.logins()
    monkeypatch.setenv("OAUTH_CLIENT_ID", "id")
    monkeypatch.setattr(rate_tab, "find_spec", lambda name: None)
    assert not rate_tab.logins()
    monkeypatch.setattr(rate_tab, "find_spec", lambda name: object())
    assert rate_tab.logins()


def test_what_is_not_expected_is_logged_without_tokens(door, monkeypatch, caplog):
    def broken(*given):
        raise RuntimeError("no disk")

    monkeypatch.setattr(rating.session.RaterSession, "proceed", broken)
    assert rating.rate_consent(*door, {})["error"] == strings.RATE_UNEXPECTED
    assert "no disk" in caplog.text and door[1] not in caplog.text


def test_ratings_are_taken_though_there_is_no_backup(monkeypatch, tmp_path, caplog):
    def broken(engine):
        raise OSError("no Hub")

    monkeypatch.setenv("PINGALA_DATA", str(tmp_path))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(database.storage, "schedule", broken)
    assert made.study(database.engine(), 1)
    assert "no Hub" in caplog.text
    database._open.popitem()[1].dispose()


@pytest.mark.parametrize(
    ("space", "headers", "where"),
    [
        ("", {"x-forwarded-for": "1.1.1.1"}, "9.9.9.9"),
        ("a/b", {"x-forwarded-for": "1.1.1.1, 2.2.2.2"}, "2.2.2.2"),
        ("a/b", {}, "9.9.9.9"),
    ],
)
def test_places_are_told_apart_by_what_cannot_be_made_up(monkeypatch, space, headers, where):
    class Asked:
        client = type("Client", (), {"host": "9.9.9.9"})

    Asked.headers = headers
    monkeypatch.setenv("SPACE_ID", space)
    assert database.place(Asked) == where


def test_texts_in_templates_are_only_texts():
    assert literal({"a": ["${alert(1)}", "\\u003cimg\\u003e"], "b": 1}) == {
        "a": ["\\${alert(1)}", "\\\\u003cimg\\\\u003e"],
        "b": 1,
    }


# ----------------------------------------------------------------------------------------------- quick ratings

COMPOSED = {
    "prose": "A king spoke.", "metre": "anuṣṭubh", "signature": "embedded#1",
    "candidates": [
        {"slp1": made.VERSE, "meaning": None},
        {"slp1": made.VERSE.replace("saYjaya", "saYjayaH"), "meaning": {"bi": None, "cross": 0.9, "judge": 0.6, "calibrated": 4.0}},
    ],
}  # fmt: skip


def test_a_quick_rating_is_kept_with_the_signature_and_apart_from_studies(engine, monkeypatch):
    monkeypatch.setattr(quick_row, "LIMIT", tokens.Limiter(2, 60))
    kept = FinishedComposition(COMPOSED, {}, "prose=A+king+spoke.")
    quick_row.keep(kept, 1, 4, "=1+1 <b>", "here")
    [row] = quick_row.quick.records(engine)
    assert (row["coherence"], row["comment"], row["verse"]) == (4, "=1+1 <b>", COMPOSED["candidates"][1]["slp1"])
    assert row["origin"]["signature"] == "embedded#1" and row["origin"]["rank"] == 2
    quick_row.keep(kept, 0, 4, "", "here")
    for given, sentence in (
        ((kept, 0, 4, "", "here"), strings.QUICK_ENOUGH),
        ((kept, 0, None, "", "there"), "has no answer yet"),
        ((kept, 0, 9, "", "there"), "Expected a number from 1 to 5"),
        ((kept, 0, 3, "x" * 10_001, "there"), "at most 10,000 characters"),
        ((None, 0, 4, "", "there"), strings.QUICK_NOTHING),
        ((FinishedComposition({**COMPOSED, "candidates": []}, {}), 0, 4, "", "there"), strings.QUICK_NOTHING),
    ):
        with pytest.raises(quick_row.RatingError, match=sentence):
            quick_row.keep(*given)
    assert len(quick_row.quick.records(engine)) == 2


# ----------------------------------------------------------------------------------------------- saved verses


def test_the_candidate_shown_is_saved_once_with_all_that_tells_how_it_was_made(engine, monkeypatch):
    monkeypatch.setattr(quick_row, "SAVED_LIMIT", tokens.Limiter(2, 60))
    kept = FinishedComposition(COMPOSED, {}, "prose=A+king+spoke.", "embedded", {"metre": "anustubh", "beta": 5.0})
    assert quick_row.save(kept, 1, "here")
    assert not quick_row.save(kept, 1, "here")
    assert quick_row.save(kept, 0, "here")
    first, second = saved.listed(engine)
    assert (second.prose, second.verse, second.system) == (
        "A king spoke.",
        COMPOSED["candidates"][1]["slp1"],
        "embedded",
    )
    assert second.settings == {"metre": "anuṣṭubh", "beta": 5.0, "rank": 2, "link": "prose=A+king+spoke."}
    assert second.signature == "embedded#1" and second.scores == {"judge": 0.6} and first.scores == {}
    empty = FinishedComposition({**COMPOSED, "candidates": []}, {}, "", "embedded")
    long = FinishedComposition({**COMPOSED, "prose": "x" * 5_001}, {}, "", "embedded")
    for given, sentence in (
        ((kept, 1, "here"), strings.SAVED_ENOUGH), ((None, 0, "there"), strings.SAVE_NOTHING),
        ((empty, 0, "there"), strings.SAVE_NOTHING), ((long, 0, "there"), "Expected a prose of at most 5,000"),
    ):  # fmt: skip
        with pytest.raises(quick_row.RatingError, match=sentence):
            quick_row.save(*given)
    assert len(saved.listed(engine)) == 2


def test_what_came_of_saving_is_said_in_a_sentence(engine, monkeypatch, caplog):
    kept = FinishedComposition(COMPOSED, {}, "", "embedded")
    assert [quick_row.save_for_study(kept, 0, None) for _ in range(2)] == [
        f'<p class="note quiet" role="status">{said}</p>' for said in (strings.SAVED, strings.SAVED_ALREADY)
    ]
    assert strings.SAVE_NOTHING in quick_row.save_for_study(None, 0, None) and caplog.text == ""
    monkeypatch.setattr(quick_row.saved, "keep", lambda *given: 1 / 0)
    assert strings.RATE_UNEXPECTED.split(";")[0] in quick_row.save_for_study(kept, 0, None)
    assert "ZeroDivisionError" in caplog.text
