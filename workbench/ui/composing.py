"""What happens when a person presses Compose: the work behind the tab, as streams of what it shows.

Draws nothing itself: a press becomes Shown objects, of which the tab places the parts that changed. Errors become
sentences here; the log has the traceback.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import wraps
from typing import Any

import gradio as gr

from workbench import composer
from workbench.ui import beams, strings, verse
from workbench.ui.choices import Choices
from workbench.ui.running import Ticket, Tickets, newest

log = logging.getLogger(__name__)

EVERY = 0.2  # seconds between two pictures of a search: a browser on the same machine takes its share to draw each
TICKETS = Tickets()
PREPARING = threading.Lock()
EXPECTED = (composer.ProseError, composer.ModelError, composer.SettingsError, composer.UnknownMetre)


@dataclass(frozen=True)
class Kept:
    """A finished composition, as the page keeps it for other scripts, other candidates, and the Beams tab."""

    composition: dict[str, Any]
    trace: dict[str, Any]
    link: str = ""
    model: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    verses: tuple[composer.Verse, ...] = ()  # of the candidates

    def verse(self, at: int, to: str) -> dict[str, Any]:
        return verse.chosen_verse(self.composition, self.verses, at, to)

    def table(self, at: int, to: str) -> dict[str, Any]:
        return verse.table(self.composition, self.verses, at, to)

    def meaning(self, at: int) -> dict[str, Any]:
        candidates = self.composition["candidates"]
        return verse.meaning(candidates[at]) if candidates else verse.NO_SCORE


@dataclass(frozen=True)
class Shown:
    """One picture: a line with the beams under it while the search runs, then what came of it."""

    live: dict[str, Any]
    kept: Kept | None = None
    error: str = ""


def compose(choices: Choices, session: str) -> Iterator[Shown]:
    """Compose for a session; the last picture has the result or a sentence."""
    ticket = TICKETS.find(session) or TICKETS.draw(session)
    try:
        yield from _compose(choices, ticket)
    finally:
        TICKETS.done(session, ticket)


def compare(one: Choices, other: Choices, session: str) -> Iterator[tuple[Shown, Shown | None]]:
    """Compose under two settings, one after the other."""
    ticket = TICKETS.find(session) or TICKETS.draw(session)
    try:
        first = Shown(beams.NOT_LIVE)
        for first in _compose(one, ticket, strings.COMPARED[0] + ": "):
            yield first, None
        if first.error or ticket.stopped:
            return
        for second in _compose(other, ticket, strings.COMPARED[1] + ": "):
            yield first, second
    finally:
        TICKETS.done(session, ticket)


def _compose(choices: Choices, ticket: Ticket, before: str = "") -> Iterator[Shown]:
    try:
        composing = composer.compose(choices.prose, choices.settings(), choices.model)
        ticket.take(composing.cancel)
        seen = {"metre": choices.metre, "script": composing.settings.script, "settings": {"beta": choices.beta}}
        with closing(newest(composing, composing.cancel, EVERY)) as events:
            for event in events:
                if event["kind"] == "progress":
                    yield Shown(beams.live_view(before + event["sentence"], None, choices.script))
                    continue
                search = strings.SEARCH_DRAWS if event["search"] == "draws" else strings.SEARCH_BEAMS
                line = before + strings.STEP.format(search=search, step=event["number"])
                yield Shown(beams.live_view(line, {**seen, "steps": [event]}, choices.script))
        done = composing.composition
        trace = {"prose": done.prose, "signature": done.signature, **done.trace}
        made = done.as_json(choices.script)
        verses = tuple(candidate.verse for candidate in done.candidates)
        kept = Kept(made, trace, choices.link(), composing.model.name, asdict(done.settings), verses)
        yield Shown(beams.NOT_LIVE, kept)
    except EXPECTED as error:
        yield Shown(beams.NOT_LIVE, error=str(error))
    except Exception:  # whatever it is, the page gets a sentence and the log the traceback
        log.exception("composing failed for %r", choices.prose[:200])
        yield Shown(beams.NOT_LIVE, error=strings.UNEXPECTED)


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


def told(call: Callable[..., Any]) -> Callable[..., Any]:
    """A call of the API whose errors are sentences for whoever called."""

    @wraps(call)
    def careful(*given: Any, **named: Any) -> Any:
        try:
            return call(*given, **named)
        except (*EXPECTED, composer.JudgeError, composer.ReadingError) as error:
            raise gr.Error(str(error), print_exception=False) from error

    return careful


@told
def compose_api(
    prose: str,
    model: str = Choices.model,
    metre: str = Choices.metre,
    script: str = Choices.script,
    beta: float = Choices.beta,
    beams: int = Choices.beams,
    top_k: int = Choices.top_k,
    yati: str = Choices.yati,
    mode: str = Choices.mode,
    draws: int = Choices.draws,
    temperature: float = Choices.temperature,
    guidance: float = Choices.guidance,
    seed: int = Choices.seed,
) -> dict[str, Any]:
    """Compose a Sanskrit verse that says what English prose says, in a metre, perfect by construction.

    Args:
        prose: One or two sentences of English.
        model: A generator by name.
        metre: anuṣṭubh, vasantatilakā, ...; diacritics may be left out.
        script: To write in: devanagari, iast, slp1, ...
        beta: What a completed pāda is worth in the search.
        beams: How many verses are grown side by side.
        top_k: Tokens looked at in each step; 0 for the whole vocabulary.
        yati: none, prefer or require: words end where pādas do.
        mode: pingala, cd (mask only), free (no metre) or paper (the paper's own steps).
        draws: Verses drawn at random beside the beams.
        temperature: Of the draws.
        guidance: How far to move away from what would be said without the prose.
        seed: Of the draws.

    Returns:
        Verse, candidates, notes, timings and a signature, as `python -m workbench compose --json` prints them.
    """
    choices = Choices(
        prose, model, metre, script, beta, beams, top_k, yati, mode, draws=draws, temperature=temperature,
        guidance=guidance, seed=seed,
    )  # fmt: skip
    if script not in composer.SCRIPTS:
        raise composer.SettingsError(f"Expected script to be one of {', '.join(composer.SCRIPTS)}; got {script!r}.")
    composing = composer.compose(prose, choices.settings(), model, watch=False)
    for _ in composing:
        pass
    return composing.composition.as_json(script)


@told
def score_api(pairs: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Say how far Sanskrit verses say what English prose says.

    Args:
        pairs: Objects {"en": English prose, "sa": verse in any script}.

    Returns:
        For each pair {"bi", "cross", "calibrated"}, or {"error"} with a sentence.
    """
    if not isinstance(pairs, list) or not all(isinstance(pair, dict) and {"en", "sa"} <= set(pair) for pair in pairs):
        raise composer.SettingsError('Expected a list of objects {"en": ..., "sa": ...}.')
    said = composer.score([(str(pair["en"]), str(pair["sa"])) for pair in pairs])
    return [{"error": one} if isinstance(one, str) else one for one in said]
