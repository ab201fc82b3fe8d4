"""The Compose tab: prose and settings in, the search as it runs, then the verse and every candidate.

Places controls and wires them; what they do is in `compose_events` and `composing`, what they show in `verse`, `beams`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import gradio as gr

from workbench import composer
from workbench.paths import ASSETS
from workbench.ui import (
    beams,
    compose_events,
    composing,
    desk,
    desk_events,
    example_verses,
    gpu,
    passage_view,
    reading_card,
    strings,
    verse,
)
from workbench.ui.choices import COMPARED, NAMES, OFFERED, Choices, paper
from workbench.ui.metre_chooser import metre_chooser
from workbench.ui.private_events import private_event
from workbench.ui.quick_row import add_quick_row
from workbench.ui.scripts import OFFERED_SCRIPTS
from workbench.ui.templates import template
from workbench.ui.wishes_panel import FIELDS, WishesPanel, shown_wishes, wishes_of_link

LONG = 1000  # from so many places on, nobody finds one on a slider
PRESET = [name for name in OFFERED if name != "metre"]  # what a preset sets
SEARCHED = [option for option in OFFERED.values() if option.group == "main" and option.name != "metre" and option.brief]
NOTHING = verse.NO_VERSE, verse.NO_SCORE, verse.NO_CANDIDATES, reading_card.NO_READING
# What the browser does after an event: assets/kept.js and assets/workbench.js.
MADE = "(link, record) => { window.pingalaMade?.(link, record); window.pingalaArrived?.(); }"
MADE_BY_HAND = "(record) => window.pingalaMade?.('', record)"
CHOSEN = "() => window.pingalaChosen?.()"
RETURNED = "(link) => { window.pingalaAddress?.(link); window.pingalaChosen?.(); }"
EXAMPLE = "(number, link) => { window.pingalaExample?.(number, link); window.pingalaChosen?.(); }"
LINKED = """() => {
  const asked = new URLSearchParams(location.search);
  asked.delete('__theme');
  return asked.toString();
}"""
TAKE = "(file) => window.pingalaTake?.(file)"
# In the browser: a number that is dragged need not go to the server and back for its own name.
BRIEFS, FOLD_LINE = json.dumps([option.brief for option in SEARCHED]), json.dumps(strings.SEARCH_FOLD)
FOLLOW_SEARCH = f"""(...values) => {{
  const told = {BRIEFS}.map((brief, i) => brief.replace('{{}}', values[i] ?? '…'));
  return {{__type__: 'update', label: {FOLD_LINE}.replace('{{told}}', told.join(' · '))}};
}}"""


@dataclass
class ComposeTab:
    """What other tabs need of this one."""

    kept: gr.State
    script: gr.Dropdown
    finished: list[Any]  # the events after which there is a new composition
    metre: gr.HTML


def _control(option: composer.Option, value: Any, before: str = "") -> Any:
    """The control that a setting's declaration asks for."""
    same: dict[str, Any] = {"value": option.shown(value), "label": option.label, "info": option.help}
    same["elem_id"] = before + option.flag
    if option.kind == "choice":
        return gr.Dropdown(list(option.choices), **same)
    if option.kind == "switch":
        return gr.Checkbox(**same)
    bounds: dict[str, Any] = {"minimum": option.least, "maximum": option.most, "step": option.step}
    if option.most is not None and option.most / option.step > LONG:
        return gr.Number(precision=0, **bounds, **same)
    return gr.Slider(**bounds, **same)


def _controls(settings: composer.Settings, group: str) -> dict[str, Any]:
    these = [option for option in OFFERED.values() if option.group == group and option.kind != "metre"]
    return {option.name: _control(option, getattr(settings, option.name)) for option in these}


def _models() -> list[tuple[str, str]]:
    return [
        (strings.MODEL_CHOICE.format(name=entry.name, size=entry.size, needs=entry.needs), name)
        for name, entry in composer.offered_entries().items()
    ]


