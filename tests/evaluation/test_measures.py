"""What is told about verses, on verses that show it."""

import pytest

from tests.verses import VERSES
from workbench.evaluation.measures import repeats, repeats_stem
from workbench.prosody.verse import Verse

LAMPS = "dIpAn dIpAn pradIpAMSca dIpAni viviDAni ca . dattvA lokAnavApnoti"  # a machine's: one word again and again


@pytest.mark.parametrize(
    ("verse", "word", "stem"),
    [
        (LAMPS, True, True),
        ("rAjAnaM sevate rAjA rAjAnaM . eva", True, True),
        ("devAnAM vacanaM SrutvA devAnnamasi", False, True),
        (VERSES["anuṣṭubh"][1], False, False),
        ("mA na ca mA na ca", False, False),  # particles may come again
    ],
)
def test_a_word_or_a_stem_that_comes_again(verse, word, stem):
    assert (repeats(Verse.from_slp1(verse)), repeats_stem(Verse.from_slp1(verse))) == (word, stem)
