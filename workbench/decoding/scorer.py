"""What a search needs of a model: log-probabilities of the next token, for rows that it reorders as it likes.

The protocol alone; scorers over models stand beside those (models/scorers.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch


@dataclass(frozen=True)
class ScoreRequest:
    """What a search wants next: scores after `tokens`, each appended to the row of its last step that `parents` names;
    at first, with none of either, those of the verse's first token."""

    parents: Sequence[int] = ()
    tokens: Sequence[int] = ()


class Scorer(Protocol):
    """What a search needs of a model."""

    def start(self) -> torch.Tensor:
        """Log-probabilities of the verse's first token: one row."""

    def advance(self, parents: Sequence[int], tokens: Sequence[int]) -> torch.Tensor:
        """Rows for `tokens`, each appended to the row of the step before that `parents` names."""


class BatchScorer(Protocol):
    """The same for several searches. One that asks no more has ended."""

    def start(self) -> list[torch.Tensor]: ...

    def advance(self, asks: Mapping[int, ScoreRequest]) -> dict[int, torch.Tensor]: ...


class BatchOfOne:
    """A scorer of one search as if it were of several."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    def start(self) -> list[torch.Tensor]:
        return [self._scorer.start()]

    def advance(self, asks: Mapping[int, ScoreRequest]) -> dict[int, torch.Tensor]:
        return {prompt: self._scorer.advance(ask.parents, ask.tokens) for prompt, ask in asks.items()}
