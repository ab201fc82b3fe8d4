"""What every letter of a verse becomes when its words are written as lemmas: an alignment of the two, letter by letter.

The lemmas stand in the order of the words, so that the cheapest way to edit the verse into them says which letter gives
which: "tadboDicittaM" becomes "tad|boDi|citta|". Letters that Sanskrit exchanges (a vowel for its long one or its
semivowel, a stop for another of its class) are cheap to exchange. Knows sounds and numbers; no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.prosody import sounds
from workbench.semantics.lemmatizer import END

BREAKS = " ."  # between words, between halves
SYMBOLS = BREAKS + END + sounds.LETTERS
_NUMBER = {letter: number for number, letter in enumerate(SYMBOLS)}
# Letters that stand for each other before and after sandhi, and in inflection.
RELATED = (
    "aA", "iIeEy", "uUoOv", "fFr", "eEoOaA", "kKgGcCjJhS", "wWqQRz", "tTdDszh", "pPbBm", "MmnRYN", "sSzHro", "jz", "Sz",
)  # fmt: skip
NEVER = 50.0
LEFT_OUT, PUT_IN, BOUNDARY, BREAK_LEFT_OUT = 0.8, 0.9, 0.35, 0.2
A_VOWEL, AKIN, STRANGE = 0.7, 0.5, 1.5


def _exchange_costs() -> npt.NDArray[np.float32]:
    costs = np.full((len(SYMBOLS), len(SYMBOLS)), STRANGE, np.float32)
    vowels = [_NUMBER[letter] for letter in sounds.VOWELS]
    costs[np.ix_(vowels, vowels)] = A_VOWEL
    for letters in RELATED:
        numbers = [_NUMBER[letter] for letter in letters]
        costs[np.ix_(numbers, numbers)] = AKIN
    np.fill_diagonal(costs, 0.0)
    breaks = [_NUMBER[mark] for mark in BREAKS]
    costs[:, [*breaks, _NUMBER[END]]] = NEVER
    costs[breaks, :] = NEVER
    costs[breaks, _NUMBER[END]] = 0.0
    return costs


_EXCHANGE = _exchange_costs()
_LEFT_OUT = np.array([BREAK_LEFT_OUT if each in BREAKS else LEFT_OUT for each in SYMBOLS], np.float32)
_PUT_IN = np.array([BOUNDARY if each == END else PUT_IN for each in SYMBOLS], np.float32)


def align(texts: Sequence[str], lemmas: Sequence[Sequence[str]]) -> list[list[str]]:
    """For every text what each of its letters becomes; joined, that is its lemmas, each with END after it."""
    targets = ["".join(lemma + END for lemma in each) for each in lemmas]
    return _align(texts, targets) if texts else []


def _numbers(texts: Sequence[str]) -> npt.NDArray[np.int64]:
    table = np.zeros((len(texts), max(map(len, texts))), np.int64)
    for row, text in enumerate(texts):
        table[row, : len(text)] = [_NUMBER[letter] for letter in text]
    return table


def _align(texts: Sequence[str], targets: Sequence[str]) -> list[list[str]]:
    source, target = _numbers(texts), _numbers(targets)
    rows, width = target.shape
    put_in = np.concatenate([np.zeros((rows, 1), np.float32), _PUT_IN[target].cumsum(axis=1)], axis=1)
    costs = put_in.copy()  # of the first letters of a target from none of the source's
    exchanged: Any = np.zeros((source.shape[1], rows, width + 1), bool)  # else the letter is left out
    inserted: Any = np.zeros((source.shape[1] + 1, rows, width + 1), bool)
    inserted[0, :, 1:] = True
    for at in range(source.shape[1]):
        letter = source[:, at]
        left_out = costs + _LEFT_OUT[letter][:, None]
        exchange = np.full_like(costs, NEVER * 9)
        exchange[:, 1:] = costs[:, :-1] + _EXCHANGE[letter[:, None], target]
        exchanged[at] = exchange <= left_out
        best = np.minimum(exchange, left_out)
        # Putting letters in costs the same wherever one begins: what is cheapest is a running minimum.
        costs = np.minimum.accumulate(best - put_in, axis=1) + put_in
        inserted[at + 1] = costs < best - 1e-4
    return [_trace(text, goal, exchanged[:, row], inserted[:, row])
            for row, (text, goal) in enumerate(zip(texts, targets, strict=True))]  # fmt: skip


def _trace(text: str, goal: str, exchanged: Any, inserted: Any) -> list[str]:
    """The way back. What is put in belongs to the letter before it, at the very beginning to the first."""
    found = [""] * len(text)
    at, to = len(text), len(goal)
    while at or to:
        if to and inserted[at, to]:
            to -= 1
            found[max(0, at - 1)] = goal[to] + found[max(0, at - 1)]
        else:
            at -= 1
            if exchanged[at, to]:
                to -= 1
                found[at] = goal[to] + found[at]
    return found
