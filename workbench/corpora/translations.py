"""Which words translate which, counted over pairs of texts: IBM's first model.

Expectation and maximisation, a few rounds, minutes for a whole corpus: no order of words, no grammar, but nobody has to
know the language. Knows numbers of words, no text.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ROUNDS = 4  # of expectation and maximisation; later ones change little
PSEUDO = 5.0  # counts by chance that each source word is given: what was seen twice proves little

Rows = Sequence[Sequence[int]]


def expected_counts(sources: Rows, answers: Rows, sizes: tuple[int, int]) -> np.ndarray:
    """How often each source word stands for each word of an answer: source words x answer words. One more row, the
    last, is for no word at all, from which words that say nothing come."""
    nothing, width = sizes[0], sizes[1]
    found, lengths = [], []
    for source, answer in zip(sources, answers, strict=True):
        places = np.unique(np.array([*source, nothing], dtype=np.int32))
        words = np.unique(np.array(answer, dtype=np.int32))
        found.append((words[:, None] + places[None, :] * width).ravel())
        lengths.append(np.full(len(words), len(places), dtype=np.int32))
    cells, length = np.concatenate(found), np.concatenate(lengths)
    starts = np.concatenate([[0], np.cumsum(length)[:-1]])
    counts = np.bincount(cells, minlength=(nothing + 1) * width).astype(np.float32)
    for _ in range(ROUNDS):
        table = counts.reshape(nothing + 1, width)
        chance = (table / np.maximum(table.sum(axis=1, keepdims=True), 1e-9)).ravel()
        share = chance[cells]
        share /= np.repeat(np.add.reduceat(share, starts), length)
        counts = np.bincount(cells, weights=share, minlength=len(counts)).astype(np.float32)
    return counts.reshape(nothing + 1, width)


def association(counts: np.ndarray, totals: np.ndarray, common: np.ndarray) -> np.ndarray:
    """How much likelier each source word makes each answer word than it is anyhow, in nats: `counts` of both together,
    `totals` of the source words, and how common each answer word is."""
    usual = np.maximum(common, 1e-12)
    logs: np.ndarray = np.log((counts + PSEUDO * usual) / ((np.maximum(totals, 0.0)[:, None] + PSEUDO) * usual))
    return logs.astype(np.float32)


def positive_association(counts: np.ndarray) -> np.ndarray:
    """The same for all of `expected_counts`; 0 where a word makes another no likelier."""
    common = counts.sum(axis=0) / max(float(counts.sum()), 1e-9)
    logs: np.ndarray = np.maximum(association(counts[:-1], counts[:-1].sum(axis=1), common), 0.0)
    logs[:, common <= 0] = 0.0
    return logs
