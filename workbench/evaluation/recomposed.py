"""A stored run made anew: which of its verses come out the same to the letter, and how the others differ.

What was right before a change must be so after it. Batches are the run's own, because what is added up in another
company is added up in another order. Every verse comes through the composer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench import composer
from workbench.corpora import CorpusError
from workbench.evaluation.evaluate import describe_run, examples, outcomes
from workbench.evaluation.runs import Run


@dataclass(frozen=True)
class Recomposed:
    id: str
    before: str  # SLP1
    now: str

    @property
    def same(self) -> bool:
        return self.before == self.now


def settings_of(run: Run) -> composer.Settings:
    return composer.Settings(**run.description["settings"]).but(rank=run.description["rank"])


def recompose(run: Run, source: str | Path, limit: int) -> Iterator[Recomposed]:
    """The first so many rows of a run, composed as they were then; whole batches, so a few more than the limit."""
    described = run.description
    every = examples(source, described["rows"])
    now = describe_run(source, len(every), settings_of(run), described["model"], described["batch"])
    for name in ("identity", "data", "ranked_by"):
        if now[name] != described[name]:
            raise CorpusError(f"Expected the run's own {name}, {described[name]}; got {now[name]}.")
    before = run.outcomes()
    batches = -(-limit // described["batch"])
    some = every[: batches * described["batch"]]
    for outcome in outcomes(some, settings_of(run), described["model"], batch=described["batch"]):
        yield Recomposed(outcome.id, before[outcome.id].verse, outcome.verse)
