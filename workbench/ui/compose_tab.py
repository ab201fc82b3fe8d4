"""The Compose tab: prose and settings in, the search as it runs, then the verse and every candidate.

Places controls and wires them; what they do is in `composing`, what they show in `verse` and `beams`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

import gradio as gr

from workbench import composer
from workbench.refusal import Refusal
from workbench.ui import beams, composing, gpu, reading_card, strings, verse
from workbench.ui.choices import COMPARED, NAMES, OFFERED, OTHER, Choices, from_link, paper
from workbench.ui.literal import literal
from workbench.ui.private_events import private_event
from workbench.ui.quick_row import add_quick_row
from workbench.ui.templates import template

LONG = 1000  # from so many places on, nobody finds one on a slider
PRESET = [name for name in OFFERED if name != "metre"]  # what a preset sets
# The address bar follows the page; the theme stays what it was.
SHOW_LINK = """(query) => {
  if (!query) return;
  const link = new URLSearchParams(query), theme = new URLSearchParams(location.search).get('__theme');
  if (theme) link.set('__theme', theme);
  history.replaceState(null, '', '?' + link);
}"""


@dataclass
class ComposeTab:
    """What other tabs need of this one."""

    kept: gr.State
    script: gr.Dropdown
    finished: list[Any]  # the events after which there is a new composition
    metre: gr.Dropdown


def _control(option: composer.Option, value: Any, before: str = "") -> Any:
    """The control that a setting's declaration asks for."""
    same: dict[str, Any] = {"value": option.shown(value), "label": option.label, "info": option.help}
    same["elem_id"] = before + option.flag
    if option.kind == "metre":
        return gr.Dropdown([(f"{metre.name} · {metre.summary}", metre.name) for metre in composer.all_metres()], **same)
    if option.kind == "choice":
        return gr.Dropdown(list(option.choices), **same)
    if option.kind == "switch":
        return gr.Checkbox(**same)
    bounds: dict[str, Any] = {"minimum": option.least, "maximum": option.most, "step": option.step}
    if option.most is not None and option.most / option.step > LONG:
        return gr.Number(precision=0, **bounds, **same)
    return gr.Slider(**bounds, **same)


def _controls(settings: composer.Settings, group: str) -> dict[str, Any]:
    these = [option for option in OFFERED.values() if option.group == group]
    return {option.name: _control(option, getattr(settings, option.name)) for option in these}


def _models() -> list[tuple[str, str]]:
    return [
        (f"{entry.name} · {entry.size} · {entry.needs}", name) for name, entry in composer.offered_entries().items()
    ]


def _compared(start: Choices) -> dict[str, Any]:
    with gr.Accordion(strings.COMPARE_WITH, open=False, elem_id="compare-with"):
        gr.Markdown(strings.COMPARE_HELP, elem_classes="intro")
        model = gr.Dropdown(_models(), value=start.model, label=strings.MODEL, elem_id="other-model")
        others = [OFFERED[name] for name in COMPARED if name in OFFERED]
        return {
            "model": model,
            **{each.name: _control(each, getattr(start.settings, each.name), "other-") for each in others},
        }


