"""How far careful readers of a generator's verses agree, what they gave, and how far a judge's numbers go with theirs.
Knows readings and numbers, no models.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats  # type: ignore[import-untyped]

from workbench.corpora import CorpusError
from workbench.corpora.blind_readings import BlindReading
from workbench.evaluation.certainty import mean

SAMPLES = 1000  # of the bootstrap


def agreement(read: Sequence[BlindReading]) -> dict[str, float]:
    """Of the two readers, where there were two."""
    twice = [each for each in read if len(each.meaning) == 2]
    if len(twice) < 2:
        return {}
    one, other = np.array([each.meaning for each in twice]).T
    return {
        "verses": len(twice),
        "spearman": _spearman(one, other),
        "within_half_a_point": float(np.mean(np.abs(one - other) <= 0.5)),
        "grammar_spearman": _spearman(*np.array([each.grammar for each in twice]).T),
    }


def points(read: Iterable[BlindReading]) -> dict[str, dict[str, float]]:
    """Means of meaning and grammar, of each kind of verse for each kind of prose."""
    groups: dict[str, list[BlindReading]] = {}
    for each in read:
        groups.setdefault(_group(each), []).append(each)
    return {
        name: {
            "verses": len(found),
            "meaning": statistics.fmean(each.points for each in found),
            "grammar": statistics.fmean(value for each in found for value in each.grammar),
        }
        for name, found in sorted(groups.items())
    }


def beside(read: Sequence[BlindReading], said: Sequence[float], seed: int = 0) -> dict[str, dict[str, float]]:
    """How far a judge's numbers go with the readers': Spearman over the generator's own verses, of each kind of prose
    and of all, with a 95 % interval over proses; over everything, poets' and crossed verses too; and among the verses
    of one prose, how often of two the better has the higher number."""
    scores = np.array(said)
    wanted = np.array([each.points for each in read])
    own = np.array([each.composed for each in read])
    groups = {of: own & np.array([each.of == of for each in read]) for of in sorted({each.of for each in read})}
    groups |= {"composed": own, "everything": np.ones(len(read), bool)}
    rows_of = np.array([each.row for each in read])
    found = {}
    for name, these in groups.items():
        if these.sum() > 2:
            low, high = _interval(wanted[these], scores[these], rows_of[these], seed)
            found[name] = {
                "verses": int(these.sum()), "spearman": _spearman(wanted[these], scores[these]),
                "low": low, "high": high,
            }  # fmt: skip
    found["of two for one prose"] = _pairs(wanted[own], scores[own], rows_of[own])
    return found


def on_the_scale(read: Sequence[BlindReading], said: Sequence[float]) -> dict[str, dict[str, float]]:
    """What a judge gives on the readers' scale, beside what they gave, and how far apart the two are on the average."""
    groups: dict[str, list[tuple[float, float]]] = {}
    for each, one in zip(read, said, strict=True):
        groups.setdefault(_group(each), []).append((each.points, one))
    return {
        name: {
            "verses": len(found),
            "readers": statistics.fmean(one for one, _ in found),
            "judge": statistics.fmean(other for _, other in found),
            "apart": statistics.fmean(abs(one - other) for one, other in found),
        }
        for name, found in sorted(groups.items())
    }


def _group(each: BlindReading) -> str:
    return f"{each.of}, {'composed' if each.composed else each.kind}"


def _pairs(wanted: np.ndarray, scores: np.ndarray, rows_of: np.ndarray) -> dict[str, float]:
    hits = []
    for row in dict.fromkeys(rows_of.tolist()):
        these = np.flatnonzero(rows_of == row)
        for at, one in enumerate(these):
            hits += [
                (wanted[one] > wanted[other]) == (scores[one] > scores[other])
                for other in these[at + 1 :]
                if wanted[one] != wanted[other]
            ]
    return {"pairs": len(hits), "right": float(np.mean(hits)) if hits else 0.5}


def _interval(one: np.ndarray, other: np.ndarray, rows_of: np.ndarray, seed: int) -> tuple[float, float]:
    """Drawn by prose, whose verses belong together."""
    chance = np.random.default_rng(seed)
    places = [np.flatnonzero(rows_of == row) for row in dict.fromkeys(rows_of.tolist())]
    drawn = []
    for _ in range(SAMPLES):
        these = np.concatenate([places[at] for at in chance.integers(len(places), size=len(places))])
        drawn.append(_spearman(one[these], other[these]))
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


def _spearman(one: np.ndarray, other: np.ndarray) -> float:
    """Nothing goes with what is always the same."""
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return 0.0
    return float(stats.spearmanr(one, other).statistic)


def between(read: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Two generators' verses for the same proses, read blind and mixed: the mean of each, the second's less the first's
    with its 95 % interval over proses, for each kind of prose and for all. The first row's generator is the first."""
    names = list(dict.fromkeys(row["generator"] for row in read))
    if len(names) != 2:
        raise CorpusError(f"Expected the verses of two generators; got those of {len(names)}.")
    points = {(row["of"], row["row"], row["generator"]): row for row in read}
    proses = sorted({(row["of"], row["row"]) for row in read})
    found = {}
    for group in [*sorted({of for of, _ in proses}), "all"]:
        these = [prose for prose in proses if group in ("all", prose[0])]
        for asked in ("meaning", "grammar"):
            one, other = ([float(points[*prose, name][asked]) for prose in these] for name in names)
            more = mean([after - before for before, after in zip(one, other, strict=True)])
            found[f"{group}, {asked}"] = {
                "proses": len(these), names[0]: statistics.fmean(one), names[1]: statistics.fmean(other),
                "more": more.value, "from": more.low, "to": more.high,
            }  # fmt: skip
    return found


def as_table(found: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A line for every group."""
    return [
        f"  {name:24}" + "  ".join(f"{key} {value:.3f}" if isinstance(value, float) else f"{key} {value:,}"
                                   for key, value in line.items())
        for name, line in found.items()
    ]  # fmt: skip
