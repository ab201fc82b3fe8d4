"""Rhymes beside other wishes: what a text, a word or an akṣara that is given leaves of endings is what a rhyme is made
on, common or rare. A set that can be kept is not refused."""

import pytest

from workbench.prosody.metres import find
from workbench.prosody.verse import Verse
from workbench.prosody.wish_automata import compile_wishes
from workbench.prosody.wish_lines import read_wish
from workbench.prosody.wishes import Given, Rhyme

# Letters by chance, found by `verify wishes`: an āryā, whose first pāda's end is a matter of morae, not of syllables.
ARYA_HALF = "vjOalthTeBERixOKryhxUTvuanKWUHBWbwupEBcLCiJFmnTWaaamQv"
ARYA = ARYA_HALF + " . NNFwyTKFQzJPUjXqyNYUODrKIMQjtceqFBNtoHJjTmiTxcvKFcrqsELYD .."


@pytest.mark.parametrize("place", ["half 1", "beginning"])
def test_a_given_text_says_how_a_pada_of_morae_ends(place):
    arya, wishes = find("āryā"), [Given(ARYA_HALF, place), Rhyme(1, (1, 3))]
    assert all(wish.kept(Verse.from_slp1(ARYA), arya) for wish in wishes)
    assert compile_wishes(arya, wishes).accepts(ARYA)


# Bhagavadgītā 1.1, and pādas that rhyme with one of its own, written for this.
KEPT = {
    ("rhyme 2:1,3", "given beginning:dharmakṣetre kurukṣetre samavetā"):
        "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakASca kurukzetre kimakurvata saYjaya ..",
    ("rhyme 2:1,3", "given end:kurukṣetre kimakurvata sañjaya"):
        "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakASca kurukzetre kimakurvata saYjaya ..",
    ("rhyme 1:2,4", "given beginning:dharmakṣetre kurukṣetre samavetā yuyutsavaḥ"):
        "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata pUrvavaH ..",
    ("rhyme 2:2,4", "akshara 2.7:tsa"):
        "Darmakzetre kurukzetre samavetA yuyutsataH . mAmakAH pARqavAScEva kimakurvata te tsataH ..",
    ("rhyme 2:1,3", "word 3:kurukṣetre"):
        "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakASca kurukzetre kimakurvata saYjaya ..",
    ("rhyme 2:2,4", "word rakṣa"):
        "Darmakzetre kurukzetre samavetA nu rakza te . mAmakAH pARqavAScEva kimakurvata rakza te ..",
}  # fmt: skip


@pytest.mark.parametrize("lines", KEPT, ids="; ".join)
def test_what_can_be_kept_is_not_refused(lines):
    metre, wishes, text = find("anuṣṭubh"), [read_wish(line) for line in lines], KEPT[lines]
    assert all(wish.kept(Verse.from_slp1(text), metre) for wish in wishes)
    assert compile_wishes(metre, wishes).accepts(text)
