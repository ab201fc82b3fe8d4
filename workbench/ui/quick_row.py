"""What any visitor may do with the verse just composed: rate it, apart from all studies, or save it for one. Only so
many from one place.

Places the row and says what came of it; what a rating is, and what is saved, is the ratings' room's to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import gradio as gr

from workbench import composer
from workbench.ratings import quick, saved, scoring, tokens
from workbench.ratings.items import PROSE
from workbench.ratings.kinds import SCALE
from workbench.ratings.texts import RatingError
from workbench.ui import rating_strings as strings
from workbench.ui.composing import FinishedComposition
from workbench.ui.database import engine, place
from workbench.ui.private_events import private_event
from workbench.ui.refusing import sentence_for
from workbench.ui.templates import template

TIMES, WITHIN = 30, 3600.0  # quick ratings from one place, and the seconds they count for; likewise verses saved
LIMIT, SAVED_LIMIT = tokens.Limiter(TIMES, WITHIN), tokens.Limiter(TIMES, WITHIN)


@dataclass(frozen=True)
class QuickRow:
    points: gr.Radio
    comment: gr.Textbox
    send: gr.Button
    save: gr.Button
    status: gr.HTML

    def wire(self, kept: gr.State, at: gr.State, leaving: list[Any]) -> None:
        """`kept` holds the composition and `at` which of its candidates is shown; with the events of `leaving` another
        one comes, of which nothing has been said yet."""
        writing = private_event(self.send, concurrency_id="quick", concurrency_limit=2)
        self.send.click(
            rate_quickly, [kept, at, self.points, self.comment], [self.points, self.comment, self.status], **writing
        )
        self.save.click(save_for_study, [kept, at], self.status, **writing)
        gr.on(leaving, None, None, self.status, js="() => ''", api_visibility="private")


def add_quick_row() -> QuickRow:
    with gr.Column(elem_id="quick", elem_classes="card"):
        with gr.Row():
            points = gr.Radio(list(SCALE), label=strings.QUICK, elem_id="quick-points", scale=3, min_width=280)
            comment = gr.Textbox(label=strings.QUICK_COMMENT, elem_id="quick-comment", scale=3, min_width=150)
            send = gr.Button(strings.QUICK_SEND, variant="secondary", elem_id="quick-send", scale=0, min_width=80)
        with gr.Row(elem_id="quick-last"):
            save = gr.Button(strings.SAVE, variant="secondary", elem_id="save-verse", scale=0, min_width=200)
            with gr.Column(min_width=200):
                status = gr.HTML("", elem_id="quick-told", apply_default_css=False, js_on_load=None)
    return QuickRow(points, comment, send, save, status)


def rate_quickly(
    kept: FinishedComposition | None, at: int, points: int | None, comment: str, request: gr.Request
) -> tuple[Any, Any, str]:
    """What was said is taken away from the row once it is kept, and stays there otherwise."""
    try:
        keep(kept, at, points, comment, place(request))
    except Exception as error:
        told = sentence_for(error, "a quick rating", strings.RATE_UNEXPECTED)
        return gr.skip(), gr.skip(), template("note", sentence=told)
    return None, "", template("note", sentence=strings.QUICK_THANKS)


def keep(kept: FinishedComposition | None, at: int, points: int | None, comment: str, where: str) -> None:
    """Keep a rating of the candidate that is shown, with the composition's signature as its origin."""
    if kept is None or not kept.composition["candidates"]:
        raise RatingError(strings.QUICK_NOTHING)
    _allow(LIMIT, where, strings.QUICK_ENOUGH)
    composition = kept.composition
    origin = {"signature": composition["signature"], "metre": composition["metre"], "rank": at + 1, "link": kept.link}
    answers = {"coherence": points, "comment": comment or None}
    verse = composition["candidates"][at]["slp1"]
    quick.rate(engine(), composition["prose"][:PROSE], verse, origin, answers, uuid4().hex)
    LIMIT.wrong(where)


def save_for_study(kept: FinishedComposition | None, at: int, request: gr.Request) -> str:
    """A line about what came of it."""
    try:
        told = strings.SAVED if save(kept, at, place(request)) else strings.SAVED_ALREADY
    except Exception as error:
        told = sentence_for(error, "saving a verse", strings.RATE_UNEXPECTED)
    return template("note", sentence=told)


def save(kept: FinishedComposition | None, at: int, where: str) -> bool:
    """Save the candidate that is shown, with all that tells how it was made; False if it was saved before."""
    if kept is None or not kept.composition["candidates"]:
        raise RatingError(strings.SAVE_NOTHING)
    _allow(SAVED_LIMIT, where, strings.SAVED_ENOUGH)
    composition = kept.composition
    candidate = composition["candidates"][at]
    settings = {**kept.settings, "metre": composition["metre"], "rank": at + 1, "link": kept.link}
    scores = scoring.numbers(candidate["meaning"] or {}, composer.judge_entries())
    new = saved.keep(
        engine(), composition["prose"], candidate["slp1"], kept.model, settings, composition["signature"], scores
    )
    if new:
        SAVED_LIMIT.wrong(where)
    return new


def _allow(limit: tokens.Limiter, where: str, enough: str) -> None:
    try:
        limit.check(where)
    except tokens.TooMany:
        raise RatingError(enough) from None
