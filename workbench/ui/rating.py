"""A rater at work, as the Rate tab and programs see it: every call says who it is and gets the next screen as data.

A screen has prose, verse, grid, questions, the rater's own answers and how far they have come; systems, gold answers
and other people's ratings never come near it. What is refused comes back as a sentence, and nothing is entered then.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any

import gradio as gr
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from workbench import composer
from workbench.ratings import kinds, raters, session
from workbench.ratings.questions import Question
from workbench.ratings.raters import Rater
from workbench.ratings.session import Progress, RaterSession, ShownItem, Visit
from workbench.ratings.texts import RatingError, shown, text
from workbench.ratings.tokens import NoEntry, TooMany
from workbench.ui import rating_strings as strings
from workbench.ui.database import LIMITER, engine, place
from workbench.ui.grid import verse_data
from workbench.ui.refusing import sentence_for
from workbench.ui.verse import one_scan

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

log = logging.getLogger(__name__)

SCRIPT = "devanagari"
LONGEST = 200  # characters of a study's number or a token
# Calls at work at once. Python lets one at a time compute, so more would only hold the database's locks for longer.
TURNS = threading.BoundedSemaphore(4)
THREADS = ThreadPoolExecutor(4, thread_name_prefix="rating")
PATIENCE = 10.0  # seconds, after which a call is answered all the same; sent again, its key counts it once
Screen = dict[str, Any]
EMPTY: Screen = {
    "error": "", "closed": False, "saved": 0, "door": False, "consent": False, "rate": False, "done": "", "study": "",
    "retry": False, "rater": "", "questions": [], "showing": None, "progress": None, "nudge": "", "script": SCRIPT,
}  # fmt: skip


def rate_show(
    study: str,
    token: str,
    position: int = 0,
    script: str = SCRIPT,
    request: gr.Request | None = None,
    profile: gr.OAuthProfile | None = None,
) -> Screen:
    """Show a rater their next verse, or one they have had.

    Args:
        study: The study's number.
        token: The rater's own, from the invitation; empty for those who are logged in at Hugging Face.
        position: Which verse in the rater's order, from 1; 0 for the next unrated one, then for the first one skipped.
        script: The script the Sanskrit is written in.

    Returns:
        The screen: consent (asked once, before anything is shown), showing with prose, verse, words and the rater's own
        answers, questions with their rubrics, progress; or error, a sentence, and closed where the token opens nothing.
    """

    def look(desk: RaterSession) -> ShownItem | None:
        if not desk.rater.consented:
            return None
        return desk.resume() if position == 0 else desk.show(position)

    return _handle(study, token, script, look, request, profile, writing=False)


def rate_consent(
    study: str,
    token: str,
    background: dict[str, Any],
    script: str = SCRIPT,
    request: gr.Request | None = None,
    profile: gr.OAuthProfile | None = None,
) -> Screen:
    """Give a rater's consent and what they say of themselves; then show the first verse. It is asked once.

    Args:
        study: The study's number.
        token: The rater's own.
        background: What they say of themselves, such as {"training": "student"}.
        script: The script the Sanskrit is written in.

    Returns:
        The screen, as rate_show gives it.
    """

    def agree(desk: RaterSession) -> ShownItem | None:
        desk.consent(background)
        return desk.proceed()

    return _handle(study, token, script, agree, request, profile)


def rate_submit(
    study: str,
    token: str,
    position: int,
    answers: dict[str, Any],
    key: str,
    script: str = SCRIPT,
    request: gr.Request | None = None,
    profile: gr.OAuthProfile | None = None,
) -> Screen:
    """Enter a rating, or change one; then show the next unrated verse. Once `saved` comes back, it is kept for good.

    Args:
        study: The study's number.
        token: The rater's own.
        position: Of the verse that is rated, in the rater's order.
        answers: By question; a question not named stays as it was, and null takes an answer back.
        key: 8 to 64 letters and digits that the sender made up for this submission: sent again with it, it counts once.
        script: The script the Sanskrit is written in.

    Returns:
        The next screen, as rate_show gives it, with saved, the position that was entered.
    """

    def submit(desk: RaterSession) -> ShownItem | None:
        desk.submit(position, answers, key)
        return desk.proceed()

    return _handle(study, token, script, submit, request, profile)


def rate_skip(
    study: str,
    token: str,
    position: int,
    key: str,
    script: str = SCRIPT,
    request: gr.Request | None = None,
    profile: gr.OAuthProfile | None = None,
) -> Screen:
    """Pass over a verse; it can be rated later. Then show the next unrated one.

    Args:
        study: The study's number.
        token: The rater's own.
        position: Of the verse, in the rater's order.
        key: As in rate_submit.
        script: The script the Sanskrit is written in.

    Returns:
        The next screen, with saved.
    """

    def skip(desk: RaterSession) -> ShownItem | None:
        desk.skip(position, key)
        return desk.proceed()

    return _handle(study, token, script, skip, request, profile)


def rate_undo(
    study: str,
    token: str,
    key: str,
    script: str = SCRIPT,
    request: gr.Request | None = None,
    profile: gr.OAuthProfile | None = None,
) -> Screen:
    """Take back the rater's last rating, change or skip that still stands, and show that verse as it stood before.

    Args:
        study: The study's number.
        token: The rater's own.
        key: As in rate_submit.
        script: The script the Sanskrit is written in.

    Returns:
        The screen of that verse, with saved.
    """
    return _handle(study, token, script, lambda desk: desk.undo(key), request, profile)


def unhurried(call: Callable[..., Screen]) -> Callable[..., Any]:
    """A rater's call for many at once: it waits for one of a few threads of its own, holding none that others need, and
    no longer than PATIENCE; then whoever sent it is told to send it again."""

    @wraps(call)
    async def waiting(*given: Any) -> Screen:
        try:
            at_work = asyncio.get_running_loop().run_in_executor(THREADS, call, *given)
            return await asyncio.wait_for(at_work, PATIENCE)
        except TimeoutError:
            return {**EMPTY, "error": strings.RATE_BUSY, "retry": True}

    return waiting


ENDPOINTS = (rate_show, rate_consent, rate_submit, rate_skip, rate_undo)


def _handle(
    study: object,
    token: object,
    script: object,
    act: Callable[[RaterSession], ShownItem | None],
    request: gr.Request | None,
    profile: gr.OAuthProfile | None,
    writing: bool = True,
) -> Screen:
    """What every call comes to: someone enters, acts and is shown a screen. A refusal is a sentence on the screen; the
    log has what was not expected, and no tokens."""
    try:
        if not isinstance(script, str) or script not in composer.SCRIPTS:
            raise RatingError(f"Expected script to be one of {', '.join(composer.SCRIPTS)}; got {shown(script)}.")
        number, secret = text(study, "a study's number", LONGEST), text(token, "a token", LONGEST)

        def enter(connection: Connection) -> Rater:
            if not secret and profile is not None:
                return raters.enter_as(connection, number, profile.username)
            return raters.enter(connection, number, secret, LIMITER, place(request))

        with TURNS:
            return _screen(session.visit(engine(), enter, act, writing), script)
    except (OperationalError, PoolTimeout) as error:  # locked, or away for a moment: its own words may hold an address
        log.warning("ratings: the database did not answer (%s)", type(error.__cause__ or error).__name__)
        return {**EMPTY, "error": strings.RATE_BUSY, "retry": True}
    except NoEntry as error:
        return {**EMPTY, "error": str(error), "closed": not isinstance(error, TooMany)}
    except Exception as error:
        return {**EMPTY, "error": sentence_for(error, "a rater's call", strings.RATE_UNEXPECTED)}


def _screen(seen: Visit, script: str) -> Screen:
    base = {**EMPTY, "study": seen.study.name, "rater": seen.rater.name, "script": script, "saved": seen.entered}
    if seen.progress is None:
        return {**base, "consent": True}
    return {
        **base,
        "rate": seen.showing is not None,
        "done": "" if seen.showing else _done(seen.progress),
        "questions": _questions(seen.study.questions, script),
        "showing": _showing(seen.showing, script) if seen.showing else None,
        "progress": _progress(seen.progress, seen.showing.position if seen.showing else 0),
        "nudge": seen.nudge,
    }


def _done(far: Progress) -> str:
    skipped = len(far.skipped)
    return strings.RATE_DONE + (" " + strings.RATE_DONE_SKIPPED.format(skipped=skipped) if skipped else "")


def _showing(showing: ShownItem, script: str) -> dict[str, Any]:
    verse, scan = _markable(showing.verse), one_scan(showing.verse)
    if scan and scan.verse == verse:  # as it mostly is: then what is written for the grid is not written again
        verse = scan.verse
    return {
        "position": showing.position,
        "title": strings.RATE_AT.format(position=showing.position, state=strings.STATES[showing.state]),
        "state": showing.state,
        "prose": showing.prose,
        "lines": verse_words(verse, script),
        "answers": dict(showing.answers),
        "grid": verse_data(scan, script) if scan else None,
    }


def _markable(slp1: str) -> composer.Verse:
    """What can be marked of a stored text, be it a verse or none: its words."""
    halves = (" ".join(kinds.words(half)) for half in composer.Verse.from_slp1(slp1).halves)
    return composer.Verse(tuple(filter(None, halves)))


def verse_words(verse: composer.Verse, script: str) -> list[dict[str, Any]]:
    """The half-verses, each as its words, which are numbered as marks number them, and its daṇḍa."""
    found, at = [], 0
    marked = verse.lines(script, dandas=len(verse.halves) == 2)
    for line, whole in zip(verse.lines(script), marked, strict=True):
        words = [{"at": number, "word": word} for number, word in enumerate(line.split(" "), start=at)]
        found.append({"words": words, "danda": whole[len(line) :].strip()})
        at += len(words)
    return found


def _progress(far: Progress, position: int) -> dict[str, Any]:
    unrated = {**dict.fromkeys(far.skipped, "skipped"), **dict.fromkeys(far.open, "open")}
    had = far.rated + len(unrated)
    states = {at: strings.STATES[unrated.get(at, "rated")] for at in range(1, had + 1)}
    sentence = strings.RATE_PROGRESS.format(rated=far.rated, total=far.total)
    return {
        "rated": far.rated,
        "total": far.total,
        "skipped": list(far.skipped),
        "open": list(far.open),
        "sentence": sentence + (strings.RATE_SKIPPED.format(skipped=len(far.skipped)) if far.skipped else ""),
        "had": had,
        "position": position,
        "places": [
            {"position": at, "label": strings.RATE_PLACE.format(position=at, state=state)}
            for at, state in states.items()
        ],
    }


@lru_cache(maxsize=64)
def _questions(asked: tuple[Question, ...], script: str) -> list[dict[str, Any]]:
    return [
        {
            "name": question.name,
            "label": question.label,
            "required": question.required,
            "kind": question.kind,
            **kinds.of(question).screen(),
            "controls": {kinds.of(question).control: True},  # for the template, which cannot compare
            "points": [{"value": each.value, "rubric": each.rubric, "of": question.name} for each in question.points],
            "examples": [
                {
                    "value": point.value,
                    "prose": point.example.prose,
                    "lines": [" ".join([*(word["word"] for word in line["words"]), line["danda"]])
                              for line in verse_words(_markable(point.example.verse), script)],
                    "source": point.example.source,
                    "why": point.example.why,
                }
                for point in question.points if point.example
            ],
        }
        for question in asked
    ]  # fmt: skip
