"""The paper's own steps to the letter, for the comparison: scan prefix + token, for the top k of every row, every step.

Algorithm 1 and its appendices: a token is dropped when the scanned text is not the beginning of a verse; β is added
when the text has 8, 16, 24 or 32 syllables; at the 32nd the end is forced; k doubles to 500 when nothing lives, and
beyond that the row is stranded. A text is scanned as if it ended there, so a syllable that the next letters would make
heavy counts as light, and a final consonant, visarga or daṇḍa that would come after the 32nd vowel is cut off. The
exact automaton (constraint.py) does what these steps mean; this module keeps what they do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from workbench.decoding.constraint import (
    BREAKS_METRE,
    FINISHED,
    MAX_TOP_K,
    NOT_SANSKRIT,
    OVERRUNS,
    TOO_EARLY,
    Candidates,
    StateFacts,
    TopTokens,
    end_tokens,
)
from workbench.decoding.settings import PAPER, Settings
from workbench.decoding.vocabulary import vocabulary
from workbench.prosody import sounds
from workbench.prosody.acceptor import acceptor
from workbench.prosody.automaton import DEAD, LETTERS, compile_metre
from workbench.prosody.scansion import weigh
from workbench.prosody.script import to_slp1

FORCED_END = 100.0

Text = bytes


class Scanned(NamedTuple):
    """A text, scanned as if it ended there."""

    valid: bool  # it begins a verse
    at_boundary: bool = False  # its last syllable fills a pāda
    padas: int = 0  # filled so far

    @property
    def whole(self) -> bool:
        return self.padas == 4


class PaperConstraint:
    """The same door as Constraint, and the same search comes through it."""

    around = ("", "")

    def __init__(
        self,
        tokenizer: Any,
        settings: Settings = PAPER,
        eos_token_id: int | Sequence[int] | None = None,
        scanner: Callable[[str], str] = weigh,
    ) -> None:
        self.metre = settings.found_metre()
        self.beta = float(settings.beta)
        self.top_k = settings.top_k or 100
        self.max_cluster = settings.max_cluster
        self.script = settings.script
        self.scanner = scanner
        self.vocabulary = vocabulary(tokenizer)
        self._tokens = self.vocabulary.tokens
        # States are numbers, as everywhere; here they stand for the texts written so far.
        self._texts: list[Text] = [b"", b""]
        self._numbers: dict[Text, int] = {b"": 1}
        self.start = 1
        self.ends = end_tokens(tokenizer, eos_token_id)
        self._acceptor = acceptor(self.metre)
        self._letters = set(LETTERS[self.script])
        automaton = compile_metre(self.metre, self.script, "bytes", self.max_cluster)
        self.shortest = int(automaton.to_end[automaton.start])
        self._scanned: dict[Text, Scanned] = {}

    def forget(self) -> None:
        """From now on every text is scanned anew, as the paper's code does it."""
        self._scanned.clear()

    def state_of(self, text: Text) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self._texts)
            self._texts.append(text)
        return self._numbers[text]

    def next_state(self, state: int, token: int) -> int:
        if state == FINISHED or token in self.ends:
            return FINISHED
        if state == DEAD:
            return DEAD
        written = self._tokens[token] if token < len(self._tokens) else None
        return self.state_of(self._texts[state] + (written or b""))

    def candidates(self, states: Sequence[int], scores: torch.Tensor, least: int = 1, width: int = 500) -> Candidates:
        """The live ones of each row's best k; a row in which nothing lives among 500 is stranded, and stays so."""
        most = min(max(self.top_k, MAX_TOP_K), scores.shape[1]) + len(self.ends)
        found = Candidates.none(len(states), most)
        for row, state in enumerate(states):
            for at, (token, score, added) in enumerate(self._live(state, scores[row])):
                found.tokens[row, at] = token
                found.scores[row, at] = score + added
                found.added[row, at] = added
                found.targets[row, at] = self.next_state(state, token)
        return found

    def process(
        self, states: Sequence[int], scores: torch.Tensor, room: int | None = None, least: int = 1
    ) -> torch.Tensor:
        masked = torch.full_like(scores, -torch.inf)
        for row, state in enumerate(states):
            for token, score, added in self._live(state, scores[row]):
                masked[row, token] = score + added
        return masked

    def _live(self, state: int, scores: torch.Tensor) -> list[tuple[int, float, float]]:
        """Tokens that live in a state, each with the model's score and what is added to it."""
        if state == DEAD:
            return []
        if state == FINISHED or self.scan(self._texts[state]).whole:
            return [(end, float(scores[end]), FORCED_END) for end in self.ends]
        k = min(self.top_k, len(scores))
        while True:
            best, tokens = scores.topk(k)
            live = [
                (token, score, added)
                for token, score in zip(tokens.tolist(), best.tolist(), strict=True)
                if (added := self._adjust(self._texts[state], token)) > -np.inf
            ]
            if live or k >= min(MAX_TOP_K, len(scores)):
                return live
            k = min(2 * k, MAX_TOP_K, len(scores))

    def _adjust(self, text: Text, token: int) -> float:
        written = self._tokens[token] if token < len(self._tokens) else None
        if written is None:
            return -np.inf
        scanned = self.scan(text + written)
        return (self.beta if scanned.at_boundary else 0.0) if scanned.valid else -np.inf

    def facts(self, state: int) -> StateFacts:
        if state == FINISHED:
            return StateFacts(4, False, "")
        return StateFacts(self.scan(self._texts[state]).padas, False, "")

    def top_tokens(self, states: Sequence[int], scores: torch.Tensor, k: int) -> list[TopTokens]:
        best, tokens = scores.topk(min(k, scores.shape[1]), dim=1)
        return [
            TopTokens(ids, values, np.isin(ids, [token for token, *_ in self._live(state, scores[row])]))
            for row, (state, ids, values) in enumerate(zip(states, tokens.numpy(), best.numpy(), strict=True))
        ]

    def reason(self, state: int, token: int) -> str:
        written = self._tokens[token] if token < len(self._tokens) else None
        if token in self.ends:
            return TOO_EARLY
        try:
            foreign = written is None or not set(written.decode()) <= self._letters
        except UnicodeDecodeError:
            foreign = True
        if foreign:
            return NOT_SANSKRIT
        return OVERRUNS if self.facts(state).padas == 4 else BREAKS_METRE

    def scan(self, text: Text) -> Scanned:
        if text not in self._scanned:
            if len(self._scanned) > 100_000:  # the paper clears its cache now and then, and so must this
                self._scanned.clear()
            self._scanned[text] = self._scan(text)
        return self._scanned[text]

    def _scan(self, text: Text) -> Scanned:
        try:
            letters = text.decode()
        except UnicodeDecodeError:  # a letter cut in two: nothing that a scanner of texts could judge
            return Scanned(False)
        if not set(letters) <= self._letters:
            return Scanned(False)
        slp1 = "".join(c for c in to_slp1(letters, self.script) if c in sounds.LETTERS + " ")
        if self._clustered(slp1):
            return Scanned(False)
        state, before = self._acceptor.start, self._acceptor.start
        for weight in self.scanner(slp1):
            before = self._acceptor.second_half[state] if self._acceptor.second_half[state] >= 0 else state
            following = self._acceptor.next[before].get(weight)
            if following is None:
                return Scanned(False)
            state = following
        padas = self._acceptor.padas
        return Scanned(True, padas[state] > padas[before], padas[state])

    def _clustered(self, slp1: str) -> bool:
        run = 0
        for letter in slp1:
            run = run + 1 if letter in sounds.CONSONANTS else 0
            if run > self.max_cluster + 1:
                return True
        return False
