"""The bi-encoder's loss: in a batch, every verse has to be nearest to its own prose, whose vectors are given.

The English side is MiniLM's and stays as it is, so its vectors are computed once and come as labels; verses are
distilled onto them by telling them apart, both ways.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch.nn.functional import cross_entropy, normalize


class InBatchContrast(torch.nn.Module):
    def __init__(self, model: Any, scale: float = 20.0) -> None:
        super().__init__()
        self.model = model
        self.scale = scale

    def forward(self, sentence_features: Iterable[dict[str, torch.Tensor]], labels: torch.Tensor) -> torch.Tensor:
        said = normalize(self.model(next(iter(sentence_features)))["sentence_embedding"], dim=1)
        meant = normalize(labels.to(said.dtype), dim=1)
        scores = self.scale * said @ meant.T
        own = torch.arange(len(scores), device=scores.device)
        return (cross_entropy(scores, own) + cross_entropy(scores.T, own)) / 2
