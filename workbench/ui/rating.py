"""A rater at work, as the Rate tab and programs see it: every call says who it is and gets the next screen as data.

A screen has prose, verse, grid, questions, the rater's own answers and how far they have come; systems, gold answers
and other people's ratings never come near it. What is refused comes back as a sentence, and nothing is entered then.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any

import gradio as gr

from workbench import composer
from workbench.ratings import questions, raters, session, studies
from workbench.ratings.questions import Question
from workbench.ratings.raters import Rater
from workbench.ratings.session import Progress, Showing
from workbench.ratings.texts import RatingError, shown, text
from workbench.ratings.tokens import NoEntry, TooMany
from workbench.ui import rating_strings as strings
from workbench.ui.database import LIMITER, engine, place
from workbench.ui.verse import grid

log = logging.getLogger(__name__)

SCRIPT = "devanagari"
LONGEST = 200  # characters of a study's number or a token
# Calls at work at once. Python lets one at a time compute, so more would only hold the database's locks for longer.
TURNS = threading.BoundedSemaphore(4)
Screen = dict[str, Any]
EMPTY: Screen = {
    "error": "", "closed": False, "saved": 0, "door": False, "consent": False, "rate": False, "done": "", "study": "",
    "rater": "", "questions": [], "showing": None, "progress": None, "nudge": "", "script": SCRIPT,
}  # fmt: skip


def told(call: Callable[..., Screen]) -> Callable[..., Screen]:
    """A call whose refusals are sentences on the screen; the log has what was not expected, and no tokens."""

    @wraps(call)
    def careful(*given: Any, **named: Any) -> Screen:
        try:
            with TURNS:
                return call(*given, **named)
        except NoEntry as error:
            return {**EMPTY, "error": str(error), "closed": not isinstance(error, TooMany)}
        except RatingError as error:
            return {**EMPTY, "error": str(error)}
        except Exception:
            log.exception("%s failed", call.__name__)
            return {**EMPTY, "error": strings.RATE_UNEXPECTED}

    return careful


@told
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
    who = _enter(study, token, request, profile)
    if not who.consented:
        return _screen(who, None, script)
    if position != 0:
        return _screen(who, session.show(engine(), who, position), script)
    showing = session.proceed(engine(), who)
    if showing is None and (skipped := session.progress(engine(), who).skipped):
        showing = session.show(engine(), who, skipped[0])
    return _screen(who, showing, script)


@told
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
    if not isinstance(background, dict):
        raise RatingError(f"Expected fields about a rater; got {shown(background)}.")
    who = raters.consent(engine(), _enter(study, token, request, profile), background)
    return _screen(who, session.proceed(engine(), who), script)


@told
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
    who = _enter(study, token, request, profile)
    session.submit(engine(), who, position, answers, key)
    return _screen(who, session.proceed(engine(), who), script, saved=position)


@told
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
    who = _enter(study, token, request, profile)
    session.skip(engine(), who, position, key)
    return _screen(who, session.proceed(engine(), who), script, saved=position)


@told
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
    who = _enter(study, token, request, profile)
    showing = session.undo(engine(), who, key)
    return _screen(who, showing, script, saved=showing.position)


ENDPOINTS = (rate_show, rate_consent, rate_submit, rate_skip, rate_undo)


def _enter(study: object, token: object, request: gr.Request | None, profile: gr.OAuthProfile | None) -> Rater:
    number, secret = text(study, "a study's number", LONGEST), text(token, "a token", LONGEST)
    if not secret and profile is not None:
        return raters.enter_as(engine(), number, profile.username)
    return raters.enter(engine(), number, secret, LIMITER, place(request))


def _screen(who: Rater, showing: Showing | None, script: str, saved: int = 0) -> Screen:
    if not isinstance(script, str) or script not in composer.SCRIPTS:
        raise RatingError(f"Expected script to be one of {', '.join(composer.SCRIPTS)}; got {shown(script)}.")
    study = studies.find(engine(), who.study)
    base = {**EMPTY, "study": study.name, "rater": who.name, "script": script, "saved": saved}
    if not who.consented:
        return {**base, "consent": True}
    far = session.progress(engine(), who)
    return {
        **base,
        "rate": showing is not None,
        "done": "" if showing else _done(far),
        "questions": _questions(study.questions, script),
        "showing": _showing(showing, script) if showing else None,
        "progress": _progress(far, showing.position if showing else 0),
        "nudge": session.nudge(engine(), who) if study.repeats else "",
    }


def _done(far: Progress) -> str:
    skipped = len(far.skipped)
    return strings.RATE_DONE + (" " + strings.RATE_DONE_SKIPPED.format(skipped=skipped) if skipped else "")


def _showing(showing: Showing, script: str) -> dict[str, Any]:
    return {
        "position": showing.position,
        "title": strings.RATE_AT.format(position=showing.position, state=strings.STATES[showing.state]),
        "state": showing.state,
        "prose": showing.prose,
        "lines": verse_words(showing.verse, script),
        "answers": dict(showing.answers),
        "grid": grid(showing.verse, "auto", script),
    }


def verse_words(slp1: str, script: str) -> list[dict[str, Any]]:
    """The half-verses, each as its words, which are numbered as marks number them, and its daṇḍa."""
    halves = [half for half in composer.Verse.from_slp1(slp1).halves if questions.words(half)]
    dandas = [composer.write(danda, script) for danda in (".", "..")] if len(halves) == 2 else [""] * len(halves)
    found, at = [], 0
    for half, danda in zip(halves, dandas, strict=True):
        words = questions.words(half)
        numbered = [{"at": at + number, "word": composer.write(word, script)} for number, word in enumerate(words)]
        found.append({"words": numbered, "danda": danda})
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
            "scale": question.kind == "scale",
            "comment": question.kind == "comment",
            "marks": question.kind == "marks",
            "points": [{"value": each.value, "rubric": each.rubric, "of": question.name} for each in question.points],
            "examples": [
                {
                    "value": point.value,
                    "prose": point.example.prose,
                    "lines": [" ".join([*(word["word"] for word in line["words"]), line["danda"]])
                              for line in verse_words(point.example.verse, script)],
                    "source": point.example.source,
                    "why": point.example.why,
                }
                for point in question.points if point.example
            ],
        }
        for question in asked
    ]  # fmt: skip
