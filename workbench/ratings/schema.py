"""The tables, and the migrations that lead to them. Migrations are only ever added at the end, and each runs once.

Ratings are a log: nothing in `entries` is ever changed or deleted; the latest word on a rater's place and question is
what counts. SQLite by default, PostgreSQL by its address; both see the same SQL.
"""

from __future__ import annotations

from datetime import UTC, datetime

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
    inspect,
    select,
)
from sqlalchemy.engine import Connection

metadata = MetaData()

versions = Table(
    "migrations", metadata, Column("version", Integer, primary_key=True), Column("at", DateTime(timezone=True))
)
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
    Column("answers", JSON),
    Column("key", String(64), nullable=False),  # the sender's own: sent twice, it is entered once
    Column("at", DateTime(timezone=True), nullable=False),
    UniqueConstraint("rater", "key"),
)


def now() -> datetime:
    return datetime.now(UTC)


def _first(connection: Connection) -> None:
    metadata.create_all(connection, [studies, items, raters, places, entries])


MIGRATIONS = (_first,)


def connect(url: str) -> Engine:
    """A database brought up to date. SQLite writes ahead and waits its turn, so that many raters can write at once."""
    engine = create_engine(url, pool_pre_ping=True)
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def _prepare(connection, record):  # type: ignore[no-untyped-def]
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA busy_timeout=30000")
            connection.execute("PRAGMA synchronous=FULL")  # what was acknowledged survives a crash
            connection.execute("PRAGMA foreign_keys=ON")

    with engine.begin() as connection:
        if not inspect(connection).has_table(versions.name):
            metadata.create_all(connection, [versions])
        done = set(connection.scalars(select(versions.c.version)))
        for number, migration in enumerate(MIGRATIONS, start=1):
            if number not in done:
                migration(connection)
                connection.execute(versions.insert().values(version=number, at=now()))
    return engine
