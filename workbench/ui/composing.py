"""What happens when a person presses Compose: the work behind the tab, as streams of what it shows.

Draws nothing itself: a press becomes PageState objects, of which the tab places the parts that changed. Errors become
sentences here; the log has the traceback.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Collection, Iterator
from contextlib import aclosing, closing
from dataclasses import dataclass, field
from inspect import Parameter, Signature
from typing import Any, TypeVar

from workbench import composer
from workbench.ui import beams, limits, strings, verse
from workbench.ui.choices import NAMES, OFFERED, Choices
from workbench.ui.lines import CURRENT, Line, LineFull, pictures
from workbench.ui.refusing import for_programs, sentence_for
from workbench.ui.running import Ticket, Tickets, newest

log = logging.getLogger(__name__)

Made = TypeVar("Made")
EVERY = 0.2  # seconds between two pictures of a search: a browser on the same machine takes its share to draw each
TICKETS = Tickets()
# One composition takes all the machine has; a person's and a program's share it, and neither waits for the other.
PEOPLE, PROGRAMS = Line(slots=1, places=30, usual=10.0), Line(slots=1, places=20, usual=10.0)
SCORING = Line(slots=1, places=20, usual=5.0)
PREPARING = threading.Lock()
MOST_DOUBTS = 200  # sessions of which it is known what they were asked; a forgotten one is asked again


class Doubts:
    """What each session was asked about: prose that does not read as English is composed when it is asked for again."""

    def __init__(self) -> None:
        self._asked: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def about(self, session: str, prose: str) -> str:
        """A sentence to think about, the first time."""
        with self._lock:
            if self._asked.pop(session, None) == prose:
                return ""
        try:
            doubt = composer.doubt(prose)
        except Exception:  # whoever doubts may fail; the verse is composed all the same
            log.exception("doubting %d characters of prose", len(prose))
            return ""
        if doubt:
            with self._lock:
                self._asked[session] = prose
                while len(self._asked) > MOST_DOUBTS:
                    self._asked.popitem(last=False)
        return doubt


DOUBTS = Doubts()


@dataclass(frozen=True)
class FinishedComposition:
    """A finished composition, as the page keeps it for other scripts, other candidates, and the Beams tab."""

    composition: dict[str, Any]
    trace: dict[str, Any]
    link: str = ""
    model: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    verses: tuple[composer.Verse, ...] = ()  # of the candidates

    def verse(
        self, at: int, to: str, locks: Collection[int] = (), panel: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        return verse.chosen_verse(self.composition, self.verses, at, to, locks, panel)

    def table(self, at: int, to: str) -> dict[str, Any]:
        return verse.table(self.composition, self.verses, at, to)

    def meaning(self, at: int) -> dict[str, Any]:
        candidates = self.composition["candidates"]
        return verse.meaning(candidates[at]) if candidates else verse.NO_SCORE


@dataclass(frozen=True)
class PageState:
    """One picture: a line with the beams under it while the search runs, then what came of it."""

    live: dict[str, Any]
    kept: FinishedComposition | None = None
    error: str = ""
    stopped: str = ""  # what a person's Stop came to; the verse that was there stays


def compose(choices: Choices, session: str) -> Iterator[PageState]:
    """Compose for a session; the last picture has the result or a sentence."""
    ticket = TICKETS.find(session) or TICKETS.draw(session)
    try:
        if doubt := DOUBTS.about(session, choices.prose):
            yield PageState(beams.NOT_LIVE, stopped=strings.COMPOSE_ALL_THE_SAME.format(doubt=doubt))
            return
        yield from _compose(choices, ticket)
    finally:
        TICKETS.done(session, ticket)


async def in_line(
    session: str, work: Callable[[], Iterator[Made]], picture: Callable[[PageState], Made]
) -> AsyncGenerator[Made, None]:
    """What comes of work for a session once it is its turn; until then its place in line. `picture` makes of a state
    what the work gives."""
    ticket = TICKETS.find(session) or TICKETS.draw(session)
    try:
        place = PEOPLE.join()
    except LineFull as full:
        TICKETS.done(session, ticket)
        yield picture(PageState(beams.NOT_LIVE, error=str(full)))
        return
    began = False
    try:
        async for waiting in place.turn(ticket):
            line = strings.PLACE_IN_LINE.format(place=waiting.number, seconds=waiting.seconds)
            yield picture(PageState(beams.live_view(line, None, Choices.script)))
        if ticket.stopped:
            yield picture(PageState(beams.NOT_LIVE, stopped=strings.STOPPED_WAITING))
            return
        began = True  # from here on the work itself says that it is over
        async with aclosing(pictures(PEOPLE, place, work())) as making:
            async for made in making:
                yield made
    finally:
        if not began:
            place.leave()
            TICKETS.done(session, ticket)


def refused(error: Exception, session: str) -> PageState:
    """The picture of choices that cannot be: nobody waits for them any more."""
    if ticket := TICKETS.find(session):
        TICKETS.done(session, ticket)
    return PageState(beams.NOT_LIVE, error=str(error))


def compare(one: Choices, other: Choices, session: str) -> Iterator[tuple[PageState, PageState | None]]:
    """Compose under two settings, one after the other."""
    ticket = TICKETS.find(session) or TICKETS.draw(session)
    try:
        first = PageState(beams.NOT_LIVE)
        for first in _compose(one, ticket, strings.COMPARED[0] + ": "):
            yield first, None
        if first.error or first.stopped:
            return
        for second in _compose(other, ticket, strings.COMPARED[1] + ": "):
            yield first, second
    finally:
        TICKETS.done(session, ticket)


def _compose(choices: Choices, ticket: Ticket, before: str = "") -> Iterator[PageState]:
    try:
        limits.check_memory()
        settings = choices.settings
        composing = composer.compose(
            choices.prose, settings, choices.model, wishes=choices.wishes, seconds=limits.seconds()
        )
        ticket.take(composing.cancel)
        seen = {
            "metre": settings.found_metre().name,
            "script": composing.settings.script,
            "settings": {"beta": settings.beta},
        }
        with closing(newest(composing, composing.cancel, EVERY)) as events:
            for event in events:
                if event["kind"] == "progress":
                    yield PageState(beams.live_view(before + event["sentence"], None, choices.script))
                    continue
                search = strings.SEARCH_DRAWS if event["search"] == "draws" else strings.SEARCH_BEAMS
                line = before + strings.STEP.format(search=search, step=event["number"])
                yield PageState(beams.live_view(line, {**seen, "steps": [event]}, choices.script))
        made = composing.composition
        if ticket.stopped and "draws" not in made.trace:  # beams that came to their end before are worth showing
            yield PageState(beams.NOT_LIVE, stopped=_how_far(made.trace))
        else:
            yield PageState(beams.NOT_LIVE, finished(made, choices, composing.model.name))
    except Exception as error:
        yield PageState(
            beams.NOT_LIVE, error=sentence_for(error, f"composing for {len(choices.prose)} characters of prose")
        )


def _how_far(trace: dict[str, Any]) -> str:
    """Where a search was stopped, and how many steps it would have taken at the pace of its best beam so far."""
    steps = trace.get("steps", ())
    beams_then = steps[-1]["beams"] if steps else ()
    if not beams_then:
        return strings.STOPPED_AT.format(step=len(steps)) if steps else strings.STOPPED_WAITING
    rows = composer.unfinished_padas(beams_then[0], trace["metre"], trace["script"])
    done = sum(len(row["syllables"]) for row in rows)
    of = done + sum(len(row["to_come"]) for row in rows)
    about = max(len(steps), round(len(steps) * of / max(1, done)))
    return strings.STOPPED_AT_OF.format(step=len(steps), about=about)


def finished(done: composer.Composition, choices: Choices, model: str) -> FinishedComposition:
    """What came of choices, for the page to keep."""
    trace = {"prose": done.prose, "signature": done.signature, **done.trace}
    made = done.as_json(choices.script)
    verses = tuple(candidate.verse for candidate in done.candidates)
    return FinishedComposition(made, trace, choices.link(), model, done.settings.recorded(), verses)


def prepare(model: str) -> None:
    """Somebody is about to write: what they will need loads meanwhile. Once for all who come at the same time."""
    if not PREPARING.acquire(blocking=False):
        return
    try:
        composer.prepare(model)
    except Exception:  # composing itself says it in a sentence
        log.warning("%s could not be prepared", model, exc_info=True)
    finally:
        PREPARING.release()


def _arguments() -> Signature:
    """Everything that the page offers, as arguments of a call: names, types, defaults."""
    usual = {**Choices().controls(), "prose": Parameter.empty}
    types: dict[str, Any] = {name: OFFERED[name].type if name in OFFERED else str for name in NAMES}
    types["wishes"] = list[str]
    kind = Parameter.POSITIONAL_OR_KEYWORD
    named = [Parameter(name, kind, default=usual[name], annotation=types[name]) for name in NAMES]
    return Signature(named, return_annotation=dict[str, Any])


COMPOSE = _arguments()


@for_programs
def compose_api(*given: Any, **named: Any) -> dict[str, Any]:
    """Compose a Sanskrit verse that says what English prose says, in a metre, perfect by construction."""
    choices = Choices().but(COMPOSE.bind(*given, **named).arguments)
    limits.check_memory()
    composing = composer.compose(
        choices.prose, choices.settings, choices.model, watch=False, wishes=choices.wishes, seconds=limits.seconds()
    )
    if ticket := CURRENT.get():
        ticket.take(composing.cancel)
    for _ in composing:
        pass
    return composing.composition.as_json(choices.script)


# Gradio makes the endpoint, and the tool for assistants, of signature, annotations and docstring.
compose_api.__signature__ = COMPOSE  # type: ignore[attr-defined]
compose_api.__annotations__ = {name: each.annotation for name, each in COMPOSE.parameters.items()}
compose_api.__annotations__["return"] = COMPOSE.return_annotation
_words = {name: strings.CALLED.get(name) or OFFERED[name].about for name in NAMES}
compose_api.__doc__ = "\n".join([
    str(compose_api.__doc__), "", "Args:", *(f"    {name}: {said}" for name, said in _words.items()), "", "Returns:",
    "    Verse, candidates, notes, timings and a signature, as `python -m workbench compose --json` prints them.",
])  # fmt: skip


@for_programs
def score_api(pairs: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Say how far Sanskrit verses say what English prose says.

    Args:
        pairs: Objects {"en": English prose, "sa": verse in any script}, at most a hundred.

    Returns:
        For each pair the score of every judge by its name, and "calibrated"; or {"error"} with a sentence.
    """
    if not isinstance(pairs, list) or not all(isinstance(pair, dict) and {"en", "sa"} <= set(pair) for pair in pairs):
        raise composer.SettingsError('Expected a list of objects {"en": ..., "sa": ...}; got something else.')
    if len(pairs) > limits.MOST_PAIRS:
        raise composer.SettingsError(f"Expected at most {limits.MOST_PAIRS} pairs at once; got {len(pairs):,}.")
    said = composer.score([(str(pair["en"]), str(pair["sa"])) for pair in pairs])
    return [{"error": one} if isinstance(one, str) else one for one in said]
