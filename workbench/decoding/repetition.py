"""What it costs a verse in the making to say a word again: found by how words begin, whatever tokens write them.

A small model says the same word again and again, and even where it is declined the verse says nothing new. Two words
that begin with the same letters are mostly one word in two forms. The cost falls due with the token that writes the
last of these letters, as often as the verse has had the word. Knows text and tokens, no metre.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from workbench.decoding.vocabulary import Vocabulary

STEM = 4  # letters that make a word one of its own; shorter ones are particles and endings
BETWEEN = " .।॥|"  # between words
_WORDS = re.compile(f"[^{re.escape(BETWEEN)}]+")


def stems(text: str) -> Counter[str]:
    """How the words of a text begin, each as often as it comes."""
    return Counter(word[:STEM] for word in _WORDS.findall(text) if len(word) >= STEM)


class Repetition:
    """The cost of tokens after texts that stand `before` and `after` what is being written."""

    def __init__(self, vocabulary: Vocabulary, cost: float, before: str = "", after: str = "") -> None:
        self._vocabulary, self._cost = vocabulary, cost
        self._before, self._after = before, stems(after)
        self._written = _by_letters(vocabulary)
        self._found: dict[tuple[bool, str], npt.NDArray[np.int64]] = {}

    def costs(self, tokens: Sequence[int], following: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Of each of the tokens that may follow those of a verse in the making."""
        text = self._before + self._vocabulary.text(tokens)
        begun = "" if not text or text[-1] in BETWEEN else _WORDS.findall(text)[-1]
        known = len(self._vocabulary.tokens)
        times = np.zeros(known + 1, np.float32)  # the last: what a model has beyond its tokenizer
        for stem, number in (stems(text) + self._after).items():
            times[self._tokens(True, stem)] += number
            if len(begun) < STEM and stem.startswith(begun):
                times[self._tokens(False, stem[len(begun) :])] += number
        found: npt.NDArray[np.float32] = self._cost * times[np.minimum(following, known)]
        return found

    def _tokens(self, begins: bool, letters: str) -> npt.NDArray[np.int64]:
        """The tokens whose letters begin so."""
        if (begins, letters) not in self._found:
            written = self._written[begins]
            first, last = (bisect_left(written, (edge,)) for edge in (letters, letters + "\U0010ffff"))
            self._found[begins, letters] = np.array([token for _, token in written[first:last]], np.int64)
        return self._found[begins, letters]


@lru_cache(maxsize=8)
def _by_letters(vocabulary: Vocabulary) -> tuple[list[tuple[str, int]], ...]:
    """Tokens that go on with a word, and those that begin one, in the order of their letters."""
    return tuple(
        sorted((text.lstrip(BETWEEN), token) for token, text in _texts(vocabulary) if begins == (text[0] in BETWEEN))
        for begins in (False, True)
    )


def _texts(vocabulary: Vocabulary) -> list[tuple[int, str]]:
    texts = ((token, (written or b"").decode(errors="ignore")) for token, written in enumerate(vocabulary.tokens))
    return [(token, text) for token, text in texts if text]
