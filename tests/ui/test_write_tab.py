"""What the Write tab shows of what is typed, and the text as it is once an offer is taken; by a tiny generator."""

import json

import pytest

from tests.training import small
from workbench import composer
from workbench.ui import strings, write_tab
from workbench.ui.picture import picture
from workbench.ui.write_tab import write_help, write_read, write_scan

GITA = "dharmakṣetre kurukṣetre samavetā yuyutsavaḥ |\nmāmakāḥ pāṇḍavāścaiva kimakurvata sañjaya ||"
FAULTY = GITA.replace("yuyutsavaḥ", "yuddhārthinaḥ")
PROSE = next(iter(small.VERSES))
METRE = "anuṣṭubh · 4 × 8"  # as the chooser shows it

pytestmark = pytest.mark.usefixtures("registered")


def kinds(shown):
    return [tile["kind"] for row in shown["rows"] for tile in row["tiles"]]


def test_an_empty_page_shows_what_must_come():
    shown = write_scan("", METRE)
    assert kinds(shown) == ["ghost"] * 32 and shown["state"] == strings.WRITE_EMPTY and not shown["good"]
    assert [tile["glyph"] for tile in shown["rows"][1]["tiles"]] == ["·", "·", "·", "·", "⏑", "–", "⏑", "·"]
    assert len(write_scan("", "vasantatilakā · 4 × 14")["rows"][0]["tiles"]) == 14


def test_tiles_fill_and_only_a_whole_verse_is_green():
    shown = write_scan("dharmakṣetre ku", METRE)
    assert kinds(shown)[:6] == ["guru", "guru", "guru", "guru", "open", "ghost"]
    assert shown["state"] == strings.WRITE_FITS and not shown["good"]
    whole = write_scan(GITA, METRE)
    assert whole["good"] and whole["state"] == strings.WRITE_FULL and "ghost" not in kinds(whole)
    assert [row["mark"] for row in whole["rows"]] == ["✓"] * 4


def test_a_yati_is_a_gap_in_every_pada_also_where_nothing_is_typed_yet():
    shown = write_scan("kaścit kāntāviraha", "mandākrāntā")
    for row in shown["rows"]:
        assert [at for at, tile in enumerate(row["tiles"], start=1) if tile["gap"] and tile["pause"]] == [4, 10]
        assert row["missing"] == 0
    assert not any(tile["gap"] for row in write_scan(GITA, METRE)["rows"] for tile in row["tiles"])
    mixed = write_scan("", "upajāti (miśra)")["rows"]
    assert len({len(row["tiles"]) + sum(tile["gap"] for tile in row["tiles"]) + row["missing"] for row in mixed}) == 1


def test_what_is_typed_can_be_read_aloud_and_drawn_once_it_is_whole():
    assert write_scan("", METRE)["slp1"] == "" and not write_scan("", METRE)["whole"]
    begun = write_scan("dharmakṣetre ku", METRE)
    assert begun["slp1"] == "Darmakzetre ku" and not begun["whole"]
    for text in (GITA, FAULTY):
        shown = write_scan(text, METRE)
        assert shown["whole"] and (shown["judged"], shown["script"]) == ("anuṣṭubh", "iast")
        drawn = picture(shown["slp1"], shown["judged"], shown["script"])
        assert drawn["error"] == "" and "dharmakṣetre" in drawn["svg"]
    assert not write_scan(GITA.replace(" sañjaya ||", ""), METRE)["whole"]


def test_a_fault_says_what_it_should_be_and_offers_to_mend_its_word():
    shown = write_scan(FAULTY, METRE)
    (fault,) = [tile for row in shown["rows"] for tile in row["tiles"] if tile["fault"]]
    assert fault["akshara"] == "yu" and fault["fault"] == "should be laghu" and "Should be laghu" in fault["why"]
    assert shown["mends"] == [{"half": 0, "word": 3, "text": "yuddhārthinaḥ", "label": "mend yuddhārthinaḥ"}]
    assert not shown["good"] and [row["mark"] for row in shown["rows"]] == ["✓", "✗", "✓", "✓"]


@pytest.mark.parametrize(
    "text",
    ["The king spoke to his ministers about war", "धर्म kuru", "क" * 20_001, "<img src=x onerror=alert(1)>", "😀"],
)
def test_what_cannot_be_read_gets_a_sentence(text):
    assert write_scan(text, METRE)["error"].startswith("Expected ")
    assert write_help("next", text, METRE, "")["error"].startswith("Expected ")


def test_a_metre_that_is_none_gets_a_sentence():
    assert "sonnet" in write_scan(GITA, "sonnet")["error"]


@pytest.mark.parametrize("script", ["iast", "devanagari"])
def test_a_mended_word_stands_where_the_faulty_one_stood(script):
    text = composer.scan(FAULTY)[0].verse.text(script).replace(" . ", "\n")
    found = write_help("mend", text, METRE, "", 0, 3)
    assert found["offers"]
    for offer in found["offers"]:
        assert write_scan(offer["typed"], METRE)["good"] and offer["text"] in offer["typed"]


def test_next_words_are_put_after_what_is_typed_or_in_place_of_what_is_begun():
    after = write_help("next", "dharmakṣetre ", METRE, PROSE)
    assert after["offers"]
    for offer in after["offers"]:
        assert offer["typed"] == f"dharmakṣetre {offer['text']} " and not write_scan(offer["typed"], METRE)["faulty"]
    begun = write_help("next", "dharmakṣetre kuru", METRE, PROSE)
    assert begun["offers"]
    for offer in begun["offers"]:
        assert offer["typed"] == f"dharmakṣetre {offer['text']} " and offer["text"].startswith("kuru")


@pytest.mark.parametrize("text", ["", "धर्मक्षेत्रे ", "dharmakṣetre kurukṣetre samavetā yuyutsavaḥ |\n"])
def test_a_verse_is_finished_in_the_script_it_was_begun_in(text):
    found = write_help("finish", text, METRE, PROSE)
    assert found["offers"]
    for offer in found["offers"]:
        assert write_scan(offer["typed"], METRE)["good"]
        assert " ".join(offer["typed"].split()).startswith(" ".join(text.split()))


def test_faults_before_it_are_to_be_mended_first():
    assert write_help("next", FAULTY.split("|")[0], METRE, "")["error"].startswith("Expected a beginning that fits")


def test_reading_without_a_reader_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("PINGALA_READER", str(tmp_path))
    assert write_read(GITA)["error"] == strings.NO_READER


def test_the_script_has_its_words_as_json():
    line = write_tab.script().splitlines()[1]
    assert json.loads(line.removeprefix("const EMPTY = ").removesuffix(";")) == write_tab.EMPTY
