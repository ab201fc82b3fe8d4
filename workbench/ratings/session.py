"""A rater at work: what is shown, what is entered, taken back and passed over, and how far it has come.

What a rater is shown holds prose, verse and their own answers, and nothing by which system, gold, other ratings or a
repeat could be known. What they enter is a row in a log, once for each key of theirs; the last row on a place counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, select
from sqlalchemy.engine import Connection, Row

from workbench.ratings import assignment, questions, raters, schema, studies, texts
from workbench.ratings.raters import Rater
from workbench.ratings.studies import Study
from workbench.ratings.texts import RatingError, shown
from workbench.ratings.tokens import NoEntry

FARTHEST = 2**31 - 1  # a position beyond it is no number to a database
APART, OFTEN = 1, 1 / 3  # repeats disagree beyond so many points; beyond this share of them a rater is told


@dataclass(frozen=True)
class Showing:
    """One screen."""

    position: int  # from 1, in the rater's own order
    state: str  # open, skipped or rated
    prose: str
    verse: str
    words: tuple[str, ...]  # as marks count them
    answers: Mapping[str, Any]  # the rater's own, so far


@dataclass(frozen=True)
class Progress:
    rated: int
    skipped: tuple[int, ...]  # positions
    open: tuple[int, ...]
    total: int  # what will have been shown in the end; less, where others are faster


@dataclass(frozen=True)
class Rated:
    """A place with the answers that count; not for raters' eyes."""

    place: assignment.Place
    answers: Mapping[str, Any]
    at: datetime


def proceed(engine: Engine, rater: Rater, now: datetime | None = None) -> Showing | None:
    """The first place that is neither rated nor skipped; None when there is nothing more for this rater now."""
    with schema.reading(engine) as connection:
        _at_work(connection, rater, writing=False)
        if (position := _first_open(connection, rater)) is not None:
            return _showing(connection, rater, position)
    with engine.begin() as connection:
        studies.lock(connection, rater.study)
        _at_work(connection, rater)
        position = _first_open(connection, rater)  # another device may have been faster
        if position is None:
            study = studies.of(connection, rater.study)
            position = assignment.extend(connection, study, rater.id, now or schema.now())
        return None if position is None else _showing(connection, rater, position)


def show(engine: Engine, rater: Rater, position: int) -> Showing:
    """A place the rater has had already."""
    with schema.reading(engine) as connection:
        _at_work(connection, rater, writing=False)
        return _showing(connection, rater, position)


def submit(engine: Engine, rater: Rater, position: int, answers: Mapping[str, Any], key: str) -> Showing:
    """Enter answers, all or some: those not given stay as they were, and None takes one back. What is returned stands
    in the database, whatever happens after."""
    texts.key(key)
    with engine.begin() as connection:
        rater = _at_work(connection, rater)
        asked = studies.of(connection, rater.study).questions
        at = _showing(connection, rater, position)
        checked = questions.check(asked, answers, at.verse)
        if before := _sent(connection, rater, key, "rate", position):
            if any((before.answers or {}).get(name) != value for name, value in checked.items()):
                raise RatingError("Expected a new key for other answers; this one has been used.")
            return _showing(connection, rater, position)
        merged = {name: value for name, value in {**at.answers, **checked}.items() if value is not None}
        questions.complete(asked, merged)
        _enter(connection, rater, position, "rate", merged, key)
        return _showing(connection, rater, position)


def skip(engine: Engine, rater: Rater, position: int, key: str) -> Showing:
    """Pass over a verse; it stays open for a later time, and for other raters."""
    texts.key(key)
    with engine.begin() as connection:
        rater = _at_work(connection, rater)
        at = _showing(connection, rater, position)
        if not _sent(connection, rater, key, "skip", position):
            if at.state == "rated":
                raise RatingError("Expected an unrated verse to skip; this one is rated. Undo the rating first.")
            _enter(connection, rater, position, "skip", None, key)
        return _showing(connection, rater, position)


def undo(engine: Engine, rater: Rater, key: str) -> Showing:
    """Take back the rater's last rating, edit or skip that still stands; again and again, down to the first."""
    texts.key(key)
    table = schema.entries
    with engine.begin() as connection:
        rater = _at_work(connection, rater)
        if before := _sent(connection, rater, key, "undo"):
            return _showing(connection, rater, before.position)
        standing: list[Row[Any]] = []
        for row in connection.execute(select(table).where(table.c.rater == rater.id).order_by(table.c.id)):
            if row.kind == "undo":
                standing.pop()
            else:
                standing.append(row)
        if not standing:
            raise RatingError("Expected a rating to undo; there is none.")
        position = standing.pop().position
        earlier = next((row.answers for row in reversed(standing) if row.position == position), None)
        _enter(connection, rater, position, "undo", earlier, key)
        return _showing(connection, rater, position)


