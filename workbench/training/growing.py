"""A new generator that begins with what an older, smaller one knows, though it is cut otherwise and has more layers.

A piece begins as the mean of the older pieces it would have been cut into, a form's start token as the older one's
start. The older layers come first; each further one adds nothing until it has learnt to. Before its first step the new
generator writes about what the older would. Knows two models and how each cuts a word; no text, no training.
"""

from __future__ import annotations

from typing import Any

import torch
from transformers import PreTrainedTokenizerFast

from workbench.refusal import Refusal

EMBEDDINGS = "embed_tokens.weight"
SPACE = "▁"


@torch.no_grad()
def grow(model: Any, older: Any, tokenizer: PreTrainedTokenizerFast, older_tokenizer: PreTrainedTokenizerFast) -> None:
    """Give `model` the weights of `older`, wherever both have them, and nothing to say to its further layers."""
    new, old = model.decoder.model.decoder, older.decoder.model.decoder
    theirs, ours = old.config, new.config
    if (theirs.d_model, theirs.decoder_ffn_dim) != (ours.d_model, ours.decoder_ffn_dim):
        raise Refusal(
            f"Expected a generator as wide as this one ({ours.d_model}, {ours.decoder_ffn_dim} inside) to grow from; "
            f"got {theirs.d_model}, {theirs.decoder_ffn_dim}."
        )
    if len(old.layers) > len(new.layers):
        raise Refusal(f"Expected a generator of at most {len(new.layers)} layers to grow from; got {len(old.layers)}.")
    model.encoder.load_state_dict(older.encoder.state_dict())
    weights = {name: value for name, value in old.state_dict().items() if not name.endswith(EMBEDDINGS)}
    new.load_state_dict(weights, strict=False)
    for layer in new.layers[len(old.layers) :]:
        for last in (layer.self_attn.out_proj, layer.encoder_attn.out_proj, layer.fc2):
            torch.nn.init.zeros_(last.weight)
            torch.nn.init.zeros_(last.bias)
    new.embed_tokens.weight.copy_(_vectors(old.embed_tokens.weight, tokenizer, older_tokenizer))


def _vectors(
    older: torch.Tensor, tokenizer: PreTrainedTokenizerFast, older_tokenizer: PreTrainedTokenizerFast
) -> torch.Tensor:
    known = older_tokenizer.get_vocab()
    start = known[str(older_tokenizer.bos_token)]
    special = set(tokenizer.all_special_tokens)
    rows: list[torch.Tensor] = []
    for piece in tokenizer.convert_ids_to_tokens(list(range(len(tokenizer)))):
        if piece in known:
            rows.append(older[known[piece]])
        elif piece in special or piece.startswith("<"):  # a form that the older one knew nothing of
            rows.append(older[start])
        else:
            rows.append(older[_cut(piece, older_tokenizer)].mean(dim=0))
    return torch.stack(rows)


def _cut(piece: str, tokenizer: PreTrainedTokenizerFast) -> list[int]:
    """A piece as the older tokenizer's: a space stands before a word's first piece alone."""
    model = tokenizer.backend_tokenizer.model
    return [token.id for token in model.tokenize(piece)]
