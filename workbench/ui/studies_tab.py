"""The Studies tab: a study's owner makes it, brings items, invites raters, sees what it found, and may calibrate by it.

Places controls and wires them; what they do is in `studies_events`. On the left stand the studies that this browser
knows, a list that assets/studies.js keeps in the browser's own storage; on the right the steps of the one that is open.
A token is held in the browser and travels only in the body of a request.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import gradio as gr

from workbench import composer
from workbench.paths import ASSETS
from workbench.ui import admin as administrator
from workbench.ui import findings, owner, rating_plots, results
from workbench.ui import rating_strings as strings
from workbench.ui import studies_events as events
from workbench.ui.private_events import private_event
from workbench.ui.templates import template

HTML: dict[str, Any] = {"apply_default_css": False, "js_on_load": None}
# What the browser does after an event. An export goes from the answer straight into a file of the browser's.
SAVE = """(text) => {
  if (!text) return '';
  const {name, type, data} = JSON.parse(text);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([Uint8Array.from(atob(data), (each) => each.charCodeAt(0))], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  return '';
}"""
KEEP = "(record) => window.pingalaStudy?.(record)"
# Whatever was pressed may be gone: the keyboard, and a screen reader, go to what is said of it.
LISTEN = "() => requestAnimationFrame(() => document.querySelector('#studies-told [tabindex]')?.focus())"
PRESSED = """element.addEventListener("click", (event) => {
  const { what, name } = event.target.closest("button[data-what]")?.dataset ?? {};
  if (what) trigger("select", { what, name });
});"""


@dataclass(frozen=True)
class Desk:
    """What every step needs: whose study is open, where things are said, what is shown of it."""

    who: list[Any]  # the study's number and its owner's token
    admin: gr.Textbox
    status: gr.HTML
    head: gr.HTML
    people: gr.HTML
    links: gr.Textbox
    asking: dict[str, Any]

    def look_again(self, event: Any) -> Any:
        """After an event that changed the study: how far it is now, and its raters."""
        return event.then(events.look_again, [*self.who, self.links], [self.head, self.people], **self.asking)


def list_script() -> str:
    return f"const SAYS = {json.dumps(strings.STUDIES_SAYS)};\n" + (ASSETS / "studies.js").read_text(encoding="utf-8")


def add_studies_tab() -> None:
    with gr.Tab(strings.STUDIES_TAB, id="studies"), gr.Row(elem_id="studies", elem_classes="desk"):
        with gr.Column(scale=3, min_width=300, elem_classes="side"):
            listed = gr.HTML(
                {"entries": [], "empty": strings.STUDIES_SAYS["empty"], "told": ""},
                html_template=template("studies", strings=strings), elem_id="studies-list",
                **{**HTML, "js_on_load": list_script()},
            )  # fmt: skip
            with gr.Accordion(strings.OPEN_OTHER, open=False, elem_id="study-other", elem_classes="card"):
                gr.Markdown(strings.OPEN_HELP, elem_classes="intro")
                number = gr.Textbox(label=strings.OPEN_STUDY, elem_id="study-number", max_lines=1)
                token = gr.Textbox(label=strings.OPEN_TOKEN, type="password", elem_id="study-token", max_lines=1)
                press = gr.Button(strings.OPEN, variant="secondary", elem_id="study-open")
            with gr.Column(visible=administrator.required(), elem_classes="card"):
                admin = gr.Textbox(
                    label=strings.NEW_ADMIN, info=strings.ADMIN_HELP, type="password", elem_id="study-admin",
                    max_lines=1,
                )  # fmt: skip
            # The study that is open, held by the browser: what is typed above is another until it is opened.
            who = [gr.Textbox(visible="hidden"), gr.Textbox(visible="hidden")]
            record, links = gr.Textbox(visible="hidden"), gr.Textbox(visible="hidden")
        with gr.Column(scale=7, min_width=320, elem_classes="study-desk"):
            head = gr.HTML(
                owner.NO_HEAD, html_template=template("study", strings=strings), elem_id="study-head", **HTML
            )
            status = gr.HTML(events.NOTHING, html_template=template("status"), elem_id="studies-told", **HTML)
            with gr.Tabs(elem_id="steps", overflow_behavior="wrap") as steps:
                with _step("new"):
                    create, plan = _new_study()
                with _step("items"):
                    bringing = _items()
                with _step("raters"):
                    names, invite, people = _raters()
                with _step("results") as looking:
                    finding = _results()
                with _step("calibration"):
                    calibrating = _calibration()
    asking = private_event(press, concurrency_id="results", concurrency_limit=2)
    desk = Desk(who, admin, status, head, people, links, asking)
    opened = [
        *who, record, head, status, steps, people, links, bringing["found"], bringing["preview"], calibrating["would"],
        calibrating["question"],
    ]  # fmt: skip
    for event in (
        gr.on([press.click, token.submit], events.open_study, [number, token], opened, **asking),
        listed.select(events.open_kept, None, opened, **asking),
        create.click(events.create_study, [admin, *plan], opened, **asking),
    ):
        event.then(None, record, None, js=KEEP, api_visibility="private").then(
            None, None, None, js=LISTEN, api_visibility="private"
        )
        event.then(events.show_results, [*who, finding["question"]], finding["shown"](status), **asking)
    _wire_items(desk, bringing)
    _wire_raters(desk, names, invite)
    gr.on(
        [finding["look"].click, finding["question"].input, looking.select], events.show_results,
        [*who, finding["question"]], finding["shown"](status), **asking,
    )  # fmt: skip
    finding["take"].click(events.take_away, [*who, finding["kind"]], [finding["file"], status], **asking).then(
        None, finding["file"], finding["file"], js=SAVE, api_visibility="private"
    )
    _wire_calibration(desk, calibrating)


def _step(name: str) -> gr.Tab:
    """A step's panel. All stand from the start: what one does is shown in another."""
    return gr.Tab(strings.STEPS[name], id=f"step-{name}", elem_classes="step", render_children=True)


def _new_study() -> tuple[gr.Button, list[Any]]:
    with gr.Column(elem_classes="card"):
        gr.Markdown(strings.NEW_INTRO, elem_classes="intro")
        name = gr.Textbox(label=strings.NEW_NAME, info=strings.NEW_NAME_HELP, elem_id="new-name", max_lines=1)
        ask = gr.CheckboxGroup(
            list(strings.NEW_ASK_CHOICES), value=["comment", "marks"], label=strings.NEW_ASK, elem_id="new-ask"
        )
        overlap = gr.Number(5, label=strings.NEW_OVERLAP, minimum=1, precision=0, elem_id="new-overlap")
        with gr.Accordion(strings.NEW_MORE, open=False, elem_id="new-more"):
            repeats = gr.Slider(
                0, 0.5, 0.1, step=0.05, label=strings.NEW_REPEATS, info=strings.NEW_REPEATS_HELP, elem_id="new-repeats"
            )
            distance = gr.Number(10, label=strings.NEW_DISTANCE, minimum=1, precision=0, elem_id="new-distance")
            seed = gr.Number(0, label=strings.NEW_SEED, minimum=0, precision=0, elem_id="new-seed")
            logins = gr.Checkbox(False, label=strings.NEW_LOGINS, elem_id="new-logins")
        create = gr.Button(strings.NEW_CREATE, variant="primary", elem_id="new-create", elem_classes="main-action")
    return create, [name, ask, overlap, repeats, distance, seed, logins]


def _items() -> dict[str, Any]:
    scripts = [(script.label, script.name) for script in composer.SCRIPTS.values()]
    made: dict[str, Any] = {}
    with gr.Column(elem_classes="card"):
        gr.Markdown(strings.ITEMS_HELP, elem_classes="intro")
        with gr.Row():
            made["chosen"] = gr.UploadButton(
                strings.ITEMS_CHOOSE, variant="secondary", file_types=[".csv", ".jsonl", ".json", ".txt"],
                elem_id="items-upload", min_width=240,
            )  # fmt: skip
            made["bring"] = gr.Button(strings.ITEMS_SAVED, variant="secondary", elem_id="items-saved", min_width=240)
        with gr.Accordion(strings.ITEMS_MORE_ABOUT, open=False, elem_id="items-more"):
            gr.Markdown(strings.ITEMS_FORMAT, elem_classes="intro")
            made["system"] = gr.Textbox(label=strings.ITEMS_SYSTEM, elem_id="items-system", max_lines=1)
            made["script"] = gr.Dropdown(
                [(strings.ITEMS_SCRIPT_AUTO, "auto"), *scripts], value="auto", label=strings.ITEMS_SCRIPT,
                elem_id="items-script",
            )  # fmt: skip
        made["preview"] = gr.HTML(findings.NOTHING, html_template=template("findings"), elem_id="items-preview", **HTML)
        made["score"] = gr.Checkbox(
            composer.judges_at_hand(), label=strings.ITEMS_SCORE, info=strings.ITEMS_SCORE_HELP, elem_id="items-score"
        )
        made["add"] = gr.Button(strings.ITEMS_ADD, variant="primary", elem_id="items-add", elem_classes="main-action")
        made["found"], made["added"] = gr.State(), gr.State()
    return made


def _raters() -> tuple[gr.Textbox, gr.Button, gr.HTML]:
    with gr.Column(elem_classes="card"):
        gr.Markdown(strings.RATERS_INTRO, elem_classes="intro")
        names = gr.Textbox(label=strings.INVITE_NAME, info=strings.INVITE_HELP, elem_id="raters-names", lines=2)
        invite = gr.Button(strings.INVITE, variant="primary", elem_id="raters-invite", elem_classes="main-action")
    people = gr.HTML(
        owner.NO_RATERS, html_template=template("raters", strings=strings), elem_id="raters-list",
        **{**HTML, "js_on_load": PRESSED},
    )  # fmt: skip
    return names, invite, people


def _results() -> dict[str, Any]:
    made: dict[str, Any] = {}
    with gr.Row(elem_classes="card results-bar"):
        made["question"] = gr.Dropdown(
            [results.QUESTION], value=results.QUESTION, label=strings.RESULTS_QUESTION, elem_id="results-question",
            min_width=160,
        )  # fmt: skip
        made["look"] = gr.Button(strings.RESULTS_REFRESH, variant="secondary", elem_id="results-look", min_width=120)
        made["kind"] = gr.Dropdown(
            list(strings.EXPORT_CHOICES), value="csv", label=strings.EXPORT_FORMAT, elem_id="results-format",
            min_width=200,
        )  # fmt: skip
        made["take"] = gr.Button(strings.EXPORT_DOWNLOAD, variant="secondary", elem_id="results-export", min_width=120)
        made["file"] = gr.Textbox(visible="hidden")
    summary = gr.HTML(findings.NO_FINDINGS, html_template=template("findings"), elem_id="results-summary", **HTML)
    figures, twins = [], []
    with gr.Column(visible=False, elem_classes="figures") as drawn:
        for draw in rating_plots.FIGURES:
            name = draw.__name__.replace("_", "-")
            with gr.Column(elem_classes="card figure-card"):
                figures.append(gr.Plot(show_label=False, elem_id=f"results-{name}"))
                twins.append(gr.HTML("", elem_id=f"results-twin-{name}", **HTML))
    made["shown"] = lambda status: [summary, status, made["question"], drawn, *figures, *twins]
    return made


def _calibration() -> dict[str, Any]:
    made: dict[str, Any] = {}
    with gr.Column(elem_classes="card"):
        gr.Markdown(strings.CALIBRATE_INTRO, elem_classes="intro")
        with gr.Row():
            made["look"] = gr.Button(
                strings.CALIBRATE_LOOK, variant="secondary", elem_id="calibration-look", min_width=200
            )
            made["forget"] = gr.Button(
                strings.CALIBRATION_FORGET, variant="secondary", elem_id="calibration-forget", min_width=200
            )
        made["would"] = gr.HTML(
            findings.NOTHING, html_template=template("findings"), elem_id="calibration-would", **HTML
        )
        with gr.Column(visible=False, elem_id="calibration-question") as made["question"]:
            gr.Markdown(strings.CALIBRATE_ASK, elem_classes="question-asked")
            with gr.Row():
                made["yes"] = gr.Button(
                    strings.CALIBRATE_YES, variant="primary", elem_id="calibration-yes", min_width=200
                )
                made["no"] = gr.Button(
                    strings.CALIBRATE_NO, variant="secondary", elem_id="calibration-no", min_width=200
                )
        made["mark"] = gr.Textbox(visible="hidden")
    return made


# ----------------------------------------------------------------------------------------------------------- wiring


def _wire_items(desk: Desk, made: dict[str, Any]) -> None:
    file = [*desk.who, made["chosen"], made["system"], made["script"]]
    looked_at = [made["found"], made["preview"], desk.status]
    made["chosen"].upload(events.look_through, file, looked_at, **desk.asking)
    gr.on([made["system"].blur, made["script"].input], events.look_again_through, file, looked_at, **desk.asking)
    made["bring"].click(events.bring_saved, [*desk.who, desk.admin], looked_at, **desk.asking)
    adding = made["add"].click(
        events.add_items, [*desk.who, made["found"], made["score"]],
        [made["chosen"], made["found"], made["preview"], made["added"], desk.status], **desk.asking,
    )  # fmt: skip
    desk.look_again(adding)
    # One after the other with the API's scores, since either takes all the machine has.
    adding.then(
        events.score_items, [*desk.who, made["added"]], [made["added"], desk.status],
        **{**desk.asking, "concurrency_id": "score", "concurrency_limit": 1},
    )  # fmt: skip


def _wire_raters(desk: Desk, names: gr.Textbox, invite: gr.Button) -> None:
    inviting = invite.click(
        events.invite_raters, [*desk.who, names, desk.links], [names, desk.links, desk.status], **desk.asking
    )
    changing = desk.people.select(
        events.change_rater, [*desk.who, desk.links], [desk.links, desk.status], **desk.asking
    )
    desk.look_again(inviting)
    desk.look_again(changing).then(None, None, None, js=LISTEN, api_visibility="private")


def _wire_calibration(desk: Desk, made: dict[str, Any]) -> None:
    asked = [made["would"], made["question"], made["mark"], desk.status]
    made["look"].click(events.look_at_calibration, [*desk.who, desk.admin], asked, **desk.asking)
    answers = (
        made["yes"].click(events.store_calibration, [*desk.who, desk.admin, made["mark"]], asked, **desk.asking),
        made["no"].click(events.leave_calibration, None, asked, **desk.asking),
        made["forget"].click(events.forget_calibration, [*desk.who, desk.admin], asked, **desk.asking),
    )
    for answer in answers:
        answer.then(None, None, None, js=LISTEN, api_visibility="private")
