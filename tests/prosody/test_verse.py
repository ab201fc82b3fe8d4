"""A verse as one thing: the same whatever it is asked through, written in every script in one go, and nothing twice."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.verses import VERSES, VIPULAS, half_verse, halves
from workbench.prosody.detection import ReadingError
from workbench.prosody.metres import find
from workbench.prosody.scansion import scan
from workbench.prosody.script import SCRIPTS, write
from workbench.prosody.verdict import metre_verdict
from workbench.prosody.verse import Verse, divide, read_verses

GITA = VERSES["anuṣṭubh"][1]
FIRST, SECOND = halves(GITA)


@pytest.mark.parametrize("name", VERSES)
def test_it_answers_as_reading_and_judging_do(name):
    verse = Verse.read(VERSES[name][1], "slp1").judged(find(name))
    assert verse.halves == tuple(halves(VERSES[name][1]))
    assert verse.slp1 == " . ".join(verse.halves) + " .." == Verse.from_slp1(verse.slp1).slp1
    assert verse.verdict == metre_verdict(verse.halves, find(name)) and verse.verdict.full
    assert verse.padas == verse.verdict.padas and len(verse.padas) == 4
    assert verse.words == tuple(" ".join(verse.halves).split()) and verse.plain == " ".join(verse.words)
    assert "".join(verse.weights) == "".join(pada.weights for pada in verse.padas)


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("text", [GITA, *VIPULAS.values(), VERSES["sragdharā"][1], VERSES["āryā"][1]])
def test_in_every_script_it_is_what_its_parts_are(text, script):
    verse = Verse.from_slp1(text).judged()
    assert verse.text(script) == write(verse.slp1, script)
    assert verse.lines(script) == [write(half, script) for half in verse.halves]
    first, last = (write(half + mark, script) for half, mark in zip(verse.halves, (" .", " .."), strict=True))
    assert verse.lines(script, dandas=True) == [first, last]
    assert verse.aksharas(script) == [[write(s.slp1, script) for s in pada.syllables] for pada in verse.padas]


@given(st.lists(half_verse, min_size=1, max_size=3), st.sampled_from(list(SCRIPTS)))
def test_whatever_the_letters_one_writing_is_many(lines, script):
    verse = Verse(tuple(lines))
    assert verse.text(script) == write(verse.slp1, script)
    assert verse.lines(script) == [write(half, script) for half in lines]
    syllables = [syllable.slp1 for half in verse.judged().halves for syllable in scan(half)]
    written = [akshara for pada in verse.judged().aksharas(script) for akshara in pada]
    assert written == [write(syllable, script) for syllable in syllables]


@pytest.mark.parametrize(
    ("text", "found", "canonical"),
    [
        (GITA, (FIRST, SECOND), f"{FIRST} . {SECOND} .."),
        (f"{FIRST}  .\n{SECOND}", (FIRST, SECOND), f"{FIRST} . {SECOND} .."),
        (f"{FIRST} .", (FIRST,), f"{FIRST} ."),
        (" .. . ", (), ""),
        ("", (), ""),
    ],
)
def test_a_stored_text_is_divided_at_its_dandas(text, found, canonical):
    verse = Verse.from_slp1(text)
    assert verse.halves == found and verse.slp1 == canonical
    assert verse.lines("iast") == [write(half, "iast") for half in found]


def test_a_missing_danda_is_put_where_the_metre_has_it():
    bare = Verse.read(f"{FIRST} {SECOND}", "slp1")
    assert bare.halves == (f"{FIRST} {SECOND}",)
    assert bare.judged().halves == (FIRST, SECOND) and bare.judged(find("anuṣṭubh")).slp1 == f"{FIRST} . {SECOND} .."


def test_what_is_no_verse_keeps_its_text_and_has_no_verdict():
    garbage = Verse.from_slp1("rAma. 5 xyz?", unread=True)
    assert garbage.slp1 == "rAma. 5 xyz?" and garbage.text("slp1") == "rAma. 5 xyz?"
    assert garbage.verdict is None and garbage.padas == () and garbage.lines("slp1") == ["rAma", "5 xyz?"]
    assert Verse.from_slp1("", unread=True).verdict is None
    with pytest.raises(ReadingError):
        Verse.read("12345")


def test_several_verses_of_a_text_are_several():
    script, (one, other) = read_verses(f"{GITA} {VERSES['indravajrā'][1]}")
    assert script == "slp1" and one.slp1 == f"{FIRST} . {SECOND} .."
    assert (one.verdict.metre.name, other.verdict.metre.name) == ("anuṣṭubh", "indravajrā")


def test_the_metre_it_is_meant_in_makes_no_other_verse():
    meant = Verse.from_slp1(GITA).judged(find("āryā"))
    assert not meant.verdict.full and Verse.from_slp1(GITA).judged().verdict.full
    assert {meant, Verse.from_slp1(GITA)} == {Verse((FIRST, SECOND))}


def test_dandas_that_meet_have_nothing_between_them():
    assert divide("rAma .. sItA.\n") == ["rAma ", "", " sItA", "", ""]


def test_nothing_else_divides_at_dandas():
    """Three functions were called `halves` once, and ten places split at a full stop."""
    splits = re.compile(r"""split\(r?["'](\.|\[[^"']*\.[^"']*\]| \. )["']|replace\(["'] ?\. ?["'], " "|def halves\(""")
    house = Path(workbench.__file__).parent
    found = [path for path in house.rglob("*.py") if splits.search(path.read_text(encoding="utf-8"))]
    assert found == [house / "prosody" / "verse.py"]
