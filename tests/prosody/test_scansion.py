"""Syllables, weights and reasons."""

import pytest
from hypothesis import given
from skrutable.scansion import Scanner

from tests.verses import VERSES, VIPULAS, half_verse, halves
from workbench.prosody.scansion import Reason, scan, weigh


@pytest.mark.parametrize(
    ("half", "weights"),
    [
        ("Darmakzetre kurukzetre", "gggglggg"),
        ("mAmakAH pARqavAScEva", "glgglggl"),
        ("tat karma", "ggl"),  # t and k make a conjunct across the space
        ("tad eva", "lgl"),  # one consonant between vowels is none
        ("vanam", "lg"),  # a consonant closes the half-verse
        ("vana", "ll"),
        ("rAmaH", "gg"),
        ("aMSa", "gl"),
        ("so'pi", "gl"),
        ("iti 'smi", "lgl"),  # the avagraha does not divide
        ("duHKa", "gl"),
        ("vana~", "lg"),  # anunāsika weighs as anusvāra
        ("antaZkaraRam", "ggllg"),
        ("praugam", "llg"),  # two vowels in a row, not a diphthong
        ("kfpA kxpta", "lggl"),
        ("", ""),
    ],
)
def test_weights(half, weights):
    assert weigh(half) == weights
    assert "".join(syllable.weight for syllable in scan(half)) == weights


@pytest.mark.parametrize(
    ("half", "at", "reason", "cause", "across", "words"),
    [
        ("Darma", 0, Reason.CONJUNCT, "rm", False, "guru: the conjunct rm follows"),
        ("tat karma", 0, Reason.CONJUNCT, "tk", True, "guru: the conjunct tk follows across the word break"),
        ("tava prIti", 1, Reason.CONJUNCT, "pr", False, "guru: the conjunct pr follows"),
        ("mAm", 0, Reason.LONG_VOWEL, "A", False, "guru: the vowel ā is long"),
        ("saMgama", 0, Reason.ANUSVARA, "M", False, "guru: anusvāra (ṃ) follows the vowel"),
        ("vanaH", 1, Reason.VISARGA, "H", False, "guru: visarga (ḥ) follows the vowel"),
        ("vanam", 1, Reason.CLOSED_END, "m", False, "guru: m closes the half-verse"),
        ("vanam", 0, Reason.SHORT_VOWEL, "a", False, "laghu: the vowel a is short and at most one consonant follows"),
    ],
)
def test_reasons(half, at, reason, cause, across, words):
    syllable = scan(half)[at]
    assert (syllable.reason, syllable.cause, syllable.across, syllable.why) == (reason, cause, across, words)


def test_aksharas_hold_every_letter_once():
    assert [s.slp1 for s in scan("tad eva karma so'pi vanam")] == [
        "ta",
        "de",
        "va",
        "ka",
        "rma",
        "so",
        "'pi",
        "va",
        "nam",
    ]


def test_word_ends_and_krama():
    syllables = scan("tava prItiH sa grAmaH tat prati")
    assert [s.word_end for s in syllables] == [False, True, False, True, True, False, True, True, False, True]
    # Only a word-initial pr, br, kr, hr or kṣ right after a short vowel; not gr, and not after a consonant.
    assert [s.krama for s in syllables] == [False, True] + [False] * 8


@given(half_verse)
def test_the_fast_way_equals_the_full_one(half):
    assert weigh(half) == "".join(syllable.weight for syllable in scan(half))


@given(half_verse)
def test_weights_equal_skrutables(half):
    assert weigh(half) == Scanner().scan(half, from_scheme="SLP").syllable_weights


@pytest.mark.parametrize("verse", [*(verse for _, verse in VERSES.values()), *VIPULAS.values()])
def test_weights_of_real_verses_equal_skrutables(verse):
    for half in halves(verse):
        assert weigh(half) == Scanner().scan(half.replace("'", ""), from_scheme="SLP").syllable_weights
