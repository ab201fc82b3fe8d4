"""The curves of a search, from its trace: scores over steps, what was masked, what β added; each with a table twin.

Knows traces and plotly. Colours of text and lines follow the page by its style sheet, light and dark.
"""

from __future__ import annotations

from statistics import median
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from workbench import composer
from workbench.ui import strings
from workbench.ui.beams import repeated
from workbench.ui.templates import template

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

ACCENT, SECOND, THIRD, BAND = "#b54c31", "#4f7f57", "#8d7b62", "rgba(181, 76, 49, 0.18)"
TITLE_WIDTH = 38  # characters of a figure's title in a line: so many are whole on a phone
LINES = 5  # lineages of finished verses that are drawn


def blank(title: str, y: str, x: str = "step") -> Figure:
    """A figure with nothing in it yet, as the page sets figures."""
    from plotly.graph_objects import Figure

    figure = Figure()
    lines = wrap(title, TITLE_WIDTH)
    top = 34 + 20 * len(lines)
    below = {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0}  # and under the axis's name
    figure.update_layout(
        title={"text": "<br>".join(lines), "font": {"size": 15}, "x": 0, "xanchor": "left", "pad": {"l": 8}},
        height=300 + top, margin={"l": 56, "r": 16, "t": top, "b": 44}, legend=below,
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
        xaxis={"title": x, "rangemode": "tozero", "gridcolor": "rgba(140,125,100,.25)"},
        yaxis={"title": y, "gridcolor": "rgba(140,125,100,.25)", "zerolinecolor": "rgba(140,125,100,.5)"},
        hoverlabel={"font_size": 13},
    )  # fmt: skip
    return figure


def lineage(trace: dict[str, Any], beam: dict[str, Any], step: int) -> list[tuple[int, dict[str, Any]]]:
    """A beam and those it came from, the first step's first."""
    line = [(step, beam)]
    by_id = [{one["id"]: one for one in each["beams"]} for each in trace["steps"]]
    while beam["parent"]:
        step -= 1
        found = by_id[step - 1].get(beam["parent"]) if step >= 1 else None
        if found is None:
            break
        beam = found
        line.append((step, beam))
    return line[::-1]


def last_beams(trace: dict[str, Any]) -> tuple[int, list[dict[str, Any]]]:
    """The last step that still has beams: those whose verses went furthest."""
    for step in reversed(trace["steps"]):
        if step["beams"]:
            return step["number"], step["beams"]
    return 0, []


def scores(trace: dict[str, Any]) -> tuple[Figure, str]:
    """Best, middle and worst score of each step, and where the lines of the last beams completed their pādas."""
    figure = blank(strings.SCORES_FIGURE, "score")
    steps = [step for step in trace["steps"] if step["beams"]]
    numbers = [step["number"] for step in steps]
    ranked = [sorted(beam["score"] for beam in step["beams"]) for step in steps]
    rows = [(n, f"{r[-1]:.2f}", f"{median(r):.2f}", f"{r[0]:.2f}") for n, r in zip(numbers, ranked, strict=True)]
    figure.add_scatter(x=numbers, y=[r[0] for r in ranked], mode="lines", line={"width": 0}, showlegend=False,
                       hoverinfo="skip")  # fmt: skip
    figure.add_scatter(x=numbers, y=[r[-1] for r in ranked], mode="lines", line={"width": 0}, fill="tonexty",
                       fillcolor=BAND, name="all beams", hoverinfo="skip")  # fmt: skip
    number, last = last_beams(trace)
    for rank, beam in enumerate(last[:LINES], start=1):
        line = lineage(trace, beam, number)
        figure.add_scatter(x=[step for step, _ in line], y=[one["score"] for _, one in line], mode="lines",
                           name=f"{strings.BEAM} {rank}", line={"width": 2.5 if rank == 1 else 1,
                           "color": ACCENT if rank == 1 else THIRD}, showlegend=rank == 1)  # fmt: skip
    marks = [milestone for beam in last[:LINES] for milestone in beam["milestones"]]
    figure.add_scatter(x=[mark["step"] for mark in marks], y=[mark["score"] for mark in marks], mode="markers+text",
                       text=[f"p{mark['pada']}" for mark in marks], textposition="top center", name="pāda done",
                       cliponaxis=False, marker={"size": 9, "color": SECOND, "symbol": "diamond"})  # fmt: skip
    return figure, table(("step", "best", "middle", "worst"), rows)


