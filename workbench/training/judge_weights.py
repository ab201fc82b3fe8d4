"""Fits the weights of the judge that ranks, on graded verses of dev: a logistic regression, its labels between 0 and 1.

Of every row: the poet's verse with all to none of its pādas, the prose with one thing changed or added, and where a
generator's verses are at hand, some of these and one for another prose. A generator's verse has the points that careful
readers gave it; where nobody read it, what such verses get on the average, more or less by its likeness to the poet's
alone: what the machine reader hears is one of the features, and must not grade itself. Half of the rows fit, the other
half tell what each feature adds; then all fit what ships. Knows judges by what they answer.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.corpora import full_rows
from workbench.corpora.texts import clean_english
from workbench.prosody.verse import Verse, canonical
from workbench.semantics.graded import ANUSTUBH_LENGTHS, Graded, Padas, changed, clause_added, grades
from workbench.semantics.weighing import Features, Weight, Weights
from workbench.training.joint_texts import ComposedVerse

COMPOSED_A_PROSE = 6
# What ships: the reader's `heard` beside its `gain` brought nothing on verses that were read.
WEIGHED = ("cross", "gain", "repeated")
COMPOSED_KINDS = ("composed", "read")
Columns = Mapping[str, npt.NDArray[np.float64]]


@dataclass(frozen=True)
class DevRow:
    prose: str
    verse: str  # SLP1


def dev_rows(corpus: Path) -> list[DevRow]:
    return [DevRow(clean_english(row["en"]), canonical(row["slp1"], "slp1")) for row in full_rows(corpus)]


def graded_rows(
    rows: Sequence[DevRow], composed: Mapping[str, Sequence[ComposedVerse]], seed: int = 0
) -> list[list[Graded]]:
    """A list for every row whose pādas end with words, or for whose prose there are composed verses."""
    chance = random.Random(seed)
    cut = {row.verse: padas for row in rows if (padas := Padas.of(row.verse, ANUSTUBH_LENGTHS))}
    whole, made = list(cut.values()), list(composed.items())
    found = []
    for row in rows:
        these: list[Graded] = []
        if row.verse in cut:
            other = chance.choice(
                [one for one in chance.sample(whole, min(2, len(whole))) if one is not cut[row.verse]]
            )
            these += grades(row.prose, cut[row.verse], other, chance)
            more = (changed(row.prose, row.verse, chance),
                    clause_added(row.prose, row.verse, chance.choice(rows).prose, chance))  # fmt: skip
            these += [each for each in more if each]
        own = list(composed.get(row.prose, ()))
        if own:
            first, rest = own[:1], own[1:]  # what the search itself puts first, always
            own = first + chance.sample(rest, min(COMPOSED_A_PROSE - 1, len(rest)))
            these += [Graded(row.prose, each.verse, each.grade, "composed") for each in own]
            prose, theirs = chance.choice(made)
            if prose != row.prose:
                these.append(Graded(row.prose, chance.choice(list(theirs)).verse, 0.0, "composed for another"))
            if row.verse not in cut:
                these.append(Graded(row.prose, row.verse, 1.0, "4 pādas"))
        if these:
            found.append(these)
    return found


def described(
    rows: Sequence[Sequence[Graded]], features: Features, tell: Callable[[str], None]
) -> tuple[dict[str, npt.NDArray[np.float64]], npt.NDArray[np.float64]]:
    """Every feature of all verses, and their grades."""
    columns: dict[str, list[npt.NDArray[np.float64]]] = {}
    for number, these in enumerate(rows):
        tell(f"graded verses of {number:,} of {len(rows):,} rows")
        said = features([each.prose for each in these], [Verse.from_slp1(each.verse) for each in these])
        for name, values in said.items():
            columns.setdefault(name, []).append(values)
    joined = {name: np.concatenate(values) for name, values in columns.items()}
    return joined, np.array([each.grade for these in rows for each in these], float)


def fit(columns: Columns, wanted: npt.NDArray[np.float64], names: Sequence[str], reader: str, data: str) -> Weights:
    from sklearn.linear_model import LogisticRegression

    scales = {name: (float(columns[name].mean()), float(columns[name].std()) or 1.0) for name in names}
    table = np.stack([(columns[name] - mean) / spread for name, (mean, spread) in scales.items()], axis=1)
    # A grade of 0.4 is a row that is true by four tenths: once as true, once as not, with these weights.
    twice, labels = np.concatenate([table, table]), np.repeat([1, 0], len(wanted))
    model: Any = LogisticRegression(C=10.0, max_iter=1000)
    model.fit(twice, labels, sample_weight=np.concatenate([wanted, 1 - wanted]))
    counted = {name: Weight(*scales[name], float(each)) for name, each in zip(names, model.coef_[0], strict=True)}
    return Weights(counted, float(model.intercept_[0]), reader, data)


def what_each_adds(
    columns: Columns, wanted: npt.NDArray[np.float64], kinds: Sequence[str], owner: Sequence[int]
) -> list[dict[str, Any]]:
    """Fitted on one half of the rows, told of the other: all features, each left out, each alone."""
    names = list(columns)
    sets = {"all": names, **{f"without {name}": [n for n in names if n != name] for name in names},
            **{f"{name} alone": [name] for name in names}}  # fmt: skip
    if set(WEIGHED) < set(names):
        sets["what ships"] = list(WEIGHED)
    first = np.array(owner) % 2 == 0
    composed = np.array([kind in COMPOSED_KINDS for kind in kinds])
    found = []
    for title, some in sets.items():
        weights = fit({n: columns[n][first] for n in some}, wanted[first], some, "", "")
        said, grades_of = weights.apply({n: columns[n][~first] for n in some}), wanted[~first]
        graded = ~composed[~first]
        books = _books_above(said, kinds, owner, first)
        found.append(
            {
                "features": title,
                "spearman_graded": _spearman(said[graded], grades_of[graded]),
                "spearman_composed": _spearman(said[~graded], grades_of[~graded]),
                "off": float(np.abs(said - grades_of).mean()),
                **({"book_above_percent": 100 * float(np.mean(books))} if books else {}),
                "composed_mean": float(said[~graded].mean()) if (~graded).any() else math.nan,
            }
        )
    return found


def _spearman(said: npt.NDArray[np.float64], wanted: npt.NDArray[np.float64]) -> float:
    """Not a number where all are the same."""
    from scipy import stats  # type: ignore[import-untyped]

    if min(len(set(said)), len(set(wanted))) < 2:
        return math.nan
    return float(stats.spearmanr(said, wanted).statistic)


def _books_above(
    said: npt.NDArray[np.float64], kinds: Sequence[str], owner: Sequence[int], first: npt.NDArray[np.bool_]
) -> list[bool]:
    """Whether the poet's verse scores above what the search puts first for the same prose, wherever both are there."""
    others = [(kinds[at], owner[at]) for at in np.flatnonzero(~first).tolist()]
    poets = {row: said[at] for at, (kind, row) in enumerate(others) if kind == "4 pādas"}
    machine: dict[int, float] = {}
    for at, (kind, row) in enumerate(others):
        if kind == "composed":
            machine.setdefault(row, said[at])
    return [bool(poets[row] > score) for row, score in machine.items() if row in poets]
