"""The tables as queries know them, and how a database is opened. `migrations` makes the tables, step by step.

Ratings are a log: nothing in `entries` is ever changed or deleted; the latest row on a rater's place is what counts.
SQLite by default, PostgreSQL by its address; both see the same SQL. Writers take their turn: SQLite locks when a
writing transaction begins, since a reader that turns writer later can be refused at once, whatever it would wait.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Engine,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
)
from sqlalchemy.engine import Connection

from workbench.ratings import migrations

metadata = MetaData()

studies = Table(
    "studies",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("plan", JSON, nullable=False),  # questions, overlap, repeats, seed
    Column("owner", String(64), nullable=False),  # the hash of the owner's token
    Column("at", DateTime(timezone=True), nullable=False),
)
items = Table(
    "items",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("study", String(32), ForeignKey("studies.id"), nullable=False, index=True),
    Column("key", String(200), nullable=False),  # the item's own name in its study
    Column("prose", Text, nullable=False),
    Column("verse", Text, nullable=False),  # SLP1
    Column("system", Text, nullable=False),  # never shown to raters
    Column("origin", JSON, nullable=False),  # settings and signature
    Column("gold", JSON),  # the answers a gold item should get
    UniqueConstraint("study", "key"),
)
raters = Table(
    "raters",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("study", String(32), ForeignKey("studies.id"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("token", String(64), nullable=False, unique=True),  # hashed
    Column("background", JSON),
    Column("consented", DateTime(timezone=True)),
    Column("revoked", DateTime(timezone=True)),
    Column("at", DateTime(timezone=True), nullable=False),
)
places = Table(  # a rater's own order
    "places",
    metadata,
    Column("rater", Integer, ForeignKey("raters.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("item", Integer, ForeignKey("items.id"), nullable=False),
    Column("repeat", Boolean, nullable=False),  # silently shown a second time
)
entries = Table(  # the log
    "entries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("rater", Integer, ForeignKey("raters.id"), nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("kind", String(8), nullable=False),  # rate, skip or undo
    Column("answers", JSON(none_as_null=True)),  # all that stands after this row; none: not rated
    Column("key", String(64), nullable=False),  # the sender's own: sent twice, it is entered once
    Column("at", DateTime(timezone=True), nullable=False),
    UniqueConstraint("rater", "key"),
)
identities = Table(  # raters who come by a login elsewhere instead of a link
    "identities",
    metadata,
    Column("study", String(32), ForeignKey("studies.id"), primary_key=True),
    Column("name", String(200), primary_key=True),
    Column("rater", Integer, ForeignKey("raters.id"), nullable=False),
)
quick = Table(  # what visitors say of a verse just composed; no part of any study
    "quick",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("prose", Text, nullable=False),
    Column("verse", Text, nullable=False),
    Column("origin", JSON, nullable=False),  # settings and signature
    Column("answers", JSON, nullable=False),
    Column("key", String(64), nullable=False, unique=True),
    Column("at", DateTime(timezone=True), nullable=False),
)
saved = Table(  # compositions that visitors saved, for any study's owner to bring in
    "saved",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("prose", Text, nullable=False),
    Column("verse", Text, nullable=False),  # SLP1
    Column("system", Text, nullable=False),
    Column("origin", JSON, nullable=False),  # settings, signature and scores
    Column("key", String(64), nullable=False, unique=True),  # the same composition is kept once
    Column("at", DateTime(timezone=True), nullable=False),
)
# In an order in which each finds what it refers to.
TABLES = (studies, items, raters, identities, places, entries, quick, saved)
YOUNGER = (saved,)  # than the first dumps, which come back without them


WAIT = 5  # seconds for a lock, a connection or a place among the connections


def now() -> datetime:
    return datetime.now(UTC)


def utc(kept: datetime) -> datetime:
    """A time as it was put in: SQLite forgets the zone, which is always this."""
    return kept.replace(tzinfo=UTC) if kept.tzinfo is None else kept.astimezone(UTC)


def connect(url: str) -> Engine:
    """A database brought up to date, by one process at a time."""
    # What was typed stays out of logs. Nobody waits long: whoever is refused comes again by themselves.
    waits = {"connect_timeout": WAIT} if url.startswith("postgresql") else {}
    engine = create_engine(url, pool_pre_ping=True, hide_parameters=True, pool_timeout=WAIT, connect_args=waits)
    if engine.dialect.name == "postgresql":
        event.listen(engine, "connect", _prepare_server)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    try:
        with engine.begin() as connection:
            migrations.upgrade(connection)
    except Exception:
        engine.dispose()
        raise
    return engine


def reading(engine: Engine) -> Connection:
    """A connection that only reads: it waits for no writer, and all it reads is of one moment."""
    moment = (
        {"isolation_level": "REPEATABLE READ"} if engine.dialect.name == "postgresql" else {}
    )  # SQLite's way anyway
    return engine.execution_options(reading=True, **moment).connect()


class MustWrite(Exception):
    """Met in a transaction that only reads: what is asked for needs one that writes, to be begun anew."""


def writes(connection: Connection) -> bool:
    """Whether a transaction was begun to write, and so may lock rows."""
    return not connection.get_execution_options().get("reading")


def _prepare_server(connection: Any, record: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{WAIT}s'")
    connection.commit()


def _prepare(connection: Any, record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say, below
    connection.execute(f"PRAGMA busy_timeout={WAIT * 1000}")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")  # what was acknowledged survives a crash
    connection.execute("PRAGMA foreign_keys=ON")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes(connection) else "BEGIN")
