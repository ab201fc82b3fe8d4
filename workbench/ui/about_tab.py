"""The About tab: what the models are, how well they do, their limits, how to cite and to add one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

import gradio as gr

from workbench import composer
from workbench.ui import plots, strings

log = logging.getLogger(__name__)

Made = TypeVar("Made")


def add_about_tab() -> None:
    with gr.Tab(strings.ABOUT_TAB, id="about"), gr.Column(elem_classes="card prose-card", elem_id="about"):
        gr.Markdown(strings.ABOUT)
        gr.Markdown(models())
        if curve := _if_whole(_curve, "beta.json"):
            gr.Markdown(strings.BETA_SAYS)
            figure, twin = curve
            gr.Plot(figure, show_label=False, elem_id="beta-curve", elem_classes="figure-card")
            gr.HTML(twin)
        if results := _if_whole(composer.results, "RESULTS.md"):
            with gr.Accordion(strings.RESULTS_SHOWN, open=False, elem_id="figures"):
                gr.Markdown(results)
        for name, card in (_if_whole(composer.cards, "a model card") or {}).items():
            with gr.Accordion(strings.CARD.format(name=name), open=False):
                gr.Markdown(card)
        gr.Markdown(strings.ADD_A_MODEL)
        gr.Markdown(strings.CITE)


def _curve() -> tuple[Any, str] | None:
    curve = composer.beta_curve()
    return plots.beta_curve(curve) if curve and curve["ours"] else None


def _if_whole(make: Callable[[], Made], file: str) -> Made | None:
    """What a file gives, or nothing where it is damaged: it only decorates the page, which starts without it."""
    try:
        return make()
    except Exception:
        log.warning("%s is damaged, and the page does without it", file, exc_info=True)
        return None


def models() -> str:
    rows = [f"| {name} | {entry.says} | {entry.size} | {entry.needs} |" for name, entry in composer.entries().items()]
    return "\n".join([strings.MODELS, "", "| model | what it is | size | needs |", "|---|---|---|---|", *rows])
