"""Which pairs that a machine aligned belong together: those whose words translate each other more than by chance.

All pairs, whoever aligned them, say which words translate which (translations.py); what is wrong here and there does
not matter to a count over hundreds of thousands. A pair is kept when its English has clearly more to do with its
Sanskrit than the English of other rows has, by what all pairs but itself have told. Knows texts and counts; no model.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from workbench.corpora.texts import Text
from workbench.corpora.translations import association, expected_counts

LEAST_PAIRS = 500  # with fewer nothing can be counted, and all are kept
PIECES, WORDS = 12_000, 12_000  # of Sanskrit, whose words are run together, and of English
OTHERS = 5  # rows whose English a pair's own is compared with
# Nats a word by which a pair must be ahead of crossed ones, of which one in twenty reaches 0.6. Fifty rows of
# Mitrasaṃgraha, read one by one: 40 right, 7 with too much or too little, 3 wrong; the 43 above this: 36, 7, 0.
LEAST_MARGIN = 1.0
MOST = 4.0  # nats of one word that count: a name by itself does not make a translation
_WORD = re.compile(r"[a-z]+")


class Dictionary:
    """What the pairs of a corpus tell about which pieces of Sanskrit and which English words go together."""

    def __init__(self, pairs: Sequence[Text]) -> None:
        trainer: Any = trainers.BpeTrainer
        self._pieces: Any = Tokenizer(models.BPE())
        self._pieces.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
        self._pieces.train_from_iterator((t.slp1 for t in pairs), trainer(vocab_size=PIECES, show_progress=False))
        often = Counter(word for text in pairs for word in _words(text.english)).most_common(WORDS)
        self._numbers = {word: number for number, (word, _) in enumerate(often)}
        sides = [self.sides(text) for text in pairs]
        sizes = (int(self._pieces.get_vocab_size()), max(1, len(self._numbers)))
        self._counts = expected_counts([source for source, _ in sides], [words for _, words in sides], sizes)
        self._totals = self._counts.sum(axis=1)
        self._common = self._counts.sum(axis=0) / self._counts.sum()

    def sides(self, text: Text) -> tuple[list[int], list[int]]:
        """A text's pieces and the words of its English, as numbers."""
        words = [self._numbers[word] for word in _words(text.english) if word in self._numbers]
        return self._pieces.encode(text.slp1).ids, words

    def score(self, source: Sequence[int], words: Sequence[int], own: bool = False) -> float:
        """How much two sides say of each other, in nats a word: of each word what its best partner tells. With `own`,
        what this very pair has told is taken out first: a word that stands nowhere else would vouch for anything."""
        if not source or not words:
            return 0.0
        places, named = np.unique([*source, len(self._counts) - 1]), np.unique(words)  # the last is for no word at all
        counts, totals = self._counts[np.ix_(places, named)], self._totals[places]
        if own:
            chance = counts / np.maximum(totals[:, None], 1e-9)
            shares = chance / np.maximum(chance.sum(axis=0), 1e-9)
            counts, totals = np.maximum(counts - shares, 0.0), totals - shares.sum(axis=1)
        cells = np.clip(association(counts[:-1], totals[:-1], self._common[named]), 0.0, MOST)
        return float(cells.max(axis=0).mean() + cells.max(axis=1).mean()) / 2


def _words(english: str) -> list[str]:
    return _WORD.findall(english.lower())


def margins(texts: Sequence[Text], dictionary: Dictionary, seed: int = 1) -> tuple[list[float], list[float]]:
    """How much more each text has to do with its own English than others' have; and the same of an English that is
    not its own, for comparison."""
    chance = random.Random(seed)
    sides = [dictionary.sides(text) for text in texts]
    own, crossed = [], []
    for source, words in sides:
        rivals = [dictionary.score(source, chance.choice(sides)[1]) for _ in range(OTHERS + 1)]
        usual = sum(rivals[1:]) / OTHERS
        own.append(dictionary.score(source, words, own=True) - usual)
        crossed.append(rivals[0] - usual)
    return own, crossed


def aligned(texts: Sequence[Text], pairs: Sequence[Text]) -> list[bool]:
    """Of texts that a machine aligned, which belong to their English, by a dictionary of all pairs."""
    if len(texts) < LEAST_PAIRS:
        return [True] * len(texts)
    own, _ = margins(texts, Dictionary(pairs))
    return [margin > LEAST_MARGIN for margin in own]
