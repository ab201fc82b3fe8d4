"""One call that decodes: a model's scores, a tokenizer and settings in; an event a step, then the candidates, out.

decoding = decode(scorer, tokenizer, settings)
for event in decoding:      # stop reading, and it stops between two steps
    draw(event)
decoding.candidates         # the chosen verse first
decoding.document           # the whole trace as JSON

`decode_together` does it for several prompts at once.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from workbench.decoding.constraint import Constraint, SearchConstraint
from workbench.decoding.free import FreeConstraint
from workbench.decoding.paper import PaperConstraint
from workbench.decoding.scorer import BatchScorer, Scorer
from workbench.decoding.search import Hypothesis, Step, results, search, search_together
from workbench.decoding.selection import Candidate, select
from workbench.decoding.settings import Settings
from workbench.decoding.trace import Tracer
from workbench.decoding.wishing import Wish, wished_automaton


def make_constraint(
    tokenizer: Any, settings: Settings, eos_token_id: int | Sequence[int] | None = None, wishes: Sequence[Wish] = ()
) -> SearchConstraint:
    """The constraint that settings and wishes ask for. WishError says which wish cannot be kept."""
    if wishes:
        return Constraint(tokenizer, settings, eos_token_id, wished_automaton(settings, wishes))
    kind: Any = {"paper": PaperConstraint, "free": FreeConstraint}.get(settings.mode, Constraint)
    constraint: SearchConstraint = kind(tokenizer, settings, eos_token_id)
    return constraint


class Decoding:
    """A search under way, alone or one of several. Alone, iterate for its events; then read what it found."""

    def __init__(
        self,
        constraint: SearchConstraint,
        settings: Settings,
        watch: bool,
        steps: Generator[Step, None, None] | None = None,
    ) -> None:
        self.constraint = constraint
        self.settings = settings
        self._tracer = Tracer(constraint, settings)
        self._search = steps
        self._watch = watch
        self._steps: list[Step] = []

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self.take, self._search or ())

    def take(self, step: Step) -> dict[str, Any]:
        """A step of the search, as an event."""
        self._steps.append(Step(step.number, (), (), step.finished))  # only what ended is needed again
        return self._tracer.event(step) if self._watch else {"number": step.number}

    def cancel(self) -> None:
        """Stop; what has ended by now can still be read."""
        if self._search:
            self._search.close()

    @property
    def candidates(self) -> list[Candidate]:
        return choose([self])

    @property
    def found(self) -> list[Hypothesis]:
        """The finished verses, in the search's order."""
        return results(self._steps, self.settings)

    @property
    def document(self) -> dict[str, Any]:
        return self._tracer.document()


def choose(decodings: Sequence[Decoding]) -> list[Candidate]:
    """The candidates of one search, or of several for the same prose, the chosen one first."""
    first = decodings[0]
    return select(
        [hypothesis for decoding in decodings for hypothesis in decoding.found],
        first.constraint.vocabulary,
        first.constraint.metre,
        first.settings.script,
        first.settings.length_penalty,
        first.settings.alpha,
        first.settings.gamma,
    )


def decode(
    scorer: Scorer,
    tokenizer: Any,
    settings: Settings,
    eos_token_id: int | None = None,
    watch: bool = True,
    wishes: Sequence[Wish] = (),
) -> Decoding:
    """Start decoding; nothing is computed before the first event is asked for. Unwatched, events are only counted and
    the trace stays empty."""
    constraint = make_constraint(tokenizer, settings, eos_token_id, wishes)
    return Decoding(constraint, settings, watch, search(scorer, constraint, settings, watch))


def decode_together(
    scorer: BatchScorer,
    number: int,
    tokenizer: Any,
    settings: Settings,
    eos_token_id: int | None = None,
    watch: bool = False,
    wishes: Sequence[Wish] = (),
) -> tuple[list[Decoding], Iterator[tuple[int, dict[str, Any]]]]:
    """As many decodings as the scorer has prompts, and their events as they come, each with the number of its prompt.
    Whoever stops reading them stops all."""
    constraint = make_constraint(tokenizer, settings, eos_token_id, wishes)
    decodings = [Decoding(constraint, settings, watch) for _ in range(number)]
    steps = search_together(scorer, constraint, settings, number, watch)
    return decodings, ((at, decodings[at].take(step)) for at, step in steps)
