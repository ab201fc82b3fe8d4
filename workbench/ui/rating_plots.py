"""A study's ratings as figures: means by system, how often each point was given; each with a table twin.

Knows summaries and plotly. Systems have names here: for a study's owner only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ratings.kinds import SCALE
from workbench.ui import rating_strings as strings
from workbench.ui.plots import ACCENT, SECOND, THIRD, blank, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plotly.graph_objects import Figure

    from workbench.ratings.summary import RaterLine, Summary, SystemLine

COLOURS = (ACCENT, SECOND, THIRD, "#5a6f8c", "#a3874f")


def means(found: Summary) -> tuple[Figure, str]:
    figure = blank(strings.MEANS_FIGURE, strings.RATING_AXIS, "")
    rated = [(line.name, line.mean) for line in found.systems if line.mean]
    figure.add_scatter(
        x=[name for name, _ in rated], y=[mean.value for _, mean in rated], mode="markers",
        marker={"size": 11, "color": ACCENT}, showlegend=False,
        error_y={"array": [mean.high - mean.value for _, mean in rated],
                 "arrayminus": [mean.value - mean.low for _, mean in rated], "color": ACCENT},
    )  # fmt: skip
    figure.update_layout(xaxis={"type": "category"}, yaxis={"range": [SCALE[0] - 0.2, SCALE[-1] + 0.2], "dtick": 1})
    rows = [(name, f"{mean.value:.2f}", f"{mean.low:.2f}", f"{mean.high:.2f}") for name, mean in rated]
    return figure, table(("system", "mean", "from", "to"), rows)


def by_system(found: Summary) -> tuple[Figure, str]:
    return _counts(strings.SYSTEMS_FIGURE, "system", found.systems)


def by_rater(found: Summary) -> tuple[Figure, str]:
    return _counts(strings.RATERS_FIGURE, "rater", found.raters)


def _counts(title: str, of: str, lines: Sequence[SystemLine | RaterLine]) -> tuple[Figure, str]:
    figure = blank(title, strings.COUNT_AXIS, strings.RATING_AXIS)
    for number, line in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        figure.add_bar(x=list(SCALE), y=list(line.counts), name=line.name, marker={"color": colour})
    figure.update_layout(barmode="group", xaxis={"type": "category"}, showlegend=True)
    return figure, table((of, *map(str, SCALE)), [(line.name, *line.counts) for line in lines])


FIGURES = (means, by_system, by_rater)
