"""Verses graded by construction, and what a judge makes of them: by a judge who counts the true pādas himself."""

import pytest

from workbench.evaluation import graded_figures
from workbench.evaluation.reader_figures import Pair
from workbench.semantics import calibration

# Bhagavadgītā 2.23, 4.7, 4.8, 6.5, 9.22: pādas that end with words. The last is none: its second pāda begins in a word.
VERSES = {
    "weapons": "nEnaM Cindanti SastrARi nEnaM dahati pAvakaH . na cEnaM kledayantyApo na Sozayati mArutaH",
    "whenever": "yadA yadA hi Darmasya glAnirBavati BArata . aByutTAnamaDarmasya tadAtmAnaM sfjAmyaham",
    "protect": "paritrARAya sADUnAM vinASAya ca duzkftAm . DarmasaMsTApanArTAya samBavAmi yuge yuge",
    "raise": "udDaredAtmanAtmAnaM nAtmAnamavasAdayet . AtmEva hyAtmano banDurAtmEva ripurAtmanaH",
    "think": "ananyAScintayanto mAM ye janAH paryupAsate . tezAM nityABiyuktAnAM yogakzemaM vahAmyaham",
}
PAIRS = [Pair(english, english, verse) for english, verse in VERSES.items()]


def quiet(sentence):
    pass


def counts(proses, verses):
    """A tenth for every word of the verse that its prose's own verse has."""
    return [
        sum(word in VERSES[prose].split() for half in verse.halves for word in half.split()) / 10
        for prose, verse in zip(proses, verses, strict=True)
    ]


def test_a_row_gives_five_verses_in_the_same_metre():
    sets = graded_figures.graded_verses(PAIRS, 0)
    assert len(sets) == 4  # of the five, "raise" is cut inside a word
    for each in sets:
        assert [one.grade for one in each] == [1.0, 0.75, 0.5, 0.25, 0.0]
        assert each[0].verse == VERSES[each[0].prose] != each[-1].verse
        assert not set(each[-1].verse.split()) & set(VERSES[each[0].prose].split()) - {".", "na", "ca", "hi"}
    assert len(graded_figures.graded_verses(PAIRS, 2)) == 2
    assert graded_figures.graded_verses(PAIRS[:1], 0) == []  # nobody to take pādas from


def test_a_judge_who_counts_is_right_and_one_who_guesses_is_not():
    sets = graded_figures.graded_verses(PAIRS, 0)
    weighed = graded_figures.weigh(sets, counts, quiet)
    curve = graded_figures.fit(weighed, "counts#1")
    assert (curve.by, curve.scorer, curve.ratings) == (calibration.GRADED, "counts#1", 20)
    told = graded_figures.figures(weighed, curve)
    assert told["spearman"] > 0.9 and told["in_order"] == 1.0 and told["rows"] == 4
    means = list(told["means_of_five"].values())
    assert means == sorted(means) and means[0] == pytest.approx(1.0) and means[-1] > 4.5
    flat = graded_figures.figures(
        graded_figures.weigh(sets, lambda proses, verses: [0.5, 0.4] * 2 + [0.5], quiet), None
    )
    assert abs(flat["spearman"]) < 0.3 and flat["in_order"] == 0.0 and "means_of_five" not in flat


def test_a_generators_verses_stand_beside_the_books():
    curve = calibration.Calibration((0.0, 1.0), (1.0, 5.0), "counts#1", 20, "d", calibration.GRADED)
    composed = {pair.id: VERSES["think"] for pair in PAIRS}  # one verse for all: right once
    told = graded_figures.beside_the_books(PAIRS, composed, counts, curve, quiet)
    assert told["rows"] == 5 and told["book_above"] == pytest.approx(0.8)
    assert told["book_of_five"] > 3 > told["composed_of_five"] > 1
