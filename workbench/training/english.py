"""The English side of the bi-encoder: an encoder that stays as it is, and what makes its vectors comparable.

The encoder is all-MiniLM-L6-v2, or a generator's: one that has learnt to hear in the prose what a verse will need, its
names first of all. Every text is read once. The raw vectors share much (all prose of the epics is alike, and pooled
states more so), which hides in what they differ: so they are centred, and every direction is given the same weight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Dense, Normalize, Transformer
from sentence_transformers.sentence_transformer.modules import Pooling
from torch.nn.functional import normalize
from transformers import AutoTokenizer, EncoderDecoderModel, PreTrainedTokenizerFast

from workbench.models.generator import digest
from workbench.training.prose_encoder import LONGEST, NAME

VECTORS, READER = "vectors.npy", "reader"
POOLED = ("mean", "max")  # of a generator's states
FLOOR = 0.1  # of the mean variance, added to every direction's: what hardly varies is mostly noise


def identity(generator: Path) -> str:
    """Its name and its weights' hash."""
    return f"{generator.name}#{digest(generator)}"


def is_generator(folder: Path) -> bool:
    return (folder / "prose").is_dir()


def modules(folder: Path, out: Path) -> list[Any]:
    """The modules that read English, up to the pooled vector. A generator's encoder goes to OUT/reader."""
    if not is_generator(folder):
        found: Any = SentenceTransformer(str(folder), device="cpu").children()
        return [module for module in found if not isinstance(module, Normalize)]
    reader = out / READER
    if not reader.is_dir():
        both: Any = EncoderDecoderModel
        encoder = both.from_pretrained(folder, dtype=torch.float32).encoder
        encoder.config._name_or_path = NAME
        encoder.save_pretrained(reader)
        tokenizer = AutoTokenizer.from_pretrained(folder / "prose")
        tokenizer.model_max_length = LONGEST
        tokenizer.save_pretrained(reader)
    transformer = Transformer(str(reader), max_seq_length=LONGEST)
    return [transformer, Pooling(transformer.get_embedding_dimension(), POOLED)]


@dataclass(frozen=True)
class Words:
    """What a generator knows of Sanskrit words before it reads them in a verse."""

    tokenizer: Any
    vectors: torch.Tensor


def words(folder: Path, width: int) -> Words | None:
    """Those of the generator in a folder; none of a model that is no generator, or one of another width."""
    if not is_generator(folder):
        return None
    both: Any = EncoderDecoderModel
    fast: Any = PreTrainedTokenizerFast
    vectors = both.from_pretrained(folder, dtype=torch.float32).decoder.get_input_embeddings().weight.detach()
    return Words(fast.from_pretrained(folder), vectors) if vectors.shape[1] == width else None


def read(reads: list[Any], texts: Sequence[str], file: Path, tell: Callable[[str], None]) -> npt.NDArray[np.float32]:
    """The pooled vectors of all texts, computed once and kept."""
    if not file.is_file():
        model = SentenceTransformer(modules=list(reads), device="cpu")
        parts = []
        for start in range(0, len(texts), 2048):
            tell(f"reading the prose: {start:,} of {len(texts):,} texts")
            parts.append(model.encode(list(texts[start : start + 2048]), show_progress_bar=False))
        np.save(file, np.concatenate(parts).astype(np.float16))
    kept: npt.NDArray[np.float32] = np.load(file).astype(np.float32)
    return kept


@dataclass(frozen=True)
class Levelling:
    """Centres vectors and gives their first directions the same weight."""

    weight: torch.Tensor  # directions x width
    mean: torch.Tensor

    @classmethod
    def of(cls, vectors: npt.NDArray[np.float32], width: int) -> Levelling:
        """For vectors like these; the directions in which they vary most come first."""
        given = torch.from_numpy(vectors).double()
        mean = given.mean(dim=0)
        centred = given - mean
        variance, directions = torch.linalg.eigh(centred.T @ centred / len(given))
        variance, directions = variance.flip(0)[:width].clamp(min=0), directions.flip(1)[:, :width]
        weight = directions / (variance + FLOOR * variance.mean() + 1e-12).sqrt()
        return cls(weight.T.float().contiguous(), mean.float())

    def __call__(self, vectors: npt.NDArray[np.float32]) -> torch.Tensor:
        """Vectors of length 1."""
        return normalize((torch.from_numpy(vectors) - self.mean) @ self.weight.T, dim=1)

    def dense(self, looks: torch.Tensor) -> Dense:
        """This and a matrix that was learnt after it, as one layer. The matrix keeps directions whatever the length, so
        that there is no need of length 1 in between."""
        weight = looks @ self.weight
        layer = Dense(weight.shape[1], weight.shape[0], activation_function=None)
        layer.linear.weight.data.copy_(weight)
        layer.linear.bias.data.copy_(-(weight @ self.mean))
        return layer
