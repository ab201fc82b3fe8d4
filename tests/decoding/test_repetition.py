"""What saying a word again costs: by how words begin, whichever tokens write them."""

import numpy as np
import pytest

from workbench.decoding.repetition import Repetition, stems
from workbench.decoding.vocabulary import Vocabulary

TOKENS = (
    b" kro",
    b"Do",
    b"DaH",
    b" kroDaH",
    b"ca",
    b" ca",
    b" ",
    b"kroDAt",
    None,
    " क्रोध".encode(),
    "क्रोधः".encode(),
    b"D",
    b" .",
)
SIZE = len(TOKENS)


def costs(said: list[int], **around: str) -> dict[bytes | None, float]:
    repetition = Repetition(Vocabulary(TOKENS, frozenset()), 2.0, **around)
    found = repetition.costs(said, np.arange(SIZE + 1))
    assert found[SIZE] == 0, "a model may have rows beyond its tokenizer's"
    return {token: float(cost) for token, cost in zip(TOKENS, found, strict=False) if cost}


@pytest.mark.parametrize(
    ("said", "costly"),
    [
        ([], {}),
        ([5, 0], {}),  # ca kro-: nothing was said yet
        ([3], {b" kroDaH": 2.0}),
        ([0, 1], {b" kroDaH": 2.0}),  # the same word in two pieces
        ([0, 1, 0], {b"Do": 2.0, b"DaH": 2.0, b"D": 2.0, b" kroDaH": 2.0}),  # whatever writes its fourth letter
        ([0, 1, 6], {b"kroDAt": 2.0, b" kroDaH": 2.0}),  # after a space that is a token of its own
        ([0, 1, 12], {b"kroDAt": 2.0, b" kroDaH": 2.0} | {}),  # a daṇḍa ends a word too
        ([3, 0, 2], {b" kroDaH": 4.0}),  # a third time
        ([5, 5, 5], {}),  # what is short is a particle
        ([9], {" क्रोध".encode(): 2.0}),
    ],
)  # fmt: skip
def test_a_word_costs_as_often_as_it_was_said(said, costly):
    assert costs(said) == costly


def test_what_stands_around_a_gap_counts():
    assert costs([], before="kroDo ", after=" kroDAt") == {b" kroDaH": 4.0, b"kroDAt": 4.0}
    assert costs([1], before="kro") == {b" kroDaH": 2.0}
    assert costs([], before="kroDo kro") == {b" kroDaH": 2.0, b"Do": 2.0, b"DaH": 2.0, b"D": 2.0}


def test_the_beginnings_of_words():
    assert stems("kroDaH kroDo . ca  kopaH .. kroDAt") == {"kroD": 3, "kopa": 1}
    assert stems("क्रोधः । क्रोधात् ॥") == {"क्रो": 2}
