"""Batches of about as many target tokens each, rows of like length together, in an order that a seed decides."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch

IGNORED = -100  # what cross_entropy leaves out


@dataclass(frozen=True)
class Batch:
    rows: tuple[int, ...]
    with_source: bool


def plan_batches(
    rows: Sequence[int],
    lengths: Sequence[tuple[int, int]],  # of every row: target tokens, prose tokens
    size: int,
    chance: random.Random,
    drop_source: float,
) -> list[Batch]:
    """One epoch over `rows`. A share of the batches goes without its source, so that the decoder can be asked alone."""

    # Lengths are blurred, or the same rows would meet in every epoch.
    def blurred(row: int) -> tuple[int, float]:
        target, prose = lengths[row]
        return round(target + chance.uniform(-0.7, 0.7)), prose + chance.uniform(-3, 3)

    order = sorted(rows, key=blurred)
    batches: list[list[int]] = []
    longest = 0
    for row in order:
        longest = max(longest, lengths[row][0])
        if not batches or longest * (len(batches[-1]) + 1) > size:
            batches.append([])
            longest = lengths[row][0]
        batches[-1].append(row)
    chance.shuffle(batches)
    return [Batch(tuple(batch), chance.random() >= drop_source) for batch in batches]


def targets(ids: Sequence[Sequence[int]], padding: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Decoder input and what it should say next. Each row of `ids` has its start and its end token."""
    width = max(map(len, ids)) - 1
    given = torch.full((len(ids), width), padding)
    wanted = torch.full((len(ids), width), IGNORED)
    for row, tokens in enumerate(ids):
        given[row, : len(tokens) - 1] = torch.tensor(tokens[:-1])
        wanted[row, : len(tokens) - 1] = torch.tensor(tokens[1:])
    return given, wanted
