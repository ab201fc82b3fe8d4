"""Rows of tokens as tensors: filled up to the longest."""

from __future__ import annotations

from collections.abc import Sequence

import torch

IGNORED = -100  # what cross_entropy leaves out


def padded(rows: Sequence[Sequence[int]], padding: int) -> torch.Tensor:
    width = max(map(len, rows))
    return torch.tensor([[*row, *[padding] * (width - len(row))] for row in rows])
