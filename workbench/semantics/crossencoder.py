"""Prose and verse read together, one probability that the verse says what the prose says.

The embedded model is a small BERT whose tokenizer knows both languages; any CrossEncoder from the Hub with one label
does as well, InfoXLM-large after training for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workbench.semantics.spelling import spell, spelling_of

EMBEDDED = "checkpoints/cross-encoder"


class CrossEncoder:
    def __init__(self, model: Any, spelling: str) -> None:
        self.model = model
        self.spelling = spelling

    def score(self, prose: Sequence[str], slp1: Sequence[str]) -> list[float]:
        """One probability for each pair."""
        pairs = [(text, spell(verse, self.spelling)) for text, verse in zip(prose, slp1, strict=True)]
        return [float(score) for score in self.model.predict(pairs, show_progress_bar=False)]


def load(where: str | Path = EMBEDDED) -> CrossEncoder:
    from sentence_transformers import CrossEncoder as Model

    model = Model(str(where))
    if model.device.type == "cpu":
        model = model.float()
    return CrossEncoder(model, spelling_of(where))
