"""The search: one call that composes, step by step, and shows each step as it is made.

`search(scorer, constraint, settings)` is a generator: it yields a Step for every token, so a page can draw the beams
while they grow, and stops between two steps when its reader does. `search_together` makes several searches at once, of
which a model scores all rows in one go. Beam search here is transformers' own (the tests hold
it to that, score by score) with what that cannot do: n-gram bans that never strand a beam, diverse and
pāda-synchronous beams, and only live tokens to choose from. Knows scores and states, neither models nor text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import torch

from workbench.decoding.constraint import FINISHED, Candidates, SearchConstraint, TopTokens
from workbench.decoding.repetition import Repetition
from workbench.decoding.scorer import BatchOfOne, BatchScorer, Scorer, ScoreRequest
from workbench.decoding.settings import Settings


@dataclass(frozen=True)
class Milestone:
    """A pāda completed: at which step, and the hypothesis's score then."""

    pada: int
    step: int
    score: float


@dataclass(frozen=True)
class Hypothesis:
    tokens: tuple[int, ...] = ()
    state: int = 0
    score: float = 0.0  # what the search compares: log-probabilities and what was added, less what repetition cost
    log_probability: float = 0.0  # the model's own
    added: float = 0.0  # by β and yati
    milestones: tuple[Milestone, ...] = ()
    group: int = 0

    @property
    def beginning(self) -> tuple[int, ...]:
        """Its first pāda, once that is complete."""
        return self.tokens[: self.milestones[0].step] if self.milestones else ()

    def final_score(self, length_penalty: float) -> float:
        return float(self.score / max(1, len(self.tokens)) ** length_penalty)


@dataclass(frozen=True)
class Step:
    """One step: the hypotheses that go on, the ones that ended in it, and what was looked at to get there."""

    number: int
    beams: tuple[Hypothesis, ...]
    parents: tuple[int, ...]  # of each beam, in the step before
    finished: tuple[Hypothesis, ...]
    top_tokens: tuple[TopTokens, ...] = field(repr=False, default=())  # for each beam of the step before, when watched


# A search by itself: it asks for scores and tells its steps; whoever drives it answers what it asks.
SearchCoroutine: TypeAlias = Generator[Step | ScoreRequest, torch.Tensor | None, None]
LOOKED_FOR_OTHERS = 20  # times the number of beams: among how many continuations other beginnings are looked for
SPARE = 50  # tokens of a row beyond those that can be chosen, for those that a ban on repetition takes out
SAMPLED_FROM = 500  # of the whole vocabulary, the best live tokens that a sample is drawn from
WATCHED_TOKENS = 100  # tokens of each row that a watched search tells about, where top_k does not say


def search(
    scorer: Scorer, constraint: SearchConstraint, settings: Settings, watch: bool = False
) -> Generator[Step, None, None]:
    """Compose. What `finished` in the steps are the verses; `results` collects and orders them. A watched search also
    tells what each row looked at."""
    for _, step in search_together(BatchOfOne(scorer), constraint, settings, 1, watch):
        yield step


def search_together(
    scorer: BatchScorer, constraint: SearchConstraint, settings: Settings, number: int, watch: bool = False
) -> Generator[tuple[int, Step], None, None]:
    """So many searches with the same settings, one for each prompt of the scorer, step by step all together: each step
    with the number of its search."""
    searches = [(_sample if settings.samples else _beam)(constraint, settings, watch) for _ in range(number)]
    for asking in searches:
        _next(asking, None)  # asks for its first scores
    scores = dict(enumerate(scorer.start()))
    while scores:
        asks = {}
        for at, rows in scores.items():
            said = _next(searches[at], rows)
            while isinstance(said, Step):
                yield at, said
                said = _next(searches[at], None)
            if said is not None:
                asks[at] = said
        scores = scorer.advance(asks) if asks else {}


def _next(asking: SearchCoroutine, scores: torch.Tensor | None) -> Step | ScoreRequest | None:
    try:
        return asking.send(scores)
    except StopIteration:
        return None


def results(steps: Iterator[Step] | Sequence[Step], settings: Settings) -> list[Hypothesis]:
    """The finished verses of a search, best first, as many as were asked for."""
    finished = [hypothesis for step in steps for hypothesis in step.finished]
    if settings.samples:
        return finished
    finished.sort(key=lambda hypothesis: hypothesis.final_score(settings.length_penalty), reverse=True)
    if settings.alike:
        seen: Counter[tuple[int, ...]] = Counter()
        rank = []
        for hypothesis in finished:
            rank.append(seen[hypothesis.beginning] >= settings.alike)
            seen[hypothesis.beginning] += 1
        # What is one too many still comes before nothing.
        finished = [h for h, last in sorted(zip(finished, rank, strict=True), key=lambda pair: pair[1])]
    return finished[: settings.returned]


