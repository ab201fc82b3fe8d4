"""What every generator is to the composer: prose in, a scorer out, and the tokenizer that spells its verses.

Three kinds differ only in how prose is put to them (embedded.py, translation.py, instruction.py). Guidance asks the
same model once more with no prose. Knows nothing of metres and searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from workbench.damage import sha256
from workbench.decoding.scorer import BatchScorer
from workbench.models.entries import Entry, ModelError
from workbench.models.scorers import BatchModelScorer, GuidedBatchScorer
from workbench.prosody.script import write


@dataclass(frozen=True)
class Prompt:
    """Prose as a model reads it, and what a person should know about that."""

    inputs: dict[str, torch.Tensor]
    prefix: tuple[int, ...] = ()  # what the verse's tokens come after, in the decoder
    notes: tuple[str, ...] = ()

    def followed_by(self, tokens: Sequence[int]) -> Prompt:
        return replace(self, prefix=(*self.prefix, *tokens)) if tokens else self


@dataclass
class Generator:
    entry: Entry
    model: Any
    tokenizer: Any  # of verses
    identity: str  # name and hash, for signatures

    def read(self, prose: str, metre: str = "") -> Prompt:
        raise NotImplementedError

    def scorer(
        self, prompts: Sequence[Prompt], guidance: float = 0.0, metre: str = "", given: Sequence[int] = ()
    ) -> BatchScorer:
        """Log-probabilities of a verse for each prompt; with guidance, less those for no prose at all. `given` are the
        tokens that every verse begins with."""
        prompts = [prompt.followed_by(given) for prompt in prompts]
        nothing = self.read("", metre).followed_by(given) if guidance else None
        return self._scorer(prompts, nothing, guidance)

    def _scorer(self, prompts: Sequence[Prompt], nothing: Prompt | None, guidance: float) -> BatchScorer:
        def scorer(of: Sequence[Prompt]) -> BatchScorer:
            return BatchModelScorer(self.model, [each.inputs for each in of], [each.prefix for each in of])

        if nothing is None:
            return scorer(prompts)
        return GuidedBatchScorer(scorer(prompts), scorer([nothing] * len(prompts)), guidance)

    def spell(self, slp1: str) -> str:
        """A verse as this model writes it."""
        return write(slp1, self.entry.script)

    @torch.inference_mode()
    def log_probability(self, prompt: Prompt, slp1: str) -> tuple[float, int]:
        """Of a given verse and its end, and how many tokens these are."""
        verse = self.tokenizer(self.spell(slp1), add_special_tokens=False)["input_ids"]
        wanted = torch.tensor([*verse, self.eos_token_id], device=self.model.device)
        inputs = {name: tensor.to(self.model.device) for name, tensor in prompt.inputs.items()}
        if self.model.config.is_encoder_decoder:
            given = torch.tensor([[*prompt.prefix, *verse]], device=self.model.device)
            logits = self.model(**inputs, decoder_input_ids=given, use_cache=False).logits
        else:
            given = torch.cat([inputs["input_ids"][0], wanted[:-1]])[None]
            logits = self.model(input_ids=given, use_cache=False).logits
        scores = torch.log_softmax(logits[0, -len(wanted) :].float(), dim=-1)
        return float(scores.gather(1, wanted[:, None]).sum()), len(wanted)

    @property
    def eos_token_id(self) -> int:
        if self.tokenizer.eos_token_id is None:
            raise ModelError(f"Expected a tokenizer with an end-of-sequence token for {self.entry.name}; got none.")
        return int(self.tokenizer.eos_token_id)


def shorten(ids: Sequence[int], longest: int, prose: str) -> tuple[int, tuple[str, ...]]:
    """How many tokens of the prose are read, and the note that goes with it when that is not all."""
    if len(ids) <= longest:
        return len(ids), ()
    words = len(prose.split())
    read = max(1, round(words * longest / len(ids)))
    return longest, (f"Only about the first {read} of {words} words were read: a verse holds no more than a sentence.",)


def digest(folder: Path) -> str:
    """A hash of the weights in a folder, to tell one checkpoint from another."""
    return sha256(*sorted([*folder.glob("*.safetensors"), *folder.glob("*.bin")]))[:12]
