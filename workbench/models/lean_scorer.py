"""Log-probabilities of the embedded generator's next token, on a CPU: its decoder as plain arithmetic.

The same promise as scorers.py, kept without transformers' own forward: prompts are encoded once, their beams share what
was encoded, and with guidance the rows without a prose go through the layers together with those that have one.
Tested equal to what scorers.py says. Knows no metres and no beams.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from workbench.decoding.scorer import ScoreRequest
from workbench.models.generator import Prompt
from workbench.models.scorers import guide, padded
from workbench.networks.lean import Cache, EncodedSource, GroupedSource, JoinedSource, LeanDecoder, Source

KEPT = 8  # prompts: less than a megabyte each


class Encoding:
    """Prompts as the decoder's layers ask for them. The last ones are kept: at the desk one prose is read again and
    again, and guidance reads none with every verse."""

    def __init__(self, model: Any, decoder: LeanDecoder) -> None:
        self._model, self._decoder = model, decoder
        self._kept: OrderedDict[tuple[int, ...], EncodedSource] = OrderedDict()

    def __call__(self, prompts: Sequence[Prompt]) -> EncodedSource:
        if len(prompts) > 1:
            return self._encode(prompts)
        words = tuple(prompts[0].inputs["input_ids"][0].tolist())
        found = self._kept.pop(words, None)
        self._kept[words] = found = self._encode(prompts) if found is None else found
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    def _encode(self, prompts: Sequence[Prompt]) -> EncodedSource:
        inputs = padded([prompt.inputs for prompt in prompts], self._model, left=False)
        states = self._model.encoder(**inputs).last_hidden_state
        return self._decoder.project_source(states, inputs["attention_mask"].bool())


class LeanScorer:
    """A generator and several prompts, each with as many tokens that its verse begins with."""

    def __init__(
        self, encode: Encoding, decoder: LeanDecoder, prompts: Sequence[Prompt], guidance: float, nothing: Prompt | None
    ) -> None:
        self._encode, self._decoder = encode, decoder
        self._prompts, self._nothing, self._guidance = prompts, nothing, guidance
        self._conditional: EncodedSource | None = None  # what each prompt says
        self._unconditional: EncodedSource | None = None  # what none says
        self._cache: Cache | None = None
        self._layout: dict[int, int] = {}  # prompts and how many rows each has
        self._source: Source | None = None  # what these rows read

    @torch.inference_mode()
    def start(self) -> list[torch.Tensor]:
        self._conditional = self._encode(self._prompts)
        self._unconditional = self._encode([self._nothing]) if self._nothing else None
        self._layout, self._source = dict.fromkeys(range(len(self._prompts)), 1), self._conditional
        if self._unconditional is not None:
            self._source = JoinedSource(self._conditional, len(self._prompts), self._unconditional)
        self._cache = self._decoder.cache(len(self._prompts) * (2 if self._guidance else 1))
        scores = self._score([prompt.prefix for prompt in self._prompts])
        self._lay_out(self._layout)
        return list(torch.split(scores, 1))

    @torch.inference_mode()
    def advance(self, asks: Mapping[int, ScoreRequest]) -> dict[int, torch.Tensor]:
        assert self._cache is not None
        first, places = 0, {}
        for prompt, rows in self._layout.items():
            places[prompt] = first
            first += rows
        parents = torch.tensor([places[prompt] + parent for prompt, ask in asks.items() for parent in ask.parents])
        self._cache.choose(torch.cat([parents, parents + first]) if self._guidance else parents)
        layout = {prompt: len(ask.tokens) for prompt, ask in asks.items()}
        if layout != self._layout:
            self._lay_out(layout)
        scores = self._score([token for ask in asks.values() for token in ask.tokens])
        return dict(zip(asks, torch.split(scores, list(self._layout.values())), strict=True))

    def _lay_out(self, layout: dict[int, int]) -> None:
        """So many rows for each prompt; what has ended is no longer among them."""
        assert self._conditional is not None
        sources = self._conditional
        if len(layout) != len(self._prompts):
            sources = sources.rows(torch.tensor(list(layout)))
        rows = sum(layout.values())
        self._layout, self._source = layout, GroupedSource(sources, list(layout.values()))
        if self._unconditional is not None:
            self._source = JoinedSource(self._source, rows, GroupedSource(self._unconditional, [rows]))

    def _score(self, tokens: Sequence[int] | Sequence[Sequence[int]]) -> torch.Tensor:
        assert self._source is not None and self._cache is not None
        rows = len(tokens)
        given = torch.tensor([*tokens, *tokens] if self._guidance else tokens)
        hidden = self._decoder.step(given, self._source, self._cache)
        scores = torch.log_softmax(hidden @ self._decoder.vectors.T, dim=-1)
        return guide(scores[:rows], scores[rows:], self._guidance) if self._guidance else scores