def _beam(constraint: SearchConstraint, settings: Settings, watch: bool) -> SearchCoroutine:
    beams = [Hypothesis(state=constraint.start, group=group) for group in range(settings.groups)]
    scores = yield ScoreRequest()
    assert scores is not None
    scores = scores.expand(len(beams), -1) if len(beams) > 1 else scores
    running: list[Hypothesis] = []
    best: list[float] = []  # of finished verses, the scores of the best so many as are wanted
    repetition = _repetition(constraint, settings)
    number = 0
    while beams:
        number += 1
        # The first row has to offer a token for each beam.
        least = settings.beams if number == 1 else 1
        width = 2 * settings.beams + SPARE
        found = constraint.candidates([beam.state for beam in beams], scores, least, width)
        _ban_repeats(found, beams, settings.no_repeat_ngram)
        _put_off_repeats(found, beams, repetition)
        chosen = _choose(found, beams, settings, constraint)
        running, parents, finished = [], [], []
        for rank, (row, at) in enumerate(chosen):
            ends = found.targets[row, at] == FINISHED
            # As in transformers, a verse ends only from among the best so many; what goes on may come from twice that.
            if (ends and rank >= settings.beams) or (not ends and len(running) == settings.beams):
                continue
            following = _extend(beams[row], found, row, at, scores, constraint, number)
            if ends:
                finished.append(following)
            else:
                running.append(following)
                parents.append(row)
        best = sorted([*best, *(end.final_score(settings.length_penalty) for end in finished)], reverse=True)
        best = best[: settings.beams]
        top_tokens = _top_tokens(constraint, beams, scores, settings) if watch else ()
        yield Step(number, tuple(running), tuple(parents), tuple(finished), top_tokens)
        # Verses that may not begin alike come from all that are still in the making, not from the first to end.
        full = len(best) == settings.beams and not settings.alike
        if not running or (full and not _may_improve(running, best[-1], number, settings)):
            return
        scores = yield ScoreRequest(_rows(parents, number), [beam.tokens[-1] for beam in running])
        assert scores is not None
        beams = running


def _rows(parents: Sequence[int], number: int) -> Sequence[int]:
    """The scorer's rows that hypotheses came from: at first it has only one, whoever shares it."""
    return [0] * len(parents) if number == 1 else parents


def _may_improve(running: Sequence[Hypothesis], worst: float, length: int, settings: Settings) -> bool:
    """Whether a running hypothesis can still beat the worst of the finished ones: transformers' heuristic."""
    return bool(max(beam.score for beam in running) / length**settings.length_penalty > worst)


def _extend(
    beam: Hypothesis,
    found: Candidates,
    row: int,
    at: int,
    scores: torch.Tensor,
    constraint: SearchConstraint,
    number: int,
) -> Hypothesis:
    token, state = int(found.tokens[row, at]), int(found.targets[row, at])
    score = beam.score + float(found.scores[row, at])
    before, after = constraint.facts(beam.state).padas, constraint.facts(state).padas
    reached = tuple(Milestone(pada, number, score) for pada in range(before + 1, after + 1))
    return Hypothesis(
        tokens=(*beam.tokens, token),
        state=state,
        score=score,
        log_probability=beam.log_probability + float(scores[row, token]),
        added=beam.added + float(found.added[row, at]),
        milestones=beam.milestones + reached,
        group=beam.group,
    )


def _ban_repeats(found: Candidates, beams: Sequence[Hypothesis], size: int) -> None:
    """Take out tokens that would repeat an n-gram of their row, unless that would leave the row nothing."""
    if size == 0:
        return
    for row, beam in enumerate(beams):
        tail = beam.tokens[len(beam.tokens) - size + 1 :]
        if len(beam.tokens) + 1 < size:
            continue
        banned = {
            beam.tokens[at + size - 1]
            for at in range(len(beam.tokens) - size + 1)
            if beam.tokens[at : at + size - 1] == tail
        }
        if not banned:
            continue
        hit = np.isin(found.tokens[row], list(banned))
        if np.isfinite(found.scores[row][~hit]).any():
            found.scores[row][hit] = -np.inf


def _put_off_repeats(found: Candidates, beams: Sequence[Hypothesis], repetition: Repetition | None) -> None:
    """Take what repetition costs off tokens that say a word again which their row has already."""
    if repetition:
        for row, beam in enumerate(beams):
            found.scores[row] -= repetition.costs(beam.tokens, found.tokens[row])


def _repetition(constraint: SearchConstraint, settings: Settings) -> Repetition | None:
    if not settings.repetition:
        return None
    return Repetition(constraint.vocabulary, settings.repetition, *constraint.around)


def _choose(
    found: Candidates, beams: Sequence[Hypothesis], settings: Settings, constraint: SearchConstraint
) -> list[tuple[int, int]]:
    """The best continuations over all rows, best first: twice as many as beams, so that enough go on when many end."""
    totals = found.scores + np.array([[beam.score] for beam in beams], np.float32)
    if settings.groups > 1:
        return _choose_diverse(totals, found, beams, settings)
    order = _best_first(totals, (LOOKED_FOR_OTHERS if settings.alike else 2) * settings.beams)
    if settings.alike:
        order = _begin_apart(order, found, beams, settings, constraint)
    return _share_places(order, found, settings, constraint) if settings.synchronous else order


