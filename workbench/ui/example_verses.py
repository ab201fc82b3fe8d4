"""The examples on the page: verses made before, as the Compose tab keeps and shows what it composed. Loads no model.

What was made, and how it is made anew, is workbench/examples.py's to say.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cache
from typing import Any

from workbench import composer, examples
from workbench.refusal import Refusal
from workbench.ui.choices import Choices
from workbench.ui.composing import FinishedComposition

log = logging.getLogger(__name__)


def proses() -> list[str]:
    return [each["prose"] for each in _stored().get("examples", ())]


@cache
def example(number: int = 0) -> FinishedComposition | None:
    """A stored example; None where there is none."""
    found = _stored()
    if number not in range(len(found.get("examples", ()))):
        return None
    stored = found["examples"][number]
    metre = composer.find_metre(stored["metre"])
    verses = tuple(replace(composer.Verse.from_slp1(each["slp1"]), metre=metre) for each in stored["candidates"])
    choices = Choices(stored["prose"], found["model"], settings=examples.SETTINGS)
    return FinishedComposition(
        {**stored, "example": True}, {}, choices.link(), found["model"], choices.settings.recorded(), verses
    )


def in_metre(name: str) -> dict[str, str]:
    """The verse composed in a metre in which none is quoted, and its prose; nothing where there is none."""
    found: dict[str, str] = _stored().get("metres", {}).get(name, {})
    return found


def _stored() -> dict[str, Any]:
    """A page without its examples is still a page."""
    try:
        return examples.stored()
    except Refusal as error:
        log.warning("%s", error)
        return {}
