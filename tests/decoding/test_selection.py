"""The paper's final selection: perfect ones first in the model's order, the fallback score for the rest."""

import pytest

from tests.decoding.scripted import ids, letter_tokenizer
from tests.verses import VERSES, VIPULAS
from workbench.decoding.search import Hypothesis
from workbench.decoding.selection import select
from workbench.decoding.vocabulary import vocabulary
from workbench.prosody.metres import find

TOKENIZER = letter_tokenizer(more=["?"])
WORDS = vocabulary(TOKENIZER)
GITA = VERSES["anuṣṭubh"][1]
# One syllable short in the third pāda; three pādas right.
SHORT = GITA.replace("cEva", "ca")


def hypothesis(text: str, log_probability: float) -> Hypothesis:
    tokens = tuple(ids(TOKENIZER, text))
    return Hypothesis(tokens, score=log_probability, log_probability=log_probability)


def chosen(*texts: tuple[str, float], **weights: float):
    return select([hypothesis(*text) for text in texts], WORDS, find("anuṣṭubh"), "slp1", 0.0, **weights)


def test_the_first_perfect_one_in_the_models_order_wins():
    ranked = chosen((SHORT, -1.0), (GITA, -9.0), (VIPULAS["na-vipulā"], -12.0), ("hello", -0.5))
    assert [candidate.full for candidate in ranked] == [True, True, False, False]
    assert ranked[0].text == GITA
    assert ranked[0].why == "Every syllable fits the metre."


def test_without_a_perfect_one_the_fallback_decides():
    ranked = chosen((SHORT, -9.0), ("Darmakzetre kurukzetre", -4.0), ("??", -1.0))
    scores = {candidate.text: candidate.fallback for candidate in ranked}
    # -α | 31 - 32 | + log P + γ x 3, and so on.
    assert scores[SHORT] == pytest.approx(-1 - 9 + 3)
    assert scores["Darmakzetre kurukzetre"] == pytest.approx(-24 - 4 + 1)
    assert scores["??"] == pytest.approx(-32 - 1 + 0)
    assert [candidate.text for candidate in ranked] == [SHORT, "Darmakzetre kurukzetre", "??"]
    assert ranked[2].verdict is None
    assert ranked[0].why == "Not every syllable fits: 31 syllables, 3 of 4 quarters (pādas) right."
    # With α and γ at nought the model's likelihood alone is left.
    assert [c.text for c in chosen((SHORT, -9.0), ("??", -1.0), alpha=0.0, gamma=0.0)] == ["??", SHORT]


def test_the_same_verse_twice_is_one_candidate():
    ranked = chosen((GITA, -9.0), (GITA.replace("..", ""), -10.0), (GITA.replace(". ", " . "), -11.0))
    assert [(candidate.text, candidate.copies) for candidate in ranked] == [(GITA, 3)]


def test_a_licence_is_not_full_here():
    """What we compose needs no licence; a verse that does is ranked below."""
    krama = "kasyESvaryaM samAnaM ca BUtEH ko vApi krIqate. kasya tulyabalA deva gaRAScESvaryadarpitAH.."
    (candidate,) = chosen((krama, -1.0))
    assert candidate.verdict.full and not candidate.full
