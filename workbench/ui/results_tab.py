"""The Results tab: a study's owner sees what it has found, takes it away, brings items and invites raters.

Places controls and wires them; what they do is in `results`, the figures in `rating_plots`. The token is typed into a
password box and travels only in the body of a request.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gradio as gr

from workbench import composer
from workbench.ratings.items import Preview
from workbench.ui import admin as administrator
from workbench.ui import rating_plots, results
from workbench.ui import rating_strings as strings
from workbench.ui.database import place
from workbench.ui.literal import literal
from workbench.ui.private_events import private_event
from workbench.ui.refusing import sentence_for
from workbench.ui.results import Owner
from workbench.ui.templates import template

NOTHING = {"error": "", "sentence": "", "secret": "", "copy": strings.COPY}
# An export goes from the answer straight into a file of the browser's.
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


@dataclass(frozen=True)
class Added:
    """Items that were just added, and what was said of it, until they are scored."""

    sentence: str
    keys: tuple[str, ...]


def add_results_tab() -> None:
    html: dict[str, Any] = {"apply_default_css": False, "js_on_load": None}
    with gr.Tab(strings.RESULTS_TAB, id="results"), gr.Row(elem_id="results", elem_classes="desk"):
        with gr.Column(scale=3, min_width=300, elem_classes="card controls"):
            gr.Markdown(strings.RESULTS_INTRO, elem_classes="intro")
            study = gr.Textbox(label=strings.RESULTS_STUDY, elem_id="results-study", max_lines=1)
            token = gr.Textbox(label=strings.RESULTS_TOKEN, type="password", elem_id="results-token", max_lines=1)
            question = gr.Dropdown(
                [results.QUESTION], value=results.QUESTION, label=strings.RESULTS_QUESTION, elem_id="results-question"
            )
            show = gr.Button(
                strings.RESULTS_OPEN, variant="primary", elem_id="results-open", elem_classes="main-action"
            )
            told = gr.HTML(NOTHING, html_template=template("status"), elem_id="results-told", **html)
            admin = gr.Textbox(
                label=strings.NEW_ADMIN, info=strings.ADMIN_HELP, type="password", elem_id="new-admin",
                visible=administrator.required(), max_lines=1,
            )  # fmt: skip
            who, asking = [study, token], private_event(show, concurrency_id="results", concurrency_limit=2)
            with gr.Accordion(strings.EXPORT, open=False, elem_id="results-exports"):
                kind = gr.Dropdown(
                    list(strings.EXPORT_CHOICES), value="csv", label=strings.EXPORT_FORMAT, elem_id="results-format"
                )
                take = gr.Button(strings.EXPORT_DOWNLOAD, variant="secondary", elem_id="results-export")
                file = gr.Textbox(visible="hidden")
                gr.Markdown(strings.CALIBRATE_HELP, elem_classes="intro")
                fit = gr.Button(strings.CALIBRATE, variant="secondary", elem_id="results-calibrate")
                fit.click(fit_calibration, [*who, admin], told, **asking)
                take.click(take_away, [*who, kind], [file, told], **asking).then(
                    None, file, file, js=SAVE, api_visibility="private"
                )
            _add_raters(who, told, asking)
            _add_items(who, admin, told, html, asking)
            _add_creation(who, admin, told, asking)
        with gr.Column(scale=7, min_width=320, elem_classes="results"):
            summary = gr.HTML(
                results.NO_FINDINGS, html_template=template("findings"), elem_id="results-summary", **html
            )
            figures, twins = [], []
            with gr.Column(visible=False, elem_classes="figures") as drawn:
                for draw in rating_plots.FIGURES:
                    with gr.Column(elem_classes="card figure-card"):
                        figures.append(gr.Plot(show_label=False, elem_id=f"results-{draw.__name__.replace('_', '-')}"))
                        twins.append(gr.HTML("", elem_id=f"results-twin-{draw.__name__.replace('_', '-')}", **html))
    gr.on(
        [show.click, token.submit, question.input], show_results, [*who, question],
        [summary, told, question, drawn, *figures, *twins], **asking,
    )  # fmt: skip


def _add_raters(who: list[Any], told: gr.HTML, asking: dict[str, Any]) -> None:
    with gr.Accordion(strings.RATERS, open=False, elem_id="results-raters"):
        name = gr.Textbox(label=strings.INVITE_NAME, elem_id="results-name", max_lines=1)
        with gr.Row():
            invite = gr.Button(strings.INVITE, variant="secondary", elem_id="results-invite", min_width=90)
            revoke = gr.Button(strings.REVOKE, variant="secondary", elem_id="results-revoke", min_width=90)
    invite.click(invite_rater, [*who, name], told, **asking)
    revoke.click(revoke_rater, [*who, name], told, **asking)


def _add_items(who: list[Any], admin: gr.Textbox, told: gr.HTML, html: dict[str, Any], asking: dict[str, Any]) -> None:
    scripts = [(script.label, script.name) for script in composer.SCRIPTS.values()]
    with gr.Accordion(strings.ITEMS, open=False, elem_id="results-items"):
        gr.Markdown(strings.ITEMS_HELP, elem_classes="intro")
        system = gr.Textbox(label=strings.ITEMS_SYSTEM, elem_id="results-system", max_lines=1)
        script = gr.Dropdown(
            [(strings.ITEMS_SCRIPT_AUTO, "auto"), *scripts], value="auto", label=strings.ITEMS_SCRIPT,
            elem_id="results-script",
        )  # fmt: skip
        with gr.Row():
            chosen = gr.UploadButton(
                strings.ITEMS_CHOOSE, variant="secondary", file_types=[".csv", ".jsonl", ".json", ".txt"],
                elem_id="results-upload", min_width=240,
            )  # fmt: skip
            bring = gr.Button(strings.ITEMS_SAVED, variant="secondary", elem_id="results-saved", min_width=240)
        score = gr.Checkbox(
            composer.judges_at_hand(), label=strings.ITEMS_SCORE, info=strings.ITEMS_SCORE_HELP,
            elem_id="results-score",
        )  # fmt: skip
        add = gr.Button(strings.ITEMS_ADD, variant="secondary", elem_id="results-add", min_width=90)
        preview = gr.HTML(
            {**results.NO_FINDINGS, "empty": ""}, html_template=template("findings"), elem_id="results-preview", **html
        )
        found, added = gr.State(), gr.State()
    chosen.upload(look_through, [*who, chosen, system, script], [found, preview, told], **asking)
    bring.click(bring_saved, [*who, admin], [found, preview, told], **asking)
    # One after the other with the API's scores, since either takes all the machine has.
    add.click(add_items, [*who, found, score], [found, added, told], **asking).then(
        score_items, [*who, added], [added, told], **{**asking, "concurrency_id": "score", "concurrency_limit": 1}
    )


def _add_creation(who: list[Any], admin: gr.Textbox, told: gr.HTML, asking: dict[str, Any]) -> None:
    with gr.Accordion(strings.NEW_STUDY, open=False, elem_id="results-new"):
        name = gr.Textbox(label=strings.NEW_NAME, elem_id="new-name", max_lines=1)
        ask = gr.CheckboxGroup(
            list(strings.NEW_ASK_CHOICES), value=["comment", "marks"], label=strings.NEW_ASK, elem_id="new-ask"
        )
        overlap = gr.Number(5, label=strings.NEW_OVERLAP, minimum=1, precision=0, elem_id="new-overlap")
        repeats = gr.Slider(0, 0.5, 0.1, step=0.05, label=strings.NEW_REPEATS, elem_id="new-repeats")
        distance = gr.Number(10, label=strings.NEW_DISTANCE, minimum=1, precision=0, elem_id="new-distance")
        seed = gr.Number(0, label=strings.NEW_SEED, minimum=0, precision=0, elem_id="new-seed")
        logins = gr.Checkbox(False, label=strings.NEW_LOGINS, elem_id="new-logins")
        create = gr.Button(strings.NEW_CREATE, variant="secondary", elem_id="new-create")
    asked = [admin, name, ask, overlap, repeats, distance, seed, logins]
    create.click(create_study, asked, [*who, told], **asking)


# ------------------------------------------------------------------------------------------------ what they do


def attempt(call: Callable[..., Any], *given: Any) -> tuple[Any, dict[str, str]]:
    """What a call gives, and what is to be said: nothing, or the sentence in which it was refused."""
    try:
        return call(*given), NOTHING
    except Exception as error:  # in the log stands the call's name, and no token
        return None, literal({**NOTHING, "error": sentence_for(error, call.__name__, strings.RATE_UNEXPECTED)})


def _say(call: Callable[..., str], *given: Any) -> dict[str, str]:
    """What a call says, or the sentence in which it was refused."""
    sentence, told = attempt(call, *given)
    return told if sentence is None else literal({**NOTHING, "sentence": sentence})


def show_results(study: str, token: str, question: str, request: gr.Request) -> tuple[Any, ...]:
    found, told = attempt(results.summarise, Owner(study, token, place(request)), question)
    pictures = len(rating_plots.FIGURES)
    if found is None:
        hidden = gr.Column(visible=False)
        return results.NO_FINDINGS, told, gr.skip(), hidden, *[gr.skip()] * (2 * pictures)
    opened, summary = found
    drawn = [draw(summary) for draw in rating_plots.FIGURES]
    return (
        literal(results.findings(opened, summary)),
        told,
        gr.Dropdown(opened.scales, value=summary.question),
        gr.Column(visible=True),
        *(figure for figure, _ in drawn),
        *(twin for _, twin in drawn),
    )


def take_away(study: str, token: str, kind: str, request: gr.Request) -> tuple[str, dict[str, str]]:
    file, told = attempt(results.exported, Owner(study, token, place(request)), kind)
    return json.dumps(file) if file else "", told


def fit_calibration(study: str, token: str, admin: str, request: gr.Request) -> dict[str, str]:
    return _say(results.calibrate, Owner(study, token, place(request), admin))


def look_through(
    study: str, token: str, file: str | None, system: str, script: str, request: gr.Request
) -> tuple[Preview | None, dict[str, Any], dict[str, str]]:
    return _looked_at(*attempt(results.looked_through, Owner(study, token, place(request)), file, system, script))


def _looked_at(found: Preview | None, told: dict[str, str]) -> tuple[Preview | None, dict[str, Any], dict[str, str]]:
    if found is None:
        return None, {**results.NO_FINDINGS, "empty": ""}, told
    return found, literal(results.previewed(found)), told


def bring_saved(
    study: str, token: str, admin: str, request: gr.Request
) -> tuple[Preview | None, dict[str, Any], dict[str, str]]:
    return _looked_at(*attempt(results.brought, Owner(study, token, place(request), admin)))


def add_items(
    study: str, token: str, found: Preview | None, score: bool, request: gr.Request
) -> tuple[None, Added | None, dict[str, str]]:
    """Items are in before the judges are asked, which may take minutes."""
    sentence, told = attempt(results.add, Owner(study, token, place(request)), found)
    if sentence is None or not found:
        return None, None, told
    added = Added(sentence, tuple(item.key for item in found.items)) if score else None
    said = f"{sentence} {strings.ITEMS_SCORING}" if score else sentence
    return None, added, literal({**NOTHING, "sentence": said})


def score_items(study: str, token: str, added: Added | None, request: gr.Request) -> tuple[None, Any]:
    if added is None:
        return None, gr.skip()
    sentence, told = attempt(results.score, Owner(study, token, place(request)), added.keys)
    return None, {**told, **literal({"sentence": f"{added.sentence} {sentence or ''}".strip()})}


def invite_rater(study: str, token: str, name: str, request: gr.Request) -> dict[str, str]:
    owner = Owner(study, token, place(request))
    link, told = attempt(results.invite, owner, name, request.headers.get("origin", "") + "/")
    return literal({**NOTHING, "sentence": strings.INVITED.format(name=name.strip()), "secret": link}) if link else told


def revoke_rater(study: str, token: str, name: str, request: gr.Request) -> dict[str, str]:
    return _say(results.revoke, Owner(study, token, place(request)), name)


def create_study(request: gr.Request, admin: str, *plan: Any) -> tuple[Any, Any, dict[str, str]]:
    founded, told = attempt(results.create, admin, place(request), *plan)
    if founded is None:
        return gr.skip(), gr.skip(), told
    sentence = strings.CREATED.format(study=founded.study.id)
    return founded.study.id, founded.token, literal({**NOTHING, "sentence": sentence, "secret": founded.token})
