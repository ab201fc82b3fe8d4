"""A rater at work: what is shown, what is entered, taken back and passed over, and how far it has come.

What a rater is shown holds prose, verse and their own answers, and nothing by which system, gold, other ratings or a
repeat could be known. What they enter is a row in a log, once for each key of theirs; the last row on a place counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy import Engine, select
from sqlalchemy.engine import Connection, Row

from workbench.ratings import assignment, questions, raters, schema, studies, texts
from workbench.ratings.assignment import Place, Pool
from workbench.ratings.raters import Rater
from workbench.ratings.studies import Study
from workbench.ratings.texts import RatingError, shown
from workbench.ratings.tokens import NoEntry

FARTHEST = 2**31 - 1  # a position beyond it is no number to a database
APART, OFTEN = 1, 1 / 3  # repeats disagree beyond so many points; beyond this share of them a rater is told


@dataclass(frozen=True)
class ShownItem:
    """One screen."""

    position: int  # from 1, in the rater's own order
    state: str  # open, skipped or rated
    prose: str
    verse: str
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

    place: Place
    answers: Mapping[str, Any]
    at: datetime


@dataclass(frozen=True)
class Visit:
    """All that is shown at once."""

    study: Study
    rater: Rater
    showing: ShownItem | None  # None where there is nothing to rate now, or no consent yet
    entered: int  # the position that was rated, skipped or taken back; 0 where none was
    progress: Progress | None  # None before consent
    nudge: str


def visit(
    engine: Engine,
    enter: Callable[[Connection], Rater],
    act: Callable[[RaterSession], ShownItem | None],
    writing: bool = True,
) -> Visit:
    """Who comes, what they do and what they see then, all in one transaction: whatever is refused, nothing is entered.
    Whoever only looks waits for no writer; one for whom something has to be written after all comes in anew."""
    if not writing:
        with suppress(schema.MustWrite), schema.reading(engine) as connection:
            return _visited(RaterSession(connection, enter(connection)), act)
    with engine.begin() as connection:
        return _visited(RaterSession(connection, enter(connection)), act)


def _visited(desk: RaterSession, act: Callable[[RaterSession], ShownItem | None]) -> Visit:
    showing = act(desk)
    if not desk.rater.consented:
        return Visit(desk.study, desk.rater, None, 0, None, "")
    return Visit(desk.study, desk.rater, showing, desk.entered, desk.progress(), desk.nudge())


class RaterSession:
    """A rater at work within one transaction. For what is to be written, the caller holds the study's lock."""

    def __init__(self, connection: Connection, rater: Rater, now: datetime | None = None) -> None:
        self.rater, self.study = rater, studies.of(connection, rater.study)
        self.entered = 0  # the position at which something was entered, now or by an earlier sending of the same
        self._connection, self._now = connection, now or schema.now()
        self._places: list[Place] | None = None  # read once, unless something is entered

    def consent(self, background: Mapping[str, str]) -> None:
        self.rater = raters.consent(self._connection, self.rater, background)

    def proceed(self) -> ShownItem | None:
        """The first place that is neither rated nor skipped; None when there is nothing more for this rater now."""
        place = next((place for place in self._mine() if place.state == "open"), None)
        if place is None:
            if not schema.writes(self._connection):
                raise schema.MustWrite
            place = assignment.extend(self._connection, self.study, self.rater.id, self._mine(), self._pool)
            if place is None:
                return None
            self._mine().append(place)
        return self.show(place.position)

    def resume(self) -> ShownItem | None:
        """As `proceed`; after all else, what was skipped."""
        if (showing := self.proceed()) or not (skipped := self.progress().skipped):
            return showing
        return self.show(skipped[0])

    def show(self, position: int) -> ShownItem:
        """A place the rater has had already."""
        self._at_work()
        place, item, entry = schema.places, schema.items, schema.entries
        row = None
        if isinstance(position, int) and 0 < position <= FARTHEST:
            wanted = (
                select(item.c.prose, item.c.verse, entry.c.kind, entry.c.answers)
                .join(place, place.c.item == item.c.id)
                .outerjoin(entry, (entry.c.rater == place.c.rater) & (entry.c.position == place.c.position))
                .where((place.c.rater == self.rater.id) & (place.c.position == position))
            )
            row = self._connection.execute(wanted.order_by(entry.c.id.desc()).limit(1)).one_or_none()
        if row is None:
            raise RatingError(f"Expected a verse you have been shown; got number {shown(position)}.")
        answers = row.answers or {}
        return ShownItem(position, assignment.state(row.kind, bool(answers)), row.prose, row.verse, answers)

    def submit(self, position: int, answers: Mapping[str, Any], key: str) -> None:
        """Enter answers, all or some: those not given stay as they were, and None takes one back."""
        texts.key(key)
        at = self.show(position)
        checked = questions.check(self.study.questions, answers, at.verse)
        self.entered = position
        if before := self._sent(key, "rate", position):
            if any((before.answers or {}).get(name) != value for name, value in checked.items()):
                raise RatingError("Expected a new key for other answers; this one has been used.")
            return
        merged = {name: value for name, value in {**at.answers, **checked}.items() if value is not None}
        questions.complete(self.study.questions, merged)
        self._enter(position, "rate", merged, key)

    def skip(self, position: int, key: str) -> None:
        """Pass over a verse; it stays open for a later time, and for other raters."""
        texts.key(key)
        at = self.show(position)
        self.entered = position
        if not self._sent(key, "skip", position):
            if at.state == "rated":
                raise RatingError("Expected an unrated verse to skip; this one is rated. Undo the rating first.")
            self._enter(position, "skip", None, key)

    def undo(self, key: str) -> ShownItem:
        """Take back the rater's last rating, edit or skip that still stands; again and again, down to the first."""
        texts.key(key)
        self._at_work()
        if before := self._sent(key, "undo"):
            self.entered = before.position
            return self.show(self.entered)
        table = schema.entries
        standing: list[Row[Any]] = []
        for row in self._connection.execute(select(table).where(table.c.rater == self.rater.id).order_by(table.c.id)):
            if row.kind == "undo":
                standing.pop()
            else:
                standing.append(row)
        if not standing:
            raise RatingError("Expected a rating to undo; there is none.")
        self.entered = standing.pop().position
        earlier = next((row.answers for row in reversed(standing) if row.position == self.entered), None)
        self._enter(self.entered, "undo", earlier, key)
        return self.show(self.entered)

    def progress(self) -> Progress:
        mine = self._mine()
        to_come = assignment.prospect(self.study, self.rater.id, mine, self._pool).number
        at = {state: tuple(place.position for place in mine if place.state == state)
              for state in ("rated", "skipped", "open")}  # fmt: skip
        return Progress(len(at["rated"]), at["skipped"], at["open"], len(mine) + to_come)

    def nudge(self) -> str:
        """A sentence for a rater whose silent repeats often disagree; which ones is not told. Otherwise nothing."""
        if not any(place.repeat for place in self._mine()):
            return ""
        pairs = repeated(self._connection, self.study, self.rater.id, self.study.scales[0])
        far = sum(abs(first - second) > APART for first, second in pairs)
        if not pairs or far / len(pairs) <= OFTEN:
            return ""
        came = "A verse has come to you twice" if len(pairs) == 1 else f"{len(pairs)} verses have come to you twice"
        got = "it got" if len(pairs) == 1 else f"{far} of them got"
        return f"{came}, and {got} ratings more than one point apart. Would you look at the rubric once more?"

    def _at_work(self) -> None:
        if not self.rater.consented:
            raise NoEntry("Expected your consent before the first rating; it has not been given.")

    def _mine(self) -> list[Place]:
        self._at_work()
        if self._places is None:
            self._places = assignment.places(self._connection, self.study.id, self.rater.id)
        return self._places

    @cached_property
    def _pool(self) -> Pool:
        """What others have rated does not change while the study is locked, nor within one moment that is read."""
        return assignment.pool(self._connection, self.study.id, self.rater.id, self._now)

    def _sent(self, key: str, kind: str, position: int | None = None) -> Row[Any] | None:
        """The row that an earlier sending of the same submission made; a key used for anything else is refused."""
        table = schema.entries
        mine = (table.c.rater == self.rater.id) & (table.c.key == key)
        row = self._connection.execute(select(table).where(mine)).one_or_none()
        if row and (row.kind != kind or position not in (None, row.position)):
            raise RatingError("Expected a new key for another submission; this one has been used.")
        return row

    def _enter(self, position: int, kind: str, answers: Mapping[str, Any] | None, key: str) -> None:
        row = {"rater": self.rater.id, "position": position, "kind": kind, "answers": answers, "key": key,
               "at": schema.now()}  # fmt: skip
        self._connection.execute(schema.entries.insert().values(**row))
        self._places = None


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
    place, entry, who = schema.places, schema.entries, schema.raters
    mine = who.c.study == study
    if rater is not None:
        mine &= who.c.id == rater
    wanted = assignment.with_last(select(place, entry.c.answers, entry.c.at), mine).where(entry.c.answers.is_not(None))
    rows = connection.execute(wanted.order_by(place.c.rater, place.c.position))
    return [Rated(Place(row.rater, row.position, row.item, row.repeat, "rated"), row.answers, schema.utc(row.at))
            for row in rows]  # fmt: skip
