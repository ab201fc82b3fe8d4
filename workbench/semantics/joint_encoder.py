"""Prose and verse in one sequence through one transformer, every word looking at every other: one logit.

The verse comes first, then a sign, then the prose, in the reader's pieces; the sign's state at the end says how much of
the prose the verse says. It may begin with the reader's encoder and shares no weight with the generator. The logit's
scale is learnt from verses graded by construction; a curve beside the weights puts it on the rubric's, from 1 to 5.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import torch

from workbench.prosody.verse import Verse
from workbench.semantics import JudgeError
from workbench.semantics.pieces import END, ENGLISH, Pieces
from workbench.semantics.verse_spelling import HALVES, as_read

CONFIG, WEIGHTS = "joint.json", "model.safetensors"
LONGEST_VERSE, LONGEST_PROSE = 110, 140  # pieces; there are places for 256
BATCH_TOKENS = 4096
VERSE, PROSE = 0, 1  # which text a piece is of


class JointEncoder(torch.nn.Module):
    """`encoder` is an MBart encoder, such as the reader's; what is new begins small, so that it starts as that."""

    def __init__(self, config: Any, padding: int) -> None:
        super().__init__()
        from transformers.models.mbart.modeling_mbart import MBartEncoder

        width = config.d_model
        made: Any = MBartEncoder
        self.config, self.padding = config, padding
        self.encoder = made(config)
        self.text_embed = torch.nn.Embedding(2, width)
        self.mask_embed = torch.nn.Parameter(torch.randn(width) * 0.01)  # in place of a hidden piece
        self.word_layer = torch.nn.Linear(width, width)  # from a hidden piece's state to its word
        first, last = torch.nn.Linear(width, width), torch.nn.Linear(width, 1)
        self.judge_layer = torch.nn.Sequential(first, torch.nn.GELU(), last)
        torch.nn.init.zeros_(self.text_embed.weight)

    def states(self, ids: torch.Tensor, texts: torch.Tensor, hidden: torch.Tensor | None = None) -> torch.Tensor:
        """Rows x places x width. `texts` says which text a piece is of, `hidden` which pieces are not shown."""
        vectors = self.encoder.embed_tokens(ids)
        if hidden is not None:
            vectors = torch.where(hidden[..., None], self.mask_embed * self.encoder.embed_tokens.embed_scale, vectors)
        vectors = vectors + self.text_embed(texts)
        found = self.encoder(inputs_embeds=vectors, attention_mask=ids != self.padding)
        return torch.as_tensor(found.last_hidden_state)

    def logits(self, ids: torch.Tensor, texts: torch.Tensor, signs: torch.Tensor) -> torch.Tensor:
        """A number for each row, from the state of its sign."""
        states = self.states(ids, texts)
        return torch.as_tensor(self.judge_layer(states[torch.arange(len(ids)), signs]))[:, 0]

    @classmethod
    def from_reader(cls, folder: Path) -> Self:
        """With the reader's encoder and words."""
        from transformers import MBartForConditionalGeneration

        loader: Any = MBartForConditionalGeneration
        reader = loader.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
        made = cls(reader.config, reader.config.pad_token_id)
        made.encoder.load_state_dict(reader.model.encoder.state_dict())
        return made

    def save(self, folder: Path) -> None:
        """In half precision, with its configuration."""
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        told = {"padding": self.padding, "mbart": self.config.to_diff_dict()}
        (folder / CONFIG).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        weights = {name: value.detach().half().contiguous() for name, value in self.state_dict().items()}
        save_file(weights, folder / WEIGHTS)

    @classmethod
    def load(cls, folder: Path) -> Self:
        from safetensors.torch import load_file
        from transformers import MBartConfig

        told = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        config: Any = MBartConfig
        made = cls(config(**told["mbart"], attn_implementation="eager"), told["padding"])
        made.load_state_dict({name: value.float() for name, value in load_file(folder / WEIGHTS).items()})
        return made.eval()


def rows(pieces: Pieces, proses: Sequence[str], verses: Sequence[str]) -> list[tuple[list[int], int]]:
    """Pairs as numbers, each with the place of its sign."""
    found = []
    end, sign = pieces.sign(END), pieces.sign(ENGLISH)
    for said, meant in zip(pieces.read_slp1(verses), pieces.read_english(proses), strict=True):
        verse, prose = said[:LONGEST_VERSE], meant[:LONGEST_PROSE]
        found.append(([*verse, end, sign, *prose, end], len(verse) + 1))
    return found


def as_tensors(found: Sequence[tuple[list[int], int]], padding: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Numbers, which text each is of, and where the signs are."""
    width = max(len(row) for row, _ in found)
    ids = torch.tensor([[*row, *[padding] * (width - len(row))] for row, _ in found])
    signs = torch.tensor([sign for _, sign in found])
    texts = (torch.arange(width)[None] > signs[:, None]).long()
    return ids, texts, signs


class JointJudge:
    spelling = HALVES

    def __init__(self, model: JointEncoder, pieces: Pieces) -> None:
        self.model, self.pieces = model, pieces

    def score(self, proses: Sequence[str], verses: Sequence[Verse]) -> list[float]:
        """From 0 to 1: how much of each prose its verse says."""
        said = self.logits(proses, [as_read(verse) for verse in verses])
        return [float(value) for value in said.double().sigmoid()]

    @torch.inference_mode()
    def logits(self, proses: Sequence[str], verses: Sequence[str]) -> torch.Tensor:
        found = rows(self.pieces, proses, verses)
        order = sorted(range(len(found)), key=lambda at: len(found[at][0]))
        said = torch.zeros(len(found))
        while order:
            size = max(1, BATCH_TOKENS // len(found[order[-1]][0]))
            these, order = order[-size:], order[:-size]
            said[these] = self.model.logits(*as_tensors([found[at] for at in these], self.model.padding))
        return said


def load(where: str | Path) -> JointJudge:
    folder = Path(where)
    if not (folder / WEIGHTS).is_file():
        raise JudgeError(f"Expected a cross-encoder in {folder.name}/; found no {WEIGHTS} there.")
    return JointJudge(JointEncoder.load(folder), Pieces.load(folder))
