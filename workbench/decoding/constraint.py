"""Scores in, scores out: what breaks the metre is masked, what completes a pāda gets its β, the end comes at the end.

The rules of a decoding step, for any search that knows the automaton's state of each of its rows: the logits processor
calls it in anybody's generate(), our own search calls it with its own beams. Knows states and scores, no prefixes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch

from workbench.decoding.lexicon import NO_ENTRY, Lexicon, automaton_lexicon, lexicon
from workbench.decoding.settings import PAPER, Settings
from workbench.decoding.vocabulary import TokenizerError, Vocabulary
from workbench.prosody.automaton import DEAD, Automaton
from workbench.prosody.metres import Metre

BREAKS_METRE, OVERRUNS, NOT_SANSKRIT, TOO_EARLY = "breaks the metre", "overruns", "not Sanskrit", "ends too early"
BREAKS_WISH = "breaks the metre or a wish"
FINISHED = -1  # the state of a row that has its end-of-sequence token
MAX_TOP_K = 500  # the paper's: k doubles up to here, then the whole vocabulary is looked at
YATI_WEIGHT = 2.0  # what "prefer" takes off for a word that runs over a pāda's end
# What a letter adds that a wish asks for: about what one costs. A verse that has reached what is asked for would fall
# behind those that have it still before them; over a whole verse it adds the same to all, as β does. Of 0, 1.5, 3 and
# 4.5 it is the one with the likeliest verses: -66.9, -54.1, -52.8 and -53.1 nats, six proses under six sets of wishes.
ASKED_WEIGHT = 3.0
NO_TOKENS: npt.NDArray[np.int64] = np.zeros(0, np.int64)
LAST_RESORT = -1e4  # a live token that another processor has forbidden, when there is no other: better than no row


def end_tokens(tokenizer: Any, given: int | Sequence[int] | None) -> list[int]:
    ends = tokenizer.eos_token_id if given is None else given
    if ends is None:
        raise TokenizerError("Expected a tokenizer with an end-of-sequence token, or eos_token_id; got none.")
    return [ends] if isinstance(ends, int) else [int(end) for end in ends]


@dataclass(frozen=True)
class Candidates:
    """The live continuations of some rows, k to a row; what is dead has a score of -inf."""

    tokens: npt.NDArray[np.int64]  # row x k
    scores: npt.NDArray[np.float32]  # adjusted
    added: npt.NDArray[np.float32]  # what β and yati added
    targets: npt.NDArray[np.int32]  # the state each leads to, DEAD or FINISHED

    @classmethod
    def none(cls, rows: int, columns: int) -> Candidates:
        """Room for so many, in which nothing lives yet."""
        size = (rows, columns)
        return cls(
            np.zeros(size, np.int64),
            np.full(size, -np.inf, np.float32),
            np.zeros(size, np.float32),
            np.zeros(size, np.int32),
        )

    def parts(self) -> tuple[npt.NDArray[Any], ...]:
        return self.tokens, self.scores, self.added, self.targets


@dataclass(frozen=True)
class TopTokens:
    """A row's best tokens in the model's order, with its score, and which of them live."""

    tokens: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float32]
    alive: npt.NDArray[np.bool_]


def top(scores: torch.Tensor, k: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """The best k of each row and where they are, in no order.

    On a CPU several times as fast as torch.topk. A row is folded into some columns; the k-th best of the columns' best
    is no better than the k-th best of the row, so what is not below it is a little more than k, and only that is sorted
    out. numpy parts numbers off three times as fast as their places."""
    rows, size = scores.shape
    if k >= size or scores.device.type != "cpu" or scores.dtype != torch.float32:
        best = scores.topk(min(k, size), dim=1)
        return best.values.float().cpu().numpy(), best.indices.cpu().numpy()
    values = np.ascontiguousarray(scores.detach().numpy())
    columns = size // max(1, size // (4 * k))
    depth = size // columns
    folded = values[:, : columns * depth].reshape(rows, depth, columns).max(axis=1)
    folded.partition(columns - k, axis=1)
    found = np.flatnonzero(values >= folded[:, columns - k, None])
    row = found // size
    counts = np.bincount(row, minlength=rows)
    kept = values.take(found)
    longest = int(counts.max())
    if longest > k:
        pool = np.full((rows, longest), -np.inf, np.float32)
        shift = np.arange(rows) * longest - (np.cumsum(counts) - counts)  # from a row's place in `kept` to its own
        pool.reshape(-1)[np.arange(len(row)) + shift.take(row)] = kept
        pool.partition(longest - k, axis=1)
        is_best = kept >= pool[:, longest - k].take(row)
        found, kept = found[is_best], kept[is_best]
    if len(found) != rows * k:  # more than k have a value that the k-th best has, too: some of them
        found = values.argpartition(size - k, axis=1)[:, size - k :]
        return np.take_along_axis(values, found, axis=1), found
    return kept.reshape(rows, k), found.reshape(rows, k) - np.arange(0, rows * size, size)[:, None]


@dataclass(frozen=True)
class StateFacts:
    """What is known of a state, for people to see."""

    padas: int
    open: bool
    wanted: str


class SearchConstraint(Protocol):
    """What a search and its trace need to know of a constraint: the exact one here, or the paper's."""

    metre: Metre
    vocabulary: Vocabulary
    start: int
    ends: list[int]
    around: tuple[str, str]  # the texts that stand before and after what is searched for

    def candidates(
        self, states: Sequence[int], scores: torch.Tensor, least: int = 1, width: int = 500
    ) -> Candidates: ...

    def facts(self, state: int) -> StateFacts: ...

    def top_tokens(self, states: Sequence[int], scores: torch.Tensor, k: int) -> list[TopTokens]: ...

    def reason(self, state: int, token: int) -> str: ...


