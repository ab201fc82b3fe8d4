"""The Scan tab: a verse in any script in, its metre, grid, reasons and faults out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gradio as gr

from workbench import composer
from workbench.ui import reading_card, strings
from workbench.ui.grid import verse_data
from workbench.ui.literal import literal
from workbench.ui.private_events import private_event
from workbench.ui.refusing import for_programs, sentence_for
from workbench.ui.templates import template

NOTHING_YET: dict[str, Any] = {"verses": [], "error": "", "empty": strings.SCAN_EMPTY}


def scan_for_page(text: str, script: str, metre: str, to: str) -> dict[str, Any]:
    """What the result shows: verses, or one sentence that says what was expected."""
    if not text or not text.strip():
        return NOTHING_YET
    try:
        scans = composer.scan(text, script, metre)
        return {"verses": [verse_data(scan, to) for scan in scans], "error": "", "empty": ""}
    except Exception as error:
        return {"verses": [], "error": sentence_for(error, f"scanning {len(text)} characters"), "empty": ""}


def scan_and_show(text: str, script: str, metre: str, to: str) -> tuple[Any, ...]:
    """The verses scanned; what they say is read when somebody asks for it, since that takes longer."""
    found = scan_for_page(text, script, metre, to)
    return (
        literal(found),
        gr.Button(visible=bool(found["verses"]) and composer.reader_at_hand()),
        reading_card.NO_READING,
    )


def read_and_show(text: str, script: str, to: str) -> Iterator[Any]:
    for picture in reading_card.readings(text, script, to):
        yield literal(picture)


@for_programs
def scan_api(text: str, script: str = "auto", metre: str = "auto", to: str = "devanagari") -> list[dict[str, Any]]:
    """Scan Sanskrit verses: metre, syllables, weights with reasons, and faults.

    Args:
        text: One or more verses in any Indian script or romanisation; a line break, । or / ends a half-verse.
        script: The script of the text, or auto.
        metre: The metre to judge it as, or auto for the one it is in.
        to: The script the syllables are written in.

    Returns:
        One object a verse, as `python -m workbench scan --json` prints it.
    """
    return [scan.as_json(to if to in composer.SCRIPTS else "devanagari") for scan in composer.scan(text, script, metre)]


def add_scan_tab() -> None:
    scripts = [(script.label, script.name) for script in composer.SCRIPTS.values()]
    metres = [(f"{metre.name} · {metre.summary}", metre.name) for metre in composer.all_metres()]
    with gr.Tab(strings.SCAN_TAB, id="scan"), gr.Row(elem_classes="desk"):
        with gr.Column(scale=3, min_width=300, elem_classes="card controls"):
            gr.Markdown(strings.SCAN_INTRO, elem_classes="intro")
            text = gr.Textbox(
                label=strings.SCAN_INPUT,
                placeholder=strings.SCAN_PLACEHOLDER,
                info=strings.SCAN_INPUT_HELP,
                lines=4,
                max_lines=12,
                elem_id="scan-input",
                elem_classes="sanskrit-input",
                render=False,
            )
            gr.Examples(
                [[verse] for verse, _ in strings.EXAMPLES],
                [text],
                example_labels=[name for _, name in strings.EXAMPLES],
                label=strings.SCAN_EXAMPLES,
                elem_id="scan-examples",
                api_visibility="private",
            )
            text.render()  # type: ignore[no-untyped-call]
            with gr.Row():
                script = gr.Dropdown(
                    [(strings.SCAN_SCRIPT_AUTO, "auto"), *scripts],
                    value="auto",
                    label=strings.SCAN_SCRIPT,
                    elem_id="scan-script",
                    min_width=120,
                )
                to = gr.Dropdown(scripts, value="devanagari", label=strings.SCAN_TO, elem_id="scan-to", min_width=120)
            metre = gr.Dropdown(
                [(strings.SCAN_METRE_AUTO, "auto"), *metres],
                value="auto",
                label=strings.SCAN_METRE,
                elem_id="scan-metre",
            )
            with gr.Row():
                run = gr.Button(
                    strings.SCAN_RUN, variant="primary", elem_id="scan-run", elem_classes="main-action", min_width=90
                )
                clear = gr.Button(strings.SCAN_CLEAR, variant="secondary", elem_id="scan-clear", min_width=90)
        with gr.Column(scale=7, min_width=320):
            result = gr.HTML(
                NOTHING_YET,
                html_template=template("scan_result"),
                js_on_load=None,
                apply_default_css=False,
                elem_id="scan-result",
            )
            says = gr.Button(strings.SCAN_READ, variant="secondary", elem_id="scan-read", visible=False, min_width=160)
            reading = gr.HTML(
                reading_card.NO_READING,
                html_template=template("reading"),
                js_on_load=None,
                apply_default_css=False,
                elem_id="scan-reading",
            )
    asked = [text, script, metre, to]
    scanning = private_event(run, concurrency_id="scan", concurrency_limit=4)
    gr.on(
        [run.click, text.submit, script.input, metre.input, to.input],
        scan_and_show,
        asked,
        [result, says, reading],
        **scanning,
    )
    clear.click(
        lambda: ("", "auto", "auto", NOTHING_YET, gr.Button(visible=False), reading_card.NO_READING),
        None,
        [text, script, metre, result, says, reading],
        **scanning,
    )
    says.click(
        read_and_show, [text, script, to], reading, **private_event(says, concurrency_id="read", concurrency_limit=2)
    )
