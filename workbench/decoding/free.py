"""No metre at all, for the comparison: what the model would say by itself, through the same search.

A state is the number of tokens written. The end may come at any time and must come at MOST; special tokens other than
the end write nothing and are left out. Same door as Constraint.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from workbench.decoding.constraint import FINISHED, NOT_SANSKRIT, Candidates, StateFacts, TopTokens, end_tokens, top
from workbench.decoding.settings import Settings
from workbench.decoding.vocabulary import vocabulary
from workbench.prosody.automaton import DEAD

MOST = 128  # tokens


class FreeConstraint:
    around = ("", "")

    def __init__(self, tokenizer: Any, settings: Settings, eos_token_id: int | Sequence[int] | None = None) -> None:
        self.metre = settings.found_metre()
        self.vocabulary = vocabulary(tokenizer)
        self.start = 1
        self.ends = end_tokens(tokenizer, eos_token_id)
        silent = [token for token, written in enumerate(self.vocabulary.tokens) if written is None]
        self._silent = [token for token in silent if token not in self.ends]

    def candidates(self, states: Sequence[int], scores: torch.Tensor, least: int = 1, width: int = 500) -> Candidates:
        scores = scores.clone()
        scores[:, self._silent] = -torch.inf
        scores[:, len(self.vocabulary.tokens) :] = -torch.inf  # a padded vocabulary
        for row, state in enumerate(states):
            if state > MOST:
                ends = scores[row, self.ends].clone()
                scores[row] = -torch.inf
                scores[row, self.ends] = ends
        values, tokens = top(scores, min(width, scores.shape[1]))
        following = np.asarray(states, np.int32)[:, None] + 1
        targets = np.where(np.isin(tokens, self.ends), FINISHED, following).astype(np.int32)
        targets[~np.isfinite(values)] = DEAD
        return Candidates(tokens.astype(np.int64), values.astype(np.float32), np.zeros_like(values), targets)

    def facts(self, state: int) -> StateFacts:
        return StateFacts(0, False, "")

    def top_tokens(self, states: Sequence[int], scores: torch.Tensor, k: int) -> list[TopTokens]:
        best, tokens = scores.topk(min(k, scores.shape[1]), dim=1)
        return [
            TopTokens(ids, values, ~np.isin(ids, self._silent))
            for ids, values in zip(tokens.cpu().numpy(), best.float().cpu().numpy(), strict=True)
        ]

    def reason(self, state: int, token: int) -> str:
        return NOT_SANSKRIT
