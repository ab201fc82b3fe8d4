"""Verses as pictures: every script, faults, what is written in them escaped, and what is refused."""

import re
from xml.etree import ElementTree

import pytest

from tests.verses import VERSES
from workbench import composer
from workbench.ui import lettering, picture, strings

SVG = "{http://www.w3.org/2000/svg}"
GITA = composer.scan(VERSES["anuṣṭubh"][1])[0]
FAULTY = composer.scan(strings.EXAMPLES[3][0])[0]


def drawn(scan, to="devanagari"):
    return ElementTree.fromstring(picture.svg(picture.verse_sheet(scan, to)))


def words(root):
    return [each.text for each in root.iter(f"{SVG}text")]


def test_a_picture_has_the_verse_its_metre_and_a_tile_for_every_akṣara():
    root = drawn(GITA)
    assert words(root)[:2] == ["धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः ।", "मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"]
    assert f"anuṣṭubh · {strings.FULL}" in words(root)
    fills = [each.get("fill") for each in root.iter(f"{SVG}rect")][1:]
    assert len(fills) == 32 and len(list(root.iter(f"{SVG}polyline"))) == 32
    assert [fill == picture.GURU for fill in fills[:8]] == [True, True, True, True, False, True, True, True]
    assert root.find(f"{SVG}title").text == f"anuṣṭubh · {strings.FULL}"


@pytest.mark.parametrize("to", [script for script in composer.SCRIPTS if script != "tamil"])
def test_every_script_can_be_drawn_and_nothing_stands_outside_the_sheet(to):
    for name, scan in (("gita", GITA), ("long", composer.scan(strings.EXAMPLES[1][0])[0])):
        root = drawn(scan, to)
        wide, high = float(root.get("width")), float(root.get("height"))
        for box in list(root.iter(f"{SVG}rect"))[1:]:
            assert float(box.get("x")) + float(box.get("width")) < wide, name
            assert float(box.get("y")) + float(box.get("height")) < high, name
        assert words(root)[0] == scan.verse.lines(to, dandas=True)[0] or name == "long"


def test_a_fault_is_ringed_and_said():
    root = drawn(FAULTY)
    assert [each.get("stroke") for each in root.iter(f"{SVG}rect")].count(picture.FAULT) == 1
    assert any("should be laghu" in text for text in words(root))


def test_the_font_comes_along_and_nothing_is_fetched():
    text = picture.svg(picture.verse_sheet(GITA, "devanagari"))
    assert text.count("data:font/woff2;base64,") == len(re.findall("unicode-range", text)) >= 2
    assert not re.search(r'(href|src|url\()\s*=?\s*"?(https?:|//)', text.replace('xmlns="http', ""))
    assert "devanagari" not in lettering.runs("abc")


def test_whatever_is_written_is_text():
    nasty = "</text><script>alert(1)</script>"
    sheet = picture.Sheet(100, 50, (picture.Words(0, 20, nasty, 10, "#000"),), nasty, nasty)
    root = ElementTree.fromstring(picture.svg(sheet))
    assert words(root) == [nasty] and list(root.iter(f"{SVG}script")) == []


def test_the_endpoint_draws_one_verse_and_refuses_in_a_sentence():
    made = picture.picture(GITA.verse.slp1, "anuṣṭubh", "iast")
    assert made["error"] == "" and "dharmakṣetre" in made["svg"] and made["name"] == "verse"
    assert "Expected" in picture.picture("", "auto", "iast")["error"]
    assert "Expected" in picture.picture("a" * 3000, "auto", "iast")["error"]
    assert "Expected" in picture.picture(f"{GITA.verse.slp1} {GITA.verse.slp1}", "auto", "iast")["error"]
    assert picture.picture(GITA.verse.slp1, "no such metre", "iast")["error"]
    assert picture.picture(GITA.verse.slp1, "auto", "no such script")["error"] == ""


def test_words_are_wrapped_and_end_in_dots_where_there_is_no_room():
    text = "The king, hearing these words of the sage, was filled with grief and fell to the ground."
    lines = lettering.wrapped(text, 40, 500, 9)
    assert " ".join(lines) == text and all(lettering.width(line, 40) <= 500 for line in lines)
    short = lettering.wrapped(text, 40, 500, 2)
    assert len(short) == 2 and short[1].endswith(" …") and lettering.width(short[1], 40) <= 500
    (long, *_) = lettering.wrapped("x" * 500, 40, 300, 3)
    assert lettering.width(long, 40) <= 300
    assert lettering.held("a 🙂 b\u202e\x07c") == "a b c"