def _chips(start: Choices) -> dict[str, Any]:
    """What every verse has, in one row: its metre, the script it is read in, who writes it."""
    chip: dict[str, Any] = {"min_width": 80, "elem_classes": "chip"}
    with gr.Row(elem_classes="chips"):
        return {
            "metre": metre_chooser(
                start.settings.found_metre().name,
                OFFERED["metre"].label,
                "metre",
                info=OFFERED["metre"].help,
                **chip,
            ),
            "script": gr.Dropdown(OFFERED_SCRIPTS, value=start.script, label=strings.SCRIPT, elem_id="script", **chip),
            "model": gr.Dropdown(_models(), value=start.model, label=strings.MODEL, elem_id="model", **chip),
        }


def _compared(start: Choices) -> tuple[dict[str, Any], gr.Button]:
    with gr.Accordion(strings.COMPARE_WITH, open=False, elem_id="compare-with"):
        gr.Markdown(strings.COMPARE_HELP, elem_classes="intro")
        model = gr.Dropdown(_models(), value=start.model, label=strings.MODEL, elem_id="other-model")
        others = [OFFERED[name] for name in COMPARED if name in OFFERED]
        controls = {
            "model": model,
            **{each.name: _control(each, getattr(start.settings, each.name), "other-") for each in others},
        }
        return controls, gr.Button(strings.COMPARE, variant="secondary", elem_id="compare", min_width=72)


def _kept_script() -> str:
    said = f"const SAYS = {json.dumps(strings.KEPT_SAYS)};\n"
    return said + (ASSETS / "kept.js").read_text(encoding="utf-8")


def search_line(settings: composer.Settings) -> str:
    """The closed line of the search's fold says its numbers; FOLLOW_SEARCH writes the same while they change."""
    briefs = [each.brief.format(f"{each.shown(getattr(settings, each.name)):g}") for each in SEARCHED]
    return strings.SEARCH_FOLD.format(told=" · ".join(briefs))


