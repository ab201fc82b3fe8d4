"""docs/RESULTS.md: every table of the paper beside ours, from the results that ship, and how to make them again."""

from __future__ import annotations

import json
from pathlib import Path

from workbench.evaluation import tables
from workbench.evaluation.figures import curve as curve_of
from workbench.evaluation.layout import Table, render

CURVE = "beta.json"
HEAD = """# Results

Made by `python -m workbench results` from the runs in `docs/results`; nothing here is written by hand. The paper's rows
are its own printed figures, for its own models and test set. Ours are measured on the embedded generator, and on its
smaller predecessor, embedded-4-layers, where the runs have not been made anew yet; each carries a mark, and below its
table stands the signature that says exactly what was measured.

To make the runs again: `python -m workbench reproduce main TEST --results docs/results --words TRAIN MONO`, the same
with `beta` and `judges`, and `python -m workbench reproduce ood --results docs/results`. Sim is the cross-encoder's
mean score in points of a hundred, Sim (bi) the bi-encoder's. chrF is sacrebleu's, on SLP1, against the verse's own
reference; × others says how many times higher it is than against other rows' references. A dash is a figure that was
not taken.

Our Sim is not to be held against the paper's: the embedded cross-encoder is a head over the generator itself, and finds
whatever that generator says likely. It orders verses for one prose; between settings, Sim (bi) and chrF tell more.
"""


def document(results: Path) -> str:
    parts = [HEAD]
    for name in (*tables.FROM_RUNS, *tables.FROM_JUDGES):
        table = tables.from_results(name, results)
        if any(row.note for row in table.rows):
            parts.append(f"## {name}\n\n{_body(table)}\n")
    return "\n".join(parts)


def _body(table: Table) -> str:
    return render(table, "markdown")


def curve(results: Path) -> str:
    return json.dumps(curve_of(tables.beta_table(results)), ensure_ascii=False, indent=1) + "\n"
