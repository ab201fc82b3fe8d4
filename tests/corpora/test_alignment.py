"""Machine-aligned pairs: what belongs together is told from what does not, in a made language whose dictionary is known."""

import random

import pytest

from workbench.corpora import alignment
from workbench.corpora.alignment import Dictionary, aligned, margins
from workbench.corpora.texts import Text

LETTERS = "kgcjwqtdpbmnrlsh"
chance = random.Random(3)
SANSKRIT = sorted({"".join(chance.choice(LETTERS) + chance.choice("aiueo") for _ in range(3)) for _ in range(80)})
ENGLISH = {word: "".join(chance.choice("abcdefghij") for _ in range(7)) for word in SANSKRIT}


def text(number, words, english):
    return Text(str(number), "mitra", "made", " ".join(words), " ".join(["the", *english]))


@pytest.fixture(scope="module")
def corpus():
    """Four hundred true pairs, and two hundred whose English is another's."""
    rows = [chance.sample(SANSKRIT, 7) for _ in range(600)]
    true = [text(at, row, [ENGLISH[word] for word in row[:6]]) for at, row in enumerate(rows[:400])]
    wrong = [
        text(at, row, [ENGLISH[word] for word in chance.sample(SANSKRIT, 6)])
        for at, row in enumerate(rows[400:], start=400)
    ]
    return true, wrong


def test_true_pairs_are_kept_and_crossed_ones_left_out(corpus):
    true, wrong = corpus
    kept = aligned([*true, *wrong], [*true, *wrong])
    assert sum(kept[:400]) > 390
    assert sum(kept[400:]) < 0.12 * len(wrong)


def test_a_pair_does_not_vouch_for_itself(corpus):
    """Words that stand in one pair alone are explained by each other, and say nothing about whether it is right."""
    true, wrong = corpus
    lonely = text(999, ["xyx" * 3, "zyz" * 3], ["qqqqqqq", "wwwwwww"])
    dictionary = Dictionary([*true, *wrong, lonely])
    sides = dictionary.sides(lonely)
    assert dictionary.score(*sides) > 2
    assert dictionary.score(*sides, own=True) < 0.5 * dictionary.score(*sides)


def test_an_empty_side_says_nothing(corpus):
    dictionary = Dictionary(corpus[0])
    assert dictionary.score([], [1]) == dictionary.score([1], []) == 0
    own, _ = margins([text(1, SANSKRIT[:3], [])], dictionary)
    assert own[0] <= 0


def test_too_few_are_all_kept(corpus):
    true, wrong = corpus
    few = wrong[: alignment.LEAST_PAIRS - 1]
    assert aligned(few, few) == [True] * len(few)
