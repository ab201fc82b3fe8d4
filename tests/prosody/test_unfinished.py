"""A verse in the making on its pādas: what is there, what must come."""

import pytest

from workbench.prosody.metres import find
from workbench.prosody.unfinished import lay_out

ANUSTUBH = find("anuṣṭubh")
# Bhagavadgītā 1.1
GITA = "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya"


def shown(rows):
    return [("".join(s.weight for s in row.syllables), row.to_come, row.complete) for row in rows]


def test_a_whole_verse_has_four_complete_pādas_and_nothing_to_come():
    rows = lay_out(GITA, "slp1", ANUSTUBH)
    assert [len(row.syllables) for row in rows] == [8, 8, 8, 8]
    assert all(row.complete and row.fits and not row.to_come for row in rows)
    assert [row.form for row in rows] == ["pathyā", "", "pathyā", ""]
    assert [row.syllables[0].slp1 for row in rows] == ["Da", "sa", "mA", "ki"]


def test_what_must_come():
    first, second, third, fourth = lay_out("Darmakze", "slp1", ANUSTUBH)
    assert "".join(s.weight for s in first.syllables) == "ggg"
    assert first.to_come == ("gl", "gl", "gl", "gl", "gl") and not first.complete
    # ma-vipulā asks for glgggg from the second syllable on, and the others for their own: after ggg it is l that leads
    # to pathyā, g to pathyā, ra- or na-vipulā; the even pāda's fifth to seventh are always ⏑ – ⏑
    assert second.to_come[4:7] == ("l", "g", "l") and fourth.to_come == second.to_come
    assert third.syllables == () and len(third.to_come) == 8


def test_an_open_syllable_is_there_and_takes_its_place_but_not_its_weight():
    text = "Darmakzetre kuru"  # the sixth is u, with nothing after it yet
    (row, *_) = lay_out(text, "slp1", ANUSTUBH, is_open=True, wanted="gl")
    assert len(row.syllables) == 6 and len(row.to_come) == 2
    assert row.to_come == ("gl", "gl")
    (row, *_) = lay_out(text, "slp1", ANUSTUBH, is_open=True, wanted="g")
    assert row.to_come == ("g", "gl")  # pathyā: ⏑ – –


@pytest.mark.parametrize(
    ("text", "script"),
    [("धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः । मामकाः", "devanagari"), (GITA[: GITA.index("mAmakAH") + 7], "slp1")],
)
def test_the_second_half_begins_the_third_pāda(text, script):
    rows = lay_out(text, script, ANUSTUBH)
    assert [len(row.syllables) for row in rows] == [8, 8, 3, 0]
    assert len(rows[2].to_come) == 5 and len(rows[3].to_come) == 8


def test_what_has_left_its_metre_is_laid_out_by_count():
    rows = lay_out("na na na na na na na na na na", "slp1", ANUSTUBH)
    assert [len(row.syllables) for row in rows] == [8, 2, 0, 0]
    assert not rows[0].fits and rows[0].to_come == ()


def test_a_metre_of_morae():
    arya = find("āryā")
    # Bhartṛhari, Nītiśataka
    verse = (
        "siMhaH SiSurapi nipatati madamalinakapolaBittizu gajezu . prakftiriyaM sattvavatAM na Kalu vayastejaso hetuH"
    )
    rows = lay_out(verse, "slp1", arya)
    assert all(row.complete and row.fits and not row.to_come for row in rows)
    assert [len(row.syllables) for row in lay_out(verse[:20], "slp1", arya)][:1] == [8]
    assert lay_out("", "slp1", arya)[0].syllables == ()
