"""Finished runs made by hand, so that tables over them can be counted with a pencil."""

from pathlib import Path

from workbench.evaluation.measures import Outcome
from workbench.evaluation.runs import Measure, Run

SETTINGS = {"beta": 5.0, "metre": "anuṣṭubh"}


def description(**changes):
    return {"model": "embedded", "settings": dict(SETTINGS), "corpus": "rows.jsonl", "rows": 4,
            "signature": "embedded#abc | rows.jsonl#123", **changes}  # fmt: skip


def run(folder: Path, syllables=(32, 32, 32, 32), judge=(0.9, 0.7, 0.5, 0.1), full=None, judges="judges#1",
        metre="anuṣṭubh", verses=(), named="judge") -> Run:  # fmt: skip
    made = [
        Outcome(
            str(at), verses[at] if verses else f"verse {at}", number == 32 if full is None else full[at], number, 0.5
        )
        for at, number in enumerate(syllables)
    ]
    measures = [
        Measure(str(at), 2, 1, 20.0 + at, 10.0, {} if score is None else {"bi": 0.5, named: score})
        for at, score in enumerate(judge)
    ]
    found = Run.begin(
        folder,
        description(signature=f"embedded#abc | {folder.name}", settings={**SETTINGS, "metre": metre}),
        resume=False,
    )
    found.add(made)
    found.finish(made, measures, judges if judge[0] is not None else None)
    return found
