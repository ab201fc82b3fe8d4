"""Log-probabilities of the next token, from any transformers model, for rows that a search reorders as it likes.

Encoder-decoders and decoders alone, with their key-value caches, for one prompt or for several at once; with guidance,
a second pass without the source whose log-probabilities are taken off: (1 + w) log p(y|x) - w log p(y). The embedded
generator has a scorer of its own (lean_scorer.py). Knows no metres and no beams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from workbench.decoding.scorer import BatchScorer, ScoreRequest

Inputs = Mapping[str, torch.Tensor]


class BatchModelScorer:
    """A model and several prompts. `prefixes` are the tokens a decoder starts with, its start token or a language code:
    as many for each prompt."""

    def __init__(self, model: Any, inputs: Sequence[Inputs], prefixes: Sequence[Sequence[int]] = ()) -> None:
        self.model = model
        self._encoder_decoder = bool(model.config.is_encoder_decoder)
        prefixes = prefixes or [()] * len(inputs)
        if self._encoder_decoder and not any(prefixes):
            start = model.generation_config.decoder_start_token_id
            prefixes = [[model.config.decoder_start_token_id if start is None else start]] * len(inputs)
        self._prefixes = torch.tensor([list(prefix) for prefix in prefixes], device=model.device, dtype=torch.long)
        self._inputs = padded(inputs, model, left=not self._encoder_decoder)
        self._cache: Any = None
        self._encoded: Any = None  # the encoder's output for each prompt
        self._sources: Any = None  # and for each row
        self._mask: torch.Tensor | None = None  # of each row
        self._layout: list[tuple[int, int]] = []  # prompts and how many rows each has

    @torch.inference_mode()
    def start(self) -> list[torch.Tensor]:
        self._cache = None
        number = len(self._prefixes)
        self._layout = [(at, 1) for at in range(number)]
        self._mask = self._inputs.get("attention_mask")
        if self._encoder_decoder:
            self._encoded = self.model.get_encoder()(**self._inputs, return_dict=True)
            self._sources = self._encoded.last_hidden_state
            ids = self._prefixes
        else:
            ids = torch.cat([self._inputs["input_ids"], self._prefixes], dim=1)
            self._mask = self._grown(self._prefixes.shape[1])
        return list(torch.split(self._forward(ids), 1))

    @torch.inference_mode()
    def advance(self, asks: Mapping[int, ScoreRequest]) -> dict[int, torch.Tensor]:
        first, places = 0, {}
        for prompt, rows in self._layout:
            places[prompt] = first
            first += rows
        parents = [places[prompt] + parent for prompt, ask in asks.items() for parent in ask.parents]
        tokens = [token for ask in asks.values() for token in ask.tokens]
        layout = [(prompt, len(ask.tokens)) for prompt, ask in asks.items()]
        self._follow(torch.tensor(parents, device=self.model.device), layout)
        scores = self._forward(torch.tensor(tokens, device=self.model.device)[:, None])
        return dict(zip(asks, torch.split(scores, [rows for _, rows in layout]), strict=True))

    def _follow(self, index: torch.Tensor, layout: list[tuple[int, int]]) -> None:
        """Rows become the children of their parents. What comes from the source is the same for all rows of a prompt:
        as long as each has as many rows as before, it stays where it is."""
        own = getattr(self._cache, "self_attention_cache", None)
        if self._encoder_decoder and own is not None and layout == self._layout:
            own.reorder_cache(index)
            return
        self._cache.reorder_cache(index)
        if self._mask is not None:
            self._mask = self._mask[index]
        if self._encoder_decoder:
            self._sources = self._sources[index]
        elif self._mask is not None:
            self._mask = self._grown(1)
        self._layout = layout

    def _grown(self, more: int) -> torch.Tensor | None:
        """The mask of a decoder alone covers what has been written too."""
        if self._mask is None:
            return None
        return torch.cat([self._mask, self._mask.new_ones(len(self._mask), more)], dim=1)

    def _forward(self, ids: torch.Tensor) -> torch.Tensor:
        given: dict[str, Any] = {"past_key_values": self._cache, "use_cache": True, "return_dict": True}
        if self._encoder_decoder:
            encoded = type(self._encoded)(last_hidden_state=self._sources)
            output = self.model(encoder_outputs=encoded, attention_mask=self._mask, decoder_input_ids=ids, **given)
        else:
            if self._mask is not None:
                given["attention_mask"] = self._mask
                given["position_ids"] = (self._mask.cumsum(dim=1) - 1).clamp(min=0)[:, -ids.shape[1] :]
            output = self.model(input_ids=ids, **given)
        self._cache = output.past_key_values
        return torch.log_softmax(output.logits[:, -1].float(), dim=-1)


def padded(inputs: Sequence[Inputs], model: Any, left: bool) -> dict[str, torch.Tensor]:
    """Prompts of different lengths as one batch. What pads them is masked, so that it may be any token."""
    if len(inputs) == 1:
        return {name: tensor.to(model.device) for name, tensor in inputs[0].items()}
    longest = max(each["input_ids"].shape[1] for each in inputs)

    def row(tensor: torch.Tensor) -> torch.Tensor:
        missing = longest - tensor.shape[1]
        return torch.nn.functional.pad(tensor, (missing, 0) if left else (0, missing))

    masks = [each.get("attention_mask", torch.ones_like(each["input_ids"])) for each in inputs]
    ids = torch.cat([row(each["input_ids"]) for each in inputs]).to(model.device)
    return {"input_ids": ids, "attention_mask": torch.cat([row(mask) for mask in masks]).to(model.device)}


class ModelScorer:
    """A model and one prompt."""

    def __init__(self, model: Any, inputs: Inputs, prefix: Sequence[int] = ()) -> None:
        self._scorer = BatchModelScorer(model, [inputs], [prefix] if prefix else ())

    def start(self) -> torch.Tensor:
        return self._scorer.start()[0]

    def advance(self, parents: Sequence[int], tokens: Sequence[int]) -> torch.Tensor:
        return self._scorer.advance({0: ScoreRequest(parents, tokens)})[0]


class GuidedBatchScorer:
    """Scorers with the source, guided away from the same model without it."""

    def __init__(self, conditional: BatchScorer, unconditional: BatchScorer, weight: float) -> None:
        self._conditional = conditional
        self._unconditional = unconditional
        self._weight = weight

    def start(self) -> list[torch.Tensor]:
        pairs = zip(self._conditional.start(), self._unconditional.start(), strict=True)
        return [guide(with_source, without_source, self._weight) for with_source, without_source in pairs]

    def advance(self, asks: Mapping[int, ScoreRequest]) -> dict[int, torch.Tensor]:
        with_source, without_source = self._conditional.advance(asks), self._unconditional.advance(asks)
        return {prompt: guide(with_source[prompt], without_source[prompt], self._weight) for prompt in asks}


def guide(conditional: torch.Tensor, unconditional: torch.Tensor, weight: float) -> torch.Tensor:
    return torch.log_softmax((1 + weight) * conditional - weight * unconditional, dim=-1)
