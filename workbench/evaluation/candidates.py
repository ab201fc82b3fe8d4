"""How many candidates are worth their time: verses are drawn under the mask, the judge that ranks chooses among the
first 1, 5, 25, 100 of them, and what it chose is held against the references. Run on dev: the default is chosen by it.
They are draws alone, or what the composer makes: the beams, best first, and draws beside them.

Whether the judge is one is the same question: what it chooses among 25 has to be better than any one of them.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from workbench import composer
from workbench.composer import Verse
from workbench.evaluation.certainty import mean, paired
from workbench.evaluation.evaluate import BATCH
from workbench.evaluation.measures import Example, likeness

SIZES = (1, 5, 25, 100)
TIMED = 8  # pieces of prose over which each size is timed


@dataclass(frozen=True)
class ScoredCandidate:
    """A verse as it was drawn, and how the judge scores it."""

    verse: Verse
    score: float


def asked_for(settings: composer.Settings, size: int, beside: bool) -> composer.Settings:
    """The settings that make so many candidates: draws alone, or beams and what is lacking drawn beside them."""
    if not beside:
        return settings.but(samples=size, draws=0)
    return settings.but(samples=0, returned=min(size, settings.beams), draws=max(0, size - settings.beams))


def draw(
    chosen: Sequence[Example], settings: composer.Settings, model: str, seed: int = 0
) -> Iterator[tuple[Example, list[ScoredCandidate]]]:
    """For each example, its candidates: beams in their own order, draws in one of chance, for a search gives them as
    they end, the short ones first."""
    for start in range(0, len(chosen), BATCH):
        part = chosen[start : start + BATCH]
        found: list[list[ScoredCandidate]] = [[] for _ in part]
        for search in settings.searches():
            by_model = search.but(rank="model")
            made = composer.compose_together([example.prose for example in part], by_model, model)
            for example, composition, every in zip(part, made, found, strict=True):
                these = _weighed(example, composition)
                if search.samples:
                    random.Random(f"{seed} {example.id}").shuffle(these)
                every += these
        yield from zip(part, found, strict=True)


def _weighed(example: Example, composition: composer.Composition) -> list[ScoredCandidate]:
    full = [each for each in composition.candidates if each.full]
    judge = composer.ranker().name
    scores: list[Any] = composer.score([(example.prose, each.verse) for each in full], names=[judge])
    return [
        ScoredCandidate(each.verse, said[judge])
        for said, each in zip(scores, full, strict=True)
        for _ in range(each.copies)
    ]


def best_of(drawn: Sequence[tuple[Example, list[ScoredCandidate]]], size: int) -> dict[str, Any]:
    """What the judge chooses among the first so many: chrF, its ratio to that with others' references, its own mean."""
    picked = [max(draws[:size], key=lambda each: each.score) for _, draws in drawn]
    alike = likeness([each.verse for each in picked], [example.poets for example, _ in drawn])
    first = likeness([draws[0].verse for _, draws in drawn], [example.poets for example, _ in drawn])
    chrf = mean(alike.own)
    return {
        "candidates": size,
        **alike.mean(),
        "low": chrf.low,
        "high": chrf.high,
        "gain_percent": 100 * (statistics.fmean(alike.own) / statistics.fmean(first.own) - 1),
        "p": paired(alike.own, first.own),
        composer.ranker().name: statistics.fmean(each.score for each in picked),
    }


def seconds(chosen: Sequence[Example], settings: composer.Settings, model: str) -> float:
    """The median wait for one prose, when its candidates are made and weighed."""
    waits = []
    for example in chosen[: TIMED + 1]:
        began = time.perf_counter()
        for _ in composer.compose(example.prose, settings, model, watch=False):
            pass
        waits.append(time.perf_counter() - began)
    return statistics.median(waits[1:] or waits)  # the first loads what is not loaded yet
