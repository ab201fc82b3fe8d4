"""Prose and verse read together by an encoder-decoder, the generator's own kind: one logit, whether they say the same.

The encoder reads the prose, the decoder reads the verse with its eyes on the prose, and a small head looks at what they
make of it: how much likelier the prose makes the verse, the decoder's states, and how much of the prose finds an answer
in the verse. Untrained, it goes by the first alone, which a good generator already knows well, but which only asks
whether what is said was meant, not whether what was meant is said. Training makes it a module of
sentence-transformers (training/reading.py); in use it does without, whose import alone takes seconds.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import torch
from torch.nn.functional import normalize
from transformers import AutoTokenizer, EncoderDecoderModel, PreTrainedTokenizerFast

PROSE, HEAD, CONFIG = "prose", "head.safetensors", "together.json"
BATCH = 32  # pairs
# To begin with: log-odds for each nat by which prose makes a token likelier, and what belongs to no difference at all.
# Fitted to true and crossed pairs of dev, whose mean differences are 1.1 and -0.75.
SURENESS, NOTHING = 10.0, -1.0
MEETING = 128  # directions in which prose and verse are compared, token by token
MEMORY = 10_000  # verses
STEP = 10.0  # what a cosine is multiplied with: a logit has further to go than a cosine


class Covers(torch.nn.Module):
    """How much of the prose the verse answers for: every token of the prose looks for the nearest one in the verse, and
    they count by how much they matter."""

    def __init__(self, prose_width: int, width: int) -> None:
        super().__init__()
        self.asks = torch.nn.Linear(prose_width, MEETING, bias=False)
        self.answers = torch.nn.Linear(2 * width, MEETING, bias=False)
        self.matters = torch.nn.Linear(prose_width, 1)
        self.counts = torch.nn.Linear(1, 1)
        with torch.no_grad():
            for each in self.counts.parameters():
                each.zero_()

    def forward(
        self,
        prose: torch.Tensor,
        prose_mask: torch.Tensor,
        states: torch.Tensor,
        words: torch.Tensor,
        mask: torch.Tensor,
    ) -> Any:
        asked = normalize(self.asks(prose), dim=2)
        answered = normalize(self.answers(torch.cat([states, words], dim=2)), dim=2)
        alike = (asked @ answered.transpose(1, 2)).masked_fill(mask[:, None] == 0, -1.0)
        weight = self.matters(prose).squeeze(2).masked_fill(prose_mask == 0, -torch.inf).softmax(dim=1)
        found = (weight * alike.amax(dim=2)).sum(dim=1, keepdim=True)
        return self.counts(STEP * found)


class Head(torch.nn.Module):
    """One logit, from a decoder's states over a verse, the mean log-probability of its tokens with and without the
    prose, and what of the prose it covers."""

    def __init__(self, prose_width: int, width: int) -> None:
        super().__init__()
        self.hears = torch.nn.Linear(3, 1)
        self.sees = torch.nn.Sequential(torch.nn.Linear(2 * width, width), torch.nn.GELU(), torch.nn.Linear(width, 1))
        self.covers = Covers(prose_width, width)
        with torch.no_grad():
            self.hears.weight.copy_(torch.tensor([[0.0, 0.0, SURENESS]]))
            self.hears.bias.fill_(NOTHING)
            for last in self.sees[2].parameters():
                last.zero_()

    def forward(self, states: torch.Tensor, mask: torch.Tensor, likely: torch.Tensor, alone: torch.Tensor) -> Any:
        told = torch.stack([likely, alone, likely - alone], dim=1)
        real = mask.unsqueeze(-1).to(states.dtype)
        mean = (states * real).sum(dim=1) / real.sum(dim=1)
        most = states.masked_fill(real == 0, -torch.inf).amax(dim=1)
        return self.hears(told) + self.sees(torch.cat([mean, most], dim=1))


class Together(torch.nn.Module):
    tokenizer: Any  # of verses

    def __init__(
        self, model: Any, tokenizer: Any, reader: Any, longest_prose: int = 160, longest_verse: int = 128
    ) -> None:
        super().__init__()
        self.model = model
        self.tokenizer = tokenizer
        self.reader = reader  # of prose
        self.longest_prose, self.longest_verse = longest_prose, longest_verse
        self.head = Head(model.config.encoder.hidden_size, model.config.decoder.hidden_size)
        self._remembered: dict[tuple[int, ...], float] = {}
        itself: Any = self
        itself.register_load_state_dict_post_hook(lambda module, keys: module._remembered.clear())

    def preprocess(self, inputs: Sequence[Any], prompt: str | None = None, **others: Any) -> dict[str, torch.Tensor]:
        """Pairs of prose and a verse as the generator writes it, as padded tokens. A prose with several verses is read
        once: `which` says which prose a verse belongs to."""
        prose, verses = list(dict.fromkeys(pair[0] for pair in inputs)), [pair[1] for pair in inputs]
        places = {text: at for at, text in enumerate(prose)}
        read = self.reader(prose, truncation=True, max_length=self.longest_prose, padding=True, return_tensors="pt")
        ids = self.tokenizer(verses, add_special_tokens=False, truncation=True, max_length=self.longest_verse)[
            "input_ids"
        ]
        rows = [[self.tokenizer.bos_token_id, *tokens, self.tokenizer.eos_token_id] for tokens in ids]
        width = max(map(len, rows))
        padding = self.tokenizer.pad_token_id
        written = torch.tensor([[*row, *[padding] * (width - len(row))] for row in rows])
        return {
            "input_ids": read["input_ids"],
            "attention_mask": read["attention_mask"],
            "verse_ids": written,
            "verse_mask": (written != padding).long(),
            "which": torch.tensor([places[pair[0]] for pair in inputs]),
        }

    @torch.inference_mode()
    def predict(self, pairs: Sequence[tuple[str, str]]) -> torch.Tensor:
        """A logit for each pair. Pairs of one prose are best given together; padding is kept low."""
        self.eval()
        device = next(self.parameters()).device
        logits = torch.empty(len(pairs))
        order = sorted(range(len(pairs)), key=lambda at: (pairs[at][0], len(pairs[at][1])))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            features = {name: value.to(device) for name, value in self.preprocess([pairs[at] for at in rows]).items()}
            logits[rows] = self(features)["scores"].flatten().float().cpu()
        return logits

    def forward(self, features: dict[str, torch.Tensor], **others: Any) -> dict[str, torch.Tensor]:
        encoded = self.model.encoder(input_ids=features["input_ids"], attention_mask=features["attention_mask"])
        prose, prose_mask = encoded.last_hidden_state[features["which"]], features["attention_mask"][features["which"]]
        states, likely = self._read(features, prose, prose_mask)
        alone = self._alone(features)
        mask = features["verse_mask"][:, 1:]
        words = self.model.decoder.get_input_embeddings()(features["verse_ids"][:, :-1])
        covered = self.head.covers(prose, prose_mask, states, words, mask)
        features["scores"] = self.head(states, mask, likely, alone) + covered
        return features

    def _read(
        self, features: dict[str, torch.Tensor], hidden: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The decoder's states over a verse, and the mean log-probability of its tokens."""
        ids = features["verse_ids"]
        states = self.model.decoder.model.decoder(
            input_ids=ids[:, :-1], encoder_hidden_states=hidden, encoder_attention_mask=mask, use_cache=False
        ).last_hidden_state
        scores = torch.log_softmax(self.model.decoder.lm_head(states).float(), dim=-1)
        found = scores.gather(2, ids[:, 1:, None]).squeeze(2)
        real = features["verse_mask"][:, 1:].to(found.dtype)
        return states, (found * real).sum(dim=1) / real.sum(dim=1)

    @torch.no_grad()
    def _alone(self, features: dict[str, torch.Tensor]) -> torch.Tensor:
        """The mean log-probability of each verse's tokens without any prose. In use it is remembered: a verse that is
        held against many proses is the same without them."""
        ids, mask = features["verse_ids"], features["verse_mask"]
        verses = [tuple(row[:length]) for row, length in zip(ids.tolist(), mask.sum(dim=1).tolist(), strict=True)]
        if self.training or len(self._remembered) > MEMORY:
            self._remembered.clear()
        known = {} if self.training else self._remembered
        new = [at for at, verse in enumerate(verses) if verse not in known]
        if new:
            empty = self.reader([""], return_tensors="pt").to(ids.device)
            hidden = self.model.encoder(**empty).last_hidden_state.expand(len(new), -1, -1)
            part = {"verse_ids": ids[new], "verse_mask": mask[new]}
            _, found = self._read(part, hidden, empty["attention_mask"].expand(len(new), -1))
            known.update(zip((verses[at] for at in new), found.tolist(), strict=True))
        return torch.tensor([known[verse] for verse in verses], device=ids.device)

    def save(self, output_path: str, *others: Any, safe_serialization: bool = True, **more: Any) -> None:
        from safetensors.torch import save_file

        folder = Path(output_path)
        folder.mkdir(parents=True, exist_ok=True)
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        self.reader.save_pretrained(folder / PROSE)
        save_file({name: value.contiguous() for name, value in self.head.state_dict().items()}, folder / HEAD)
        kept = {"longest_prose": self.longest_prose, "longest_verse": self.longest_verse}
        (folder / CONFIG).write_text(json.dumps(kept) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, model_name_or_path: str, subfolder: str = "", **others: Any) -> Self:
        from safetensors.torch import load_file

        folder = Path(model_name_or_path) / subfolder
        made = cls.from_generator(folder, **json.loads((folder / CONFIG).read_text(encoding="utf-8")))
        made.head.load_state_dict({name: value.float() for name, value in load_file(folder / HEAD).items()})
        return made

    @classmethod
    def from_generator(cls, folder: str | Path, **longest: int) -> Self:
        """An untrained judge that has read what a generator has read."""
        both: Any = EncoderDecoderModel
        fast: Any = PreTrainedTokenizerFast
        return cls(
            both.from_pretrained(folder, dtype=torch.float32),
            fast.from_pretrained(folder),
            AutoTokenizer.from_pretrained(Path(folder) / PROSE),
            **longest,
        )
