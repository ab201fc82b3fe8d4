"""What a study has found so far, for its owner: progress, means, agreement, and how far scores go with ratings.

Agreement and means count first showings of items that are not gold. Knows no page: figures only, with their reasons.
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Engine, select

from workbench.ratings import agreement, assignment, items, schema, session
from workbench.ratings.agreement import Figure
from workbench.ratings.kinds import SCALE
from workbench.ratings.metrics import Metric, compare
from workbench.ratings.studies import Study


@dataclass(frozen=True)
class Mean:
    """A mean with its bootstrap interval, of 95 %."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class RaterLine:
    name: str
    background: Mapping[str, str]
    open_link: bool
    shown: int
    rated: int
    skipped: int
    mean: Mean | None
    itself: Figure  # agreement on silent repeats, within one point
    gold: Figure  # agreement with gold answers, within one point
    counts: tuple[int, ...]  # how often each point was given


@dataclass(frozen=True)
class SystemLine:
    name: str
    items: int  # that have been rated
    ratings: int
    mean: Mean | None  # over items: ratings of one item are not independent
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Kappa:
    one: str
    other: str
    figure: Figure


@dataclass(frozen=True)
class Summary:
    study: str
    question: str
    items: int
    gold_items: int
    covered: int  # items with as many ratings as the study's overlap
    ratings: int
    raters: tuple[RaterLine, ...]
    systems: tuple[SystemLine, ...]
    alpha: Figure
    kappas: tuple[Kappa, ...]
    metrics: tuple[Metric, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def summarise(engine: Engine, study: Study, question: str = "coherence") -> Summary:
    """The figures for one question of the scale."""
    study.scale(question)
    with schema.reading(engine) as connection:
        known = dict(items.stored(connection, study))
        table = schema.raters
        people = connection.execute(select(table).where(table.c.study == study.id).order_by(table.c.id)).all()
        places = assignment.places(connection, study.id)
        rated = [each for each in session.standing(connection, study.id) if question in each.answers]
        repeats = {who.id: session.repeated(connection, study, who.id, question) for who in people}
    names = {who.id: who.name for who in people}
    coming = assignment.repeats_come(study, len(known))
    first = [(each.place.rater, each.place.item, each.answers[question]) for each in rated if not each.place.repeat]
    plain = [(rater, item, value) for rater, item, value in first if not known[item].gold]
    right = {number: item.gold[question] for number, item in known.items() if item.gold and question in item.gold}
    by_rater: dict[str, dict[str, float]] = defaultdict(dict)
    by_item: dict[int, list[int]] = defaultdict(list)
    for rater, item, value in plain:
        by_rater[names[rater]][str(item)] = value
        by_item[item].append(value)

    def rater_line(who: Any) -> RaterLine:
        mine = [place.state for place in places if place.rater == who.id]
        values = [value for rater, _, value in plain if rater == who.id]
        gold = [(value, right[item]) for rater, item, value in first if rater == who.id and item in right]
        return RaterLine(
            who.name, who.background or {}, who.revoked is None, len(mine), mine.count("rated"), mine.count("skipped"),
            _mean(values), agreement.self_agreement(repeats[who.id], coming), _gold(gold), _counts(values),
        )  # fmt: skip

    def system_line(name: str) -> SystemLine:
        own = {item: values for item, values in by_item.items() if known[item].system == name}
        values = [value for each in own.values() for value in each]
        means = [statistics.fmean(each) for each in own.values()]
        return SystemLine(name, len(own), len(values), _mean(means), _counts(values))

    return Summary(
        study.name,
        question,
        sum(not item.gold for item in known.values()),
        sum(bool(item.gold) for item in known.values()),
        sum(len(values) >= study.overlap for values in by_item.values()),
        len(plain),
        tuple(map(rater_line, people)),
        tuple(system_line(name) for name in sorted({item.system for item in known.values() if not item.gold})),
        agreement.alpha(by_rater),
        tuple(Kappa(*pair, figure) for pair, figure in agreement.kappas(by_rater, SCALE).items()),
        tuple(compare(name, *_pairs(known, by_item, name)) for name in _scores(known.values())),
    )


def rated_verses(engine: Engine, study: Study, question: str = "coherence") -> list[tuple[str, str, float]]:
    """Prose, verse and mean rating of every rated item, as a calibration is fitted on."""
    study.scale(question)
    by_item: dict[int, list[int]] = defaultdict(list)
    with schema.reading(engine) as connection:
        known = dict(items.stored(connection, study))
        for each in session.standing(connection, study.id):
            if not each.place.repeat and not known[each.place.item].gold and question in each.answers:
                by_item[each.place.item].append(each.answers[question])
    return [(known[item].prose, known[item].verse, statistics.fmean(by_item[item])) for item in sorted(by_item)]


def _pairs(known: dict[int, items.Item], by_item: dict[int, list[int]], score: str) -> tuple[list[float], list[float]]:
    scored = [item for item in sorted(by_item) if score in known[item].scores]
    return [known[item].scores[score] for item in scored], [statistics.fmean(by_item[item]) for item in scored]


def _scores(known: Iterable[items.Item]) -> list[str]:
    return sorted({name for item in known for name in item.scores})


def _mean(values: Sequence[float]) -> Mean | None:
    return Mean(*agreement.mean_with_interval(values)) if values else None


def _counts(values: Sequence[int]) -> tuple[int, ...]:
    found = Counter(values)
    return tuple(found[point] for point in SCALE)


def _gold(pairs: Sequence[tuple[int, int]]) -> Figure:
    if not pairs:
        return Figure(None, "No gold item has been rated yet.")
    return Figure(sum(abs(value - right) <= 1 for value, right in pairs) / len(pairs))
