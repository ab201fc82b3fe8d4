"""Prose and verse read together by the generator, one logit: whether they say the same.

The generator's encoder reads the prose, its decoder reads the verse with its eyes on the prose, and a small head looks
at what they make of it: how much likelier the prose makes the verse, the decoder's states, and, where a bi-encoder
reads prose with the same encoder, how near the two vectors stand. The first asks whether what is said was meant, the
last whether what was meant is said. Only the head is trained and kept: taught on its own verses, the decoder judged
others' worse. Training makes it a module of sentence-transformers (training/reading.py); in use it does without, whose
mere import takes seconds.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import torch
from torch.nn.functional import cosine_similarity
from transformers import AutoTokenizer, BertModel, EncoderDecoderModel, PreTrainedTokenizerFast

from workbench.paths import at_home
from workbench.prosody.verse import Verse
from workbench.semantics import JudgeError
from workbench.semantics.verse_spelling import fingerprint

PROSE, HEAD, CONFIG = "prose", "head.safetensors", "together.json"
BATCH = 32  # pairs
MEMORY = 10_000  # verses
# To begin with: what a nat of a token is worth with the prose, what without it is held against a verse, what a cosine
# is worth, and the bias. All of the second would tell true from crossed pairs best, but would choose, among a
# generator's own verses, those that say rare words; with half of it what is chosen is nearest to the references of dev,
# among draws and among beams.
LOG_PROB_WEIGHT, UNCONDITIONAL_WEIGHT, COSINE_WEIGHT, FIRST_BIAS = 10.0, -5.0, 40.0, 12.0
NEUTRAL_COSINE = 0.25  # the cosine that speaks neither for nor against: true pairs of dev have 0.48, crossed ones 0


class BiEncoderCosine(torch.nn.Module):
    """The cosine of a bi-encoder's vectors; that of the prose is made of what the generator's encoder says already."""

    def __init__(self, verses: Any, tokenizer: Any, of_prose: torch.nn.Linear, of_verses: torch.nn.Linear) -> None:
        super().__init__()
        self.verses, self.tokenizer, self.of_prose, self.of_verses = verses, tokenizer, of_prose, of_verses

    @classmethod
    def load(cls, folder: Path) -> Self:
        bert: Any = BertModel
        fast: Any = PreTrainedTokenizerFast
        place = folder / "document_0_Transformer"
        layers = []
        for name in ("query_2_Dense", "document_2_Dense"):
            kept = {key.removeprefix("linear."): value.float() for key, value in _weights(folder / name).items()}
            layer = torch.nn.Linear(kept["weight"].shape[1], kept["weight"].shape[0])
            layer.load_state_dict(kept)
            layers.append(layer)
        return cls(bert.from_pretrained(place, dtype=torch.float32), fast.from_pretrained(place), *layers)

    def forward(self, prose: torch.Tensor, mask: torch.Tensor, ids: torch.Tensor, ids_mask: torch.Tensor) -> Any:
        """For each row of verses; `prose` has its states, once for each row too."""
        said = self.verses(input_ids=ids, attention_mask=ids_mask).last_hidden_state
        meant = self.of_prose(torch.cat([_mean(prose, mask), _most(prose, mask)], dim=1))
        return cosine_similarity(meant, self.of_verses(_mean(said, ids_mask)), dim=1)


def _weights(folder: Path) -> dict[str, torch.Tensor]:
    from safetensors.torch import load_file

    return dict(load_file(folder / "model.safetensors"))


def _mean(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    real = mask.unsqueeze(-1).to(states.dtype)
    return (states * real).sum(dim=1) / real.sum(dim=1)


def _most(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return states.masked_fill(mask.unsqueeze(-1) == 0, -torch.inf).amax(dim=1)


def _store_as(module: Any, **names: str) -> None:
    """Parts of a module have other names in files: those under which the first ones were stored, which still load."""

    def rename(weights: dict[str, Any], prefix: str, names: dict[str, str]) -> None:
        kept = list(weights.items())
        weights.clear()
        for name, value in kept:
            part, dot, rest = name.removeprefix(prefix).partition(".")
            known = name.startswith(prefix) and part in names
            weights[f"{prefix}{names[part]}{dot}{rest}" if known else name] = value

    own = {stored: name for name, stored in names.items()}
    module.register_state_dict_post_hook(lambda module, weights, prefix, more: rename(weights, prefix, names))
    module.register_load_state_dict_pre_hook(lambda module, weights, prefix, *more: rename(weights, prefix, own))


class Head(torch.nn.Module):
    """One logit, from a decoder's states over a verse, the mean log-probability of its tokens with and without the
    prose, and a cosine."""

    def __init__(self, width: int, with_cosine: bool) -> None:
        super().__init__()
        self.evidence_layer = torch.nn.Linear(4, 1)
        self.state_layer = torch.nn.Sequential(
            torch.nn.Linear(2 * width, width), torch.nn.GELU(), torch.nn.Linear(width, 1)
        )
        with torch.no_grad():
            cosine_weight = COSINE_WEIGHT if with_cosine else 0.0
            first = [LOG_PROB_WEIGHT + UNCONDITIONAL_WEIGHT, 0.0, -UNCONDITIONAL_WEIGHT, cosine_weight]
            self.evidence_layer.weight.copy_(torch.tensor([first]))
            self.evidence_layer.bias.fill_(FIRST_BIAS)
            for last in self.state_layer[2].parameters():
                last.zero_()
        _store_as(self, evidence_layer="hears", state_layer="sees")

    def forward(
        self,
        states: torch.Tensor,
        mask: torch.Tensor,
        log_prob: torch.Tensor,
        unconditional_log_prob: torch.Tensor,
        cosine: torch.Tensor,
    ) -> Any:
        gain = log_prob - unconditional_log_prob
        evidence = torch.stack([log_prob, unconditional_log_prob, gain, cosine - NEUTRAL_COSINE], dim=1)
        return self.evidence_layer(evidence) + self.state_layer(
            torch.cat([_mean(states, mask), _most(states, mask)], dim=1)
        )

    @torch.no_grad()
    def scale(self, slope: float, shift: float) -> None:
        """From now on every logit is the old one times the slope, and the shift."""
        for weights in (*self.evidence_layer.parameters(), *self.state_layer[2].parameters()):
            weights.mul_(slope)
        self.evidence_layer.bias.add_(shift)


class EmbeddedCrossEncoder(torch.nn.Module):
    tokenizer: Any  # of verses

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        reader: Any,
        bi_encoder_cosine: BiEncoderCosine | None = None,
        over: dict[str, str] | None = None,
        longest_prose: int = 160,
        longest_verse: int = 128,
    ) -> None:
        super().__init__()
        self.model = model.requires_grad_(False)
        self.tokenizer = tokenizer
        self.reader = reader  # of prose
        self.bi_encoder_cosine = bi_encoder_cosine.requires_grad_(False) if bi_encoder_cosine else None
        self.over = over or {}  # the folders of generator and bi-encoder, and their fingerprints
        self.longest_prose, self.longest_verse = longest_prose, longest_verse
        self.head = Head(model.config.decoder.hidden_size, bi_encoder_cosine is not None)
        self._remembered: dict[tuple[int, ...], float] = {}
        _store_as(self, bi_encoder_cosine="compares")
        itself: Any = self
        itself.register_load_state_dict_post_hook(lambda module, keys: module._remembered.clear())

    def train(self, mode: bool = True) -> Self:
        """What is not trained reads the same in training as in use: without dropout."""
        super().train(mode)
        self.model.eval()
        if self.bi_encoder_cosine:
            self.bi_encoder_cosine.eval()
        return self

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
        written = _padded(rows, self.tokenizer.pad_token_id)
        features = {
            "input_ids": read["input_ids"],
            "attention_mask": read["attention_mask"],
            "verse_ids": written,
            "verse_mask": (written != self.tokenizer.pad_token_id).long(),
            "which": torch.tensor([places[pair[0]] for pair in inputs]),
        }
        if self.bi_encoder_cosine:  # which reads the words without the daṇḍa
            words = [Verse.from_slp1(verse).plain for verse in verses]
            bare = self.bi_encoder_cosine.tokenizer(words, truncation=True, padding=True, return_tensors="pt")
            features |= {"bare_ids": bare["input_ids"], "bare_mask": bare["attention_mask"]}
        return features

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
        states, log_prob = self._read(features, prose, prose_mask)
        cosine = torch.full_like(log_prob, NEUTRAL_COSINE)
        if self.bi_encoder_cosine:
            cosine = self.bi_encoder_cosine(prose, prose_mask, features["bare_ids"], features["bare_mask"])
        mask = features["verse_mask"][:, 1:]
        features["scores"] = self.head(states, mask, log_prob, self._unconditional_log_prob(features), cosine)
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
    def _unconditional_log_prob(self, features: dict[str, torch.Tensor]) -> torch.Tensor:
        """The mean log-probability of each verse's tokens without any prose. It is remembered: a verse that is held
        against many proses is the same without them."""
        ids, mask = features["verse_ids"], features["verse_mask"]
        verses = [tuple(row[:length]) for row, length in zip(ids.tolist(), mask.sum(dim=1).tolist(), strict=True)]
        known = self._remembered
        if len(known) > MEMORY:
            known.clear()
        new = [at for at, verse in enumerate(verses) if verse not in known]
        if new:
            empty = self.reader([""], return_tensors="pt").to(ids.device)
            hidden = self.model.encoder(**empty).last_hidden_state.expand(len(new), -1, -1)
            part = {"verse_ids": ids[new], "verse_mask": mask[new]}
            _, found = self._read(part, hidden, empty["attention_mask"].expand(len(new), -1))
            known.update(zip((verses[at] for at in new), found.tolist(), strict=True))
        return torch.tensor([known[verse] for verse in verses], device=ids.device)

    def save(self, output_path: str, *others: Any, safe_serialization: bool = True, **more: Any) -> None:
        """The head, and over what it was trained; the rest stands in the folders of generator and bi-encoder."""
        from safetensors.torch import save_file

        folder = Path(output_path)
        folder.mkdir(parents=True, exist_ok=True)
        save_file({name: value.contiguous() for name, value in self.head.state_dict().items()}, folder / HEAD)
        longest = {"longest_prose": self.longest_prose, "longest_verse": self.longest_verse}
        (folder / CONFIG).write_text(json.dumps({"over": self.over, **longest}, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, model_name_or_path: str, subfolder: str = "", **others: Any) -> Self:
        from safetensors.torch import load_file

        folder = Path(model_name_or_path) / subfolder
        kept = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        over = kept.pop("over")
        made = cls.over_generator(over["generator"], over.get("bi_encoder"), **kept)
        for name, wanted in over.items():
            if made.over[name] != wanted:
                raise JudgeError(
                    f"Expected {wanted}, over which this cross-encoder was trained; got {made.over[name]}. "
                    "`python -m workbench train cross-encoder` trains one over what is there."
                )
        made.head.load_state_dict({name: value.float() for name, value in load_file(folder / HEAD).items()})
        return made

    @classmethod
    def over_generator(cls, generator: str, bi_encoder: str | None = None, **longest: int) -> Self:
        """An untrained judge over what is in these folders; a project's own are named from its root. The bi-encoder has
        to read prose with the generator's encoder."""
        both: Any = EncoderDecoderModel
        fast: Any = PreTrainedTokenizerFast
        folder = at_home(generator)
        over = {"generator": generator, "generator_weights": fingerprint(folder)}
        if bi_encoder:
            over |= {"bi_encoder": bi_encoder, "bi_encoder_weights": fingerprint(at_home(bi_encoder))}
        return cls(
            both.from_pretrained(folder, dtype=torch.float32),
            fast.from_pretrained(folder),
            AutoTokenizer.from_pretrained(folder / PROSE),
            BiEncoderCosine.load(at_home(bi_encoder)) if bi_encoder else None,
            over,
            **longest,
        )


def _padded(rows: Sequence[Sequence[int]], padding: int) -> torch.Tensor:
    width = max(map(len, rows))
    return torch.tensor([[*row, *[padding] * (width - len(row))] for row in rows])
