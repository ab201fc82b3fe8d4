"""How far a study has come, at a glance: its items, its raters and their links, and how many ratings are in.

Counts only, without scikit-learn, so that a page shows it at once; what the ratings say is `summary`'s.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, func, select

from workbench.ratings import assignment, schema
from workbench.ratings.studies import Study


@dataclass(frozen=True)
class RaterState:
    name: str
    by_login: bool  # comes by a login elsewhere; a link may be made all the same
    open_link: bool
    consented: bool
    rated: int
    skipped: int
    last: datetime | None  # when something was last entered, or else the consent given


@dataclass(frozen=True)
class Overview:
    items: int  # those that are not gold
    gold_items: int
    ratings: int  # of these items, as far as the study wants them
    raters: tuple[RaterState, ...]
    wanted: int  # ratings, when every item has all of its raters
    repeats: bool  # whether any item will come to a rater twice

    @property
    def at_work(self) -> int:
        """Raters whom the study still lets in."""
        return sum(rater.open_link for rater in self.raters)


def overview(engine: Engine, study: Study) -> Overview:
    who, item, entry, login = schema.raters, schema.items, schema.entries, schema.identities
    with schema.reading(engine) as connection:
        known = connection.execute(select(item.c.id, item.c.gold).where(item.c.study == study.id)).all()
        people = connection.execute(
            select(who, func.max(entry.c.at).label("last"))
            .outerjoin(entry, entry.c.rater == who.c.id)
            .where(who.c.study == study.id)
            .group_by(who.c.id)
            .order_by(who.c.id)
        ).all()
        logins = set(connection.scalars(select(login.c.rater).where(login.c.study == study.id)))
        places = assignment.places(connection, study.id)
    gold = {each.id: bool(each.gold) for each in known}
    states = Counter((place.rater, place.state) for place in places)
    rated = Counter(
        place.item for place in places if place.state == "rated" and not place.repeat and not gold[place.item]
    )
    plain = sum(not each for each in gold.values())
    raters = tuple(
        RaterState(
            each.name, each.id in logins, each.revoked is None, each.consented is not None, states[each.id, "rated"],
            states[each.id, "skipped"], schema.utc(last) if (last := each.last or each.consented) else None,
        )
        for each in people
    )  # fmt: skip
    ratings = sum(min(number, study.overlap) for number in rated.values())
    come_again = assignment.repeats_come(study, len(gold))
    return Overview(plain, len(gold) - plain, ratings, raters, plain * study.overlap, come_again)
