"""The reader: what a Sanskrit text says in English, its words, what each means, which words of a prose it bears out.

Knows its model and pieces, and canonical SLP1 as prosody/text_reading spells it; nothing of the generator. Answers are
the machine's and are called that wherever they are shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import torch
from torch.nn.functional import linear, log_softmax

from workbench.networks.answering import Answer, AnswerForm, beam_search_answers
from workbench.networks.lean import EncodedSource, LeanDecoder
from workbench.one_at_a_time import LOADING
from workbench.semantics import ReaderMissing
from workbench.semantics.function_words import is_content
from workbench.semantics.pieces import END, ENGLISH, GLOSS, NEW, PAD, WORDS, Pieces, plain
from workbench.semantics.verse_spelling import fingerprint

THRESHOLDS = "support.json"
BEAMS = 4
LONGEST = {ENGLISH: 110, WORDS: 90, GLOSS: 16}  # tokens of an answer
# How many pieces in a row may not come twice, and the power of its length by which an answer is compared. Of a reading
# in English, on 100 rows of dev: BLEU 6.5 without the first, 6.7 with it, 7.0 with both. Of lemmas, on 96 verses that
# it had learnt: F1 0.712 without, 0.718 with 2. Meanings are compared as they are: by the mean of
# their pieces "seer" loses to "the seer of the seer" (300 words that it had learnt: right first 14.7 %, so 18.7 %).
FORMS = {ENGLISH: (3, 1.3), WORDS: (2, 1.0), GLOSS: (0, 0.0)}
SOURCE_TOKENS = 200
PROSE_TOKENS = 200  # that are read at once; the model has places for 256
MEANINGS = 5
HEARD, FAINTLY, NOT_HEARD = "heard", "faintly", "not heard"
_loaded: dict[Path, Reader] = {}


@dataclass(frozen=True)
class Word:
    """A word of a verse as a dictionary has it, and what it may mean, likeliest first."""

    lemma: str
    meanings: tuple[str, ...]

    @property
    def gloss(self) -> str:
        return self.meanings[0] if self.meanings else ""


@dataclass(frozen=True)
class Reading:
    english: str
    alternatives: tuple[str, ...]
    words: tuple[Word, ...] = ()


@dataclass(frozen=True)
class Support:
    """A word of the prose: how much likelier the verse makes it, in nats, and what that amounts to."""

    word: str
    nats: float
    heard: str
    content: bool  # whether it says something by itself: "the" and "of" do not


@dataclass(frozen=True)
class Thresholds:
    """From how many nats on a word is heard, or faintly; how many a letter of English may cost. Chosen on dev, kept
    beside the model."""

    heard: float = 1.5
    faintly: float = 0.5
    english: float | None = None  # not known: nothing is doubted

    def name(self, nats: float) -> str:
        return HEARD if nats >= self.heard else FAINTLY if nats >= self.faintly else NOT_HEARD


class Reader:
    def __init__(self, model: Any, pieces: Pieces, thresholds: Thresholds, identity: str) -> None:
        self.pieces, self.thresholds, self.identity = pieces, thresholds, identity
        self._encoder = model.model.encoder
        self.network = model.model
        self.decoder = LeanDecoder(model.model.decoder)

    # -- answers ----------------------------------------------------------------------------------------------------

    def answer_form(self, task: str) -> AnswerForm:
        first, last = self.pieces.slice(task)
        end = self.pieces.sign(END) if task == WORDS else first
        return AnswerForm(self.pieces.sign(task), first, last, end, LONGEST[task], *FORMS[task])

    @torch.inference_mode()
    def encode(self, texts: Sequence[str], style: str = "") -> EncodedSource:
        """Canonical SLP1 as the decoder attends to it. An empty text is no source at all."""
        ids, mask = self._sources(texts, style)
        return self.decoder.project_source(self._encoder(input_ids=ids, attention_mask=mask).last_hidden_state, mask)

    def _sources(self, texts: Sequence[str], style: str) -> tuple[torch.Tensor, torch.Tensor]:
        begin = [self.pieces.sign(style)] if style else []
        rows = [[*begin, *ids[:SOURCE_TOKENS], self.pieces.sign(END)] for ids in self.pieces.read_slp1(texts)]
        padding = self.pieces.sign(PAD)
        width = max(map(len, rows))
        ids = torch.tensor([[*row, *[padding] * (width - len(row))] for row in rows])
        return ids, ids != padding

    @torch.inference_mode()
    def answers(self, texts: Sequence[str], task: str, beams: int = BEAMS, style: str = "") -> list[list[Answer]]:
        if not texts:
            return []
        return beam_search_answers(self.decoder, self.encode(texts, style), len(texts), self.answer_form(task), beams)

    def english(self, texts: Sequence[str], beams: int = BEAMS, style: str = NEW) -> list[list[str]]:
        """What each text says, the likeliest reading first."""
        found = self.answers(texts, ENGLISH, beams, style)
        return [list(dict.fromkeys(self.pieces.write_english(a.tokens) for a in answers)) for answers in found]

    def lemmas(self, texts: Sequence[str], beams: int = BEAMS) -> list[list[str]]:
        """The words of each text, sandhi undone, as a dictionary has them."""
        found = self.answers(texts, WORDS, beams)
        return [self.pieces.write_slp1(answers[0].tokens).split() for answers in found]

    def meanings(self, words: Sequence[str], most: int = MEANINGS) -> list[tuple[str, ...]]:
        """What each word may mean, likeliest first."""
        if not words:
            return []
        found = self.answers(words, GLOSS, max(BEAMS, 2 * most))
        return [
            tuple(dict.fromkeys(self.pieces.write_english(a.tokens) for a in answers if a.tokens))[:most]
            for answers in found
        ]

    def read(self, text: str, lemmas: Sequence[str] | None = None) -> Reading:
        """One verse: its reading, its words with their meanings; `lemmas`, where somebody knows them better."""
        said = self.english([text])[0]
        lemmas = self.lemmas([text])[0] if lemmas is None else lemmas
        each = list(dict.fromkeys(lemmas))
        meanings = dict(zip(each, self.meanings(each, 3), strict=True))
        return Reading(said[0], tuple(said[1:]), tuple(Word(lemma, meanings[lemma]) for lemma in lemmas))

    # -- support ----------------------------------------------------------------------------------------------------

    @torch.inference_mode()
    def log_probs(self, english: Sequence[str], texts: Sequence[str], style: str = "") -> list[torch.Tensor]:
        """Of every piece of each English text, its end last, given the Sanskrit beside it; without any where that is
        empty."""
        padding = self.pieces.sign(PAD)
        first, last = self.pieces.slice(ENGLISH)
        rows = [[self.pieces.sign(ENGLISH), *ids, first] for ids in self.pieces.read_english(english)]
        width = max(map(len, rows))
        told = torch.tensor([[*row, *[padding] * (width - len(row))] for row in rows])
        once = list(dict.fromkeys(texts))  # a verse that is held against many proses is read once
        ids, mask = self._sources(once, style)
        which = torch.tensor([once.index(text) for text in texts])
        states = self._encoder(input_ids=ids, attention_mask=mask).last_hidden_state[which]
        hidden = self.network.decoder(
            input_ids=told[:, :-1], encoder_hidden_states=states, encoder_attention_mask=mask[which], use_cache=False
        ).last_hidden_state
        found = []
        for row, numbers in enumerate(rows):
            said = log_softmax(linear(hidden[row, : len(numbers) - 1], self.decoder.vectors[first:last]), dim=-1)
            wanted = torch.tensor(numbers[1:]) - first
            found.append(said.gather(1, wanted[:, None])[:, 0])
        return found

    def gains(self, english: str, texts: Sequence[str]) -> list[list[tuple[str, float]]]:
        """For every text, the words of one English text with how much likelier that text makes each, in nats. What is
        too long to be read at once is read part by part."""
        parts = [self._gains(part, texts) for part in self._parts(english)]
        return [[word for part in parts for word in part[at]] for at in range(len(texts))]

    def _parts(self, english: str) -> list[str]:
        parts: list[list[str]] = [[]]
        pieces = 0
        for word in plain(english).split():
            number = len(self.pieces.read_english([word])[0])
            if parts[-1] and pieces + number > PROSE_TOKENS:
                parts.append([])
                pieces = 0
            # A word that alone is too long is none: its beginning stands for it.
            parts[-1].append(word if number <= PROSE_TOKENS else word[:PROSE_TOKENS])
            pieces += min(number, PROSE_TOKENS)
        return [" ".join(part) for part in parts]

    def _gains(self, english: str, texts: Sequence[str]) -> list[list[tuple[str, float]]]:
        words, owner = self._words(english)
        alone = self.log_probs([english], [""])[0]
        return [_of_words(words, owner, (said - alone).tolist()) for said in self._in_parts(english, texts)]

    def _in_parts(self, english: str, texts: Sequence[str], size: int = 32) -> list[torch.Tensor]:
        parts = [list(texts[at : at + size]) for at in range(0, len(texts), size)]
        return [said for part in parts for said in self.log_probs([english] * len(part), part)]

    def _words(self, english: str) -> tuple[list[str], list[int]]:
        """The words of a text, and for every piece the word it belongs to."""
        text = plain(english)
        spans = [match.span() for match in re.finditer(r"\S+", text)]
        encoding: Any = self.pieces.english.encode(text)
        owner, at = [], 0
        for start, end in encoding.offsets:
            middle = max(start, end - 1)  # the space before a word is counted as its own
            while at + 1 < len(spans) and middle >= spans[at + 1][0]:
                at += 1
            owner.append(at)
        return [text[start:end] for start, end in spans], owner

    def support(self, english: str, texts: Sequence[str]) -> list[tuple[Support, ...]]:
        """What of a prose is heard in each of several verses, word by word."""
        return [self._named(gained) for gained in self.gains(english, texts)]

    def support_of_pieces(self, english: str, gains: Sequence[float]) -> tuple[Support, ...]:
        """The same where the nats of its pieces are known; words beyond the last of these are left out."""
        words, owner = self._words(english)
        known = min(len(gains), len(owner))
        return self._named(_of_words(words, owner[:known], gains)[: owner[known - 1] + 1] if known else [])

    def _named(self, gained: Sequence[tuple[str, float]]) -> tuple[Support, ...]:
        return tuple(Support(word, nats, self.thresholds.name(nats), is_content(word)) for word, nats in gained)


def _of_words(words: Sequence[str], owner: Sequence[int], gains: Sequence[float]) -> list[tuple[str, float]]:
    """The nats of pieces as those of the words they belong to; the end, which comes after them, is no word's."""
    total = [0.0] * len(words)
    for at, value in zip(owner, gains, strict=False):
        total[at] += value
    return list(zip(words, total, strict=True))


def loaded(folder: Path) -> Reader:
    """The reader in a folder, loaded once for all who ask."""
    if folder not in _loaded:
        with LOADING:
            if folder not in _loaded:
                _loaded[folder] = load(folder)
    return _loaded[folder]


def load(folder: Path) -> Reader:
    """The reader in a folder; ReaderMissing says what to do where there is none."""
    from transformers import MBartForConditionalGeneration

    if not (folder / "model.safetensors").is_file():
        raise ReaderMissing(
            f"Expected the reader in {folder.name}/; found no model.safetensors there. "
            "`python -m workbench train reader` makes one."
        )
    loader: Any = MBartForConditionalGeneration
    model = loader.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    file = folder / THRESHOLDS
    kept = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    thresholds = Thresholds(**{each.name: kept[each.name] for each in fields(Thresholds) if each.name in kept})
    return Reader(model, Pieces.load(folder), thresholds, fingerprint(folder))
