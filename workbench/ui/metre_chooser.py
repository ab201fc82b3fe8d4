"""The chooser of metres: a box to type into, and under it the metres that are meant, each with its pattern.

A gr.HTML whose value is a metre's name, so that events and links see what a list of choices would give them. It
searches in the browser (assets/chooser.js), by the keys and spellings that prosody declares; every metre's line is in
the page once, for all choosers. Knows no metre by name.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import gradio as gr

from workbench import composer
from workbench.paths import ASSETS
from workbench.ui import strings
from workbench.ui.metres_tab import GLYPHS
from workbench.ui.templates import template

LARGEST = "samavṛtta"  # family
FEW_NAMES = 5  # of metres that are mixed, for a line


def metre_chooser(value: str, label: str, elem_id: str, *, info: str = "", auto: str = "", **more: Any) -> gr.HTML:
    """`auto`: what stands for the value `auto`, where that is to be chosen too."""
    words = {"auto": auto, "none": strings.CHOOSER_NONE, "found": strings.CHOOSER_FOUND}
    return gr.HTML(
        value,
        html_template=template("metre_chooser", id=elem_id, label=label, info=info),
        js_on_load=f"window.pingalaChooser(element, trigger, props, watch, {json.dumps(words)});",
        apply_default_css=False,
        elem_id=elem_id,
        **more,
    )


def shown(metre: composer.Metre) -> str:
    """A metre as its box has it when it is chosen."""
    return f"{metre.name} · {metre.summary}"


@cache
def metre_lines() -> list[dict[str, Any]]:
    """Every metre as a chooser lists it, the common ones first, then by family and length."""
    common = composer.common_metres()
    return [
        {
            "name": metre.name,
            "shown": shown(metre),
            "also": ", ".join(metre.also),
            "pattern": _pattern(metre),
            "group": strings.CHOOSER_COMMON if metre in common else _group(metre),
            "keys": [composer.plain_name(name) for name in (metre.name, *metre.also, metre.kind)],
            "nagari": [composer.rewrite(name, "iast", "devanagari") for name in (metre.name, *metre.also)],
            "length": lengths.pop() if len(lengths := {pada.lengths for pada in metre.padas}) == 1 else [],
        }
        for metre in dict.fromkeys((*common, *composer.all_metres()))
    ]


def _pattern(metre: composer.Metre) -> str:
    """In signs as far as weights are fixed; what is left to the poet in words."""
    if not metre.outline:
        names = [form.name for form in metre.padas[0].forms]
        listed = ", ".join(names[:FEW_NAMES]) + (", …" if len(names) > FEW_NAMES else "")
        return strings.CHOOSER_MIXED.format(count=len(names), names=listed)
    if any(pada.isdigit() for pada in metre.outline):  # āryā and its kin, which are known by their halves
        one, two, three, four = metre.morae
        return strings.CHOOSER_HALVES.format(one=one, two=two, three=three, four=four)
    signs = " / ".join(metre.outline).translate(GLYPHS).replace("|", strings.CHOOSER_OR)
    return " ".join(re.sub(r"\d+", lambda count: strings.CHOOSER_MORAE.format(count=count[0]), signs).split())


def _group(metre: composer.Metre) -> str:
    """The family; the largest is divided by length."""
    if metre.kind == LARGEST:
        return strings.CHOOSER_LENGTH.format(kind=metre.kind, count=metre.padas[0].lengths[0])
    return f"{metre.kind}: {strings.FAMILIES[metre.kind]}"


def head() -> str:
    """What all choosers share, for the page's head: the metres, how names are spelled, and what a chooser does."""
    constants = json.dumps({"metres": metre_lines(), "spellings": composer.SPELLINGS}, ensure_ascii=False)
    script = (ASSETS / "chooser.js").read_text(encoding="utf-8")
    return f"<script>window.pingalaMetres = {constants};\n{script}</script>"
