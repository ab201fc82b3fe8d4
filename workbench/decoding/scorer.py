"""Log-probabilities of the next token, from any transformers model, for rows that a search reorders as it likes.

Encoder-decoders and decoders alone, with their key-value caches; with guidance, a second pass without the source whose
log-probabilities are taken off: (1 + w) log p(y|x) - w log p(y). Knows models, no metres and no beams.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import torch


class Scorer(Protocol):
    """What a search needs of a model."""

    def start(self) -> torch.Tensor:
        """Log-probabilities of the verse's first token: one row."""

    def advance(self, parents: Sequence[int], tokens: Sequence[int]) -> torch.Tensor:
        """Rows for `tokens`, each appended to the row of the step before that `parents` names."""


class ModelScorer:
    """A model and one prompt. `prefix` are the tokens a decoder starts with: its start token, a language code."""

    def __init__(self, model: Any, inputs: dict[str, torch.Tensor], prefix: Sequence[int] = ()) -> None:
        self.model = model
        self._inputs = {name: tensor.to(model.device) for name, tensor in inputs.items()}
        self._encoder_decoder = bool(model.config.is_encoder_decoder)
        if self._encoder_decoder and not prefix:
            start = model.generation_config.decoder_start_token_id
            prefix = [model.config.decoder_start_token_id if start is None else start]
        self._prefix = list(prefix)
        self._cache: Any = None
        self._encoded: Any = None
        self._mask: torch.Tensor | None = None

    @torch.inference_mode()
    def start(self) -> torch.Tensor:
        self._cache = None
        if self._encoder_decoder:
            encoder = self.model.get_encoder()
            self._encoded = encoder(**self._inputs, return_dict=True)
            self._mask = self._inputs.get("attention_mask")
            return self._forward(torch.tensor([self._prefix], device=self.model.device))
        ids = self._inputs["input_ids"]
        if self._prefix:
            ids = torch.cat([ids, torch.tensor([self._prefix], device=ids.device)], dim=1)
        return self._forward(ids)

    @torch.inference_mode()
    def advance(self, parents: Sequence[int], tokens: Sequence[int]) -> torch.Tensor:
        index = torch.tensor(parents, device=self.model.device)
        self._cache.reorder_cache(index)
        if self._encoder_decoder and len(self._encoded.last_hidden_state) != len(tokens):
            # Every row has the same source.
            hidden = self._encoded.last_hidden_state[:1]
            self._encoded.last_hidden_state = hidden.expand(len(tokens), -1, -1)
            if self._mask is not None:
                self._mask = self._mask[:1].expand(len(tokens), -1)
        return self._forward(torch.tensor(tokens, device=self.model.device)[:, None])

    def _forward(self, ids: torch.Tensor) -> torch.Tensor:
        if self._encoder_decoder:
            output = self.model(
                encoder_outputs=self._encoded,
                attention_mask=self._mask,
                decoder_input_ids=ids,
                past_key_values=self._cache,
                use_cache=True,
                return_dict=True,
            )
        else:
            output = self.model(input_ids=ids, past_key_values=self._cache, use_cache=True, return_dict=True)
        self._cache = output.past_key_values
        return torch.log_softmax(output.logits[:, -1].float(), dim=-1)


class GuidedScorer:
    """A scorer with the source, guided away from the same model without it."""

    def __init__(self, conditional: Scorer, unconditional: Scorer, weight: float) -> None:
        self._conditional = conditional
        self._unconditional = unconditional
        self._weight = weight

    def start(self) -> torch.Tensor:
        return self._guide(self._conditional.start(), self._unconditional.start())

    def advance(self, parents: Sequence[int], tokens: Sequence[int]) -> torch.Tensor:
        return self._guide(self._conditional.advance(parents, tokens), self._unconditional.advance(parents, tokens))

    def _guide(self, conditional: torch.Tensor, unconditional: torch.Tensor) -> torch.Tensor:
        return torch.log_softmax((1 + self._weight) * conditional - self._weight * unconditional, dim=-1)
