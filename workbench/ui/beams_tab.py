"""The Beams tab: the search replayed step by step from its trace, with its curves; traces kept and opened again.

Places controls and wires them; what they show is in `beams` and `plots`. Needs no model.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import gradio as gr

from workbench import composer
from workbench.ui import beams, plots, strings
from workbench.ui.compose_tab import ComposeTab
from workbench.ui.composing import FinishedComposition
from workbench.ui.literal import literal
from workbench.ui.private_events import private_event
from workbench.ui.refusing import sentence_for
from workbench.ui.templates import template

KEPT, DAY = "pingala-trace-", 86_400  # folders of traces that are taken away, and seconds after which they are removed
REPLAY = "() => window.pingalaReplay?.()"
FIGURES = (plots.scores, plots.masked, plots.beta)


def add_beams_tab(compose: ComposeTab, tabs: gr.Tabs) -> None:
    html: dict[str, Any] = {"apply_default_css": False, "js_on_load": None}
    with gr.Tab(strings.BEAMS_TAB, id="beams"):
        # A new trace is drawn when somebody looks: its figures take a page longer than its verse does.
        trace, undrawn, looking = gr.State(), gr.State(False), gr.State(False)
        with gr.Column(elem_classes="card controls-row"):
            gr.Markdown(strings.BEAMS_INTRO, elem_classes="intro")
            with gr.Row():
                step = gr.Slider(1, 2, 1, step=1, label=strings.STEP_SLIDER, elem_id="step", scale=6, min_width=240)
                search = gr.Dropdown(
                    [(strings.SEARCH_BEAMS, "beams")], value="beams", label=strings.SEARCH, elem_id="beams-search",
                    min_width=110, scale=1,
                )  # fmt: skip
            with gr.Row():
                replay = gr.Button(strings.REPLAY, variant="secondary", elem_id="replay", min_width=90)
                download = gr.DownloadButton(
                    strings.DOWNLOAD_TRACE, variant="secondary", elem_id="download-trace", min_width=130
                )
                upload = gr.UploadButton(
                    strings.OPEN_TRACE, variant="secondary", file_types=[".json"], elem_id="open-trace", min_width=110
                )
        status = gr.HTML("", elem_id="trace-told", **html)
        view = gr.HTML(beams.NO_BEAMS, html_template=template("beams"), elem_id="beams-view", **html)
        figures, twins = [], []
        for figure in FIGURES:
            with gr.Column(elem_classes="card figure-card"):
                figures.append(gr.Plot(show_label=False, elem_id=f"figure-{figure.__name__}"))
                twins.append(gr.HTML("", elem_id=f"twin-{figure.__name__}", **html))
    drawing = private_event(replay, concurrency_id="beams", concurrency_limit=8)
    everything = [step, search, view, download, *figures, *twins]
    taken = [event.then(take_trace, compose.kept, [trace, undrawn], **drawing) for event in compose.finished]
    looked = tabs.select(is_here, None, looking, **private_event(replay, queue=False))
    for event in (*taken, looked):
        event.then(show_new, [looking, undrawn, trace, compose.script], [undrawn, *everything], **drawing)
    upload.upload(open_trace, upload, [trace, status], **drawing).success(
        show_trace, [trace, compose.script], everything, **drawing
    )
    search.input(choose_search, [trace, search, compose.script], [step, view, *figures, *twins], **drawing)
    step.change(show_step, [trace, search, step, compose.script], view, trigger_mode="always_last", **drawing)
    compose.script.input(rewrite, [undrawn, trace, search, step, compose.script], view, **drawing)
    # In the browser: it moves the slider as a person would, and waits for each step to be drawn (assets/replay.js).
    replay.click(None, None, None, js=REPLAY, api_visibility="private")


def take_trace(kept: FinishedComposition | None) -> tuple[Any, Any]:
    return (kept.trace, True) if kept and kept.trace.get("steps") else (gr.skip(), gr.skip())


def is_here(event: gr.SelectData) -> bool:
    return bool(event.value == strings.BEAMS_TAB)


def show_new(looking: bool, undrawn: bool, trace: dict[str, Any] | None, script: str) -> tuple[Any, ...]:
    """A trace that was taken, once somebody looks."""
    if not looking or not undrawn:
        return (gr.skip(),) * (5 + 2 * len(FIGURES))
    return False, *show_trace(trace, script)


def _curves(trace: dict[str, Any]) -> list[Any]:
    made = [draw(trace) for draw in FIGURES]
    return [*(figure for figure, _ in made), *(twin for _, twin in made)]


def show_trace(trace: dict[str, Any] | None, script: str) -> tuple[Any, ...]:
    """A new trace: its last step, its curves, and its file to take away."""
    if not trace:
        return (gr.skip(),) * (4 + 2 * len(FIGURES))
    steps = len(trace["steps"])
    slider = gr.Slider(1, max(2, steps), steps, step=1)
    found = beams.searches(trace)
    chooser = gr.Dropdown(found, value="beams")
    return slider, chooser, literal(beams.step_view(trace, steps, script)), keep(trace), *_curves(trace)


def choose_search(trace: dict[str, Any] | None, search: str, script: str) -> tuple[Any, ...]:
    if not trace:
        return (gr.skip(),) * (2 + 2 * len(FIGURES))
    part = beams.part(trace, search)
    steps = len(part["steps"])
    return gr.Slider(1, max(2, steps), steps, step=1), literal(beams.step_view(part, steps, script)), *_curves(part)


def show_step(trace: dict[str, Any] | None, search: str, step: int, script: str) -> Any:
    return literal(beams.step_view(beams.part(trace, search), step, script)) if trace else gr.skip()


def rewrite(undrawn: bool, trace: dict[str, Any] | None, search: str, step: int, script: str) -> Any:
    return gr.skip() if undrawn else show_step(trace, search, step, script)


def keep(trace: dict[str, Any]) -> str:
    """The trace in a file of its own, where Gradio may serve it from; those of before that nobody will fetch any more
    are removed."""
    for old in Path(tempfile.gettempdir()).glob(f"{KEPT}*/pingala-trace.json"):
        with suppress(OSError):  # another process may have been quicker
            if time.time() - old.stat().st_mtime > DAY:
                shutil.rmtree(old.parent, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=KEPT))
    file = folder / "pingala-trace.json"
    file.write_text(json.dumps(trace, ensure_ascii=False), encoding="utf-8")
    return str(file)


def _try_to_draw(trace: dict[str, Any]) -> None:
    """Refuse what has the form of a trace and contradicts itself, before anything of it is shown."""
    try:
        for each in (trace, *([trace["draws"]] if "draws" in trace else [])):
            beams.step_view(each, len(each["steps"]), "iast")
            _curves(each)
    except Exception as error:
        raise composer.TraceError(
            "Expected a trace, as the workbench writes it; this one contradicts itself, and cannot be drawn."
        ) from error


def open_trace(file: str) -> tuple[Any, Any]:
    try:
        trace = composer.read_document(Path(file).read_bytes())
        _try_to_draw(trace)
    except Exception as error:
        return gr.skip(), template("alert", sentence=sentence_for(error, "opening a trace"))
    line = strings.TRACE_OPENED.format(metre=trace["metre"], steps=len(trace["steps"]))
    return trace, template("note", sentence=line)