class Constraint:
    """One automaton, one vocabulary, one set of weights. Without an automaton of its own (over bytes), such as that of
    a metre with wishes, it is the settings' metre's."""

    around = ("", "")

    def __init__(
        self,
        tokenizer: Any,
        settings: Settings = PAPER,
        eos_token_id: int | Sequence[int] | None = None,
        automaton: Automaton | None = None,
    ) -> None:
        if settings.mode not in ("pingala", "cd"):
            raise ValueError(f"Expected mode pingala or cd for the exact constraint; got {settings.mode!r}.")
        self.metre = settings.found_metre()
        self.lexicon: Lexicon = (
            lexicon(tokenizer, self.metre, settings.script, settings.max_cluster, settings.yati)
            if automaton is None
            else automaton_lexicon(tokenizer, automaton)
        )
        self.beta = 0.0 if settings.mode == "cd" else float(settings.beta)
        self.top_k = settings.top_k
        self.yati_weight = YATI_WEIGHT if settings.yati == "prefer" else 0.0
        self.ends = end_tokens(tokenizer, eos_token_id)
        automaton = self.lexicon.automaton
        self.vocabulary = self.lexicon.vocabulary
        self.start = automaton.start
        self.accepting = automaton.accepting
        self.padas = automaton.padas.astype(np.int32)
        # What a prefix has been given so far, by state; a token adds the difference.
        worth = self.beta * automaton.padas - self.yati_weight * automaton.breaks
        if automaton.due is not None and settings.mode != "cd":
            worth = worth - ASKED_WEIGHT * (automaton.due - automaton.due[automaton.start])
        self._worth = worth.astype(np.float32)
        self.to_end = automaton.to_end
        self.shortest = int(automaton.to_end[automaton.start])  # letters of the shortest verse

    def next_state(self, state: int, token: int) -> int:
        if state == FINISHED or (token in self.ends and state != DEAD and self.accepting[state]):
            return FINISHED
        return self.lexicon.next_state(state, token)

    def facts(self, state: int) -> StateFacts:
        if state == FINISHED:
            return StateFacts(4, False, "")
        automaton = self.lexicon.automaton
        return StateFacts(int(self.padas[state]), bool(automaton.open[state]), automaton.wanted[state])

    def reason(self, state: int, token: int) -> str:
        """Why a token is dead in a state."""
        if token in self.ends:
            return TOO_EARLY
        written = self.vocabulary.tokens[token] if token < self.lexicon.size else None
        if written is None or self.lexicon.entry_of_token[token] == NO_ENTRY:
            return NOT_SANSKRIT
        automaton = self.lexicon.automaton
        for byte in written:
            following = automaton.read(bytes([byte]), state)
            if following == DEAD:
                break
            state = following
        if automaton.due is not None:
            return BREAKS_WISH
        return OVERRUNS if automaton.padas[state] == 4 else BREAKS_METRE

    # ------------------------------------------------------------ for a search of our own

    def candidates(self, states: Sequence[int], scores: torch.Tensor, least: int = 1, width: int = 500) -> Candidates:
        """The live tokens among each row's best k, and the end where the verse is whole. A row's k grows until so many
        as `least` of them live; of the whole vocabulary the best `width` of a row are given. What writes a wish is
        looked at wherever it may stand, and where it alone lives, nothing else is."""
        given = [row for row, state in enumerate(states) if self._wished(state)[1]]
        free = [row for row in range(len(states)) if row not in given]
        parts = [(given, self._of_wishes([states[row] for row in given], scores[given]))] if given else []
        if free:
            rest = scores[free] if given else scores
            looked = self._widening([states[row] for row in free], rest, least, width, None)
            parts += [
                ([free[row] for row in rows], self._and_wishes(rows, part, states, free, scores))
                for rows, part in looked
            ]
        joined = Candidates.none(len(states), max(found.tokens.shape[1] for _, found in parts))
        for rows, found in parts:
            for whole, part in zip(joined.parts(), found.parts(), strict=True):
                whole[rows, : part.shape[1]] = part
        return joined

    def _wished(self, state: int) -> tuple[npt.NDArray[np.int64], bool]:
        if self.lexicon.automaton.due is None or state <= DEAD:
            return NO_TOKENS, False
        return self.lexicon.wished_tokens(state)

    def _of_wishes(self, states: Sequence[int], scores: torch.Tensor) -> Candidates:
        """The tokens that write what is asked for."""
        wished = [self._wished(state)[0] for state in states]
        ids = np.zeros((len(states), max(map(len, wished))), np.int64)
        there = np.arange(ids.shape[1]) < np.array([[len(tokens)] for tokens in wished])
        ids[there] = np.concatenate(wished)
        targets = np.where(there, self._text_targets(states, ids, scores.shape[1]), DEAD).astype(np.int32)
        added = self._added(states, targets)
        values = scores.gather(1, torch.from_numpy(ids).to(scores.device)).float().cpu().numpy() + added
        values[targets == DEAD] = -np.inf
        return Candidates(ids, values, added, targets)

    def _and_wishes(
        self, rows: list[int], found: Candidates, states: Sequence[int], free: list[int], scores: torch.Tensor
    ) -> Candidates:
        """The same with the tokens that write what is asked for, where they are not among the best."""
        here = [states[free[row]] for row in rows]
        if not any(len(self._wished(state)[0]) for state in here):
            return found
        more = self._of_wishes(here, scores[[free[row] for row in rows]])
        alive = np.where(np.isfinite(found.scores), found.tokens, -1)
        more.scores[(more.tokens[:, :, None] == alive[:, None, :]).any(axis=2)] = -np.inf
        return Candidates(*(np.concatenate(pair, axis=1) for pair in zip(more.parts(), found.parts(), strict=True)))

    def _widening(
        self, states: Sequence[int], scores: torch.Tensor, least: int, width: int, room: int | None
    ) -> Iterator[tuple[list[int], Candidates]]:
        """Rows and their candidates: those that have enough among their best k, then among their best 2k, and so on."""
        waiting = list(range(len(states)))
        size = scores.shape[1]
        k = min(self.top_k or size, size)
        while waiting:
            picked = [states[row] for row in waiting]
            part = scores if len(waiting) == len(states) else scores[waiting]
            if k == size:
                yield waiting, self._of_whole(picked, part, min(width, size), room)
                return
            found = self._among_best(picked, part, k, room)
            enough = np.isfinite(found.scores).sum(axis=1) >= least
            if enough.all():
                yield waiting, found
                return
            if enough.any():
                done = [row for row, is_done in zip(waiting, enough, strict=True) if is_done]
                yield done, Candidates(*(array[enough] for array in found.parts()))
            waiting = [row for row, is_done in zip(waiting, enough, strict=True) if not is_done]
            k = self._wider(k, size)

    def _of_whole(self, states: Sequence[int], scores: torch.Tensor, width: int, room: int | None) -> Candidates:
        total = self._whole(states, scores, room)
        ending = total[:, self.ends].float().cpu().numpy()
        total[:, self.ends] = -torch.inf
        values, tokens = top(total, width)
        ids = np.concatenate([tokens, np.tile(self.ends, (len(states), 1))], axis=1)
        targets = self._text_targets(states, ids, scores.shape[1])
        targets[:, width:] = np.where(self._may_end(states), FINISHED, DEAD)[:, None]
        best = np.concatenate([values, ending], axis=1)
        return Candidates(ids, best, self._added(states, targets), targets)

    def _wider(self, k: int, size: int) -> int:
        return min(2 * k, MAX_TOP_K, size) if k < MAX_TOP_K else size

    def _among_best(self, states: Sequence[int], scores: torch.Tensor, k: int, room: int | None) -> Candidates:
        shape = (len(states), k + len(self.ends))
        ids, values = np.empty(shape, np.int64), np.empty(shape, np.float32)
        values[:, :k], ids[:, :k] = top(scores, k)
        values[:, k:], ids[:, k:] = self._end_scores(scores), self.ends
        targets = self._text_targets(states, ids, scores.shape[1])
        # The end is looked at whatever its rank: it stands last. Among the best it is dead, as it writes no text.
        targets[:, k:] = np.where(self._may_end(states), FINISHED, DEAD)[:, None]
        added = self._added(states, targets)
        values += added
        values[targets == DEAD] = -np.inf
        if room is not None:
            values[(targets != FINISHED) & (self.to_end[np.maximum(targets, DEAD)] > room - 2)] = -np.inf
        return Candidates(ids, values, added, targets)

    def _end_scores(self, scores: torch.Tensor) -> npt.NDArray[np.float32]:
        if scores.device.type == "cpu" and scores.dtype == torch.float32:
            found: npt.NDArray[np.float32] = scores.detach().numpy()[:, self.ends]
            return found
        return scores[:, self.ends].float().cpu().numpy()

    def _text_targets(self, states: Sequence[int], ids: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int32]:
        """Where tokens lead as text; the end leads nowhere."""
        here = np.maximum(states, DEAD)
        entries = self.lexicon.entries(size, DEAD).take(ids)
        if self.start in states:
            first = here == self.start
            entries[first] = self.lexicon.entries(size, self.start)[ids[first]]
        table, slots = self.lexicon.rows(here)
        targets: npt.NDArray[np.int32] = table[slots[:, None], entries].astype(np.int32)
        return targets

    def _targets(self, states: Sequence[int], ids: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int32]:
        targets = self._text_targets(states, ids, size)
        ends = np.isin(ids, self.ends)
        targets[ends] = np.where(self._may_end(states)[:, None], FINISHED, DEAD).repeat(ids.shape[1], axis=1)[ends]
        return targets

    def top_tokens(self, states: Sequence[int], scores: torch.Tensor, k: int) -> list[TopTokens]:
        """The best k tokens of each row, with the model's score and whether they live: for the trace."""
        best, tokens = scores.topk(min(k, scores.shape[1]), dim=1)  # in order, for people
        ids = tokens.cpu().numpy()
        alive = self._targets(states, ids, scores.shape[1]) != DEAD
        values = best.float().cpu().numpy()
        return [TopTokens(*row) for row in zip(ids, values, alive, strict=True)]

    def _may_end(self, states: Sequence[int]) -> npt.NDArray[np.bool_]:
        here = np.asarray(states)
        whole: npt.NDArray[np.bool_] = self.accepting[np.maximum(here, DEAD)] | (here == FINISHED)
        return whole

    def _added(self, states: Sequence[int], targets: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
        """β for every pāda completed on the way from a state to its targets; less for words that run over its end. The
        end completes what is not yet: a last bare Devanagari consonant is a syllable only once nothing follows."""
        here = np.asarray(states)
        added: npt.NDArray[np.float32] = self._worth.take(targets, mode="wrap")
        added -= self._worth.take(here, mode="wrap")[:, None]
        ended = targets == FINISHED
        if ended.any():
            missing = np.where(here > DEAD, self.beta * (4 - self.padas[np.maximum(here, DEAD)]), 0.0)
            added = np.where(ended, missing[:, None], added).astype(np.float32)
        added[targets == DEAD] = 0.0
        return added

    # ------------------------------------------------------------ for anybody's generate()

    def process(
        self, states: Sequence[int], scores: torch.Tensor, room: int | None = None, least: int = 1
    ) -> torch.Tensor:
        """A full row of scores for each state. `room` is how many tokens may still come, this one included: none that
        leads too far from the end is let through then. `least`: see `candidates`. Dead rows stay dead."""
        if self.top_k is None or self.top_k >= scores.shape[1]:
            return self._whole(states, scores, room)
        filled = torch.full(scores.shape, -torch.inf)
        masked = filled.numpy()
        living = [row for row, state in enumerate(states) if state != DEAD]
        part = scores if len(living) == len(states) else scores[living]
        ends = len(self.ends)
        for rows, found in self._widening([states[row] for row in living], part, least, scores.shape[1], room):
            at = np.array([living[row] for row in rows])[:, None]
            masked[at, found.tokens[:, :-ends]] = found.scores[:, :-ends]
            masked[at, found.tokens[:, -ends:]] = found.scores[:, -ends:]
        return filled.to(scores.device, scores.dtype)

    def _whole(self, states: Sequence[int], scores: torch.Tensor, room: int | None) -> torch.Tensor:
        """Rows over the whole vocabulary, one additive row for each distinct state."""
        distinct = sorted(set(states))
        table, slots = self.lexicon.rows(np.maximum(distinct, DEAD))
        reached = table[slots].astype(np.int32)
        added = self._added(distinct, reached)
        dead = reached == DEAD
        if room is not None:
            far = self.to_end[reached] > room - 2
            # When even the nearest is too far, the limit cannot be kept, and the metre goes before it.
            hopeless = (dead | far).all(axis=1) & ~self._may_end(distinct)
            dead |= far & ~hopeless[:, None]
        values = np.where(dead, -np.inf, added).astype(np.float32)
        rows = torch.from_numpy(
            np.stack(
                [row[self.lexicon.entries(scores.shape[1], state)] for state, row in zip(distinct, values, strict=True)]
            )
        )
        ends = np.where(self._may_end(distinct), FINISHED, DEAD).astype(np.int32)[:, None]
        closing = np.where(ends == DEAD, -np.inf, self._added(distinct, ends)).astype(np.float32)
        rows[:, self.ends] = torch.from_numpy(closing)
        where = torch.tensor([distinct.index(state) for state in states])
        rows = rows[where].to(scores.device, scores.dtype)
        total = scores + rows
        # Another processor, a ban on repeated n-grams for one, may have forbidden every live token of a row.
        dead_rows = torch.tensor([state == DEAD for state in states], device=scores.device)
        stranded = ~torch.isfinite(total).any(dim=1) & ~dead_rows
        if stranded.any():
            total[stranded] = torch.where(torch.isfinite(rows[stranded]), rows[stranded] + LAST_RESORT, -torch.inf)
        return total
