"""Who rates what, and in which order. Knows places in raters' orders and whether they are rated, not the ratings.

A rater's order grows as they go: the next item is one that fewest raters have, and among those the first in an order
that the study's seed decides for this rater. So items reach their overlap whoever drops out: one that is open
counts as covered only while its rater has lately been seen. Some items come silently again, some distance after their
first showing, and gold items, which every rater gets, are mixed in.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, select
from sqlalchemy.engine import Connection

from workbench.ratings import schema
from workbench.ratings.studies import Study

HELD = timedelta(hours=2)  # after which an open item is given to others


@dataclass(frozen=True)
class Place:
    """One place in a rater's order. `state`: open, skipped or rated."""

    rater: int
    position: int  # from 1
    item: int
    repeat: bool
    state: str


@dataclass(frozen=True)
class Prospect:
    """What is still to come for a rater: items by number, the next of each kind first."""

    again: tuple[int, ...]  # due to be shown a second time
    gold: tuple[int, ...]
    new: tuple[int, ...]
    due: int  # repeats that are to come in all, if nothing gets in the way

    @property
    def number(self) -> int:
        to_come = len(self.gold) + len(self.new)
        return to_come + (self.due if to_come else min(self.due, len(self.again)))


@dataclass(frozen=True)
class Pool:
    """A study's items as one rater finds them."""

    items: Mapping[int, bool]  # by number, whether it is gold
    covered: Mapping[int, int]  # how many others have rated one, or have it before them now; none where it is missing


def places(connection: Connection, study: str, rater: int | None = None) -> list[Place]:
    """The places of a study's raters, or of one, in order."""
    if rater is None:
        rows = connection.execute(_PLACES, {"study": study})
    else:
        rows = connection.execute(_PLACES_OF_ONE, {"study": study, "rater": rater})
    return [Place(row.rater, row.position, row.item, row.repeat, state(row.kind, row.rated)) for row in rows]


def with_last(wanted: Select[Any], whose: ColumnElement[bool]) -> Select[Any]:
    """Places of the raters in question, each with the last entry on it, if there is one."""
    place, entry, who = schema.places, schema.entries, schema.raters
    last = (
        select(func.max(entry.c.id).label("id"), entry.c.rater, entry.c.position)
        .join(who, who.c.id == entry.c.rater)
        .where(whose)
        .group_by(entry.c.rater, entry.c.position)
        .subquery()
    )
    return (
        wanted.join(who, who.c.id == place.c.rater)
        .outerjoin(last, (last.c.rater == place.c.rater) & (last.c.position == place.c.position))
        .outerjoin(entry, entry.c.id == last.c.id)
        .where(whose)
    )


def _placed(whose: ColumnElement[bool]) -> Select[Any]:
    place, entry = schema.places, schema.entries
    wanted = with_last(select(place, entry.c.kind, entry.c.answers.is_not(None).label("rated")), whose)
    return wanted.order_by(place.c.rater, place.c.position)


def _covering() -> Select[Any]:
    """How many others have rated an item, or have it before them now."""
    place, entry, who = schema.places, schema.entries, schema.raters
    at_work = (entry.c.kind.is_(None) | (entry.c.kind != "skip")) & place.c.rater.in_(bindparam("seen", expanding=True))
    counts = (entry.c.answers.is_not(None) | at_work) & place.c.repeat.is_(False)
    others = (who.c.study == bindparam("study")) & (who.c.id != bindparam("rater"))
    wanted = with_last(select(place.c.item, func.count().label("number")), others)
    return wanted.where(counts).group_by(place.c.item)


# Put together once: they are asked several times at every step of every rater.
_STUDY = schema.raters.c.study == bindparam("study")
_PLACES, _PLACES_OF_ONE = _placed(_STUDY), _placed(_STUDY & (schema.raters.c.id == bindparam("rater")))
_COVERED = _covering()


