"""A passage on the page: its verses as they come, one under the other, each to be opened on the desk. Makes pictures of
a passage under way, as `composing` does of one verse; what a person stops keeps what was whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from workbench import composer
from workbench.ui import beams, composing, strings
from workbench.ui.choices import Choices
from workbench.ui.composing import FinishedComposition
from workbench.ui.refusing import sentence_for
from workbench.ui.running import newest

NO_PASSAGE: dict[str, Any] = {"verses": [], "told": "", "title": strings.PASSAGE}


@dataclass(frozen=True)
class PassageState:
    """One picture: the line with its beams, and the verses that are done."""

    live: dict[str, Any]
    done: tuple[FinishedComposition, ...] = ()
    ended: bool = False
    sentence: str = ""
    error: str = ""


def compose(choices: Choices, division: str, session: str) -> Iterator[PassageState]:
    """Compose a passage for a session, verse by verse; the last picture has all that was made, or a sentence."""
    ticket = composing.TICKETS.find(session) or composing.TICKETS.draw(session)
    done: list[FinishedComposition] = []
    try:
        pieces = composer.divide_prose(choices.prose, division)
        passage = composer.Passage(pieces, choices.settings, choices.model, wishes=choices.wishes)
        ticket.take(passage.cancel)
        seen = {
            "metre": choices.settings.found_metre().name,
            "script": passage.script,
            "settings": {"beta": choices.settings.beta},
        }
        with closing(newest(passage, passage.cancel, composing.EVERY)) as events:
            for event in events:
                done += _new(passage, done, choices)
                yield PassageState(_picture(event, seen, choices.script), tuple(done))
        done += _new(passage, done, choices)
        sentence = strings.PASSAGE_STOPPED if passage.cancelled else strings.PASSAGE_DONE
        sentence = sentence.format(done=len(done), pieces=len(pieces))
        yield PassageState(beams.NOT_LIVE, tuple(done), True, sentence)
    except Exception as error:
        said = sentence_for(error, f"composing a passage for {len(choices.prose)} characters of prose")
        yield PassageState(beams.NOT_LIVE, tuple(done), True, error=said)
    finally:
        composing.TICKETS.done(session, ticket)


def _new(passage: composer.Passage, done: Sequence[FinishedComposition], choices: Choices) -> list[FinishedComposition]:
    """The verses that came since."""
    return [
        composing.finished(made, replace(choices, prose=made.prose), passage.model)
        for made in passage.compositions[len(done) :]
    ]


def _picture(event: dict[str, Any], seen: dict[str, Any], script: str) -> dict[str, Any]:
    before = strings.PASSAGE_PROGRESS.format(piece=event["piece"] + 1, pieces=event["pieces"])
    if event["kind"] != "step":
        return beams.live_view(before + event.get("sentence", ""), None, script)
    search = strings.SEARCH_DRAWS if event["search"] == "draws" else strings.SEARCH_BEAMS
    line = before + strings.STEP.format(search=search, step=event["number"])
    return beams.live_view(line, {**seen, "steps": [event]}, script)


def view(done: Sequence[FinishedComposition], at: int, script: str, sentence: str = "") -> dict[str, Any]:
    """The verses of a passage, the one on the desk marked."""
    verses = [
        {
            "at": number,
            "number": number + 1,
            "prose": kept.composition["prose"],
            "lines": kept.verses[0].lines(script, dandas=True) if kept.verses else [],
            "open": number == at,
        }
        for number, kept in enumerate(done)
    ]
    return {**NO_PASSAGE, "verses": verses, "told": sentence}
