"""A gap in a verse, and the search for what fills it: a pāda, a word, or all that is still to come.

What stands before and after the gap is given, letter by letter. The verse's automaton, read over what is before, says
where the gap begins; read over what is after from every state at once, where it may end. Between the two only states
live from which such an end can be reached, so that whatever is found fits metre, wishes and neighbours by construction.
Nothing is compiled for it. Knows tokens, states and scores; neither models nor pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from workbench.decoding.constraint import FINISHED, Candidates, Constraint
from workbench.decoding.scorer import BatchScorer
from workbench.decoding.search import results, search_together
from workbench.decoding.settings import Settings
from workbench.decoding.vocabulary import Vocabulary
from workbench.prosody import sounds
from workbench.prosody.automaton import DEAD, Automaton
from workbench.refusal import Refusal

SPACE = ord(" ")


class GapError(Refusal):
    """Nothing can stand in the gap; the message says why."""


@lru_cache(maxsize=8)
def _written(vocabulary: Vocabulary) -> list[bytes]:
    return [token or b"" for token in vocabulary.tokens]


@lru_cache(maxsize=8)
def _spaced(vocabulary: Vocabulary) -> npt.NDArray[np.bool_]:
    """Which tokens begin a word."""
    return np.array([written.startswith(b" ") for written in _written(vocabulary)])


@dataclass(frozen=True)
class Gap:
    """What is given around a gap, spelled as the generator spells verses."""

    before: str = ""  # whole words, and the daṇḍa where a half is done; no space at its end
    begun: str = ""  # the beginning of the gap's first word, which is to stay
    after: str = ""  # from the space or the daṇḍa on
    goes_on: bool = False  # whether the verse is still to be written after that; otherwise it ends there
    one_word: bool = False


@dataclass(frozen=True)
class Filling:
    text: str  # what stands in the gap, `begun` included, as the generator spells it
    score: float  # log-probability after what is before, with that of what follows first


class GapConstraint(Constraint):
    """The constraint of a verse's automaton, held to a gap. GapError where nothing can stand there."""

    def __init__(
        self,
        tokenizer: Any,
        settings: Settings,
        gap: Gap,
        eos_token_id: int | None = None,
        automaton: Automaton | None = None,
    ) -> None:
        super().__init__(tokenizer, settings.but(mode="cd"), eos_token_id, automaton)
        self._spaced = _spaced(self.vocabulary)
        self.gap = gap
        self.prefix, begins = self._given_tokens(tokenizer)
        self.around = self.vocabulary.text(self.prefix), gap.after
        self.start = self._state_after(self.prefix)
        self._clustered = self._after_clusters(self.start)
        self._complete = self._ends(gap) & ~self._clustered
        self._inside = self._between(self.start, self._complete)
        if self.start == DEAD or not self._inside[self.start]:
            raise GapError("Expected a place where some word fits the metre and what stands around it; got none.")
        writes = _written(self.vocabulary)
        if begins:
            begins = begins if self.prefix else begins.lstrip(b" ")
            may = [(written if self.prefix else written.lstrip(b" ")).startswith(begins) for written in writes]
            self._may_begin = np.array(may)
        else:  # a word of its own
            self._may_begin = self._spaced if gap.before else np.array([bool(written) for written in writes])
        self._closing = self._what_follows(tokenizer)

    def _given_tokens(self, tokenizer: Any) -> tuple[list[int], bytes]:
        """The tokens before the gap; and where a word is begun, what its last token writes: another may write that and
        more, so it is chosen anew."""
        given = f"{self.gap.before} {self.gap.begun}".strip() if self.gap.begun else self.gap.before
        tokens = [int(token) for token in tokenizer(given, add_special_tokens=False)["input_ids"]] if given else []
        if not self.gap.begun:
            return tokens, b""
        return tokens[:-1], self.vocabulary.tokens[tokens[-1]] or b""

    def _state_after(self, tokens: Sequence[int]) -> int:
        automaton = self.lexicon.automaton
        if not tokens:
            return automaton.start
        return automaton.read(self.vocabulary.text(tokens).lstrip(" ").encode())

    def _ends(self, gap: Gap) -> npt.NDArray[np.bool_]:
        """The states at which the gap may end."""
        automaton = self.lexicon.automaton
        states = np.arange(len(automaton))
        for byte in gap.after.encode():
            states = automaton.delta[states, byte]
        found: npt.NDArray[np.bool_] = automaton.accepting[states]
        if gap.goes_on:
            found |= states != DEAD if gap.after else automaton.delta[:, SPACE] != DEAD
        found[DEAD] = False
        return found

    def _after_clusters(self, start: int) -> npt.NDArray[np.bool_]:
        """The states that are met only after two consonants in a row. No word ends there; a small generator that is out
        of its depth would have it so. Of letters that are single bytes only, as in SLP1."""
        automaton = self.lexicon.automaton
        met = np.zeros((len(automaton), 3), bool)  # by how many consonants stand before: none, one, more
        if automaton.script != "slp1":
            return met[:, 2]
        live = np.flatnonzero(automaton.delta.any(axis=0))
        consonant = np.isin(live, [ord(letter) for letter in sounds.CONSONANTS])
        after_consonant, after_other = automaton.delta[:, live[consonant]], automaton.delta[:, live[~consonant]]
        new = met.copy()
        new[start, 0] = True
        while new.any():  # letter by letter, from all states that the letter before led to
            met |= new
            found = np.zeros_like(met)
            for before in range(3):
                found[after_consonant[new[:, before]], min(before + 1, 2)] = True
            found[after_other[new.any(axis=1)], 0] = True
            found[DEAD] = False
            new = found & ~met
        return met[:, 2] & ~met[:, 0] & ~met[:, 1]

    def _between(self, start: int, ends: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """The states from the gap's beginning on from which one of its ends can be reached. Every edge leads to a state
        of a lower number, so one pass down and one up settle it."""
        delta = self.lexicon.automaton.delta
        letters = [at for at in range(delta.shape[1]) if delta[:, at].any()]
        met = np.zeros(len(delta), bool)
        met[start] = True
        for state in range(start, DEAD, -1):
            if met[state]:
                met[delta[state, letters]] = True
        met[DEAD] = False
        inside = met & ends
        for state in np.flatnonzero(met).tolist():
            inside[state] |= bool(inside[delta[state, letters]].any())
        inside[DEAD] = False
        return inside

    def _what_follows(self, tokenizer: Any) -> list[int]:
        """The tokens of which one comes first after the gap."""
        if self.gap.after:
            return [int(tokenizer(self.gap.after.strip(), add_special_tokens=False)["input_ids"][0])]
        if self.gap.goes_on:
            return [*np.flatnonzero(self._spaced).tolist(), *self.ends]
        return list(self.ends)

    # ----------------------------------------------------------------------------- what a search asks

    def _may_end(self, states: Sequence[int]) -> npt.NDArray[np.bool_]:
        here = np.asarray(states)
        whole: npt.NDArray[np.bool_] = self._complete[np.maximum(here, DEAD)] | (here == FINISHED)
        # A word that is begun must be written before the gap can end.
        whole &= here != self.start
        return whole

    def _end_scores(self, scores: torch.Tensor) -> npt.NDArray[np.float32]:
        closing = torch.logsumexp(scores[:, self._closing].float(), dim=1, keepdim=True)
        found: npt.NDArray[np.float32] = closing.expand(-1, len(self.ends)).cpu().numpy()
        return found

    def _text_targets(self, states: Sequence[int], ids: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int32]:
        targets = super()._text_targets(states, ids, size)
        targets[~self._inside[targets]] = DEAD
        known = np.minimum(ids, len(self._may_begin) - 1)
        first = np.asarray(states) == self.start
        targets[first] = np.where(self._may_begin[known[first]], targets[first], DEAD)
        clustered = self._clustered[np.maximum(states, DEAD)]
        if clustered.any():
            targets[clustered] = np.where(self._spaced[known[clustered]], DEAD, targets[clustered])
        if self.gap.one_word:
            targets[~first] = np.where(self._spaced[known[~first]], DEAD, targets[~first])
        return targets

    def _of_whole(self, states: Sequence[int], scores: torch.Tensor, width: int, room: int | None) -> Candidates:
        return self._among_best(states, scores, scores.shape[1], room)


def fill(scorer: BatchScorer, constraint: GapConstraint, settings: Settings) -> list[Filling]:
    """What fits the gap, best first, each once; as many as there are beams, at most. The scorer's one verse begins with
    the constraint's prefix."""
    steps = (step for _, step in search_together(scorer, constraint, settings, 1))
    kept = constraint.vocabulary.text(constraint.prefix).lstrip(" ")[len(constraint.gap.before) :]
    found: dict[str, Filling] = {}
    for hypothesis in results(steps, settings):
        text = f"{kept}{constraint.vocabulary.text(hypothesis.tokens)}".strip(" ")
        found.setdefault(text, Filling(text, hypothesis.score))
    return list(found.values())
