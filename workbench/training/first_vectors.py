"""The vectors that a translator's words begin with: near to each other where words translate each other.

How much likelier a source word makes an answer's word than it is anyhow (corpora/translations.py counts that) is a
matrix, and its singular vectors are the words' first vectors. A network that begins with them has the
dictionary and must only learn to read; one that begins with chance spends its first hours as a model of English alone.
Knows numbers of words, no text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from workbench.corpora.translations import Rows, expected_counts, positive_association

LENGTH = 0.36  # mean length of a vector: so that a word which the source names has some five nats more than others
LOUDNESS = 1.5  # of what the source names, in each of the decoder's layers, to begin with
RIDGE = 1e-3
NOISE = 0.1  # of that length, by chance, so that words without any translation differ as well


def first_vectors(
    sources: Rows, answers: Rows, sizes: tuple[int, int], width: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Vectors of the source's words and of the answers', `width` numbers each."""
    matrix = torch.from_numpy(positive_association(expected_counts(sources, answers, sizes)))
    rank = min(width, *matrix.shape)
    left, strength, right = torch.svd_lowrank(matrix, q=min(rank + 16, *matrix.shape), niter=3)
    root = strength[:rank].sqrt()
    return _scaled(left[:, :rank] * root, width), _scaled(right[:, :rank] * root, width)


@torch.no_grad()
def hand_on(attentions: Sequence[Any], reading: torch.Tensor | None = None) -> None:
    """Let attention hand on to a decoder what it finds in the source: as it stands, or as `reading` makes the source's
    states vectors of words. Before its first step the decoder is then a translator without grammar."""
    for attention in attentions:
        if reading is None:
            torch.nn.init.eye_(attention.v_proj.weight)
        else:
            attention.v_proj.weight.copy_(reading)
        torch.nn.init.eye_(attention.out_proj.weight).mul_(LOUDNESS)


def linear_reading(states: torch.Tensor, vectors: torch.Tensor) -> torch.Tensor:
    """The matrix that makes an encoder's states the vectors of the words they stand for, as well as a matrix can (ridge
    regression). A mean vector becomes as long as a normalised state."""
    wanted = vectors * (states.shape[1] ** 0.5 / LENGTH)
    gram = states.T @ states
    gram += RIDGE * float(gram.diagonal().mean()) * torch.eye(len(gram))
    found: torch.Tensor = torch.linalg.solve(gram, states.T @ wanted).T
    return found


def _scaled(vectors: torch.Tensor, width: int) -> torch.Tensor:
    wide = torch.zeros(len(vectors), width)
    wide[:, : vectors.shape[1]] = vectors
    lengths = wide.square().sum(dim=1).sqrt()
    mean = float(lengths[lengths > 0].mean()) if bool((lengths > 0).any()) else 1.0
    scaled: torch.Tensor = wide * (LENGTH / mean) + torch.randn(wide.shape) * (NOISE * LENGTH / width**0.5)
    return scaled
