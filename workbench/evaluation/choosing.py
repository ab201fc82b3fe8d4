"""Who chooses best among a generator's candidates: its own order, the reader, the judges, consensus, or all weighed.

Beams and draws are made for dev proses, every candidate is described by what each chooser would go by, and what each
would have chosen is held against the references. How features are weighed together is fitted on one half of the rows
and told of the other, both ways, so that no row was fitted on. Knows candidates through the composer.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from workbench import composer
from workbench.corpora import CorpusError
from workbench.evaluation.candidates import asked_for
from workbench.evaluation.certainty import mean, paired
from workbench.evaluation.evaluate import BATCH
from workbench.evaluation.measures import Example, chrf, repeats_stem

RIDGE = 1.0  # of the fit, for features of variance 1
HEARD_MOST = 4.0  # nats of one word that count: one name said well does not make up for the rest


@dataclass(frozen=True)
class Described:
    """A candidate: its verse, its likeness to the poet's, and what choosers go by, the more the better."""

    verse: str  # SLP1
    chrf: float
    generator: float  # its log-probability given the prose
    reader: float  # log p(prose | verse) - log p(prose)
    heard: float  # support of the content words, each at most HEARD_MOST
    bi: float
    judge: float  # the one that ranks
    consensus: float  # mean chrF with the other candidates
    new_words: float  # 0 where a stem comes again, 1 where none does


FEATURES = ("generator", "reader", "heard", "bi", "judge", "consensus", "new_words")
Row = tuple[str, list[Described]]


def described(
    chosen: Sequence[Example], settings: composer.Settings, model: str, size: int
) -> Iterator[tuple[Example, list[Described]]]:
    """The candidates of each example, the generator's first choice first."""
    asked = asked_for(settings, size, beside=True).but(rank="model")
    for start in range(0, len(chosen), BATCH):
        part = chosen[start : start + BATCH]
        made = composer.compose_together([example.prose for example in part], asked, model)
        for example, composition in zip(part, made, strict=True):
            found = [each for each in composition.candidates if each.full]
            if len(found) > 1:
                yield example, _describe(example, found)


def _describe(example: Example, found: Sequence[Any]) -> list[Described]:
    verses = [each.verse for each in found]
    ranker = composer.ranker().name
    scores: list[Any] = composer.score([(example.prose, verse) for verse in verses], names=["bi", ranker])
    supports = composer.support(example.prose, verses)
    texts = [verse.plain for verse in verses]
    described = []
    for at, (each, said, words) in enumerate(zip(found, scores, supports, strict=True)):
        others = [chrf(texts[at], other) for number, other in enumerate(texts) if number != at]
        described.append(
            Described(
                verse=each.verse.slp1,
                chrf=chrf(texts[at], example.poets.plain),
                generator=each.log_probability,
                reader=sum(word.nats for word in words),
                heard=sum(min(word.nats, HEARD_MOST) for word in words if word.content),
                bi=said["bi"],
                judge=said[ranker],
                consensus=statistics.fmean(others),
                new_words=float(not repeats_stem(each.verse)),
            )
        )
    return described


# ------------------------------------------------------------------------------------------------- choosing


def standard(candidates: Sequence[Described], names: Sequence[str]) -> np.ndarray:
    """Features of one prose's candidates, each with mean 0 and variance 1 among them: only what differs can choose."""
    table = np.array([[getattr(each, name) for name in names] for each in candidates])
    spread = table.std(axis=0)
    scaled: np.ndarray = (table - table.mean(axis=0)) / np.where(spread > 1e-9, spread, 1.0)
    return scaled


def fit(rows: Sequence[Row], names: Sequence[str]) -> np.ndarray:
    """Weights by which features tell the likeness to the poet's verse, among the candidates of one prose."""
    features = np.concatenate([standard(candidates, names) for _, candidates in rows])
    likeness = [np.array([each.chrf for each in candidates]) for _, candidates in rows]
    wanted = np.concatenate([each - each.mean() for each in likeness])
    gram = features.T @ features + RIDGE * np.eye(len(names))
    found: np.ndarray = np.linalg.solve(gram, features.T @ wanted)
    return found


def pick(rows: Sequence[Row], names: Sequence[str], weights: np.ndarray) -> list[Described]:
    return [candidates[int(np.argmax(standard(candidates, names) @ weights))] for _, candidates in rows]


def cross_fitted(rows: Sequence[Row], names: Sequence[str]) -> list[Described]:
    """What features weighed together choose, every half of the rows by weights of the other."""
    halves = (rows[::2], rows[1::2])
    picked = [pick(half, names, fit(other, names)) for half, other in (halves, halves[::-1])]
    return [picked[at % 2][at // 2] for at in range(len(rows))]


CHOOSERS: dict[str, Callable[[Sequence[Row]], list[Described]]] = {
    "first of the search": lambda rows: [candidates[0] for _, candidates in rows],
    **{name: (lambda rows, name=name: pick(rows, [name], np.ones(1))) for name in FEATURES},  # type: ignore[misc]
    "noisy channel": lambda rows: cross_fitted(rows, ["generator", "reader"]),
    "reader and consensus": lambda rows: cross_fitted(rows, ["generator", "reader", "heard", "consensus"]),
    "all weighed": lambda rows: cross_fitted(rows, FEATURES),
    "best there is": lambda rows: [max(candidates, key=lambda each: each.chrf) for _, candidates in rows],
}


def compare(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """For every chooser: chrF of what it chose, and its gain over the search's first."""
    first = [each.chrf for each in CHOOSERS["first of the search"](rows)]
    found = []
    for name, choose in CHOOSERS.items():
        picked = choose(rows)
        own = [each.chrf for each in picked]
        interval = mean(own)
        found.append(
            {
                "chooser": name,
                "chrf": statistics.fmean(own),
                "low": interval.low,
                "high": interval.high,
                "gain_percent": 100 * (statistics.fmean(own) / statistics.fmean(first) - 1),
                "p": paired(own, first),
                "reader": statistics.fmean(each.reader for each in picked),
                "heard": statistics.fmean(each.heard for each in picked),
            }
        )
    return found


def as_lines(rows: Sequence[tuple[Example, list[Described]]]) -> Iterator[dict[str, Any]]:
    for example, candidates in rows:
        yield {"id": example.id, "prose": example.prose, "candidates": [asdict(each) for each in candidates]}


def from_line(line: dict[str, Any]) -> Row:
    try:
        return line["id"], [Described(**each) for each in line["candidates"]]
    except TypeError as error:
        raise CorpusError(
            f"Expected candidates as `measure choice --described` keeps them now; got others ({error}). Remove "
            "the file."
        ) from None
