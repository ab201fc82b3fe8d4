"""Prose and verse read together, one probability that the verse says what the prose says.

The embedded model is an encoder-decoder that began as the generator (embedded_crossencoder.py); any CrossEncoder from
the Hub with one label does as well, InfoXLM-large after training for one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from workbench.prosody.verse import Verse
from workbench.semantics.verse_spelling import HALVES, spell, spelling_of


class CrossEncoder:
    def __init__(self, model: Any, spelling: str) -> None:
        self.model = model
        self.spelling = spelling

    def score(self, proses: Sequence[str], verses: Sequence[Verse]) -> list[float]:
        """One probability for each pair."""
        pairs = [(text, spell(verse, self.spelling)) for text, verse in zip(proses, verses, strict=True)]
        # In double precision: good verses for one prose all come near 1, and are still to be told apart.
        return [float(score) for score in torch.as_tensor(self.logits(pairs)).double().sigmoid()]

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Any:
        if self.spelling == HALVES:
            return self.model.predict(pairs)
        return self.model.predict(pairs, activation_fn=torch.nn.Identity(), show_progress_bar=False)


def load(where: str | Path) -> CrossEncoder:
    spelling = spelling_of(where)
    if spelling == HALVES:
        # Our own module, by our own hand: sentence-transformers takes seconds to import.
        from workbench.semantics.embedded_crossencoder import EmbeddedCrossEncoder

        kept = json.loads((Path(where) / "modules.json").read_text(encoding="utf-8"))[0]["path"]
        return CrossEncoder(EmbeddedCrossEncoder.load(str(Path(where) / kept)).eval(), spelling)
    from sentence_transformers import CrossEncoder as Model

    model = Model(str(where))
    return CrossEncoder(model.float() if model.device.type == "cpu" else model, spelling)
