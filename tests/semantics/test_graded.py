"""Verses graded by construction: real verses, mixed pāda by pāda, in the metre they were in."""

import random

import pytest

from tests.verses import VERSES
from workbench.prosody.metres import find
from workbench.prosody.verdict import metre_verdict
from workbench.prosody.verse import Verse
from workbench.semantics.graded import Padas, changed, clause_added, grades

GITA = Padas.of(VERSES["anuṣṭubh"][1], (8, 8, 8, 8))
# Rāmāyaṇa 1.1.1
NARADA = Padas.of("tapaH svADyAyanirataM tapasvI vAgvidAM varam . nAradaM paripapracCa vAlmIkirmunipuNgavam", (8,) * 4)


def test_a_verse_is_cut_at_its_padas():
    assert GITA.texts == (
        "Darmakzetre kurukzetre", "samavetA yuyutsavaH", "mAmakAH pARqavAScEva", "kimakurvata saYjaya",
    )  # fmt: skip
    assert GITA.slp1 == "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya"


@pytest.mark.parametrize(
    "verse",
    [
        "klEbyaM mA sma gamaH pArTanEtattvayyupapadyate . kzudraM hfdayadOrbalyaM tyaktvottizWa parantapa",  # no word end
        "Darmakzetre kurukzetre samavetA yuyutsavaH",
        "Darmakzetre kurukzetre . mAmakAH pARqavAScEva",
        "",
    ],
)
def test_what_is_no_verse_of_four_padas_is_not_cut(verse):
    assert Padas.of(verse, (8, 8, 8, 8)) is None


def test_long_metres_are_cut_as_well():
    found = Padas.of(VERSES["mālinī"][1], (15,) * 4)
    assert found.texts[1] == "sama iha paritozo nirviSezo viSezaH"


@pytest.mark.parametrize("seed", range(10))
def test_grades_say_how_many_padas_are_true_and_the_metre_tells_nothing(seed):
    for graded, kept in zip(grades("p", GITA, NARADA, random.Random(seed)), (4, 3, 2, 1, 0), strict=True):
        found = Padas.of(graded.verse, (8, 8, 8, 8))
        assert sum(one == two for one, two in zip(found.texts, GITA.texts, strict=True)) == kept
        assert sum(one == two for one, two in zip(found.texts, NARADA.texts, strict=True)) == 4 - kept
        assert graded.grade == kept / 4
        assert metre_verdict(Verse.from_slp1(graded.verse).halves, find("anuṣṭubh")).full


def test_a_changed_prose_keeps_less():
    for prose, kind, grade in (
        ("Rama will go to the forest.", "negation added", 0.25),
        ("The king gave him twelve horses.", "number changed", 0.7),
    ):
        found = changed(prose, "v", random.Random(0))
        assert (found.kind, found.grade, found.verse) == (kind, grade, "v") and found.prose != prose
    assert changed("Go.", "v", random.Random(0)) is None


def test_an_added_clause_costs_by_its_length():
    found = clause_added("He went to the forest.", "v", "The sun shone upon the river.", random.Random(1))
    assert found.grade == 5 / 11 and "He went to the forest." in found.prose and "river" in found.prose
    assert clause_added("He went.", "v", "No.", random.Random(1)) is None
