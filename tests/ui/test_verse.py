"""A verse and its candidates as the page sets them: long metres, pauses, those that differ, scripts that people read."""

import pytest

from workbench import composer
from workbench.ui import beams, example_verses, scan_tab, scripts, verse
from workbench.ui.choices import from_link
from workbench.ui.grid import verse_data

MEGHADUTA = composer.quoted_verse(composer.find_metre("mandākrāntā"))
GITA = composer.quoted_verse(composer.find_metre("anuṣṭubh"))


def test_a_long_metre_is_set_a_pāda_a_line_and_read_as_one_verse_again():
    lines = verse.set_lines(MEGHADUTA, "mandākrāntā", "iast")
    assert len(lines) == 4
    assert [line.rpartition(" ")[2] for line in lines if line.endswith("|")] == ["|", "||"]
    assert lines[1].endswith(" |") and lines[3].endswith(" ||")
    (scan,) = composer.scan("\n".join(lines))
    assert scan.verse == MEGHADUTA and scan.verdict.metre.name == "mandākrāntā"
    assert verse.set_lines(GITA, "anuṣṭubh", "iast") == GITA.lines("iast", dandas=True), "a śloka's halves are lines"
    assert verse.set_lines(composer.Verse(("rAma",)), "mandākrāntā", "iast") == ["rāma"]


def test_where_a_word_runs_on_its_pādas_share_a_line():
    joined = composer.Verse(tuple(half.replace(" ", "") for half in MEGHADUTA.halves))
    assert len(verse.set_lines(joined, "mandākrāntā", "iast")) == 2


def test_yati_leaves_a_gap_in_every_pāda():
    grid = verse_data(composer.Scan.of(MEGHADUTA), "iast")
    for row in grid["rows"]:
        assert [at for at, tile in enumerate(row["tiles"], start=1) if tile["gap"] and tile["pause"]] == [4, 10]
        assert row["missing"] == 0
    assert not any(tile["gap"] for row in verse_data(composer.Scan.of(GITA), "iast")["rows"] for tile in row["tiles"])


def of(*words):
    return [composer.Verse((each,)) for each in words]


def test_five_that_differ_the_better_before_the_worse():
    same, unlike = "a i u e o", ["kA kI kU ke ko", "gA gI gU ge go", "cA cI cU ce co", "jA jI jU je jo"]
    assert verse.differing(of(same, "a i u e A", "a i u e I", *unlike)) == {0, 3, 4, 5, 6}
    assert verse.differing(of(same, same, "a i u e A")) == {0, 2}, "what is the same is never another"
    assert verse.differing(of(*[f"{word} i u e o" for word in "aAIUEO"], *unlike[:1])) == {0, 1, 2, 3, 6}
    assert verse.differing([]) == set()


def test_words_that_the_shown_verse_has_not_are_marked_in_every_script():
    kept = example_verses.example()
    for script in scripts.SHOWN:
        rows = kept.table(1, script)["rows"]
        assert rows[1]["chosen"] and not any(word["other"] for line in rows[1]["parts"] for word in line)
        for at, row in enumerate(rows):
            words = [word for line in row["parts"] for word in line]
            marked = [slp1 for slp1, word in zip(kept.verses[at].words, words, strict=True) if word["other"]]
            assert marked == [word for word in kept.verses[at].words if word not in kept.verses[1].words]
            assert " ".join(word["text"] for word in words).replace("\N{NO-BREAK SPACE}", " ") == row["text"]


def test_tamil_is_read_and_not_offered():
    assert "tamil" not in scripts.SHOWN and len(scripts.SHOWN) == len(composer.SCRIPTS) - 1
    (scan,) = composer.scan("த⁴ர்மக்ஷேத்ரே குருக்ஷேத்ரே ஸமவேதா யுயுத்ஸவ꞉ . மாமகா꞉ பாண்ட³வாஶ்சைவ கிமகுர்வத ஸஞ்ஜய ..", "tamil")
    assert scan_tab.shown_in(scan, scan_tab.AS_WRITTEN) == "iast"
    choices, notes = from_link({"script": "tamil"})
    assert choices.script == "devanagari" and "Expected script in the link to be one of devanagari" in notes[0]


@pytest.mark.parametrize(("to", "text"), [("devanagari", "क्षे"), ("iast", "kṣe")])
def test_the_best_that_was_refused_is_told_in_the_script_that_is_read(to, text):
    looked = {"tokens": 10, "masked": 5, "reasons": {}, "best_refused": {"text": " kze", "log_probability": -1.0}}
    assert f"best refused: “{text}” −1.0" in beams.masked(looked, {"script": "slp1"}, to)
