"""Prose becomes verses: loads, searches, chooses, ranks, and tells of each as it goes. Through the composer's door.

One piece of prose or several together, which a machine does faster than one by one: the same work either way. Knows
generators, searches and judges by what they promise; what is heavy is loaded when a verse is first asked for.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.composition import Composition, Ranked
from workbench.corpora import signature
from workbench.decoding.settings import HOUSE, Settings
from workbench.decoding.wishing import Wish, read_wishes, wished_automaton
from workbench.models.entries import find_entry
from workbench.semantics import JudgeDamaged, JudgeError
from workbench.wording import read_prose

if TYPE_CHECKING:
    from workbench.decoding.decode import Decoding
    from workbench.models.generator import Generator

NO_JUDGE = "No judge of meaning is at hand: the verses stand in the generator's order."
STOPPED = "The search was stopped before its end."
OVERTIME = "The search took longer than {seconds:g} seconds, which is as long as it may, and was stopped."


@dataclass
class PendingProse:
    """One piece of prose on its way."""

    prose: str
    notes: tuple[str, ...]
    decodings: list[Decoding] = field(default_factory=list)
    ranked: tuple[Ranked, ...] = ()
    ranked_by: str = ""  # name and hash of the judge that ranked
    steps: int = 0


class Composing:
    """Compositions under way: iterate for their events, then read `compositions`, or of one `composition`.

    An event is a JSON object: {"kind": "progress", "sentence": ...} while something loads or is weighed, and
    {"kind": "step", "search": ..., "prose": which, ...} for every step of a search. Between two events it can be
    cancelled; what was whole by then can still be read.
    """

    def __init__(
        self,
        proses: Sequence[str],
        settings: Settings,
        model: str,
        watch: bool = True,
        wishes: Sequence[str | Wish] = (),
        seconds: float | None = None,
    ) -> None:
        self._watch = watch
        self._seconds = seconds  # that the searches may take
        self._overtime = False
        self._pieces = [PendingProse(*read_prose(prose)) for prose in proses]
        self.model = find_entry(model)
        self.settings = settings.but(script=self.model.script)
        self.wishes = read_wishes(wishes)
        if self.wishes:
            wished_automaton(self.settings, self.wishes)  # what cannot be kept is refused before anything is loaded
        self._identity = self.model.name
        self._timings: dict[str, float] = {}
        self._cancelled = False

    def __iter__(self) -> Iterator[dict[str, Any]]:
        began = time.perf_counter()
        yield {"kind": "progress", "sentence": f"Loading the generator {self.model.name} ({self.model.size})."}
        from workbench.models.loading import loaded_generator

        writer = loaded_generator(self.model.name)
        loaded = time.perf_counter()
        yield from self._search(writer)
        composed = time.perf_counter()
        for piece in self._pieces:
            yield from self._choose(piece)
        weighed = time.perf_counter()
        each = len(self._pieces)
        self._timings = {
            "loading": loaded - began, "composing": (composed - loaded) / each, "weighing": (weighed - composed) / each,
        }  # fmt: skip

    def _search(self, writer: Generator) -> Iterator[dict[str, Any]]:
        from workbench.decoding.decode import decode_together

        self._identity = writer.identity
        ends = math.inf if self._seconds is None else time.monotonic() + self._seconds
        metre = self.settings.found_metre().name
        prompts = [writer.read(piece.prose, metre) for piece in self._pieces]
        for piece, prompt in zip(self._pieces, prompts, strict=True):
            piece.notes += prompt.notes
        for settings in self.settings.searches():
            scorer = writer.scorer(prompts, settings.guidance, metre)
            decodings, events = decode_together(
                scorer, len(prompts), writer.tokenizer, settings, writer.eos_token_id, self._watch, self.wishes
            )
            for piece, decoding in zip(self._pieces, decodings, strict=True):
                piece.decodings.append(decoding)
            for at, event in events:
                self._pieces[at].steps += 1
                yield {"kind": "step", "search": "draws" if settings.samples else "beams", "prose": at, **event}
                if time.monotonic() > ends:
                    self._cancelled = self._overtime = True
                if self._cancelled:
                    return

    def _choose(self, piece: PendingProse) -> Iterator[dict[str, Any]]:
        """What the searches found, in the order it is shown in."""
        from workbench.decoding.decode import choose

        found = [Ranked(candidate) for candidate in choose(piece.decodings)]
        piece.ranked = tuple(found)
        if self.settings.rank == "meaning" and not self._cancelled and len(found) > 1 and found[0].candidate.full:
            yield {"kind": "progress", "sentence": f"Weighing what {len(found)} verses say."}
            self._rank_by_meaning(piece, found)

    @staticmethod
    def _rank_by_meaning(piece: PendingProse, found: Sequence[Ranked]) -> None:
        """Metre first, then meaning as calibrated, then the model's own probability."""
        from workbench.semantics.judges import judges

        full = [each.candidate for each in found if each.candidate.full]
        try:
            scores = judges().weigh([piece.prose] * len(full), [candidate.verse for candidate in full])
        except JudgeError as error:
            piece.notes += (NO_JUDGE, *([str(error)] if isinstance(error, JudgeDamaged) else []))
            return
        piece.ranked_by = judges().ranked_by
        piece.notes += (judges().calibration_fault,) if judges().calibration_fault else ()
        weighed = sorted(map(Ranked, full, scores), key=lambda each: each.order, reverse=True)
        piece.ranked = (*weighed, *(each for each in found if not each.candidate.full))

    def cancel(self) -> None:
        """Stop after the step under way."""
        self._cancelled = True

    @property
    def compositions(self) -> list[Composition]:
        return [self._composition(piece) for piece in self._pieces]

    @property
    def composition(self) -> Composition:
        """Of one piece of prose."""
        (only,) = self.compositions
        return only

    def _stopped(self) -> tuple[str, ...]:
        """Why the searches did not come to their end, if they did not."""
        if self._overtime:
            return (OVERTIME.format(seconds=self._seconds),)
        return (STOPPED,) if self._cancelled else ()

    def _composition(self, piece: PendingProse) -> Composition:
        traces = [decoding.document for decoding in piece.decodings]
        timings = {name: round(value, 3) for name, value in self._timings.items()}
        return Composition(
            piece.prose,
            self.settings,
            piece.ranked,
            (*piece.notes, *self._stopped()),
            {**timings, "steps": piece.steps} if timings else {},
            compose_signature(" | ".join(filter(None, (self._identity, piece.ranked_by))), self.settings, self.wishes),
            {**traces[0], **({"draws": traces[1]} if len(traces) > 1 else {})} if traces else {},
            self.wishes,
        )


