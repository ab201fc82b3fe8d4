"""The embedded generator: a small encoder-decoder that reads English and writes SLP1, with a tokenizer for each.

It spells a verse in SLP1 letters, its half-verses divided by a daṇḍa with a space on either side, nothing at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import torch
from transformers import AutoTokenizer, EncoderDecoderModel, PreTrainedTokenizerFast

from workbench.damage import whole
from workbench.decoding.scorer import BatchScorer
from workbench.models.entries import Entry, ModelError
from workbench.models.forms import OTHER, VERSE, start_token
from workbench.models.generator import Generator, Prompt, digest, shorten
from workbench.models.lean_scorer import Encoding, LeanScorer
from workbench.networks.lean import LeanDecoder
from workbench.paths import at_home
from workbench.prosody.automaton import LETTERS
from workbench.prosody.metres import ANUSTUBH
from workbench.prosody.verse import DANDA, divide

PROSE = "prose"  # the folder of the tokenizer that reads
LONGEST = 160  # tokens of prose, as in training
WRITTEN = set(LETTERS["slp1"]) - {"\n", "."}


def spell(slp1: str) -> str:
    """A text as this generator writes it. Candrabindu, the one sign outside its letters, is left out."""
    halves = (" ".join("".join(c for c in half if c in WRITTEN).split()) for half in divide(slp1))
    return DANDA.join(half for half in halves if half)


class Embedded(Generator):
    reader: Any

    @cached_property
    def _lean(self) -> LeanDecoder:
        return LeanDecoder(self.model.decoder.model.decoder)

    @cached_property
    def _encoding(self) -> Encoding:
        return Encoding(self.model, self._lean)

    @cached_property
    def _tokens(self) -> dict[str, int]:
        return dict(self.tokenizer.get_vocab())

    def _scorer(self, prompts: Sequence[Prompt], nothing: Prompt | None, guidance: float) -> BatchScorer:
        if self.model.device.type != "cpu":
            return super()._scorer(prompts, nothing, guidance)
        return LeanScorer(self._encoding, self._lean, prompts, guidance, nothing)

    def spell(self, slp1: str) -> str:
        return spell(slp1)

    def read(self, prose: str, metre: str = "") -> Prompt:
        ids = self.reader(prose, truncation=False, verbose=False)["input_ids"]
        kept, notes = shorten(ids, LONGEST, prose)
        unknown = sum(token == self.reader.unk_token_id for token in ids)
        if prose and unknown >= len(ids) - 2:
            notes = ("No word of this prose is known to the generator: the verse is its own invention.", *notes)
        elif prose and 2 * unknown > len(ids):
            notes = ("Most words of this prose are unknown to the generator, which reads English.", *notes)
        if kept < len(ids):
            ids = [*ids[: kept - 1], ids[-1]]
        inputs = torch.tensor([ids])
        return Prompt({"input_ids": inputs, "attention_mask": torch.ones_like(inputs)}, (self._start(metre),), notes)

    def _start(self, metre: str) -> int:
        """The token that a verse in a metre begins with; a generator that was told no metres has two."""
        known = self._tokens
        token = start_token(metre or ANUSTUBH)
        return int(known.get(token, known.get(OTHER if token != VERSE else VERSE, self.tokenizer.bos_token_id)))


def load(entry: Entry) -> Embedded:
    folder = at_home(entry.where)
    if not (folder / "model.safetensors").is_file():
        raise ModelError(
            f"Expected the generator {entry.name} in {entry.where}; found no model.safetensors there. "
            "`python -m workbench train generator` makes one."
        )
    both: Any = EncoderDecoderModel
    fast: Any = PreTrainedTokenizerFast
    with whole(folder, f"generator {entry.name}", ModelError):
        # On a CPU half precision is slow: it is how the weights are stored, not how they are used.
        model = both.from_pretrained(folder, dtype=torch.float32).eval()
        generator = Embedded(entry, model, fast.from_pretrained(folder), f"{entry.name}#{digest(folder)}")
        generator.reader = AutoTokenizer.from_pretrained(folder / PROSE)
    return generator
