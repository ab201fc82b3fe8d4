"""What the desk's buttons do on the page: locks, others, instead, a verse taken, brought back, compared or taken away.

Handlers between components and `desk`, `kept_list`, `passage_view`: values in, values out. Places nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gradio as gr

from workbench.ui import beams, desk, example_verses, kept_list, passage_view, reading_card, strings, verse
from workbench.ui.composing import FinishedComposition
from workbench.ui.desk import Desk
from workbench.ui.literal import literal
from workbench.ui.private_events import sent
from workbench.ui.refusing import sentence_for
from workbench.ui.wishes_panel import to_lines


def show(kept: FinishedComposition | None, at: int, script: str, state: Desk = desk.EMPTY) -> tuple[Any, ...]:
    """Verse, score and table."""
    if not kept:
        return gr.skip(), gr.skip(), gr.skip()
    panel = state.panel.shown(script) if state.panel else None
    card = kept.verse(at, script, state.locks, panel)
    return literal(card), literal(kept.meaning(at)), literal(kept.table(at, script))


def show_read(example: FinishedComposition, script: str) -> tuple[Any, ...]:
    """An example's verse, score and table, and what it says, where that is stored with it."""
    reading = reading_card.read_before(example.composition["candidates"][0].get("reading"), script)
    return *show(example, 0, script), literal(reading)


def buttons(state: Desk) -> tuple[Any, Any]:
    """What the two buttons say: with something locked, only the rest is composed unless all is to be new."""
    locked = bool(state.locks)
    return gr.Button(strings.COMPOSE_REST if locked else strings.COMPOSE), gr.Button(visible=locked)


def gather_wishes(kept: FinishedComposition | None, at: int, state: Desk, *fields: Any) -> list[str]:
    """What is asked of the verse to come: the panel's wishes, and what is locked."""
    return [*to_lines(fields), *desk.locked_lines(state, kept, at)]


def forget_locks() -> tuple[Any, ...]:
    return (desk.EMPTY, *buttons(desk.EMPTY))


def lock_or_close(
    kept: FinishedComposition | None, at: int, script: str, state: Desk, event: gr.EventData
) -> tuple[Any, ...]:
    asked = sent(event)
    if not kept or not kept.verses:
        return (gr.skip(),) * 4
    if asked.get("action") == "lock":
        state = desk.toggle(state, kept, at, int(asked.get("pada", 0)))
    else:
        state = replace(state, panel=None)
    return show(kept, at, script, state)[0], state, *buttons(state)


def look_or_take(
    kept: FinishedComposition | None, at: int, script: str, state: Desk, event: gr.EventData
) -> tuple[Any, ...]:
    """Verse, score, table, composition, place, desk, record."""
    asked = sent(event)
    if not kept or not kept.verses:
        return (gr.skip(),) * 7
    if asked.get("action") == "take":
        state, kept = desk.take(state, kept, at, int(asked.get("at", -1)))
        return *show(kept, 0, script, state), kept, 0, state, kept_list.record([kept])
    state = desk.look(state, kept, at, asked)
    return show(kept, at, script, state)[0], *[gr.skip()] * 4, state, ""


def pick(kept: FinishedComposition | None, script: str, state: Desk, event: gr.EventData) -> tuple[Any, ...]:
    """Another candidate; what was locked of the one before is not."""
    at = int(event.index)
    return *show(kept, at, script), at, desk.EMPTY, *buttons(desk.EMPTY)


def place(
    made: tuple[Any, ...] | str | None,
    kept: FinishedComposition | None,
    script: str,
    state: Desk,
    passage: Sequence[FinishedComposition],
) -> tuple[Any, ...]:
    """What came of a composition, where it belongs: comparison, verse, score, table, reading, desk, record, buttons."""
    if not made or isinstance(made, str):  # nothing came of it, and nothing is kept anew
        return *[gr.skip()] * 6, "", *[gr.skip()] * 2
    state = replace(state, panel=None)
    compared, card, *rest = made
    if kept and not compared:
        card = show(kept, 0, script, state)[0]
    record = kept_list.record(passage or [kept])
    return compared, card, *rest, reading_card.NO_READING, state, record, *buttons(state)


def last_line(made: tuple[Any, ...] | str | None) -> dict[str, Any]:
    """What the line above the beams says when a search is over: nothing, or how far one came that was stopped."""
    return beams.still(made) if isinstance(made, str) else beams.NOT_LIVE


def open_verse(passage: Sequence[FinishedComposition], script: str, event: gr.EventData) -> tuple[Any, ...]:
    """A verse of a passage on the desk."""
    at = int(event.index)
    if at not in range(len(passage)):
        return (gr.skip(),) * 9
    kept = passage[at]
    view = literal(passage_view.view(passage, at, script))
    return *show(kept, 0, script), kept, 0, desk.EMPTY, view, *buttons(desk.EMPTY)


def show_example(number: int, script: str) -> tuple[Any, ...]:
    """An example's prose and its verse, which was made and read before; the passage and the comparison that were there
    go."""
    kept = example_verses.example(number)
    if not kept:
        return (gr.skip(),) * 13
    card, empty = show_read(kept, script), desk.EMPTY
    prose = kept.composition["prose"]
    return prose, *card, kept, 0, empty, *buttons(empty), [], passage_view.NO_PASSAGE, kept.link


def come_back(script: str, event: gr.EventData) -> tuple[Any, ...]:
    """A verse of the list, or an example that was there before: its choices, and all that shows it; or a sentence in
    the verse's place. What is written in the box and kept nowhere stays (`typed`)."""
    asked = sent(event)
    if "example" in asked:
        first = example_verses.example(int(asked["example"]))
        return None, *show(first, 0, script), first, 0, desk.EMPTY, *buttons(desk.EMPTY), [], ""
    try:
        choices, kept = kept_list.bring_back(asked.get("entry"))
    except Exception as error:
        sentence = literal(verse.sentence(sentence_for(error, "bringing a verse back")))
        return None, sentence, *[gr.skip()] * 9
    card = show(kept, 0, choices.script)
    return (choices, bool(asked.get("typed"))), *card, kept, 0, desk.EMPTY, *buttons(desk.EMPTY), [], kept.link


def compare_or_take_away(script: str, event: gr.EventData) -> tuple[Any, ...]:
    """The comparison, and a file as the browser saves it."""
    asked = sent(event)
    try:
        if asked.get("action") == "compare":
            return literal(kept_list.sides(asked.get("entries"))), ""
        name, text = kept_list.export(asked.get("entries"), str(asked.get("form")), script)
        return gr.skip(), json.dumps({"name": name, "text": text}, ensure_ascii=False)
    except Exception as error:
        side = {"name": strings.KEPT, "error": sentence_for(error, "taking verses away")}
        return literal([side]), ""
