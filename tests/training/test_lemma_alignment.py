"""Which letter of a text becomes what in its lemmas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.prosody.sounds import LETTERS
from workbench.training.lemma_alignment import END, SYMBOLS, align


@pytest.mark.parametrize(
    ("text", "lemmas", "said"),
    [
        # Bodhicaryāvatāra 1.15: a cluster between words, a compound that is one word of the text and two lemmas.
        ("tadboDicittaM", "tad boDi citta", "t a d>d| b o D i>i| c i t t a>a| M>"),
        # Bhagavadgītā 2.47: i + e is ye; the genitive's ending goes.
        ("karmaRyeva", "karman eva", "k a r m a R>n| y> e v a>a|"),
        # Vowels that have become one, of which each word wants its own.
        ("nedAnIm", "na idAnIm", "n>na| e>i d A n I m>m|"),
        # Verbs: what is left is the root.
        ("Bavizyati", "BU", "B a> v>U| i> z> y> a> t> i>"),
        ("gacCAmi vanam", "gam vana", "g a c> C> A> m i>  >| v a n a>a| m>"),
        ("na.ca", "na ca", "n a .>| c a>a|"),
    ],
)
def test_verses_and_their_words(text, lemmas, said):
    (found,) = align([text], [lemmas.split()])
    assert " ".join(c if c == rule else f"{c}>{rule}" for c, rule in zip(text, found, strict=True)) == said


def test_texts_that_are_aligned_together_are_aligned_alone():
    texts, lemmas = ["nedAnIm", "karmaRyeva gacCati", "ca"], [["na", "idAnIm"], ["karman", "eva", "gam"], ["ca"]]
    assert align(texts, lemmas) == [align([text], [each])[0] for text, each in zip(texts, lemmas, strict=True)]
    assert align([], []) == []


WORD = st.text(LETTERS, min_size=1, max_size=8)


@given(st.lists(st.tuples(st.text(SYMBOLS.replace(END, ""), min_size=1, max_size=20), st.lists(WORD, max_size=4))))
def test_what_the_letters_become_is_always_the_lemmas(rows):
    found = align([text for text, _ in rows], [lemmas for _, lemmas in rows])
    for (text, lemmas), rules in zip(rows, found, strict=True):
        assert len(rules) == len(text) and "".join(rules) == "".join(lemma + END for lemma in lemmas)
