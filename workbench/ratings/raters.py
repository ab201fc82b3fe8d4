"""Raters: invited by a link or known by a login elsewhere, asked once who they are and whether they consent.

A link's token is one study's and can be taken back. Knows nothing of what is rated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Engine, Select, select
from sqlalchemy.engine import Connection, Row

from workbench.ratings import schema, studies, tokens
from workbench.ratings.studies import Study
from workbench.ratings.texts import RatingError, shown, text

NAME, FIELDS, FIELD = 200, 20, 2_000  # characters of a name; fields of a background, and characters of each
CLOSED = "This link opens no study here. Ask whoever sent it for a new one."


@dataclass(frozen=True)
class Rater:
    id: int
    study: str
    name: str
    consented: bool


@dataclass(frozen=True, repr=False)  # a repr would bring the token into logs
class Invitation:
    """A rater to be, and the token for their link, which is told this once."""

    rater: Rater
    token: str


def invite(engine: Engine, study: Study, name: str) -> Invitation:
    token = tokens.mint()
    with engine.begin() as connection:
        studies.lock(connection, study.id)
        return Invitation(_add(connection, study.id, text(name, "a rater's name", NAME, 1), token), token)


def revoke(engine: Engine, study: Study, name: str) -> None:
    """Close the door to a rater. What they rated stays."""
    table = schema.raters
    mine = (table.c.study == study.id) & (table.c.name == text(name, "a rater's name", NAME, 1))
    with engine.begin() as connection:
        found = connection.execute(table.update().where(mine & table.c.revoked.is_(None)).values(revoked=schema.now()))
        if not found.rowcount:
            raise RatingError(f"Expected the name of a rater whose link is open; got {shown(name)}.")


def renew(engine: Engine, study: Study, name: str) -> Invitation:
    """Another link for a rater, whatever became of the one before: that one opens nothing from now on. What they rated
    stays, and they go on where they left off."""
    table, token = schema.raters, tokens.mint()
    mine = (table.c.study == study.id) & (table.c.name == text(name, "a rater's name", NAME, 1))
    with engine.begin() as connection:
        studies.lock(connection, study.id)
        row = connection.execute(select(table).where(mine)).one_or_none()
        if row is None:
            raise RatingError(f"Expected the name of a rater of the study; got {shown(name)}.")
        made = table.update().where(table.c.id == row.id).values(token=tokens.digest(token), revoked=None)
        connection.execute(made)
        return Invitation(_rater(row), token)


def enter(connection: Connection, study: str, token: str, limiter: tokens.Limiter, place: str) -> Rater:
    """The rater of a link. Guessed, withdrawn and other studies' tokens are told nothing that tells them apart."""
    studies.lock(connection, study)
    row = connection.execute(_one(connection, schema.raters.c.token == tokens.digest(token))).one_or_none()
    kept = row.token if row and row.study == study and row.revoked is None else tokens.digest(tokens.mint())
    if not tokens.same(token, kept):
        limiter.refuse(place, tokens.NoEntry(CLOSED))
    assert row is not None  # its hash was the one kept
    return _rater(row)


def enter_as(connection: Connection, study: str, login: str) -> Rater:
    """The rater behind a login that someone else has checked, as Hugging Face does on a Space; made on first sight."""
    login = text(login, "a login", NAME, 1)
    if not studies.of(connection, study).logins:
        raise tokens.NoEntry("This study takes raters by invitation only.")
    studies.lock(connection, study)
    logins = schema.identities
    known = select(logins.c.rater).where((logins.c.study == study) & (logins.c.name == login))
    if (number := connection.scalar(known)) is not None:
        return present(connection, number)
    if not schema.writes(connection):
        raise schema.MustWrite
    rater = _add(connection, study, login, tokens.mint())  # a token nobody is told
    connection.execute(logins.insert().values(study=study, name=login, rater=rater.id))
    return rater


def consent(connection: Connection, rater: Rater, background: Mapping[str, str]) -> Rater:
    """Keep who a rater is and that they consent. Asked once: a second time changes nothing."""
    if not isinstance(background, Mapping):
        raise RatingError(f"Expected fields about a rater; got {shown(background)}.")
    if len(background) > FIELDS:
        raise RatingError(f"Expected at most {FIELDS} fields about a rater; got {len(background)}.")
    kept = {text(name, "a field's name", NAME, 1): text(said, name, FIELD) for name, said in background.items()}
    table = schema.raters
    first = (table.c.id == rater.id) & table.c.consented.is_(None)
    connection.execute(table.update().where(first).values(background=kept, consented=schema.now()))
    return replace(rater, consented=True)


def present(connection: Connection, number: int) -> Rater:
    """A rater as they are now; refused where the link was taken back meanwhile."""
    row = connection.execute(_one(connection, schema.raters.c.id == number)).one_or_none()
    if row is None or row.revoked is not None:
        raise tokens.NoEntry(CLOSED)
    return _rater(row)


def _one(connection: Connection, which: ColumnElement[bool]) -> Select[Any]:
    """One rater; in a transaction that writes locked to its end, so that what comes from two devices has an order."""
    wanted = select(schema.raters).where(which)
    return wanted.with_for_update() if schema.writes(connection) else wanted


def _add(connection: Connection, study: str, name: str, token: str) -> Rater:
    table = schema.raters
    if connection.scalar(select(table.c.id).where((table.c.study == study) & (table.c.name == name))):
        raise RatingError(f"Expected a name that no other rater of the study has; got {shown(name)}.")
    row = {"study": study, "name": name, "token": tokens.digest(token), "at": schema.now()}
    number = connection.execute(table.insert().values(**row).returning(table.c.id)).scalar_one()
    return Rater(number, study, name, False)


def _rater(row: Row[Any]) -> Rater:
    return Rater(row.id, row.study, row.name, row.consented is not None)
