"""What it says, on the page and for programs: readings one by one, the prose with what is heard, sentences."""

import gradio as gr
import pytest

from tests.semantics import small_reader
from workbench import composer
from workbench.ui import compose_events, composing, reading_card, scan_tab, strings

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
    assert "3 words" in verse["prose"]["count"]


def test_words_that_are_not_heard_are_named_once_least_supported_first():
    heard = [composer_support("train,", -3.0, "not heard"), composer_support("the", 0.0, "not heard", False),
             composer_support("bridge", -5.0, "not heard"), composer_support("train", -2.0, "not heard"),
             composer_support("king", 4.0, "heard")]  # fmt: skip
    shown = reading_card.prose_data(heard)
    assert shown["missed"] == "Not heard: bridge, train." and shown["count"].startswith("1 of 4 ")


def composer_support(word, nats, heard, content=True):
    from workbench.semantics.reader import Support

    return Support(word, nats, heard, content)


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
