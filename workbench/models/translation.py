"""Translators between languages with codes, M2M100 and NLLB: the source's code with the prose, the target's before the
verse."""

from __future__ import annotations

from typing import Any

from transformers import AutoModelForSeq2SeqLM

from workbench.models import hub
from workbench.models.entries import Entry, ModelError
from workbench.models.generator import Generator, Prompt, shorten

LONGEST = 512


class Translator(Generator):
    def read(self, prose: str, metre: str = "") -> Prompt:
        ids = self.tokenizer(prose, verbose=False)["input_ids"]
        longest, notes = shorten(ids, LONGEST, prose)
        inputs = self.tokenizer(prose, truncation=True, max_length=longest, return_tensors="pt")
        start = self.model.generation_config.decoder_start_token_id or self.model.config.decoder_start_token_id
        return Prompt(dict(inputs), (start, language_id(self.tokenizer, self.entry.target)), notes)


def language_id(tokenizer: Any, code: str) -> int:
    number = tokenizer.convert_tokens_to_ids(code)
    if number is None or number == tokenizer.unk_token_id:
        raise ModelError(f"Expected a tokenizer that knows the language code {code}; this one does not.")
    return int(number)


def load(entry: Entry) -> Translator:
    tokenizer = hub.load_tokenizer(entry, src_lang=entry.source, tgt_lang=entry.target)
    language_id(tokenizer, entry.target)
    model: Any = AutoModelForSeq2SeqLM
    return Translator(entry, hub.load_model(entry, model), tokenizer, hub.identity(entry))
