"""A new generator that begins with what an older, smaller one knows: its pieces, its words, its layers.

Pieces learnt anew would suit new text a little better, but the older weights know nothing of them: beginning with the
means of what they would have been cut into, the shipped generator lost 30 nats a verse of dev. Forms that the older one
was not told get a start token that begins as its own. The older layers come first; each further one adds nothing until
it has learnt to. So before its first step the new generator writes what the older would. Knows models; no text.
"""

from __future__ import annotations

from typing import Any

import torch
from transformers import PreTrainedTokenizerFast

from workbench.models.forms import TOKENS
from workbench.refusal import Refusal

EMBEDDINGS = "embed_tokens.weight"


def grown_tokenizer(older: PreTrainedTokenizerFast) -> PreTrainedTokenizerFast:
    """The older pieces, and a start token for every form."""
    known = older.get_vocab()
    new: Any = [token for token in TOKENS if token not in known]
    older.add_tokens(new, special_tokens=True)
    return older


@torch.no_grad()
def grow(model: Any, older: Any) -> None:
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
    words, start = old.embed_tokens.weight, old.embed_tokens.weight[older.config.bos_token_id]
    new.embed_tokens.weight.copy_(torch.cat([words, start.expand(len(new.embed_tokens.weight) - len(words), -1)]))
