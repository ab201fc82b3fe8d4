"""The paper's figures, drawn by plotly from results: the β curve, ours beside the paper's, and the pipeline.

Written as a page (HTML), or by kaleido, which asks a Chromium, as PNG or SVG. Knows tables, no runs.
"""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.corpora import CorpusError
from workbench.damage import said
from workbench.evaluation.certainty import Interval
from workbench.evaluation.layout import Table
from workbench.semantics.registry import by_sim, sim_judge

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

INK, ACCENT, SECOND, QUIET = "#2c2620", "#b54c31", "#4f7f57", "#8d7b62"
SYMBOLS = ("diamond", "diamond-open", "cross", "x", "star")  # of judges
ENDINGS = (".png", ".svg", ".html")


def curve(table: Table) -> dict[str, Any]:
    """The β table as two curves in plain numbers: what ships beside the runs, for the page to draw."""
    points: dict[str, list[dict[str, Any]]] = {"paper": [], "ours": []}
    for row in table.rows:
        cells = dict(zip(table.columns, row.cells, strict=True))
        point = {"beta": cells["β"], "full": _number(cells["Full %"]), "sim": _number(cells[sim_judge().label])}
        if row.note:
            point |= {"chrf": _number(cells["chrF"]), "times_others": _number(cells["× others"]), "signature": row.note}
            point |= {judge.name: _number(cells[judge.label]) for judge in by_sim()[1:]}
            point |= {
                "sim_low": _end(cells[sim_judge().label], "low"),
                "sim_high": _end(cells[sim_judge().label], "high"),
            }
        points["ours" if row.note else "paper"].append(point)
    return points


def _number(value: Any) -> float | None:
    return value.value if isinstance(value, Interval) else value


def _end(value: Any, end: str) -> float | None:
    return getattr(value, end) if isinstance(value, Interval) else None


def _blank(width: int, height: int) -> Figure:
    from plotly.graph_objects import Figure

    figure = Figure()
    figure.update_layout(
        width=width, height=height, paper_bgcolor="white", plot_bgcolor="white",
        font={"family": "Noto Sans, sans-serif", "size": 14, "color": INK}, margin={"l": 60, "r": 60, "t": 70, "b": 60},
    )  # fmt: skip
    return figure


def beta(table: Table) -> Figure:
    """Metre on the left, meaning on the right, over β; the paper's dashed."""
    figure = _blank(960, 440)
    points = curve(table)
    names = ["sim", *(judge.name for judge in by_sim()[1:])]
    sims = [(name, judge.label, "2", symbol)
            for name, judge, symbol in zip(names, by_sim(), cycle(SYMBOLS), strict=False)]  # fmt: skip
    curves = [("full", "Full %", "", "circle"), *sims]
    for name, dash, colour in (("paper", "dash", QUIET), ("ours", "solid", ACCENT)):
        for key, what, axis, symbol in curves:
            drawn = [point for point in points[name] if point.get(key) is not None]
            if not drawn:
                continue
            figure.add_scatter(
                x=[str(point["beta"]) for point in drawn], y=[point[key] for point in drawn], mode="lines+markers",
                name=f"{what}, {name}", line={"dash": dash, "color": colour, "width": 2.5},
                marker={"symbol": symbol, "size": 9}, xaxis=f"x{axis}", yaxis=f"y{axis}",
            )  # fmt: skip
    likeness = [point for point in points["ours"] if point["times_others"] is not None]
    if likeness:
        figure.add_scatter(
            x=[str(point["beta"]) for point in likeness], y=[point["times_others"] for point in likeness],
            mode="lines+markers", name="chrF, times that with others' references, ours", xaxis="x2", yaxis="y3",
            line={"color": SECOND, "width": 2.5, "dash": "dot"}, marker={"symbol": "square", "size": 8},
        )  # fmt: skip
    grid = {"gridcolor": "#e6dfd3", "zeroline": False}
    figure.update_layout(
        title={"text": table.title}, legend={"orientation": "h", "y": -0.2},
        xaxis={"domain": [0, 0.44], "title": "β", "type": "category"},
        xaxis2={"domain": [0.56, 1], "title": "β", "type": "category", "anchor": "y2"},
        yaxis={"title": "metre: Full %", "range": [88, 101], **grid},
        yaxis2={"title": "meaning: Sim", "anchor": "x2", **grid},
        yaxis3={"title": "chrF ratio", "overlaying": "y2", "side": "right", "anchor": "x2", "showgrid": False},
    )  # fmt: skip
    return figure


PROSE, LOGITS = "English prose", "generator:\nlogits of the next token"
RESCAN = "top-k tokens, each\nrescanned with its prefix"
AUTOMATON = "the metre as an automaton:\nevery live token, exactly"
LANES = (
    ("CD (Chandomitra)", QUIET,
     (PROSE, LOGITS, RESCAN, "what breaks the\nmetre is filtered", "beams", "first valid beam")),
    ("Pingala, the paper", SECOND,
     (PROSE, LOGITS, RESCAN, "filter, + β for each\npāda completed", "beams", "strict filter,\nelse fallback score")),
    ("Pingala, here", ACCENT,
     (PROSE, LOGITS, AUTOMATON, "mask, + β for each\npāda completed", "beams at equal pādas,\nand draws",
      "all are full verses:\nranked by meaning")),
)  # fmt: skip


def pipeline() -> Figure:
    """Three lanes of the same steps: constrained decoding, the paper's Pingala, and what is built here."""
    figure = _blank(1180, 470)
    step, height = 1.0, 0.62
    for lane, (name, colour, steps) in enumerate(LANES):
        y = -lane
        figure.add_annotation(x=-0.42, y=y + 0.44, text=f"<b>{name}</b>", showarrow=False, xanchor="left",
                              font={"color": colour, "size": 15})  # fmt: skip
        for at, text in enumerate(steps):
            x = at * step
            figure.add_shape(type="rect", x0=x - 0.42, x1=x + 0.42, y0=y - height / 2, y1=y + height / 2 - 0.02,
                             line={"color": colour, "width": 2}, fillcolor="#fbf7f0")  # fmt: skip
            figure.add_annotation(x=x, y=y, text=text.replace("\n", "<br>"), showarrow=False, font={"size": 12})
            if at:
                figure.add_annotation(x=x - 0.42, y=y, ax=x - step + 0.42, ay=y, axref="x", ayref="y", xref="x",
                                      yref="y", showarrow=True, arrowhead=2, arrowwidth=1.6, arrowcolor=colour,
                                      text="")  # fmt: skip
    figure.update_layout(
        title={"text": "From prose to verse"}, showlegend=False, margin={"l": 20, "r": 20, "t": 60, "b": 10},
        xaxis={"visible": False, "range": [-0.5, 5.5]}, yaxis={"visible": False, "range": [-2.45, 0.65]},
    )  # fmt: skip
    return figure


def write(figure: Figure, file: Path) -> None:
    if file.suffix not in ENDINGS:
        raise CorpusError(f"Expected a file that ends in {', '.join(ENDINGS)}; got {file.name}.")
    if not file.parent.is_dir():
        raise CorpusError(f"Expected a folder to write in; found none at {file.parent}.")
    if file.suffix == ".html":
        figure.write_html(file, include_plotlyjs=True)
        return
    try:
        figure.write_image(file, scale=2 if file.suffix == ".png" else 1)
    except Exception as error:  # kaleido has no name for a missing browser that its versions share
        raise CorpusError(
            f"Expected a Chrome or Chromium, which draws {file.suffix[1:].upper()}; HTML needs none. "
            f"({said(error)[:160]})"
        ) from error
