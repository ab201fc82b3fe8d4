"""Finds the words of a Sanskrit text: sandhi undone, compounds taken apart, each word as a dictionary has it.

A small transformer reads the text letter by letter and says of each what it becomes when words are written as lemmas:
itself, another letter, nothing, and whether a lemma ends there (training/lemma_alignment.py finds that out for texts
whose lemmas are known). So it copies what it has never seen, where a decoder that says pieces garbles it; and since
what it is unsure of is mostly settled by what words there are, a lemma that it has never met costs something. Knows
canonical SLP1 as prosody/text_reading spells it, and no English.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from heapq import nlargest
from math import inf
from operator import itemgetter
from pathlib import Path
from typing import Any, Self

import torch
from torch.nn.functional import gelu

from workbench.one_at_a_time import LOADING
from workbench.prosody.sounds import LETTERS
from workbench.prosody.verse import DANDA
from workbench.semantics import ReaderMissing
from workbench.semantics.pieces import sanskrit
from workbench.semantics.verse_spelling import fingerprint

WEIGHTS, CONFIG, KNOWN = "model.safetensors", "config.json", "lemmas.txt"
END = "|"  # of a lemma
HALF = "."
ALPHABET = " " + HALF + LETTERS
LONGEST = 400  # letters that are read at once
FAR = 24  # letters: beyond that, how far apart two are makes no difference
BATCH_LETTERS = 8_000
# What a lemma costs that no text had which was learnt from, in nats. On 400 texts of dev F1 is 0.857 where it costs
# nothing, 0.885, 0.893, 0.897, 0.897 and 0.895 where it costs 1, 2, 3, 4 and 6.
UNKNOWN_COST = 3.0
RULES_TRIED, LEAST_LIKELY, WAYS = 5, -5.0, 8  # of a letter; nats; ways to write a text that are kept side by side
_loaded: dict[Path, Lemmatizer] = {}


def spelled(text: str) -> str:
    """A text as the network reads it: one sign between halves."""
    return sanskrit(text).replace(DANDA, HALF)


class Layer(torch.nn.Module):
    """Attention that knows how far apart two letters are, and a feed-forward part."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.attention_norm, self.feed_norm = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.query_key_value, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.distance_embed = torch.nn.Embedding(2 * FAR + 1, heads)
        self.feed_in, self.feed_out = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, states: torch.Tensor, distances: torch.Tensor, absent: torch.Tensor) -> torch.Tensor:
        rows, letters, width = states.shape
        split = self.query_key_value(self.attention_norm(states)).view(rows, letters, 3, self.heads, -1)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(-1, -2) * (width // self.heads) ** -0.5
        scores = scores + self.distance_embed(distances).permute(2, 0, 1) + absent
        found = (scores.softmax(dim=-1).to(value.dtype) @ value).transpose(1, 2).reshape(rows, letters, width)
        states = states + self.out(found)
        fed: torch.Tensor = states + self.feed_out(gelu(self.feed_in(self.feed_norm(states))))
        return fed


class LetterTagger(torch.nn.Module):
    """For every letter of a text a score of each rule."""

    def __init__(self, width: int, heads: int, layers: int, rules: int) -> None:
        super().__init__()
        self.letter_embed = torch.nn.Embedding(len(ALPHABET) + 1, width, padding_idx=0)
        self.neighbours = torch.nn.Conv1d(width, width, 5, padding=2)
        self.layers = torch.nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.norm = torch.nn.LayerNorm(width)
        self.rules = torch.nn.Linear(width, rules)

    def forward(self, letters: torch.Tensor) -> torch.Tensor:
        """`letters`: numbers, rows filled up with 0."""
        states = self.letter_embed(letters)
        states = states + gelu(self.neighbours(states.transpose(1, 2)).transpose(1, 2))
        places = torch.arange(letters.shape[1])
        distances = (places[None] - places[:, None]).clamp(-FAR, FAR) + FAR
        absent = torch.zeros(letters.shape).masked_fill(letters == 0, -1e4)[:, None, None]
        for layer in self.layers:
            states = layer(states, distances, absent)
        return torch.as_tensor(self.rules(self.norm(states)))


_NUMBERS = {letter: number for number, letter in enumerate(ALPHABET, start=1)}


def as_numbers(texts: Sequence[str]) -> torch.Tensor:
    width = max(map(len, texts))
    return torch.tensor([[*(_NUMBERS[letter] for letter in text), *[0] * (width - len(text))] for text in texts])


class Lemmatizer:
    def __init__(
        self, model: LetterTagger, rules: Sequence[str], identity: str, known: Collection[str] = frozenset()
    ) -> None:
        self.model, self.rules, self.identity, self.known = model, list(rules), identity, frozenset(known)

    @torch.inference_mode()
    def lemmas(self, texts: Sequence[str]) -> list[list[str]]:
        """The words of each text, in its order."""
        asked = [(at, part) for at, text in enumerate(texts) for part in _parts(spelled(text))]
        found: list[list[str]] = [[] for _ in texts]
        for at, lemmas in zip((at for at, _ in asked), self._each([part for _, part in asked]), strict=True):
            found[at] += lemmas
        return found

    def _each(self, parts: Sequence[str]) -> list[list[str]]:
        order = sorted(range(len(parts)), key=lambda at: len(parts[at]))
        found: list[list[str]] = [[] for _ in parts]
        while order:
            most = max(1, BATCH_LETTERS // len(parts[order[-1]]))
            these, order = order[-most:], order[:-most]
            said = torch.log_softmax(self.model(as_numbers([parts[at] for at in these])).float(), dim=-1)
            likely, numbers = said.topk(min(RULES_TRIED, len(self.rules)), dim=-1)
            for at, nats, rules in zip(these, likely.tolist(), numbers.tolist(), strict=True):
                found[at] = self._likeliest(nats[: len(parts[at])], rules[: len(parts[at])])
        return found

    def _likeliest(self, nats: Sequence[Sequence[float]], rules: Sequence[Sequence[int]]) -> list[str]:
        """The lemmas that letters most likely become: nats and rules of each letter, the likeliest first."""
        ways: dict[tuple[tuple[str, ...], str], float] = {((), ""): 0.0}  # lemmas, what is begun; nats
        for likely, numbers in zip(nats, rules, strict=True):
            following: dict[tuple[tuple[str, ...], str], float] = {}
            for (lemmas, begun), total in ways.items():
                for first, (nat, number) in enumerate(zip(likely, numbers, strict=True)):
                    if first and nat < LEAST_LIKELY:
                        break
                    *ended, rest = (begun + self.rules[number]).split(END)
                    more = tuple(filter(None, ended))
                    cost = sum(UNKNOWN_COST for lemma in more if self.known and lemma not in self.known)
                    way, worth = (lemmas + more, rest), total + nat - cost
                    if worth > following.get(way, -inf):
                        following[way] = worth
            ways = dict(nlargest(WAYS, following.items(), key=itemgetter(1)))
        lemmas, rest = max(ways, key=ways.__getitem__)
        return [*lemmas, rest] if rest else list(lemmas)

    def save(self, folder: Path, config: dict[str, Any]) -> None:
        """In half precision; `config` is what the network is made of."""
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        told = {**config, "rules": self.rules, "alphabet": ALPHABET}
        (folder / CONFIG).write_text(json.dumps(told, ensure_ascii=False) + "\n", encoding="utf-8")
        (folder / KNOWN).write_text("\n".join(sorted(self.known)) + "\n", encoding="utf-8")
        save_file(
            {name: v.detach().half().contiguous() for name, v in self.model.state_dict().items()}, folder / WEIGHTS
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        from safetensors.torch import load_file

        if missing := [name for name in (WEIGHTS, CONFIG, KNOWN) if not (folder / name).is_file()]:
            raise ReaderMissing(
                f"Expected a lemmatizer in {folder.name}/; found no {missing[0]} there. `python -m workbench train "
                "lemmatizer` makes one."
            )
        told = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        if told["alphabet"] != ALPHABET:
            raise ReaderMissing(
                f"Expected a lemmatizer of these letters, {ALPHABET!r}; got one of {told['alphabet']!r}."
            )
        model = LetterTagger(told["width"], told["heads"], told["layers"], len(told["rules"]))
        model.load_state_dict({name: value.float() for name, value in load_file(folder / WEIGHTS).items()})
        known = (folder / KNOWN).read_text(encoding="utf-8").split()
        return cls(model.eval(), told["rules"], fingerprint(folder), known)


def written(said: Any) -> list[str]:
    """What the letters became, as lemmas."""
    return [lemma for lemma in "".join(said).split(END) if lemma]


def loaded(folder: Path) -> Lemmatizer:
    """The lemmatizer in a folder, loaded once for all who ask."""
    if folder not in _loaded:
        with LOADING:
            if folder not in _loaded:
                _loaded[folder] = Lemmatizer.load(folder)
    return _loaded[folder]


def _parts(text: str) -> list[str]:
    """A long text in parts that end with words; a word that is longer than all that, cut."""
    parts = []
    while len(text) > LONGEST:
        cut = max(text.rfind(" ", 0, LONGEST), text.rfind(HALF, 0, LONGEST))
        cut = cut if cut > 0 else LONGEST
        parts.append(text[:cut].strip(" " + HALF))
        text = text[cut:].strip(" " + HALF)
    return [part for part in (*parts, text) if part]