def add_compose_tab(page: gr.Blocks) -> ComposeTab:
    start, other = Choices(), paper()
    scripts = [(script.label, script.name) for script in composer.SCRIPTS.values()]
    made: dict[str, Any] = {}
    with gr.Tab(strings.COMPOSE_TAB, id="compose"), gr.Row(elem_classes="desk"):
        with gr.Column(scale=3, min_width=300, elem_classes="card controls"):
            with gr.Column(elem_classes="asked"):
                made["prose"] = gr.Textbox(
                    label=strings.PROSE, placeholder=strings.PROSE_PLACEHOLDER, info=strings.PROSE_HELP, lines=4,
                    max_lines=10, elem_id="prose",
                )  # fmt: skip
                with gr.Accordion(strings.EXAMPLES_LABEL, open=False, elem_id="examples"):
                    gr.Examples(
                        [[prose] for prose in strings.PROSES], [made["prose"]], label="", elem_id="prose-examples",
                        examples_per_page=len(strings.PROSES), api_visibility="private",
                    )  # fmt: skip
                made["model"] = gr.Dropdown(_models(), value=start.model, label=strings.MODEL, elem_id="model")
                made["script"] = gr.Dropdown(scripts, value=start.script, label=strings.SCRIPT, elem_id="script")
                made |= _controls(start.settings, "main")
                with gr.Accordion(strings.MORE, open=False, elem_id="more"):
                    preset = gr.Radio(
                        list(strings.PRESET_CHOICES), value="house", label=strings.PRESET, elem_id="preset"
                    )
                    made |= _controls(start.settings, "more")
                others = _compared(other)
            with gr.Row(elem_classes="actions-row"):
                press = gr.Button(
                    strings.COMPOSE, variant="primary", elem_id="compose", elem_classes="main-action", min_width=72
                )
                stop = gr.Button(strings.STOP, variant="secondary", elem_id="stop", min_width=56)
                against = gr.Button(strings.COMPARE, variant="secondary", elem_id="compare", min_width=72)
        with gr.Column(scale=7, min_width=320, elem_classes="results"):
            html: dict[str, Any] = {"apply_default_css": False, "js_on_load": None}
            live = gr.HTML(beams.NOT_LIVE, html_template=template("live"), elem_id="live", **html)
            comparison = gr.HTML([], html_template=template("comparison"), elem_id="comparison", **html)
            shown = gr.HTML(verse.NO_VERSE, html_template=template("verse"), elem_id="verse", **html)
            quick = add_quick_row()
            reading = gr.HTML(reading_card.NO_READING, html_template=template("reading"), elem_id="reading", **html)
            score = gr.HTML(verse.NO_SCORE, html_template=template("score"), elem_id="score", **html)
            table = gr.HTML(
                verse.NO_CANDIDATES, html_template=template("candidates"), elem_id="candidates",
                **{**html, "js_on_load": verse.PICK},
            )  # fmt: skip
            link = gr.Textbox(visible="hidden")
            made["wishes"] = gr.State([])  # from a link
            kept, at, linked, made_of_it = gr.State(), gr.State(0), gr.State(""), gr.State()
    asked = [made[name] for name in NAMES]
    also_asked = [others[name] for name in COMPARED]
    # With each picture the page goes through all that an event writes to: while a search runs, that is the beams alone.
    streamed, placed = [live, made_of_it, kept, at, link], [live, comparison, shown, score, table, reading]
    at_once = private_event(stop, queue=False)
    # Who composes when is the line's to say; Gradio lets all in, and each waits without a thread.
    work = private_event(stop, concurrency_id="compose", concurrency_limit=None)

    drawn = gr.on([press.click, made["prose"].submit], draw_ticket, None, live, **at_once)
    composed = drawn.then(compose_for_page, asked, streamed, **work)
    compared = against.click(draw_ticket, None, live, **at_once).then(
        compare_for_page, [*asked, *also_asked], streamed, **work
    )
    arrived = page.load(read_link, None, [*asked, *also_asked, linked, live], **at_once).then(
        compose_from_link, [linked, *asked, *also_asked], streamed, **work
    )
    if not gpu.ZERO:  # there, processes of their own do the work, and load for themselves
        made["prose"].focus(composing.prepare, made["model"], None, **at_once)
    stop.click(stop_running, None, live, **at_once)
    finished = [event.then(place, made_of_it, placed, **at_once) for event in (composed, compared, arrived)]
    for event in finished:
        event.then(None, link, None, js=SHOW_LINK, api_visibility="private")
    again = made["script"].input(show_again, [kept, at, made["script"]], [shown, score, table], **at_once)
    picked = table.select(pick, [kept, made["script"]], [shown, score, table, at], **at_once)
    # The verse does not wait for its reading, and a reading does not wait for the next search.
    beside = private_event(stop, concurrency_id="read", concurrency_limit=2)
    for event in (*finished, again, picked):
        event.then(read_chosen, [kept, at, made["script"]], reading, **beside)
    preset.input(use_preset, preset, [made[name] for name in PRESET], **at_once)
    quick.wire(kept, at, [press.click, made["prose"].submit, against.click, table.select])
    return ComposeTab(kept, made["script"], finished, made["metre"])


# ------------------------------------------------------------------------------------------------ what they do


def _streamed(shown: composing.PageState, script: str) -> tuple[Any, ...]:
    """A picture of the search; or, in the end, what is to be placed: comparison, verse, score and table. The last
    picture stays until that is."""
    kept = shown.kept
    if shown.error:
        told = literal(verse.sentence(shown.error))
        return gr.skip(), ([], told, verse.NO_SCORE, verse.NO_CANDIDATES), None, 0, gr.skip()
    if not kept:
        return _picture(shown)
    return gr.skip(), ([], *show_again(kept, 0, script)), kept, 0, kept.link


def _picture(shown: composing.PageState) -> tuple[Any, ...]:
    return (literal(shown.live), *[gr.skip()] * 4)


def place(made: tuple[Any, ...] | None) -> tuple[Any, ...]:
    return (beams.NOT_LIVE, *made, reading_card.NO_READING) if made else (gr.skip(),) * 6


def read_chosen(kept: composing.FinishedComposition | None, at: int, script: str) -> Iterator[Any]:
    """What the verse that is shown says, and what of the prose is heard in it; nothing where no reader is installed."""
    if not kept or not kept.composition["candidates"] or not composer.reader_at_hand():
        yield reading_card.NO_READING
        return
    verse_ = kept.composition["candidates"][at]["slp1"]
    for picture in reading_card.readings(verse_, "slp1", script, kept.composition["prose"]):
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


@gpu.on_gpu
def compare_now(session: str, one: Choices, other: Choices) -> Iterator[tuple[Any, ...]]:
    first: composing.PageState | None = None
    second: composing.PageState | None = None
    for first, second in composing.compare(one, other, session):
        yield _picture(second or first)
    if first is None or first.error or not first.kept:
        yield _streamed(first or composing.PageState(beams.NOT_LIVE), one.script)
        return
    sides = [_side(first, one, 0), *([_side(second, other, 1)] if second else [])]
    empty = {**verse.NO_VERSE, "empty": ""}
    told = one.link(other)
    table = literal(first.kept.table(0, one.script))
    yield gr.skip(), (literal(sides), empty, verse.NO_SCORE, table), first.kept, 0, told


def _side(shown: composing.PageState, choices: Choices, number: int) -> dict[str, Any]:
    side: dict[str, Any] = {"name": strings.COMPARED[number], "summary": choices.summary(), "error": shown.error}
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
        "others": [row["lines"] for row in rows[1:5]],
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


def show_again(kept: composing.FinishedComposition | None, at: int, script: str) -> tuple[Any, ...]:
    if not kept:
        return gr.skip(), gr.skip(), gr.skip()
    return literal(kept.verse(at, script)), literal(kept.meaning(at)), literal(kept.table(at, script))


def pick(kept: composing.FinishedComposition | None, script: str, event: gr.EventData) -> tuple[Any, ...]:
    at = int(event.index)
    return (*show_again(kept, at, script), at)


def use_preset(name: str) -> list[Any]:
    values = Choices(settings=composer.PRESETS[name]).controls()
    return [values[each] for each in PRESET]
