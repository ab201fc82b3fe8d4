"""What a judge makes of verses whose meaning is known by construction: none to four of their pādas true.

The same judge is asked about a generator's own verses for the same proses, because a judge that does well on books may
be fooled by the generator: where these stand between the grades is what its number is worth. Fits the curve that puts
a judge's number on the rubric's scale, 1 + pādas said. Knows judges by what they answer, no models.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy import stats  # type: ignore[import-untyped]

from workbench.evaluation.reader_figures import Pair
from workbench.prosody.verse import Verse
from workbench.semantics import calibration
from workbench.semantics.calibration import Calibration
from workbench.semantics.graded import ANUSTUBH_LENGTHS, PADAS, Graded, Padas, grades

Score = Callable[[Sequence[str], Sequence[Verse]], list[float]]
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Weighed:
    """A graded verse and the judge's number."""

    grade: float
    score: float


def graded_verses(pairs: Sequence[Pair], most: int, seed: int = 0) -> list[list[Graded]]:
    """Of so many rows, spread over all, five verses each: the true one and four with ever fewer of its pādas, the rest
    from another row's verse. Rows whose pādas end inside words are passed over."""
    chance = random.Random(seed)
    cut = [(pair, padas) for pair in pairs if (padas := Padas.of(pair.slp1, ANUSTUBH_LENGTHS))]
    step = max(1, len(cut) // most) if most else 1
    chosen = cut[::step][: most or None]
    strangers = [padas for _, padas in chosen]
    chance.shuffle(strangers)
    found = []
    for (pair, own), other in zip(chosen, strangers, strict=True):
        if other is own:
            other = strangers[0] if strangers[0] is not own else strangers[-1]
        if other is not own:
            found.append(grades(pair.english, own, other, chance))
    return found


def weigh(sets: Sequence[Sequence[Graded]], score: Score, tell: Tell) -> list[list[Weighed]]:
    weighed = []
    for number, each in enumerate(sets):
        tell(f"graded verses of {number:,} of {len(sets):,} rows")
        said = score([one.prose for one in each], [Verse.from_slp1(one.verse) for one in each])
        weighed.append([Weighed(one.grade, value) for one, value in zip(each, said, strict=True)])
    return weighed


def fit(weighed: Sequence[Sequence[Weighed]], scorer: str) -> Calibration:
    """The curve from a judge's number to 1 + pādas said."""
    every = [one for each in weighed for one in each]
    scale = calibration.HIGHEST - calibration.LOWEST
    ratings = [calibration.LOWEST + scale * one.grade for one in every]
    return calibration.fit([one.score for one in every], ratings, scorer, calibration.GRADED)


def figures(weighed: Sequence[Sequence[Weighed]], curve: Calibration | None) -> dict[str, Any]:
    """Spearman over all verses, and the mean of each grade, raw and on the scale from 1 to 5."""
    every = [one for each in weighed for one in each]
    summary: dict[str, Any] = {
        "rows": len(weighed),
        "spearman": float(stats.spearmanr([one.grade for one in every], [one.score for one in every]).statistic),
        "means": _means(every, lambda value: value),
        "in_order": statistics.fmean(
            [one.score for one in each] == sorted((one.score for one in each), reverse=True) for each in weighed
        ),
    }
    if curve:
        summary["means_of_five"] = _means(every, curve.apply)
    return summary


def _means(every: Sequence[Weighed], of: Callable[[float], float]) -> dict[str, float]:
    by_grade: dict[int, list[float]] = {}
    for one in every:
        by_grade.setdefault(round(PADAS * one.grade), []).append(of(one.score))
    return {f"{kept} pādas": statistics.fmean(values) for kept, values in sorted(by_grade.items())}


def beside_the_books(
    pairs: Sequence[Pair], composed: Mapping[str, str], score: Score, curve: Calibration | None, tell: Tell
) -> dict[str, Any]:
    """References and a generator's verses for the same proses: means, and how often the book stands above."""
    own, made = [], []
    for number, pair in enumerate(pairs):
        tell(f"books and machine: {number:,} of {len(pairs):,} rows")
        verses = [Verse.from_slp1(pair.slp1), Verse.from_slp1(composed[pair.id])]
        book, machine = score([pair.english] * 2, verses)
        own.append(book)
        made.append(machine)
    summary = {
        "rows": len(pairs),
        "book_above": statistics.fmean(a > b for a, b in zip(own, made, strict=True)),
        "book": statistics.fmean(own),
        "composed": statistics.fmean(made),
    }
    if curve:
        summary["book_of_five"] = statistics.fmean(map(curve.apply, own))
        summary["composed_of_five"] = statistics.fmean(map(curve.apply, made))
        summary["composed_at_least_4.5"] = statistics.fmean(curve.apply(value) >= 4.5 for value in made)
    return summary