def repeats_come(study: Study, items: int) -> bool:
    """Whether any of so many items, gold ones among them, comes to a rater twice, if they rate them all."""
    return items >= study.distance and _repeats(study, items) > 0


def _repeats(study: Study, items: int) -> int:
    """Of a rater's items, how many come again: floored, with a grain for what 0.1 x 10 is in binary."""
    return int(study.repeats * items + 1e-9)


def state(kind: str | None, rated: bool) -> str:
    """Of a place, by the last entry on it, if there is one."""
    if rated:
        return "rated"
    return "skipped" if kind == "skip" else "open"


def pool(connection: Connection, study: str, rater: int, now: datetime) -> Pool:
    seen = list(_lately_seen(connection, study, now))
    counted = connection.execute(_COVERED, {"study": study, "rater": rater, "seen": seen})
    table = schema.items
    items = connection.execute(select(table.c.id, table.c.gold).where(table.c.study == study))
    return Pool({item.id: bool(item.gold) for item in items}, {row.item: row.number for row in counted})


def prospect(study: Study, rater: int, mine: Sequence[Place], found: Pool) -> Prospect:
    """What a rater who has these places could be given next."""
    had = {place.item for place in mine}
    order = {item: _lot(study.seed, rater, item) for item in found.items}
    covered = {item: found.covered.get(item, 0) for item in found.items}
    gold = [item for item, known in found.items.items() if known and item not in had]
    new = [item for item, known in found.items.items()
           if not known and item not in had and covered[item] < study.overlap]  # fmt: skip
    shown_again = {place.item for place in mine if place.repeat}
    far = len(mine) + 1 - study.distance
    again = [place.item for place in mine
             if place.state == "rated" and place.position <= far and place.item not in shown_again]  # fmt: skip
    wanted, by_now = _repeats(study, len(had) + len(gold) + len(new)), _repeats(study, len(had))
    return Prospect(
        tuple(sorted(again, key=order.__getitem__)) if len(shown_again) < by_now else (),
        tuple(sorted(gold, key=order.__getitem__)),
        tuple(sorted(new, key=lambda item: (covered[item], order[item]))),
        max(0, wanted - len(shown_again)),
    )


def extend(connection: Connection, study: Study, rater: int, mine: Sequence[Place], found: Pool) -> Place | None:
    """Give a rater one place more, or None where nothing is left for them now. The caller holds the study's lock: two
    raters at once must not both be an item's last."""
    position = len(mine) + 1
    ahead = prospect(study, rater, mine, found)
    if ahead.again:
        item = ahead.again[0]
    elif ahead.gold or ahead.new:
        # Gold stands anywhere among the rest with the same chance.
        draw = random.Random(_lot(study.seed, rater, -position)).randrange(len(ahead.gold) + len(ahead.new))
        item = ahead.gold[0] if draw < len(ahead.gold) else ahead.new[0]
    else:
        return None
    place = Place(rater, position, item, bool(ahead.again), "open")
    row = {"rater": rater, "position": position, "item": item, "repeat": place.repeat}
    connection.execute(schema.places.insert().values(**row))
    return place


def _lately_seen(connection: Connection, study: str, now: datetime) -> set[int]:
    """The raters who consented or entered something not long ago."""
    who, entry = schema.raters, schema.entries
    rows = connection.execute(
        select(who.c.id, who.c.consented, func.max(entry.c.at).label("last"))
        .outerjoin(entry, entry.c.rater == who.c.id)
        .where((who.c.study == study) & who.c.revoked.is_(None))
        .group_by(who.c.id, who.c.consented)
    )
    return {row.id for row in rows if (last := row.last or row.consented) and now - schema.utc(last) < HELD}


def _lot(seed: int, rater: int, item: int) -> str:
    """An item's place in a rater's own order; it stays when items are added."""
    return hashlib.sha256(f"{seed}/{rater}/{item}".encode()).hexdigest()
