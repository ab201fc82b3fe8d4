"""The quick rating under a verse just composed: any visitor's, kept apart from studies, only so many from one place.

Places the row and says what came of it; what a rating is, is the ratings' room's to say.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from html import escape
from typing import Any
from uuid import uuid4

import gradio as gr

from workbench.ratings import quick, tokens
from workbench.ratings.items import PROSE
from workbench.ratings.questions import SCALE
from workbench.ratings.texts import RatingError
from workbench.ui import rating_strings as strings
from workbench.ui.composing import Kept
from workbench.ui.database import engine, place

log = logging.getLogger(__name__)

TIMES, WITHIN = 30, 3600.0  # quick ratings from one place, and the seconds they count for
LIMIT = tokens.Limiter(TIMES, WITHIN)


@dataclass(frozen=True)
class QuickRow:
    points: gr.Radio
    comment: gr.Textbox
    send: gr.Button
    told: gr.HTML

    def wire(self, kept: gr.State, at: gr.State) -> None:
        """`kept` holds the composition and `at` which of its candidates is shown."""
        self.send.click(
            rate_quickly, [kept, at, self.points, self.comment], [self.points, self.comment, self.told],
            api_visibility="private", show_progress="hidden", concurrency_id="quick", concurrency_limit=2,
        )  # fmt: skip


def add_quick_row() -> QuickRow:
    with gr.Column(elem_id="quick", elem_classes="card"):
        with gr.Row():
            points = gr.Radio(list(SCALE), label=strings.QUICK, elem_id="quick-points", scale=3, min_width=260)
            comment = gr.Textbox(label=strings.QUICK_COMMENT, elem_id="quick-comment", scale=3, min_width=180)
            send = gr.Button(strings.QUICK_SEND, variant="secondary", elem_id="quick-send", scale=0, min_width=80)
        told = gr.HTML("", elem_id="quick-told", apply_default_css=False, js_on_load=None)
    return QuickRow(points, comment, send, told)


def rate_quickly(
    kept: Kept | None, at: int, points: int | None, comment: str, request: gr.Request
) -> tuple[Any, Any, str]:
    """What was said is taken away from the row once it is kept, and stays there otherwise."""
    try:
        keep(kept, at, points, comment, place(request))
    except RatingError as error:
        return gr.skip(), gr.skip(), _line(str(error))
    except Exception:  # the page gets a sentence and the log the traceback
        log.exception("a quick rating failed")
        return gr.skip(), gr.skip(), _line(strings.RATE_UNEXPECTED)
    return None, "", _line(strings.QUICK_THANKS)


def keep(kept: Kept | None, at: int, points: int | None, comment: str, where: str) -> None:
    """Keep a rating of the candidate that is shown, with the composition's signature as its origin."""
    if kept is None or not kept.composition["candidates"]:
        raise RatingError(strings.QUICK_NOTHING)
    try:
        LIMIT.check(where)
    except tokens.TooMany:
        raise RatingError(strings.QUICK_ENOUGH) from None
    composition = kept.composition
    origin = {"signature": composition["signature"], "metre": composition["metre"], "rank": at + 1, "link": kept.link}
    answers = {"coherence": points, "comment": comment or None}
    verse = composition["candidates"][at]["slp1"]
    quick.rate(engine(), composition["prose"][:PROSE], verse, origin, answers, uuid4().hex)
    LIMIT.wrong(where)


def _line(sentence: str) -> str:
    return f'<p class="note quiet" role="status">{escape(sentence)}</p>'
