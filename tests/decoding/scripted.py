"""A scripted model: it wants to write a given text, letter by letter, and says so in exact logits."""

from collections.abc import Sequence

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from workbench.prosody.automaton import LETTERS


def letter_tokenizer(script: str = "slp1", more: Sequence[str] = ()) -> PreTrainedTokenizerFast:
    """One token a letter, and whatever else is asked for; id 0 is the end."""
    names = ["</s>", "<unk>", *dict.fromkeys([*(letter.replace(" ", "▁") for letter in LETTERS[script]), *more])]
    tokenizer = Tokenizer(models.BPE({name: at for at, name in enumerate(names)}, merges=[], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="never")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.Fuse()])
    tokenizer.add_special_tokens([AddedToken(name, special=True) for name in ("</s>", "<unk>")])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="</s>", unk_token="<unk>")


def ids(tokenizer: PreTrainedTokenizerFast, text: str) -> list[int]:
    return [tokenizer.convert_tokens_to_ids(letter.replace(" ", "▁")) for letter in text]


class ScriptedScorer:
    """Gives each token of its script the log-probability wanted, all others the same low one, whatever came before."""

    def __init__(self, size: int, script: Sequence[int], liked: float = -0.1, others: float = -8.0) -> None:
        self.size = size
        self.script = list(script)
        self.liked = liked
        self.others = others
        self.prefixes: list[tuple[int, ...]] = []

    def start(self) -> torch.Tensor:
        self.prefixes = [()]
        return self._rows()

    def advance(self, parents: Sequence[int], tokens: Sequence[int]) -> torch.Tensor:
        self.prefixes = [(*self.prefixes[parent], token) for parent, token in zip(parents, tokens, strict=True)]
        return self._rows()

    def _rows(self) -> torch.Tensor:
        rows = torch.full((len(self.prefixes), self.size), self.others)
        for row, prefix in enumerate(self.prefixes):
            if len(prefix) < len(self.script):
                rows[row, self.script[len(prefix)]] = self.liked
            else:
                rows[row, 0] = self.liked
        return rows