def masked(trace: dict[str, Any]) -> tuple[Figure, str]:
    figure = blank(strings.MASKED_FIGURE, "share")
    numbers = [step["number"] for step in trace["steps"]]
    reasons = sorted({reason for step in trace["steps"] for reason in step["looked"]["reasons"]})
    shares = {
        reason: [step["looked"]["reasons"].get(reason, 0) / max(1, step["looked"]["tokens"]) for step in trace["steps"]]
        for reason in reasons
    }
    for reason, colour in zip(reasons, (ACCENT, SECOND, THIRD, "#5a6f8c", "#a3874f"), strict=False):
        figure.add_bar(x=numbers, y=shares[reason], name=reason, marker={"color": colour})
    figure.update_layout(barmode="stack", yaxis={"range": [0, 1], "tickformat": ".0%"})
    rows = [(number, *(f"{shares[reason][at]:.0%}" for reason in reasons)) for at, number in enumerate(numbers)]
    return figure, table(("step", *reasons), rows)


def beta(trace: dict[str, Any]) -> tuple[Figure, str]:
    """Of the best of the last beams: its log-probability and what was added to it, step by step."""
    figure = blank(strings.BETA_FIGURE, "nats")
    number, last = last_beams(trace)
    line = lineage(trace, last[0], number) if last else []
    steps = [step for step, _ in line]
    given, added = [one["log_probability"] for _, one in line], [one["added"] for _, one in line]
    cost = [-repeated(one) for _, one in line]
    figure.add_bar(x=steps, y=given, name="log P", marker={"color": THIRD})
    figure.add_bar(x=steps, y=added, name="added by β", marker={"color": SECOND})
    figure.add_bar(x=steps, y=cost, name="repeated words", marker={"color": ACCENT})
    figure.update_layout(barmode="relative")
    rows = [(step, *(f"{value:.2f}" for value in at)) for step, *at in zip(steps, given, added, cost, strict=True)]
    return figure, table(("step", "log P", "added by β", "repeated words"), rows)


def beta_curve(curve: dict[str, Any]) -> tuple[Figure, str]:
    """Over β: how many verses are full, and what they mean by the judges; the paper's dashed."""
    figure = blank(strings.BETA_CURVE, "points of a hundred", "β")
    first, *others = composer.by_sim()
    kinds = [("full", "Full %", "circle", 5), ("sim", first.label, "diamond", 2)]
    kinds += [(judge.name, judge.label, "diamond-open", 2) for judge in others]
    columns = ("full", "sim", *(judge.name for judge in others), "chrf")
    for name, dash, colours in (("paper", "dash", (THIRD, THIRD)), ("ours", "solid", (ACCENT, SECOND))):
        for key, says, symbol, width in kinds:
            colour = colours[key != "full"]
            drawn = [point for point in curve[name] if point.get(key) is not None]
            if drawn:
                figure.add_scatter(x=[str(point["beta"]) for point in drawn], y=[point[key] for point in drawn],
                                   mode="lines+markers", name=f"{says}, {name}", marker={"symbol": symbol, "size": 8},
                                   line={"dash": dash, "color": colour, "width": width})  # fmt: skip
    figure.update_layout(xaxis={"type": "category"})
    paper = {point["beta"]: point for point in curve["paper"]}
    rows = [
        (point["beta"], *(_cell(paper.get(point["beta"], {}).get(key)) for key in ("full", "sim")),
         *(_cell(point.get(key)) for key in columns), _cell(point["times_others"], 3))
        for point in curve["ours"]
    ]  # fmt: skip
    head = (
        "β",
        "Full %, paper",
        f"{first.label}, paper",
        "Full %, ours",
        f"{first.label}, ours",
        *(f"{judge.label}, ours" for judge in others),
        "chrF, ours",
        "× others, ours",
    )
    return figure, table(head, rows)


def _cell(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """The twin of a figure, for those who read rather than look."""
    return template("twin", head=head, rows=rows)
