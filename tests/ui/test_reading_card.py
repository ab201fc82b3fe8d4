"""What it says, on the page and for programs: readings one by one, the prose with what is heard, sentences."""

import copy
import json
import math

import gradio as gr
import pytest

from tests.semantics import small_reader
from workbench import composer, examples
from workbench.ui import (
    compose_events,
    composing,
    desk_events,
    example_verses,
    reading_card,
    scan_tab,
    strings,
)

VERSES = [verse.replace(" . ", " / ") for verse in small_reader.PAIRS]
FRUIT = VERSES[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return small_reader.make(tmp_path_factory.mktemp("reader"))


@pytest.fixture(autouse=True)
def at_hand(folder, monkeypatch):
    monkeypatch.setenv("PINGALA_READER", str(folder))
    reading_card._RECENT.clear()


def test_a_verse_is_waited_for_then_read():
    pictures = list(reading_card.readings(FRUIT, "slp1", "iast"))
    assert pictures[0] == reading_card.WAITING
    (verse,) = pictures[-1]["verses"]
    assert verse["english"] and verse["words"] and verse["prose"] is None
    assert pictures[-1]["waiting"] == pictures[-1]["error"] == ""


def test_several_verses_come_one_by_one():
    text = " .. ".join(VERSES[:3]).replace(" / ", " . ") + " .."
    pictures = list(reading_card.readings(text, "slp1", "devanagari"))
    assert [len(picture["verses"]) for picture in pictures] == [0, 1, 2, 3, 3]
    assert pictures[2]["waiting"] == strings.READ_SO_FAR.format(count=2) and pictures[-1]["several"]


def test_the_prose_is_shown_with_what_is_heard():
    prose = small_reader.PAIRS[list(small_reader.PAIRS)[1]]
    (verse,) = list(reading_card.readings(FRUIT, "slp1", "iast", prose))[-1]["verses"]
    words = verse["prose"]["words"]
    assert [word["word"] for word in words] == prose.split()
    assert {word["class"] for word in words} <= {"heard", "faintly", "unheard", "little"}
    assert all(bool(word["figure"]) == (word["class"] != "little") for word in words)
    assert "nats" not in " ".join(word["figure"] for word in words)
    assert "3 words" in verse["prose"]["count"]


def test_words_that_are_not_heard_are_named_once_least_supported_first():
    heard = [supported("train,", -3.0, "not heard"), supported("the", 0.0, "not heard", False),
             supported("bridge", -5.0, "not heard"), supported("train", -2.0, "not heard"),
             supported("king", 4.0, "heard")]  # fmt: skip
    shown = reading_card.prose_data(heard)
    assert shown["missed"] == "Not heard: bridge, train." and shown["count"].startswith("1 of 4 ")


def supported(word, nats, heard, content=True):
    return {"word": word, "nats": nats, "heard": heard, "content": content}


@pytest.mark.parametrize(
    ("nats", "heard", "said"),
    [
        (7.1, "heard", "heard: the verse makes this word 1,200 times as likely"),
        (4.0, "heard", "heard: the verse makes this word 55 times as likely"),
        (1.03, "faintly", "faintly: the verse makes this word 2.8 times as likely"),
        (math.log(3), "faintly", "faintly: the verse makes this word 3 times as likely"),
        (0.02, "faintly", "faintly: the verse hardly changes how likely this word is (1.0 times as likely)"),
        (-0.31, "faintly", "faintly: the verse hardly changes how likely this word is (0.7 times as likely)"),
        (-3.0, "not heard", "not heard: the verse makes this word 20 times less likely"),
        (13.8, "heard", "heard: the verse makes this word 980,000 times as likely"),
        (14.0, "heard", "heard: the verse makes this word over a million times as likely"),
        (-40.0, "not heard", "not heard: the verse makes this word over a million times less likely"),
        (1e9, "heard", "heard: the verse makes this word over a million times as likely"),
    ],
)
def test_how_much_is_heard_is_said_in_words_that_need_no_glossary(nats, heard, said):
    (word,) = reading_card.prose_data([supported("king", nats, heard)])["words"]
    assert word["figure"] == said


def test_what_was_read_before_is_shown_as_what_is_read_now(monkeypatch):
    prose = small_reader.PAIRS[list(small_reader.PAIRS)[1]]
    stored = json.loads(json.dumps(examples.reading_of(prose, FRUIT.replace(" / ", " . "))))
    *_, now = reading_card.readings(FRUIT, "slp1", "telugu", prose)
    monkeypatch.setattr(composer, "read", lambda *given: pytest.fail("a model was asked"))
    assert reading_card.read_before(stored, "telugu") == now


def test_where_no_reader_is_nothing_is_stored(monkeypatch, tmp_path):
    monkeypatch.setenv("PINGALA_READER", str(tmp_path))
    assert examples.reading_of("Never its fruit.", FRUIT) is None


def test_an_example_that_was_read_asks_no_model_and_another_candidate_does(example_read, monkeypatch):
    kept = example_verses.example()
    *_, shown = compose_events.read_chosen(kept, 0, "iast")
    assert [verse["english"] for verse in shown["verses"]] == ["The stored reading."]
    asked = []
    monkeypatch.setattr(composer, "read", lambda *given: asked.append(given) or iter(()))
    list(compose_events.read_chosen(kept, 0, "telugu"))
    assert asked == []
    list(compose_events.read_chosen(kept, 1, "telugu"))
    assert len(asked) == 1


def test_an_empty_page_and_an_example_of_the_fold_come_with_what_they_say(example_read):
    begun = desk_events.show_read(example_verses.example(), "iast")[3]
    assert [verse["english"] for verse in begun["verses"]] == ["The stored reading."]
    assert begun["verses"][0]["words"] == [{"lemma": "phala", "gloss": "fruit, result"}]
    assert desk_events.show_example(0, "iast")[4] == begun


def test_an_example_that_was_not_read_shows_none(example_read):
    assert desk_events.show_example(1, "iast")[4] == reading_card.NO_READING


@pytest.fixture
def example_read(monkeypatch):
    """Of two examples, the first one is stored with what it says."""
    stored = copy.deepcopy(examples.stored())
    first, second = stored["examples"][:2]
    first["candidates"][0]["reading"] = {
        "slp1": FRUIT, "english": "The stored reading.", "notes": [], "reader": "reader#0", "lemmatizer": "lemmatizer#0",
        "words": [{"slp1": "Pala", "meanings": ["fruit", "result"]}],
        "support": [supported("duty,", 4.0, "heard"), supported("the", 0.0, "not heard", False)],
    }  # fmt: skip
    second["candidates"][0].pop("reading", None)
    monkeypatch.setattr(examples, "stored", lambda: {**stored, "examples": [first, second]})
    example_verses.example.cache_clear()
    yield
    example_verses.example.cache_clear()


@pytest.mark.parametrize(("text", "sentence"), [("The king saw a lion in the forest.", "Expected"), ("Ω", "Expected")])
def test_what_is_no_verse_gets_a_sentence(text, sentence):
    assert list(reading_card.readings(text, "auto", "iast"))[-1]["error"].startswith(sentence)


def test_nothing_asked_nothing_shown():
    assert list(reading_card.readings("  ", "auto", "iast")) == [reading_card.NO_READING]


def test_without_a_reader_the_page_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("PINGALA_READER", str(tmp_path))
    assert list(reading_card.readings(FRUIT, "slp1", "iast"))[-1]["error"] == strings.NO_READER


def test_without_a_reader_nothing_is_offered(monkeypatch, tmp_path):
    monkeypatch.setenv("PINGALA_READER", str(tmp_path))
    kept = composing.FinishedComposition({"prose": "x", "candidates": [{"slp1": FRUIT}]}, {})
    assert list(compose_events.read_chosen(kept, 0, "iast")) == [reading_card.NO_READING]
    assert scan_tab.scan_and_show(FRUIT, "slp1", "auto", "iast")[1].visible is False


def test_a_reader_that_fails_leaves_the_verse_and_logs(monkeypatch, caplog):
    def fail(text, script):
        raise RuntimeError("no memory")
        yield

    monkeypatch.setattr(composer, "read", fail)
    assert list(reading_card.readings(FRUIT, "slp1", "iast"))[-1]["error"] == strings.UNEXPECTED
    assert "no memory" in caplog.text


def test_another_script_reads_nothing_anew(monkeypatch):
    list(reading_card.readings(FRUIT, "slp1", "iast"))
    monkeypatch.setattr(composer, "read", lambda *given: pytest.fail("read again"))
    (verse,) = list(reading_card.readings(FRUIT, "slp1", "telugu"))[-1]["verses"]
    assert verse["words"]


def test_scan_offers_to_read_what_it_could_scan():
    shown, button, reading, *_ = scan_tab.scan_and_show(FRUIT, "slp1", "auto", "iast")
    assert button.visible is True and reading == reading_card.NO_READING
    _, hidden, _, *_ = scan_tab.scan_and_show("The king saw a lion.", "iast", "auto", "iast")
    assert hidden.visible is False


def test_compose_reads_the_candidate_that_is_shown():
    kept = composing.FinishedComposition(
        {"prose": "Never its fruit.", "candidates": [{"slp1": VERSES[0]}, {"slp1": FRUIT}]}, {}
    )
    pictures = list(compose_events.read_chosen(kept, 1, "iast"))
    assert pictures and list(compose_events.read_chosen(None, 0, "iast")) == [reading_card.NO_READING]


def test_programs_get_readings_and_refusals():
    (told,) = reading_card.read_api(FRUIT, "slp1", "iast", "Never its fruit.")
    assert set(told) >= {"english", "words", "alternatives", "support"}
    with pytest.raises(gr.Error, match="Expected a Sanskrit verse"):
        reading_card.read_api("")
    with pytest.raises(gr.Error, match="Expected to write in one of"):
        reading_card.read_api(FRUIT, "slp1", "klingon")
