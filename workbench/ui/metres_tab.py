"""The Metres tab: every metre of the table, found by any of its names, with its pattern, gaṇas, yati and a verse in it.

What stands here is the table's own (prosody/metres.toml), drawn; knows no metre by name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gradio as gr

from workbench import composer
from workbench.ui import strings
from workbench.ui.example_verses import in_metre
from workbench.ui.literal import literal
from workbench.ui.private_events import private_event
from workbench.ui.templates import template
from workbench.ui.verse import grid, held, set_lines

GLYPHS = str.maketrans({"l": "⏑", "g": "–", "x": "·"})
WEIGHTS = {"l": "laghu", "g": "guru", "x": "either"}


def listed(text: str) -> list[tuple[str, str]]:
    """Metres that somebody's words find, as a list names them."""
    return [(f"{metre.name} · {metre.summary}", metre.name) for metre in composer.search_metres(text or "")]


def metre_data(name: str) -> dict[str, Any]:
    """One metre as its page shows it."""
    metre = composer.find_metre(name)
    if metre is None:
        return {}
    verse, source = _verse_in(metre)
    return {
        "name": metre.name,
        "also": ", ".join(metre.also),
        "kind": metre.kind,
        "family": strings.FAMILIES.get(metre.kind, ""),
        "summary": metre.summary,
        "ganas": metre.ganas,
        "yati": " + ".join(map(str, metre.padas[0].yati)),
        "source": metre.source,
        "padas": _padas(metre),
        "verse": [held(line) for line in set_lines(verse, metre.name, "devanagari")] if verse else [],
        "romanised": [held(line) for line in set_lines(verse, metre.name, "iast")] if verse else [],
        "verse_source": source,
        "grid": grid(verse.slp1, metre.name, "devanagari") if verse else None,
    }


def _verse_in(metre: composer.Metre) -> tuple[composer.Verse | None, str]:
    """A verse of the tradition and where it stands; else one composed before, called that."""
    if quoted := composer.quoted_verse(metre):
        return quoted, composer.quoted_source(metre)
    if composed := in_metre(metre.name):
        source = strings.COMPOSED_IN_IT.format(prose=composed["prose"])
        return replace(composer.Verse.from_slp1(composed["slp1"]), metre=metre), source
    return None, ""


def _padas(metre: composer.Metre) -> list[dict[str, Any]]:
    """The patterns of its pādas; those that are alike once."""
    found: list[dict[str, Any]] = []
    for number, pada in enumerate(metre.padas, start=1):
        forms = [_form(form.name, form.pattern, pada.yati) for form in pada.forms]
        same = next((each for each in found if each["forms"] == forms), None)
        if same:
            same["numbers"].append(number)
        else:
            found.append({"numbers": [number], "forms": forms})
    for each in found:
        each["title"] = strings.PADAS.format(numbers=", ".join(map(str, each.pop("numbers"))))
    return found


def _form(name: str, pattern: str, yati: tuple[int, ...]) -> dict[str, Any]:
    """A pattern as tiles where every syllable has one weight or any; otherwise in signs, alternatives in brackets."""
    plain = pattern.replace(" ", "")
    if "(" in plain:
        return {"name": name, "tiles": [], "signs": pattern.translate(GLYPHS)}
    ends = {sum(yati[:at]) for at in range(1, len(yati))}
    tiles = [
        {"weight": WEIGHTS[weight], "glyph": weight.translate(GLYPHS), "pause": at in ends}
        for at, weight in enumerate(plain)
    ]
    return {"name": name, "tiles": tiles, "signs": ""}


def choose(text: str) -> Any:
    found = listed(text)
    return gr.Radio(choices=found, value=None, label=strings.METRES_FOUND.format(count=len(found)))


def add_metres_tab(tabs: gr.Tabs, compose_metre: gr.HTML, scan_metre: gr.HTML) -> None:
    first = composer.find_metre("anuṣṭubh")
    start = first.name if first else ""
    with gr.Tab(strings.METRES_TAB, id="metres"), gr.Row(elem_classes="desk"):
        chosen = gr.State(start)  # inside its tab: whatever else stands among tabs is counted as one
        with gr.Column(scale=3, min_width=300, elem_classes="card controls"):
            gr.Markdown(strings.METRES_INTRO, elem_classes="intro")
            text = gr.Textbox(
                label=strings.METRES_SEARCH, placeholder=strings.METRES_PLACEHOLDER, elem_id="metres-search"
            )
            every = listed("")
            found = gr.Radio(
                every,
                value=start,
                label=strings.METRES_FOUND.format(count=len(every)),
                elem_id="metres-list",
            )
        with gr.Column(scale=7, min_width=320):
            shown = gr.HTML(
                metre_data(start),
                html_template=template("metre"),
                js_on_load=None,
                apply_default_css=False,
                elem_id="metre-page",
            )
            with gr.Row():
                compose = gr.Button(strings.COMPOSE_IN_IT, variant="secondary", elem_id="metre-compose", min_width=150)
                scan = gr.Button(strings.SCAN_AS_IT, variant="secondary", elem_id="metre-scan", min_width=150)
    at_once = private_event(compose, queue=False)
    # Not `input`, which misses what is pasted first; and what is typed while an answer is under way counts too.
    text.change(choose, text, found, trigger_mode="always_last", **at_once)
    found.input(lambda name: (literal(metre_data(name)), name), found, [shown, chosen], **at_once)
    compose.click(lambda name: (name, gr.Tabs(selected="compose")), chosen, [compose_metre, tabs], **at_once)
    scan.click(lambda name: (name, gr.Tabs(selected="scan")), chosen, [scan_metre, tabs], **at_once)
