"""The embedded generator's tokenizer: BPE over SLP1, a space shown as ▁, every letter a piece of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from workbench.models.forms import TOKENS, VERSE
from workbench.prosody.automaton import LETTERS

PAD, END, UNKNOWN = "<pad>", "</s>", "<unk>"


def learn_tokenizer(texts: Iterable[str], size: int) -> PreTrainedTokenizerFast:
    """A tokenizer of at most `size` pieces, and a token for the beginning of every form."""
    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    trainer: Any = trainers.BpeTrainer
    tokenizer.train_from_iterator(
        texts,
        trainer(
            vocab_size=size,
            special_tokens=[PAD, VERSE, END, UNKNOWN, *(token for token in TOKENS if token != VERSE)],
            initial_alphabet=sorted({*LETTERS["slp1"], "▁"} - {" ", "\n"}),
            show_progress=False,
        ),
    )
    fast: Any = PreTrainedTokenizerFast
    wrapped: PreTrainedTokenizerFast = fast(
        tokenizer_object=tokenizer, pad_token=PAD, bos_token=VERSE, eos_token=END, unk_token=UNKNOWN
    )
    return wrapped
