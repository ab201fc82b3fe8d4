"""Decoders alone that follow an instruction, Phi-4 for one: the prose stands in a prompt, the verse comes after it."""

from __future__ import annotations

from typing import Any

import torch
from transformers import AutoModelForCausalLM

from workbench.models import hub
from workbench.models.entries import Entry
from workbench.models.generator import Generator, Prompt

LONGEST = 1024  # tokens of prose
MARKS = (
    "<|im_start|>",
    "<|im_end|>",
    "<|im_sep|>",
    "<|endoftext|>",
    "<|user|>",
    "<|assistant|>",
    "<|system|>",
    "<|end|>",
)


def instruct(entry: Entry, tokenizer: Any, prose: str) -> str:
    """The whole prompt as text: the tokenizer's own chat template where it has one. A mark of the template in the prose
    is taken out, so that prose stays prose."""
    for mark in {*MARKS, *tokenizer.all_special_tokens}:
        prose = prose.replace(mark, " ")
    asked = entry.prompt.replace("{prose}", prose)
    if not tokenizer.chat_template:
        return f"{entry.system}\n{asked}\n" if entry.system else f"{asked}\n"
    messages = [{"role": "user", "content": asked}]
    if entry.system:
        messages.insert(0, {"role": "system", "content": entry.system})
    text: str = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    return text


class Instructed(Generator):
    def read(self, prose: str, metre: str = "") -> Prompt:
        ids = self.tokenizer(prose, add_special_tokens=False, verbose=False)["input_ids"]
        notes: tuple[str, ...] = ()
        if len(ids) > LONGEST:
            prose = self.tokenizer.decode(ids[:LONGEST])
            notes = (f"Only the first {len(prose.split())} words were read: a verse holds no more than a sentence.",)
        # The template writes its own special tokens.
        marked = not self.tokenizer.chat_template
        text = instruct(self.entry, self.tokenizer, prose)
        asked = self.tokenizer(text, add_special_tokens=marked, verbose=False)["input_ids"]
        inputs = torch.tensor([asked])
        return Prompt({"input_ids": inputs, "attention_mask": torch.ones_like(inputs)}, (), notes)

    @property
    def eos_token_id(self) -> int:
        """What ends a verse: the end of the turn, where the model has one (Phi-4: <|im_end|>)."""
        ends = self.model.generation_config.eos_token_id
        own = int(self.tokenizer.eos_token_id)
        if isinstance(ends, list):
            return own if own in ends else int(ends[0])
        return own if ends is None else int(ends)


def load(entry: Entry) -> Instructed:
    tokenizer = hub.load_tokenizer(entry)
    model: Any = AutoModelForCausalLM
    return Instructed(entry, hub.load_model(entry, model), tokenizer, hub.identity(entry))