def progress(engine: Engine, rater: Rater, now: datetime | None = None) -> Progress:
    with schema.reading(engine) as connection:
        _at_work(connection, rater, writing=False)
        mine = assignment.places(connection, rater.study, rater.id)
        study = studies.of(connection, rater.study)
        to_come = assignment.prospect(connection, study, rater.id, now or schema.now()).number
    at = {state: tuple(place.position for place in mine if place.state == state)
          for state in ("rated", "skipped", "open")}  # fmt: skip
    return Progress(len(at["rated"]), at["skipped"], at["open"], len(mine) + to_come)


def nudge(engine: Engine, rater: Rater) -> str:
    """A sentence for a rater whose silent repeats often disagree; which ones is not told. Otherwise nothing."""
    with schema.reading(engine) as connection:
        study = studies.of(connection, rater.study)
        pairs = repeated(connection, study, rater.id, study.scales[0])
    far = sum(abs(first - second) > APART for first, second in pairs)
    if not pairs or far / len(pairs) <= OFTEN:
        return ""
    came = "A verse has come to you twice" if len(pairs) == 1 else f"{len(pairs)} verses have come to you twice"
    got = "it got" if len(pairs) == 1 else f"{far} of them got"
    return f"{came}, and {got} ratings more than one point apart. Would you look at the rubric once more?"


def repeated(connection: Connection, study: Study, rater: int, question: str) -> list[tuple[int, int]]:
    """A rater's two answers to the same question on the same item."""
    first: dict[int, int] = {}
    second: dict[int, int] = {}
    for rated in standing(connection, study.id, rater):
        if (value := rated.answers.get(question)) is not None:
            (second if rated.place.repeat else first)[rated.place.item] = value
    return [(first[item], second[item]) for item in first if item in second]


def standing(connection: Connection, study: str, rater: int | None = None) -> list[Rated]:
    """The rated places of a study, or of one rater."""
    who, entry = schema.raters, schema.entries
    mine = who.c.study == study
    if rater is not None:
        mine &= who.c.id == rater
    rows = connection.execute(
        select(entry.c.rater, entry.c.position, entry.c.answers, entry.c.at)
        .join(who, who.c.id == entry.c.rater).where(mine).order_by(entry.c.id)
    )  # fmt: skip
    last = {(row.rater, row.position): row for row in rows}
    every = [place for place in assignment.places(connection, study, rater) if place.state == "rated"]
    found = ((place, last[place.rater, place.position]) for place in every)
    return [Rated(place, row.answers, schema.utc(row.at)) for place, row in found]


def _at_work(connection: Connection, rater: Rater, writing: bool = True) -> Rater:
    now = raters.present(connection, rater.id, writing)
    if not now.consented:
        raise NoEntry("Expected your consent before the first rating; it has not been given.")
    return now


def _first_open(connection: Connection, rater: Rater) -> int | None:
    mine = assignment.places(connection, rater.study, rater.id)
    return next((place.position for place in mine if place.state == "open"), None)


def _showing(connection: Connection, rater: Rater, position: int) -> Showing:
    place, item, entry = schema.places, schema.items, schema.entries
    row = None
    if isinstance(position, int) and 0 < position <= FARTHEST:
        here = (place.c.rater == rater.id) & (place.c.position == position)
        wanted = select(item.c.prose, item.c.verse).join(place, place.c.item == item.c.id)
        row = connection.execute(wanted.where(here)).one_or_none()
    if row is None:
        raise RatingError(f"Expected a verse you have been shown; got number {shown(position)}.")
    mine = (entry.c.rater == rater.id) & (entry.c.position == position)
    last = connection.execute(select(entry).where(mine).order_by(entry.c.id.desc()).limit(1)).one_or_none()
    answers = (last.answers if last else None) or {}
    state = "rated" if answers else "skipped" if last and last.kind == "skip" else "open"
    return Showing(position, state, row.prose, row.verse, tuple(questions.words(row.verse)), answers)


def _sent(connection: Connection, rater: Rater, key: str, kind: str, position: int | None = None) -> Row[Any] | None:
    """The row that an earlier sending of the same submission made; a key used for anything else is refused."""
    table = schema.entries
    row = connection.execute(select(table).where((table.c.rater == rater.id) & (table.c.key == key))).one_or_none()
    if row and (row.kind != kind or position not in (None, row.position)):
        raise RatingError("Expected a new key for another submission; this one has been used.")
    return row


def _enter(
    connection: Connection, rater: Rater, position: int, kind: str, answers: Mapping[str, Any] | None, key: str
) -> None:
    row = {"rater": rater.id, "position": position, "kind": kind, "answers": answers, "key": key, "at": schema.now()}
    connection.execute(schema.entries.insert().values(**row))
