"""Tokens and tables: what is kept is no secret, what is wrong is slow, and migrations run once."""

import pytest
from sqlalchemy import inspect, select

from workbench.ratings import schema, tokens


def test_only_the_hash_of_a_token_is_kept():
    token = tokens.mint()
    kept = tokens.digest(token)
    assert token not in kept and len(token) >= 32 and tokens.mint() != token
    assert tokens.same(token, kept) and not tokens.same(token + "x", kept) and not tokens.same("", kept)


def test_wrong_tokens_are_limited_by_place_and_time():
    limiter = tokens.Limiter(tries=3, within=60)
    for second in range(3):
        limiter.check("here", second)
        limiter.wrong("here", second)
    with pytest.raises(tokens.TooMany, match="try again in 50 seconds"):
        limiter.check("here", 10)
    limiter.check("there", 10)
    limiter.check("here", 61)


def test_a_limiter_forgets_the_oldest_places(monkeypatch):
    monkeypatch.setattr(tokens, "PLACES", 2)
    limiter = tokens.Limiter(tries=1)
    for place in ("a", "b", "c"):
        limiter.wrong(place, 0)
    limiter.check("a", 1)
    with pytest.raises(tokens.TooMany):
        limiter.check("c", 1)


def test_migrations_run_once_and_data_stays(tmp_path):
    url = f"sqlite:///{tmp_path / 'ratings.db'}"
    engine = schema.connect(url)
    with engine.begin() as connection:
        connection.execute(schema.studies.insert().values(id="s", name="S", plan={}, owner="h", at=schema.now()))
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    engine.dispose()
    again = schema.connect(url)
    with again.connect() as connection:
        assert connection.scalars(select(schema.studies.c.name)).all() == ["S"]
        assert connection.scalars(select(schema.versions.c.version)).all() == [1, 2, 3]
    assert set(inspect(again).get_table_names()) == {"migrations", *(table.name for table in schema.TABLES)}
    again.dispose()


def test_a_later_migration_is_added_to_an_old_database(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path / 'ratings.db'}"
    schema.connect(url).dispose()
    more = lambda connection: connection.exec_driver_sql("ALTER TABLE studies ADD COLUMN note TEXT")  # noqa: E731
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, more))
    engine = schema.connect(url)
    assert "note" in {column["name"] for column in inspect(engine).get_columns("studies")}
    engine.dispose()
    schema.connect(url).dispose()  # a third time changes nothing
