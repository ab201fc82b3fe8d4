"""The About tab: what the models are, how well they do, their limits, how to cite and to add one."""

from __future__ import annotations

import gradio as gr

from workbench import composer
from workbench.ui import plots, strings


def add_about_tab() -> None:
    with gr.Tab(strings.ABOUT_TAB, id="about"), gr.Column(elem_classes="card prose-card", elem_id="about"):
        gr.Markdown(strings.ABOUT)
        gr.Markdown(models())
        curve = composer.beta_curve()
        if curve and curve["ours"]:
            gr.Markdown(strings.BETA_SAYS)
            figure, twin = plots.beta_curve(curve)
            gr.Plot(figure, show_label=False, elem_id="beta-curve", elem_classes="figure-card")
            gr.HTML(twin)
        if results := composer.results():
            with gr.Accordion(strings.RESULTS_SHOWN, open=False, elem_id="figures"):
                gr.Markdown(results)
        for name, card in composer.cards().items():
            with gr.Accordion(strings.CARD.format(name=name), open=False):
                gr.Markdown(card)
        gr.Markdown(strings.ADD_A_MODEL)
        gr.Markdown(strings.CITE)


def models() -> str:
    rows = [f"| {name} | {entry.says} | {entry.size} | {entry.needs} |" for name, entry in composer.entries().items()]
    return "\n".join([strings.MODELS, "", "| model | what it is | size | needs |", "|---|---|---|---|", *rows])
