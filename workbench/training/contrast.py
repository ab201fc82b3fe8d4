"""The bi-encoder's loss: every verse has to be nearer to its own prose than to others', and prose to its own verse.

MiniLM's vectors of the English stay as they are, computed once. So they cost nothing, and a verse is told apart from
thousands of proses beside those of its batch. What is learnt on the English side is one matrix, how to look at
these vectors, and how sharply to tell apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch.nn.functional import cross_entropy, normalize

SHARPEST = 100.0
SAME = 0.98  # two texts whose vectors are so near say the same: neither is a wrong answer for the other


class Contrast(torch.nn.Module):
    """`bank` has the vectors of all English texts, of which `others` are drawn at each step."""

    bank: torch.Tensor

    def __init__(self, model: Any, bank: torch.Tensor, others: int = 4096, scale: float = 20.0, seed: int = 0) -> None:
        super().__init__()
        self.model = model
        self.others = min(others, len(bank))
        self.register_buffer("bank", normalize(bank, dim=1), persistent=False)
        self.looks = torch.nn.Linear(bank.shape[1], bank.shape[1], bias=False)
        torch.nn.init.eye_(self.looks.weight)
        self.sharpness = torch.nn.Parameter(torch.tensor(math.log(scale)))
        self._chance = torch.Generator().manual_seed(seed)

    def english(self, vectors: torch.Tensor) -> torch.Tensor:
        """MiniLM's vectors as verses are compared with."""
        return normalize(self.looks(vectors), dim=1)

    def forward(self, sentence_features: Iterable[dict[str, torch.Tensor]], labels: torch.Tensor) -> torch.Tensor:
        said = normalize(self.model(next(iter(sentence_features)))["sentence_embedding"], dim=1)
        given = normalize(labels.to(said.dtype), dim=1)
        scale = self.sharpness.exp().clamp(max=SHARPEST)
        meant = self.english(given)
        own = torch.arange(len(said), device=said.device)
        within = scale * said @ meant.T
        same = given @ given.T > SAME
        same[own, own] = False
        within = within.masked_fill(same, -torch.inf)
        drawn = self.bank[torch.randint(len(self.bank), (self.others,), generator=self._chance)]
        beyond = scale * said @ self.english(drawn).T
        beyond = beyond.masked_fill(given @ drawn.T > SAME, -torch.inf)
        return (cross_entropy(torch.cat([within, beyond], dim=1), own) + cross_entropy(within.T, own)) / 2

    def learnt(self) -> dict[str, torch.Tensor]:
        """What the loss has learnt itself, which no model holds."""
        return {"looks": self.looks.weight.detach().clone(), "sharpness": self.sharpness.detach().clone()}

    def take_up(self, learnt: dict[str, torch.Tensor]) -> None:
        with torch.no_grad():
            self.looks.weight.copy_(learnt["looks"])
            self.sharpness.copy_(learnt["sharpness"])
