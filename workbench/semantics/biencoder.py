"""Prose and verse each as a vector, and how near these are: the Chandomitra baseline, and what finds hard negatives.

The score is the angle's share of the half circle that is left, (π - arccos cos) / π. The embedded model routes English
to a generator's encoder and Sanskrit to one of its own; any SentenceTransformer from the Hub, BGE-M3 for one, does as
well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from workbench.prosody.verse import Verse
from workbench.semantics.verse_spelling import spell, spelling_of


def angular(cosine: torch.Tensor) -> torch.Tensor:
    return (math.pi - torch.arccos(cosine.clamp(-1.0, 1.0))) / math.pi


class BiEncoder:
    def __init__(self, model: Any, spelling: str) -> None:
        self.model = model
        self.spelling = spelling

    def prose(self, texts: Sequence[str]) -> torch.Tensor:
        """One vector of length 1 for each text."""
        vectors: torch.Tensor = self.model.encode_query(
            list(texts), convert_to_tensor=True, normalize_embeddings=True, show_progress_bar=False
        )
        return vectors.float().cpu()

    def verses(self, verses: Sequence[Verse]) -> torch.Tensor:
        vectors: torch.Tensor = self.model.encode_document(
            [spell(verse, self.spelling) for verse in verses],
            convert_to_tensor=True,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        return vectors.float().cpu()

    def similarity(self, proses: Sequence[str], verses: Sequence[Verse]) -> torch.Tensor:
        """The score of each prose, a row, with each verse."""
        return angular(self.prose(proses) @ self.verses(verses).T)

    def score(self, proses: Sequence[str], verses: Sequence[Verse]) -> list[float]:
        """One score for each pair."""
        cosines = (self.prose(proses) * self.verses(verses)).sum(dim=1)
        return [float(score) for score in angular(cosines)]


def load(where: str | Path) -> BiEncoder:
    from sentence_transformers import SentenceTransformer

    if torch.cuda.is_available():
        return BiEncoder(SentenceTransformer(str(where)), spelling_of(where))
    # Half precision is for the disk; a CPU is slow at it. The second word is for what is no transformer.
    model = SentenceTransformer(str(where), model_kwargs={"dtype": torch.float32}).float()
    return BiEncoder(model, spelling_of(where))
