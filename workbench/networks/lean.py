"""A decoder's step as plain arithmetic: the weights of an MBart decoder, packed once, and one cache for all its layers.

transformers spends most of a small decoder's step on itself. Here a step is a dozen products of matrices a layer. What
the source says to each layer is computed once; rows in groups, such as the beams of a prose, share it. Tested equal to
transformers' own forward. For reading without gradients only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch.nn.functional import gelu, layer_norm, linear, relu, softmax

ROOM = 32  # places of a cache to begin with
ACTIVATIONS: dict[str, Any] = {"gelu": gelu, "relu": relu}


@dataclass(frozen=True)
class _Norm:
    weight: torch.Tensor
    bias: torch.Tensor

    @classmethod
    def of(cls, module: Any) -> _Norm:
        return cls(module.weight.detach(), module.bias.detach())

    def __call__(self, given: torch.Tensor) -> torch.Tensor:
        return layer_norm(given, given.shape[-1:], self.weight, self.bias)


@dataclass(frozen=True)
class _Linear:
    weight: torch.Tensor
    bias: torch.Tensor | None

    @classmethod
    def of(cls, *modules: Any) -> _Linear:
        """Several layers that read the same, as one."""
        bias = None if modules[0].bias is None else torch.cat([module.bias.detach() for module in modules])
        return cls(torch.cat([module.weight.detach() for module in modules]).contiguous(), bias)

    def __call__(self, given: torch.Tensor) -> torch.Tensor:
        return linear(given, self.weight, self.bias)


@dataclass(frozen=True)
class _Layer:
    before_self: _Norm
    query_key_value: _Linear
    self_out: _Linear
    before_cross: _Norm
    query: _Linear
    key_value: _Linear
    cross_out: _Linear
    before_feed: _Norm
    feed_in: _Linear
    feed_out: _Linear

    @classmethod
    def of(cls, layer: Any) -> _Layer:
        own, other = layer.self_attn, layer.encoder_attn
        return cls(
            _Norm.of(layer.self_attn_layer_norm),
            _Linear.of(own.q_proj, own.k_proj, own.v_proj),
            _Linear.of(own.out_proj),
            _Norm.of(layer.encoder_attn_layer_norm),
            _Linear.of(other.q_proj),
            _Linear.of(other.k_proj, other.v_proj),
            _Linear.of(other.out_proj),
            _Norm.of(layer.final_layer_norm),
            _Linear.of(layer.fc1),
            _Linear.of(layer.fc2),
        )


@dataclass
class EncodedSource:
    """What every layer attends to of the sources: keys and values, rows x heads x places x width of a head."""

    keys: list[torch.Tensor]
    values: list[torch.Tensor]
    mask: torch.Tensor | None  # added to the scores; None where nothing is padding

    def rows(self, which: torch.Tensor) -> EncodedSource:
        """The same for other rows: beams of a source, or those that are still being answered."""
        mask = None if self.mask is None else self.mask[which]
        return EncodedSource([k[which] for k in self.keys], [v[which] for v in self.values], mask)

    def attend(self, layer: int, query: torch.Tensor) -> torch.Tensor:
        return attend(query, self.keys[layer], self.values[layer], self.mask)


class Source(Protocol):
    """What a step reads of its sources: for queries of rows x heads x places x width of a head, what is heard,
    rows x places x width."""

    def attend(self, layer: int, query: torch.Tensor) -> torch.Tensor: ...


class GroupedSource:
    """Rows in groups, each group reading one source, of which nothing is copied. For steps of one token."""

    def __init__(self, source: EncodedSource, sizes: Sequence[int]) -> None:
        self._source, self._groups, self._most = source, len(sizes), max(sizes)
        # The place of every row where all groups are as large as the largest; none is needed where they are.
        places = [group * self._most + row for group, size in enumerate(sizes) for row in range(size)]
        self._places = None if len(places) == self._groups * self._most else torch.tensor(places)

    def attend(self, layer: int, query: torch.Tensor) -> torch.Tensor:
        rows, heads, _, width = query.shape
        asked = query.reshape(rows, heads, width)
        if self._places is not None:
            asked = asked.new_zeros(self._groups * self._most, heads, width).index_copy(0, self._places, asked)
        grouped = asked.view(self._groups, self._most, heads, width).transpose(1, 2)
        heard = self._source.attend(layer, grouped).reshape(self._groups * self._most, 1, heads * width)
        return heard if self._places is None else heard[self._places]


@dataclass(frozen=True)
class JoinedSource:
    """The first rows read one source, the others another."""

    first: Source
    rows: int  # how many
    second: Source

    def attend(self, layer: int, query: torch.Tensor) -> torch.Tensor:
        both = self.first.attend(layer, query[: self.rows]), self.second.attend(layer, query[self.rows :])
        return torch.cat(both)


def attend(
    query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, mask: torch.Tensor | None = None
) -> torch.Tensor:
    """Of rows x heads x places x width of a head; what is heard, rows x places x width."""
    scores = query @ keys.transpose(-1, -2) * (query.shape[-1] ** -0.5)
    if mask is not None:
        scores = scores + mask
    heard = softmax(scores, dim=-1) @ values
    return heard.transpose(1, 2).flatten(2)


class Cache:
    """What was said so far, for all layers: layers x (keys, values) x rows x heads x places x width of a head."""

    def __init__(self, layers: int, rows: int, heads: int, longest: int, width: int) -> None:
        self.keys_values = torch.zeros(layers, 2, rows, heads, min(longest, ROOM), width)
        self.length = 0

    def make_room(self, places: int) -> None:
        """For so many places: the cache grows as answers do, since few are as long as the longest."""
        while places > self.keys_values.shape[4]:
            self.keys_values = torch.cat([self.keys_values, torch.zeros_like(self.keys_values)], dim=4)

    def choose(self, rows: torch.Tensor) -> None:
        """Go on with these rows, in this order; a row may come twice."""
        taken = self.keys_values[:, :, :, :, : self.length].index_select(2, rows)
        if len(rows) != self.keys_values.shape[2]:
            layers, both, _, heads, room, width = self.keys_values.shape
            self.keys_values = torch.empty(layers, both, len(rows), heads, room, width)
        self.keys_values[:, :, :, :, : self.length] = taken


class LeanDecoder:
    """The decoder of an MBart model (or MBartForCausalLM), its output layer apart."""

    def __init__(self, decoder: Any) -> None:
        config = decoder.config
        self.heads, self.width = config.decoder_attention_heads, config.d_model
        self.layers = [_Layer.of(layer) for layer in decoder.layers]
        self.vectors = decoder.embed_tokens.weight.detach()
        self._scale = math.sqrt(self.width) if config.scale_embedding else 1.0
        # Learnt positions stand two places off: the first two rows were padding's, long ago.
        self._positions = decoder.embed_positions.weight.detach()[decoder.embed_positions.offset :]
        self._first, self._last = _Norm.of(decoder.layernorm_embedding), _Norm.of(decoder.layer_norm)
        self._activation = ACTIVATIONS[config.activation_function]
        self.longest = int(self._positions.shape[0])

    def _split(self, given: torch.Tensor) -> torch.Tensor:
        """rows x places x width as rows x heads x places x width of a head."""
        rows, places, _ = given.shape
        return given.view(rows, places, self.heads, -1).transpose(1, 2)

    def project_source(self, states: torch.Tensor, mask: torch.Tensor) -> EncodedSource:
        """The encoder's states as every layer will ask for them. `mask` is true where there is text."""
        keys, values = [], []
        for layer in self.layers:
            key, value = layer.key_value(states).chunk(2, dim=-1)
            keys.append(self._split(key).contiguous())
            values.append(self._split(value).contiguous())
        added = None if bool(mask.all()) else torch.where(mask, 0.0, -torch.inf)[:, None, None, :]
        return EncodedSource(keys, values, added)

    def cache(self, rows: int, longest: int | None = None) -> Cache:
        return Cache(len(self.layers), rows, self.heads, longest or self.longest, self.width // self.heads)

    def step(self, tokens: Sequence[int] | torch.Tensor, source: Source, cache: Cache) -> torch.Tensor:
        """One more token for every row, or as many for each (rows x tokens); the state from which the next is foretold,
        rows x width."""
        given = torch.as_tensor(tokens)
        given = given[:, None] if given.ndim == 1 else given
        at, end = cache.length, cache.length + given.shape[1]
        cache.make_room(end)
        hidden = self._first(self.vectors[given] * self._scale + self._positions[at:end])
        # A token sees what stands before it, those that came with it included, and none that comes after.
        mask = torch.full((end - at, end), -torch.inf).triu(at + 1) if end - at > 1 else None
        for number, layer in enumerate(self.layers):
            query, key, value = (
                self._split(part) for part in layer.query_key_value(layer.before_self(hidden)).chunk(3, -1)
            )
            keys_values = cache.keys_values[number]
            keys_values[0, :, :, at:end], keys_values[1, :, :, at:end] = key, value
            attended = attend(query, keys_values[0, :, :, :end], keys_values[1, :, :, :end], mask)
            hidden = hidden + layer.self_out(attended)
            query = self._split(layer.query(layer.before_cross(hidden)))
            hidden = hidden + layer.cross_out(source.attend(number, query))
            hidden = hidden + layer.feed_out(self._activation(layer.feed_in(layer.before_feed(hidden))))
        cache.length = end
        return self._last(hidden[:, -1])
