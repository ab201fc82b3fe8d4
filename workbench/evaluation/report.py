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
with `beta` and `judges`, and `python -m workbench reproduce ood --results docs/results`; with `--again` the verses that
stand there are measured anew, and nothing is composed. Sim is the mean of the judge that ranks, in points of a hundred,
Sim (bi) the bi-encoder's. chrF is sacrebleu's, on SLP1, against the verse's own reference; × others says how many times
higher it is than against other rows' references. A dash is a figure that was not taken.

Our Sim is not to be held against the paper's, which is another judge's: ours says how much of the prose a verse says,
and docs/MEANING.md how far careful readers agree. It was once a cross-encoder's over the generator itself, which found
whatever that generator says likely, 99.9 of it, and is gone. Runs were ranked by the judge that their signature names.
In the tables of judges, figures signed with `cross-encoder#e779ba277df5` are that former one's.
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
