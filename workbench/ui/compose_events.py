"""What Compose's buttons and links set going: a verse, a passage or a comparison, in line and picture by picture.

Handlers between the tab's components and `composing`: values in, what each component gets out. Places nothing.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import gradio as gr

from workbench import composer
from workbench.refusal import Refusal
from workbench.ui import beams, composing, desk_events, gpu, passage_view, reading_card, strings, verse
from workbench.ui.choices import COMPARED, NAMES, OTHER, Choices, differences, from_link, paper
from workbench.ui.literal import literal


def _streamed(shown: composing.PageState, script: str) -> tuple[Any, ...]:
    """A picture of the search; or, in the end, what is to be placed: comparison, verse, score and table, or of a search
    that was stopped a sentence alone. The last picture stays until that is."""
    kept = shown.kept
    if shown.stopped:
        return gr.skip(), shown.stopped, *[gr.skip()] * 3
    if shown.error:
        sentence = literal(verse.sentence(shown.error))
        return gr.skip(), ([], sentence, verse.NO_SCORE, verse.NO_CANDIDATES), None, 0, gr.skip()
    if not kept:
        return _picture(shown)
    return gr.skip(), ([], *desk_events.show(kept, 0, script)), kept, 0, kept.link


def _picture(shown: composing.PageState) -> tuple[Any, ...]:
    return (literal(shown.live), *[gr.skip()] * 4)


def read_chosen(kept: composing.FinishedComposition | None, at: int, script: str) -> Iterator[Any]:
    """What the verse that is shown says, and what of the prose is heard in it; nothing where no reader is installed. Of
    an example it is stored, and nobody waits."""
    chosen = kept.composition["candidates"][at] if kept and kept.composition["candidates"] else {}
    if kept and chosen.get("reading"):
        yield literal(reading_card.read_before(chosen["reading"], script))
        return
    if not kept or not chosen or not composer.reader_at_hand():
        yield reading_card.NO_READING
        return
    for picture in reading_card.readings(chosen["slp1"], "slp1", script, kept.composition["prose"]):
        yield literal(picture)


def draw_ticket(request: gr.Request) -> dict[str, Any]:
    composing.TICKETS.draw(str(request.session_hash))
    return beams.live_view(strings.WAITING, None, Choices.script)


def stop_running(request: gr.Request) -> Any:
    if composing.TICKETS.stop(str(request.session_hash)):
        return beams.live_view(strings.STOPPING, None, Choices.script)
    return gr.skip()


def _choices(values: Sequence[Any]) -> Choices:
    return Choices().but(dict(zip(NAMES, values, strict=True)))


async def compose_for_page(request: gr.Request, *values: Any) -> AsyncGenerator[tuple[Any, ...], None]:
    async with aclosing(_in_line(request, lambda: (_choices(values),), compose_now)) as pictures:
        async for picture in pictures:
            yield picture


async def compare_for_page(request: gr.Request, *values: Any) -> AsyncGenerator[tuple[Any, ...], None]:
    def asked() -> tuple[Choices, Choices]:
        one = _choices(values[: len(NAMES)])
        return one, one.but(dict(zip(COMPARED, values[len(NAMES) :], strict=True)))

    async with aclosing(_in_line(request, asked, compare_now)) as pictures:
        async for picture in pictures:
            yield picture


async def _in_line(
    request: gr.Request, asked: Callable[[], tuple[Choices, ...]], work: Callable[..., Iterator[tuple[Any, ...]]]
) -> AsyncGenerator[tuple[Any, ...], None]:
    """What is asked for is looked at first: nobody waits in vain."""
    session = str(request.session_hash)
    try:
        choices = asked()
    except Refusal as error:
        yield _streamed(composing.refused(error, session), Choices.script)
        return
    waiting = composing.in_line(
        session, lambda: work(session, *choices), lambda shown: _streamed(shown, choices[0].script)
    )
    async with aclosing(waiting) as pictures:
        async for picture in pictures:
            yield picture


@gpu.on_gpu
def compose_now(session: str, choices: Choices) -> Iterator[tuple[Any, ...]]:
    for shown in composing.compose(choices, session):
        yield _streamed(shown, choices.script)


async def compose_either(request: gr.Request, division: str, *values: Any) -> AsyncGenerator[tuple[Any, ...], None]:
    """One verse, or a passage where the prose is to be divided and has several parts."""
    session = str(request.session_hash)
    try:
        choices = _choices(values)
        several = len(composer.divide_prose(choices.prose, division)) > 1
    except Refusal as error:
        yield *_streamed(composing.refused(error, session), Choices.script), (), passage_view.NO_PASSAGE
        return

    def waiting(shown: composing.PageState) -> tuple[Any, ...]:
        return *_streamed(shown, choices.script), gr.skip(), gr.skip()

    work = compose_passage_now if several else compose_verse_now
    async with aclosing(composing.in_line(session, lambda: work(session, choices, division), waiting)) as pictures:
        async for picture in pictures:
            yield picture


@gpu.on_gpu
def compose_verse_now(session: str, choices: Choices, division: str) -> Iterator[tuple[Any, ...]]:
    """One verse; the passage that was there goes."""
    rest: tuple[Any, Any] = (), passage_view.NO_PASSAGE
    for shown in composing.compose(choices, session):
        yield *_streamed(shown, choices.script), *rest
        rest = gr.skip(), gr.skip()


@gpu.on_gpu
def compose_passage_now(session: str, choices: Choices, division: str) -> Iterator[tuple[Any, ...]]:
    known = -1
    for state in passage_view.compose(choices, division, session):
        view = literal(passage_view.view(state.done, len(state.done) - 1, choices.script, state.sentence))
        verses = (state.done, view) if len(state.done) != known or state.ended else (gr.skip(), gr.skip())
        known = len(state.done)
        if not state.ended:
            yield literal(state.live), *[gr.skip()] * 4, *verses
            continue
        last = state.done[-1] if state.done else None
        if last or state.error:
            one = composing.PageState(beams.NOT_LIVE, last, "" if last else state.error)
        else:
            one = composing.PageState(beams.NOT_LIVE, stopped=state.sentence)
        yield *_streamed(one, choices.script), *verses


@gpu.on_gpu
def compare_now(session: str, one: Choices, other: Choices) -> Iterator[tuple[Any, ...]]:
    first: composing.PageState | None = None
    second: composing.PageState | None = None
    for first, second in composing.compare(one, other, session):
        yield _picture(second or first)
    if first is None or first.error or not first.kept:
        yield _streamed(first or composing.PageState(beams.NOT_LIVE), one.script)
        return
    sides = [_side(first, one, 0, other), *([_side(second, other, 1, one)] if second else [])]
    empty = {**verse.NO_VERSE, "empty": ""}
    link = one.link(other)
    table = literal(first.kept.table(0, one.script))
    yield gr.skip(), (literal(sides), empty, verse.NO_SCORE, table), first.kept, 0, link


def _side(shown: composing.PageState, choices: Choices, number: int, beside: Choices) -> dict[str, Any]:
    said = shown.error or shown.stopped
    side: dict[str, Any] = {
        "name": strings.COMPARED[number], "summary": choices.summary(), "differ": differences(choices, beside),
        "error": said,
    }  # fmt: skip
    if not shown.kept:
        return side
    card = shown.kept.verse(0, choices.script)
    candidates = shown.kept.composition["candidates"]
    rows = shown.kept.table(0, choices.script)["rows"]
    return {
        **side,
        "error": card["error"],
        "verse": card["verse"],
        "meaning": shown.kept.meaning(0),
        "log_p": rows[0]["log_p"] if candidates else "",
        "others": [{"rank": row["rank"], "lines": row["lines"]} for row in rows[1:5]],
    }


def read_link(request: gr.Request) -> tuple[Any, ...]:
    """The controls as a link asks for them, and what is to be done then. What a link does not name stays as it is:
    somebody may have begun to type before this arrives."""
    query = dict(request.query_params or {})
    one, notes = from_link(query)
    other, more = from_link(query, OTHER, replace(paper(), prose=one.prose))
    todo = ("compare" if query.get("compare") else "compose") if one.prose.strip() else ""
    line = literal(beams.live_view(" ".join([*notes, *more]), None, one.script))
    ours, others = one.controls(), other.controls()
    controls = [ours[name] if name in query else gr.skip() for name in NAMES]
    controls += [others[name] if OTHER + name in query else gr.skip() for name in COMPARED]
    return *controls, todo, line if notes or more else gr.skip()


async def compose_from_link(request: gr.Request, todo: str, *values: Any) -> AsyncGenerator[tuple[Any, ...], None]:
    if not todo:
        yield (gr.skip(),) * 5
        return
    compare = todo == "compare"
    made = compare_for_page(request, *values) if compare else compose_for_page(request, *values[: len(NAMES)])
    async with aclosing(made) as pictures:
        async for picture in pictures:
            yield picture
