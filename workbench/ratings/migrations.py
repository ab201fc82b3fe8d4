"""How a database comes to what `schema` has today, step by step. Knows SQL and which steps were taken, and no tables of
today: a step states its own SQL, literally, and is never touched again once somebody may have taken it.

To change the tables: a step more at the end of MIGRATIONS, and the same change in `schema`. A test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import DateTime, Integer, column, inspect, select, table, text
from sqlalchemy.engine import Connection

from workbench.ratings.texts import RatingError

# Where the two databases have different words for the same.
WORDS = {
    "sqlite": {"numbered": "INTEGER", "time": "DATETIME"},
    "postgresql": {"numbered": "SERIAL", "time": "TIMESTAMP WITH TIME ZONE"},
}
LOCK = 7_104_111  # of the migrations, in PostgreSQL
VERSIONS = "CREATE TABLE migrations (version {numbered} NOT NULL, at {time}, PRIMARY KEY (version))"
STUDIES_AND_RATINGS = (
    """CREATE TABLE studies (
        id VARCHAR(32) NOT NULL, name TEXT NOT NULL, plan JSON NOT NULL, owner VARCHAR(64) NOT NULL,
        at {time} NOT NULL, PRIMARY KEY (id)
    )""",
    """CREATE TABLE items (
        id {numbered} NOT NULL, study VARCHAR(32) NOT NULL, key VARCHAR(200) NOT NULL, prose TEXT NOT NULL,
        verse TEXT NOT NULL, system TEXT NOT NULL, origin JSON NOT NULL, gold JSON,
        PRIMARY KEY (id), UNIQUE (study, key), FOREIGN KEY (study) REFERENCES studies (id)
    )""",
    "CREATE INDEX ix_items_study ON items (study)",
    """CREATE TABLE raters (
        id {numbered} NOT NULL, study VARCHAR(32) NOT NULL, name TEXT NOT NULL, token VARCHAR(64) NOT NULL,
        background JSON, consented {time}, revoked {time}, at {time} NOT NULL,
        PRIMARY KEY (id), FOREIGN KEY (study) REFERENCES studies (id), UNIQUE (token)
    )""",
    "CREATE INDEX ix_raters_study ON raters (study)",
    """CREATE TABLE places (
        rater INTEGER NOT NULL, position INTEGER NOT NULL, item INTEGER NOT NULL, repeat BOOLEAN NOT NULL,
        PRIMARY KEY (rater, position), FOREIGN KEY (rater) REFERENCES raters (id),
        FOREIGN KEY (item) REFERENCES items (id)
    )""",
    """CREATE TABLE entries (
        id {numbered} NOT NULL, rater INTEGER NOT NULL, position INTEGER NOT NULL, kind VARCHAR(8) NOT NULL,
        answers JSON, key VARCHAR(64) NOT NULL, at {time} NOT NULL,
        PRIMARY KEY (id), UNIQUE (rater, key), FOREIGN KEY (rater) REFERENCES raters (id)
    )""",
    "CREATE INDEX ix_entries_rater ON entries (rater)",
)
LOGINS_AND_QUICK_RATINGS = (
    """CREATE TABLE identities (
        study VARCHAR(32) NOT NULL, name VARCHAR(200) NOT NULL, rater INTEGER NOT NULL,
        PRIMARY KEY (study, name), FOREIGN KEY (study) REFERENCES studies (id),
        FOREIGN KEY (rater) REFERENCES raters (id)
    )""",
    """CREATE TABLE quick (
        id {numbered} NOT NULL, prose TEXT NOT NULL, verse TEXT NOT NULL, origin JSON NOT NULL, answers JSON NOT NULL,
        key VARCHAR(64) NOT NULL, at {time} NOT NULL, PRIMARY KEY (id), UNIQUE (key)
    )""",
)
SAVED_COMPOSITIONS = (
    """CREATE TABLE saved (
        id {numbered} NOT NULL, prose TEXT NOT NULL, verse TEXT NOT NULL, system TEXT NOT NULL, origin JSON NOT NULL,
        key VARCHAR(64) NOT NULL, at {time} NOT NULL, PRIMARY KEY (id), UNIQUE (key)
    )""",
)
MIGRATIONS: tuple[tuple[str, ...], ...] = (STUDIES_AND_RATINGS, LOGINS_AND_QUICK_RATINGS, SAVED_COMPOSITIONS)

versions = table("migrations", column("version", Integer), column("at", DateTime(timezone=True)))


def upgrade(connection: Connection) -> None:
    """Take the steps that this database has not taken yet, all in the caller's transaction: all of them or none, and
    by one process at a time. SQLite's writers take turns by themselves."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    if not inspect(connection).has_table(versions.name):
        _run(connection, VERSIONS)
    done = set(connection.scalars(select(versions.c.version)))
    if (newest := max(done, default=0)) > len(MIGRATIONS):
        raise RatingError(
            f"Expected a ratings' database of version {len(MIGRATIONS)} or older; got version {newest}, which a newer "
            "workbench made."
        )
    for number, statements in enumerate(MIGRATIONS, start=1):
        if number not in done:
            for statement in statements:
                _run(connection, statement)
            connection.execute(versions.insert().values(version=number, at=datetime.now(UTC)))


def _run(connection: Connection, statement: str) -> None:
    connection.exec_driver_sql(statement.format(**WORDS[connection.dialect.name]))
