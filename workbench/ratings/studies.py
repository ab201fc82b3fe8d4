"""Studies: made once, with their questions and plan; opened by their owner's token. Knows no items and no raters."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, select
from sqlalchemy.engine import Connection

from workbench.ratings import kinds, schema, tokens
from workbench.ratings import questions as asked
from workbench.ratings.questions import Question
from workbench.ratings.texts import RatingError, shown, text

NAME = 200  # characters
ID = re.compile("[0-9a-f]{16}")


@dataclass(frozen=True)
class Study:
    id: str
    name: str
    questions: tuple[Question, ...]
    overlap: int  # raters an item
    repeats: float  # of a rater's items, the share that comes silently again
    distance: int  # showings between the two
    seed: int
    logins: bool  # whether anyone with a login elsewhere may rate

    @property
    def scales(self) -> list[str]:
        return [question.name for question in self.questions if kinds.of(question).measured]

    def scale(self, name: str) -> str:
        if name not in self.scales:
            raise RatingError(f"Expected a question among {', '.join(self.scales)}; got {shown(name)}.")
        return name


@dataclass(frozen=True, repr=False)  # a repr would bring the token into logs
class NewStudy:
    """A new study, and its owner's token, which is told this once."""

    study: Study
    token: str


def create(
    engine: Engine,
    name: str,
    ask: Sequence[str] = ("comment",),
    overlap: int = 5,
    repeats: float = 0.1,
    distance: int = 10,
    seed: int = 0,
    logins: bool = False,
) -> NewStudy:
    """A new study; `ask` names the optional questions."""
    if overlap < 1:
        raise RatingError(f"Expected at least one rater an item; got {shown(overlap)}.")
    if not 0 <= repeats <= 0.5:
        raise RatingError(f"Expected a share of repeats from 0 to 0.5; got {shown(repeats)}.")
    if distance < 1:
        raise RatingError(f"Expected a repeat at least one showing later; got {shown(distance)}.")
    plan = {
        "questions": asked.to_json(asked.chosen(ask)),
        "overlap": overlap, "repeats": repeats, "distance": distance, "seed": seed, "logins": logins,
    }  # fmt: skip
    number, token = secrets.token_hex(8), tokens.mint()
    row = {"id": number, "name": text(name, "a study's name", NAME, 1), "plan": plan, "owner": tokens.digest(token)}
    with engine.begin() as connection:
        connection.execute(schema.studies.insert().values(**row, at=schema.now()))
    return NewStudy(find(engine, number), token)


def find(engine: Engine, number: str) -> Study:
    """A study by its id, for those who hold the database itself."""
    with schema.reading(engine) as connection:
        return of(connection, number)


def of(connection: Connection, number: str) -> Study:
    wanted = select(schema.studies).where(schema.studies.c.id == number)
    row = connection.execute(wanted).one_or_none() if ID.fullmatch(number) else None
    if row is None:
        raise RatingError(f"Expected the id of a study; there is none called {shown(number)}.")
    plan = row.plan
    return Study(
        row.id, row.name, asked.from_json(plan["questions"]), plan["overlap"], plan["repeats"], plan["distance"],
        plan["seed"], plan["logins"],
    )  # fmt: skip


def lock(connection: Connection, number: str) -> None:
    """Let nobody else change a study's items, raters or orders until this transaction ends, if it is one that writes.
    Taken before any rater's lock, so that no two transactions wait for each other."""
    if schema.writes(connection):
        connection.execute(select(schema.studies.c.id).where(schema.studies.c.id == number).with_for_update())


def own(engine: Engine, number: str, token: str, limiter: tokens.Limiter, place: str) -> Study:
    """A study for its owner, who comes with a token from some place, an address for one. The token is looked at first:
    whoever guesses behind an address shuts out nobody who shares it."""
    with schema.reading(engine) as connection:
        wanted = select(schema.studies.c.owner).where(schema.studies.c.id == number)
        kept = connection.scalar(wanted) if ID.fullmatch(number) else None
        # An unknown study is compared too, so that it takes no less time than a wrong token.
        if not tokens.same(token, kept or tokens.digest(tokens.mint())):
            limiter.refuse(place, tokens.NoEntry("This token opens no study here."))
        return of(connection, number)
