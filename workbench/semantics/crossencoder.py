"""Prose and verse read together by a cross-encoder from the Hub: one probability that the verse says what the prose
says. Any CrossEncoder with one label does, InfoXLM-large after `train cross-encoder` for one. None ships.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from workbench.prosody.verse import Verse
from workbench.semantics.verse_spelling import spell, spelling_of


class CrossEncoder:
    def __init__(self, model: Any, spelling: str) -> None:
        self.model = model
        self.spelling = spelling

    def score(self, proses: Sequence[str], verses: Sequence[Verse]) -> list[float]:
        """One probability for each pair."""
        pairs = [(text, spell(verse, self.spelling)) for text, verse in zip(proses, verses, strict=True)]
        logits = self.model.predict(pairs, activation_fn=torch.nn.Identity(), show_progress_bar=False)
        # In double precision: good verses for one prose all come near 1, and are still to be told apart.
        return [float(score) for score in torch.as_tensor(logits).double().sigmoid()]


def load(where: str | Path) -> CrossEncoder:
    from sentence_transformers import CrossEncoder as Model

    model = Model(str(where))
    return CrossEncoder(model.float() if model.device.type == "cpu" else model, spelling_of(where))