def add_compose_tab(page: gr.Blocks) -> ComposeTab:
    start, other = Choices(), paper()
    # An empty page is never empty: what it begins with is made before, and comes with the page itself.
    example = example_verses.example()
    begun = desk_events.show_read(example, start.script) if example else NOTHING
    made: dict[str, Any] = {}
    html: dict[str, Any] = {"apply_default_css": False, "js_on_load": None}
    with gr.Tab(strings.COMPOSE_TAB, id="compose"), gr.Row(elem_classes="desk"):
        with gr.Column(scale=3, min_width=300, elem_classes="side"):
            with gr.Column(elem_classes="card asked"):
                made["prose"] = gr.Textbox(
                    label=strings.PROSE, placeholder=strings.PROSE_PLACEHOLDER, info=strings.PROSE_HELP, lines=3,
                    max_lines=10, elem_id="prose",
                )  # fmt: skip
                with gr.Row(elem_classes="actions-row"):
                    press = gr.Button(
                        strings.COMPOSE, variant="primary", elem_id="compose", elem_classes="main-action", min_width=72
                    )
                    anew = gr.Button(
                        strings.COMPOSE_ANEW, variant="secondary", elem_id="anew", min_width=72, visible=False
                    )
                    stop = gr.Button(strings.STOP, variant="secondary", elem_id="stop", min_width=56)
                made |= _chips(start)
                division = gr.Radio(
                    list(strings.DIVISIONS), value="whole", label=strings.DIVISION, elem_id="division", container=False
                )
            with gr.Column(elem_classes="card folds"):
                panel = WishesPanel()
                with gr.Accordion(search_line(start.settings), open=False, elem_id="search") as search:
                    made |= _controls(start.settings, "main")
                    with gr.Accordion(strings.MORE, open=False, elem_id="more"):
                        preset = gr.Radio(
                            list(strings.PRESET_CHOICES), value="house", label=strings.PRESET, elem_id="preset"
                        )
                        made |= _controls(start.settings, "more")
                others, against = _compared(other)
                with gr.Accordion(strings.EXAMPLES_LABEL, open=False, elem_id="examples"):
                    proses = example_verses.proses()
                    offered = gr.Dataset(
                        components=[made["prose"]], samples=[[prose] for prose in proses], label=strings.EXAMPLES_LABEL,
                        show_label=False, type="index", samples_per_page=max(1, len(proses)), elem_id="prose-examples",
                    )  # fmt: skip
            before = gr.HTML(
                {"entries": [], "empty": strings.KEPT_SAYS["empty"], "told": ""}, html_template=template("kept"),
                elem_id="kept", elem_classes="kept-box", **{**html, "js_on_load": _kept_script()},
            )  # fmt: skip
        with gr.Column(scale=7, min_width=320, elem_classes="results"):
            live = gr.HTML(beams.NOT_LIVE, html_template=template("live"), elem_id="live", **html)
            passage_card = gr.HTML(
                passage_view.NO_PASSAGE, html_template=template("passage"), elem_id="passage",
                **{**html, "js_on_load": verse.OPEN},
            )  # fmt: skip
            comparison = gr.HTML([], html_template=template("comparison"), elem_id="comparison", **html)
            shown = gr.HTML(
                begun[0], html_template=template("verse"), elem_id="verse",
                **{**html, "js_on_load": verse.AT_WORK},
            )  # fmt: skip
            quick = add_quick_row()
            reading = gr.HTML(begun[3], html_template=template("reading"), elem_id="reading", **html)
            score = gr.HTML(begun[1], html_template=template("score"), elem_id="score", **html)
            table = gr.HTML(
                begun[2], html_template=template("candidates"), elem_id="candidates",
                **{**html, "js_on_load": verse.PICK},
            )  # fmt: skip
            link, record, file, linked, todo = (gr.Textbox(visible="hidden") for _ in range(5))
            made["wishes"] = gr.State([])  # from a link, or as the panel and the locks have it
            kept, at, made_of_it = gr.State(example), gr.State(0), gr.State()
            at_desk, passage, none, back = gr.State(desk.EMPTY), gr.State(()), gr.State(()), gr.State()
    asked = [made[name] for name in NAMES]
    also_asked = [others[name] for name in COMPARED]
    # With each picture the page goes through all that an event writes to: while a search runs, that is the beams alone.
    streamed = [live, made_of_it, kept, at, link]
    placed = [comparison, shown, score, table, reading, at_desk, record, press, anew]
    at_once = private_event(stop, queue=False)
    # Who composes when is the line's to say; Gradio lets all in, and each waits without a thread.
    work = private_event(stop, concurrency_id="compose", concurrency_limit=None)
    desk_work = private_event(stop, concurrency_id="desk", concurrency_limit=1)

    def gathered(event: Any) -> Any:
        wished = [kept, at, at_desk, *panel.fields]
        return event.then(desk_events.gather_wishes, wished, made["wishes"], **at_once)

    drawn = gr.on([press.click, made["prose"].submit], compose_events.draw_ticket, None, live, **at_once)
    all_new = anew.click(desk_events.forget_locks, None, [at_desk, press, anew], **at_once).then(
        compose_events.draw_ticket, None, live, **at_once
    )
    composed = [
        gathered(event).then(
            compose_events.compose_either, [division, *asked], [*streamed, passage, passage_card], **work
        )
        for event in (drawn, all_new)
    ]
    compared = gathered(against.click(compose_events.draw_ticket, None, live, **at_once)).then(
        compose_events.compare_for_page, [*asked, *also_asked], streamed, **work
    )
    # A visitor without a link, which is most of them, asks the server for nothing, and no control waits for an answer
    # that could undo what is being entered.
    page.load(None, None, linked, js=LINKED, api_visibility="private")
    arrived = linked.change(compose_events.read_link, None, [*asked, *also_asked, todo, live], **at_once)
    arrived.then(wishes_of_link, [made["wishes"], made["metre"]], [*panel.fields, panel.notes, panel.fold], **at_once)
    arrived = arrived.then(compose_events.compose_from_link, [todo, *asked, *also_asked], streamed, **work)
    if not gpu.ZERO:  # there, processes of their own do the work, and load for themselves
        made["prose"].focus(composing.prepare, made["model"], None, **at_once)
    stop.click(compose_events.stop_running, None, live, **at_once)
    finished = []
    for event, verses in (*((one, passage) for one in composed), (compared, none), (arrived, none)):
        shows = event.then(
            desk_events.place, [made_of_it, kept, made["script"], at_desk, verses], placed, **at_once
        ).then(desk_events.last_line, made_of_it, live, **at_once)
        finished.append(shows)
    on_desk = [shown, score, table]
    for event in finished:
        event.then(None, [link, record], None, js=MADE, api_visibility="private")
    again = made["script"].input(desk_events.show, [kept, at, made["script"], at_desk], on_desk, **at_once)
    picked = table.select(
        desk_events.pick, [kept, made["script"], at_desk], [*on_desk, at, at_desk, press, anew], **at_once
    )
    picked.then(None, None, None, js=CHOSEN, api_visibility="private")
    state = [kept, at, made["script"], at_desk]
    shown.select(desk_events.lock_or_close, state, [shown, at_desk, press, anew], **at_once)
    taken = shown.submit(
        gpu.on_gpu(desk_events.look_or_take), state, [*on_desk, kept, at, at_desk, record], **desk_work
    )
    taken.then(None, record, None, js=MADE_BY_HAND, api_visibility="private")
    instance = offered.click(
        desk_events.show_example, [offered, made["script"]],
        [made["prose"], *on_desk, reading, kept, at, at_desk, press, anew, comparison, passage_card, link], **at_once,
    )  # fmt: skip
    instance.then(None, [offered, link], None, js=EXAMPLE, api_visibility="private")
    opened = passage_card.select(
        desk_events.open_verse, [passage, made["script"]], [*on_desk, kept, at, at_desk, passage_card, press, anew],
        **at_once,
    )  # fmt: skip
    returned = before.select(
        gpu.on_gpu(desk_events.come_back),
        made["script"],
        [back, *on_desk, kept, at, at_desk, press, anew, comparison, link],
        trigger_mode="multiple",
        **desk_work,
    )  # fmt: skip  (who goes back twice at once is brought to the second, after the first)
    returned.then(restore, back, [*asked, *panel.fields, panel.notes, panel.fold], **at_once).then(
        None, link, None, js=RETURNED, api_visibility="private"
    )
    before.submit(gpu.on_gpu(desk_events.compare_or_take_away), made["script"], [comparison, file], **desk_work).then(
        None, file, None, js=TAKE, api_visibility="private"
    )
    # The verse does not wait for its reading, and a reading does not wait for the next search.
    beside = private_event(stop, concurrency_id="read", concurrency_limit=2)
    reads = [
        event.then(compose_events.read_chosen, [kept, at, made["script"]], reading, **beside)
        for event in (*finished, again, picked, opened, returned)
    ]
    # An example comes with what it says; no reading that is still under way may come after it.
    offered.click(None, None, None, cancels=reads, api_visibility="private")
    preset.input(use_preset, preset, [made[name] for name in PRESET], **at_once)
    numbers = [made[option.name] for option in SEARCHED]
    gr.on([each.change for each in numbers], None, numbers, search, js=FOLLOW_SEARCH, api_visibility="private")
    panel.wire(made["metre"])
    quick.wire(kept, at, [press.click, anew.click, made["prose"].submit, against.click, table.select, before.select])
    return ComposeTab(kept, made["script"], finished, made["metre"])


def restore(back: tuple[Choices, bool] | None) -> list[Any]:
    """The controls and the wishes' fields as a verse that came back was made with; prose being written stays."""
    if back is None:
        return [gr.skip()] * (len(NAMES) + len(FIELDS) + 2)
    choices, typed = back
    values = choices.controls()
    lines, metre = values["wishes"], values["metre"]
    if typed:
        values["prose"] = gr.skip()
    return [*(values[name] for name in NAMES), *shown_wishes(lines, metre)]


def use_preset(name: str) -> list[Any]:
    values = Choices(settings=composer.PRESETS[name]).controls()
    return [values[each] for each in PRESET]