def compose_signature(identity: str, settings: Settings, wishes: Sequence[Wish] = ()) -> str:
    """Which generator, which settings, which wishes if any, which versions: what goes with every verse and every figure
    about verses."""
    values = [f"{name}={value}" for name, value in settings.recorded().items() if name not in ("metre", "script")]
    metre = f"metre={settings.found_metre().name}"
    asked = [f"wishes={'; '.join(wish.line for wish in wishes)}"] if wishes else []
    return " | ".join([identity, ", ".join([metre, *values]), *asked, signature(packages=("torch", "transformers"))])


def compose(
    prose: str,
    settings: Settings = HOUSE,
    model: str = "embedded",
    watch: bool = True,
    wishes: Sequence[str | Wish] = (),
    seconds: float | None = None,
) -> Composing:
    """Begin to compose; unwatched, without the trace, which costs time; stopped after so many seconds of search, if
    any are said. Wishes, beside the metre, are lines such as "given 4:..." or Wish objects. ProseError, WishError and
    ModelError carry a sentence for the person who asked."""
    return Composing([prose], settings, model, watch, wishes, seconds)


def compose_together(
    proses: Sequence[str], settings: Settings = HOUSE, model: str = "embedded", wishes: Sequence[str | Wish] = ()
) -> list[Composition]:
    """Several pieces of prose at once, unwatched, from beginning to end."""
    composing = Composing(proses, settings, model, watch=False, wishes=wishes)
    if proses:
        for _ in composing:
            pass
    return composing.compositions
