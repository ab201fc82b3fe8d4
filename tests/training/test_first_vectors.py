"""Words begin near those that translate them: a small language whose dictionary is known is found again by counting."""

import random

import numpy as np
import pytest
import torch

from workbench.corpora.translations import expected_counts, positive_association
from workbench.training.first_vectors import first_vectors

WORDS = 30  # of the source; the answer's word for each has its number, and 30 stands in every answer


@pytest.fixture(scope="module")
def pairs():
    chance = random.Random(1)
    sources = [chance.sample(range(WORDS), 6) for _ in range(400)]
    return sources, [[*chance.sample(source, 5), WORDS] for source in sources]


def test_each_word_is_counted_for_its_own_translation(pairs):
    counts = expected_counts(*pairs, (WORDS, WORDS + 1))
    assert counts.shape == (WORDS + 1, WORDS + 1)
    assert counts.sum() == pytest.approx(6 * 400, rel=1e-4)  # every word of an answer comes from somewhere, once
    assert (counts[:WORDS, :WORDS].argmax(axis=1) == np.arange(WORDS)).all()


def test_a_word_that_is_everywhere_is_told_by_none(pairs):
    told = positive_association(expected_counts(*pairs, (WORDS, WORDS + 1)))
    own = told[:, :WORDS].diagonal()
    assert told.min() == 0
    assert own.min() > 1
    assert told[:, WORDS].max() < 0.1 * own.min()


def test_vectors_meet_where_words_translate_each_other(pairs):
    torch.manual_seed(1)
    source, answer = first_vectors(*pairs, (WORDS, WORDS + 1), 32)
    assert source.shape == (WORDS, 32) and answer.shape == (WORDS + 1, 32)
    assert ((source @ answer.T)[:, :WORDS].argmax(dim=1) == torch.arange(WORDS)).all()


def test_more_numbers_than_words_are_filled_up(pairs):
    source, answer = first_vectors([[0, 1], [2]], [[0], [1]], (3, 2), 8)
    assert source.shape == (3, 8) and answer.shape == (2, 8)
    assert torch.isfinite(source).all() and torch.isfinite(answer).all()