def _best_first(totals: npt.NDArray[np.float32], most: int) -> list[tuple[int, int]]:
    flat = totals.ravel()
    most = min(most, int(np.isfinite(flat).sum()))
    if most == 0:
        return []
    top = np.argpartition(-flat, most - 1)[:most]
    top = top[np.argsort(-flat[top], kind="stable")]
    return [divmod(int(at), totals.shape[1]) for at in top]


def _begin_apart(
    order: list[tuple[int, int]],
    found: Candidates,
    beams: Sequence[Hypothesis],
    settings: Settings,
    constraint: SearchConstraint,
) -> list[tuple[int, int]]:
    """Of those with the same first pāda only the best so many: else, since the likeliest beginning takes all places,
    every candidate is one verse with a word changed, and whoever ranks them has nothing to choose from."""
    known: Counter[tuple[bool, tuple[int, ...]]] = Counter()
    kept = []
    for row, at in order:
        beam, state = beams[row], int(found.targets[row, at])
        beginning = beam.beginning
        if not beginning and constraint.facts(state).padas:
            beginning = (*beam.tokens, int(found.tokens[row, at]))
        known[state == FINISHED, beginning] += 1
        if not beginning or known[state == FINISHED, beginning] <= settings.alike:
            kept.append((row, at))
    return kept


def _share_places(
    order: list[tuple[int, int]], found: Candidates, settings: Settings, constraint: SearchConstraint
) -> list[tuple[int, int]]:
    """Hypotheses at one step stand at different pādas, and who is further on has spent more. So they are compared with
    their equals: places go round among the pāda counts, best first in each, until all are given."""
    by_padas: dict[int, list[tuple[int, int]]] = {}
    ends = []
    for row, at in order:
        state = int(found.targets[row, at])
        if state == FINISHED:
            ends.append((row, at))
        else:
            by_padas.setdefault(constraint.facts(state).padas, []).append((row, at))
    shared: list[tuple[int, int]] = []
    while len(shared) < settings.beams and any(by_padas.values()):
        shared += [waiting.pop(0) for waiting in by_padas.values() if waiting]
    return ends + shared


def _choose_diverse(
    totals: npt.NDArray[np.float32], found: Candidates, beams: Sequence[Hypothesis], settings: Settings
) -> list[tuple[int, int]]:
    """Group after group, each group putting off the tokens that those before it have chosen in this step."""
    places = [settings.beams // settings.groups + (group < settings.beams % settings.groups)
              for group in range(settings.groups)]  # fmt: skip
    taken = np.zeros(int(found.tokens.max()) + 1, np.float32)  # how often each token was chosen
    chosen: list[tuple[int, int]] = []
    for group, most in enumerate(places):
        rows = [row for row, beam in enumerate(beams) if beam.group == group]
        if not rows:
            continue
        put_off = settings.diversity * taken[found.tokens[rows]]
        picked = [(rows[row], at) for row, at in _best_first(totals[rows] - put_off, 2 * most)]
        ends = [(row, at) for row, at in picked if found.targets[row, at] == FINISHED]
        goes_on = [(row, at) for row, at in picked if found.targets[row, at] != FINISHED][:most]
        for row, at in goes_on:
            taken[found.tokens[row, at]] += 1
        chosen += ends + goes_on
    return chosen


def _sample(constraint: SearchConstraint, settings: Settings, watch: bool) -> SearchCoroutine:
    """Verses drawn at random under the mask, all at once; the same seed draws the same verses."""
    chance = np.random.default_rng(settings.seed)
    rows = [Hypothesis(state=constraint.start) for _ in range(settings.samples)]
    scores = yield ScoreRequest()
    assert scores is not None
    scores = scores.expand(settings.samples, -1)
    repetition = _repetition(constraint, settings)
    number = 0
    while rows:
        number += 1
        found = constraint.candidates([row.state for row in rows], scores, width=SAMPLED_FROM)
        _ban_repeats(found, rows, settings.no_repeat_ngram)
        _put_off_repeats(found, rows, repetition)
        running, parents, finished = [], [], []
        for row, beam in enumerate(rows):
            at = _draw(found.scores[row] / settings.temperature, chance)
            following = _extend(beam, found, row, at, scores, constraint, number)
            if following.state == FINISHED:
                finished.append(following)
            else:
                running.append(following)
                parents.append(row)
        top_tokens = _top_tokens(constraint, rows, scores, settings) if watch else ()
        yield Step(number, tuple(running), tuple(parents), tuple(finished), top_tokens)
        if running:
            scores = yield ScoreRequest(_rows(parents, number), [row.tokens[-1] for row in running])
            assert scores is not None
        rows = running


def _draw(scores: npt.NDArray[np.float32], chance: np.random.Generator) -> int:
    weights = np.exp((scores - scores.max()).astype(np.float64))
    return int(chance.choice(len(weights), p=weights / weights.sum()))


def _top_tokens(
    constraint: SearchConstraint, beams: Sequence[Hypothesis], scores: torch.Tensor, settings: Settings
) -> tuple[TopTokens, ...]:
    return tuple(constraint.top_tokens([beam.state for beam in beams], scores, settings.top_k or WATCHED_TOKENS))
