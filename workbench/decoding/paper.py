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

from workbench.decoding.constraint import FINISHED, MAX_TOP_K, check_settings, end_tokens
from workbench.decoding.vocabulary import vocabulary
from workbench.prosody import sounds
from workbench.prosody.acceptor import acceptor
from workbench.prosody.automaton import LETTERS, compile_metre
from workbench.prosody.metres import Metre
from workbench.prosody.scansion import weigh
from workbench.prosody.script import to_slp1

FORCED_END = 100.0

Text = bytes  # the state of a row is what it has written


class Scanned(NamedTuple):
    """A text, scanned as if it ended there."""

    valid: bool  # it begins a verse
    at_boundary: bool = False  # its last syllable fills a pāda
    whole: bool = False  # that was the fourth


class PaperConstraint:
    """The same door as Constraint; its states are texts."""

    def __init__(
        self,
        tokenizer: Any,
        metre: str | Metre = "anuṣṭubh",
        script: str = "slp1",
        beta: float = 5.0,
        top_k: int | None = 100,
        yati: str = "none",
        max_cluster: int = 3,
        mode: str = "paper",
        eos_token_id: int | Sequence[int] | None = None,
        scanner: Callable[[str], str] = weigh,
    ) -> None:
        self.metre = check_settings(beta, top_k, yati, max_cluster, mode, metre)
        self.beta = float(beta)
        self.top_k = top_k or 100
        self.max_cluster = max_cluster
        self.script = script
        self.scanner = scanner
        self.start: Text = b""
        self.ends = end_tokens(tokenizer, eos_token_id)
        self._tokens = vocabulary(tokenizer).tokens
        self._acceptor = acceptor(self.metre)
        self._letters = set(LETTERS[script])
        automaton = compile_metre(self.metre, script, "bytes", max_cluster)
        self.shortest = int(automaton.to_end[automaton.start])
        self._scanned: dict[Text, Scanned] = {}

    def next_state(self, state: Any, token: int) -> Any:
        if state == FINISHED or token in self.ends:
            return FINISHED
        written = self._tokens[token] if token < len(self._tokens) else None
        return state + (written or b"")

    def process(
        self, states: Sequence[Any], scores: torch.Tensor, room: int | None = None, least: int = 1
    ) -> torch.Tensor:
        masked = torch.full_like(scores, -torch.inf)
        for row, state in enumerate(states):
            if state == FINISHED or self.scan(state).whole:
                masked[row, self.ends] = scores[row, self.ends] + FORCED_END
                continue
            k = min(self.top_k, scores.shape[1])
            while True:
                best, tokens = scores[row].topk(k)
                adjusted = [self._adjust(state, token) for token in tokens.tolist()]
                masked[row, tokens] = best + torch.tensor(adjusted, dtype=best.dtype)
                if k >= min(MAX_TOP_K, scores.shape[1]) or max(adjusted) > -np.inf:
                    break
                k = min(2 * k, MAX_TOP_K, scores.shape[1])
        return masked

    def _adjust(self, state: Text, token: int) -> float:
        written = self._tokens[token] if token < len(self._tokens) else None
        if written is None:
            return -np.inf
        scanned = self.scan(state + written)
        return (self.beta if scanned.at_boundary else 0.0) if scanned.valid else -np.inf

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
        return Scanned(True, padas[state] > padas[before], padas[state] == 4)

    def _clustered(self, slp1: str) -> bool:
        run = 0
        for letter in slp1:
            run = run + 1 if letter in sounds.CONSONANTS else 0
            if run > self.max_cluster + 1:
                return True
        return False
