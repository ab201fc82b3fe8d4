"""Databases of every version come to the same tables as a new one, with what is in them, and those are the tables that
queries know. `databases` holds what the workbench itself wrote at each version, when migrations were made from tables.
"""

import sqlite3
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Column, Integer, MetaData, create_engine, inspect, make_url, select, text

from tests.ratings.conftest import new_postgresql
from workbench.ratings import export, migrations, quick, saved, schema, storage, studies
from workbench.ratings.texts import RatingError

OLD = Path(__file__).parent / "databases"
EVERY = range(1, 4)  # the versions there have been whose databases are kept here
OBJECTS = {  # all that a database holds, whether or not it hangs on a table
    "sqlite": "SELECT type || ' ' || name FROM sqlite_master",
    "postgresql": (
        "SELECT relkind::text || ' ' || relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace "
        "UNION SELECT 'trigger ' || tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
        "WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal"
    ),
}


def described(engine):
    """Everything by which two databases could differ, but for what is in them."""
    looking = inspect(engine)
    with engine.connect() as connection:
        found = {"objects": sorted(connection.scalars(text(OBJECTS[engine.dialect.name])))}
    for name in looking.get_table_names():
        columns = [{**column, "type": repr(column["type"])} for column in looking.get_columns(name)]
        constraints = [looking.get_foreign_keys(name), looking.get_unique_constraints(name),
                       looking.get_indexes(name), looking.get_check_constraints(name)]  # fmt: skip
        found[name] = [columns, looking.get_pk_constraint(name)]
        found[name] += [sorted(each, key=str) for each in constraints]
    return found


@pytest.fixture(params=["sqlite", "postgresql"])
def new(request, tmp_path):
    """Makes the address of one more empty database."""
    if request.param == "postgresql":
        return lambda: new_postgresql(request.getfixturevalue("postgres"))
    names = iter("abcdefgh")
    return lambda: f"sqlite:///{tmp_path / next(names)}.db"


@pytest.fixture
def opened():
    """Opens databases as the workbench does; at the end they are closed."""
    engines = []

    def connect(address):
        engines.append(schema.connect(address))
        return engines[-1]

    yield connect
    for engine in engines:
        engine.dispose()


def old(new, version):
    """The address of a database as the workbench left it at a version."""
    address = make_url(new())
    statements = (OLD / f"{address.get_backend_name()}-{version}.sql").read_text(encoding="utf-8")
    if address.get_backend_name() == "sqlite":
        connection = sqlite3.connect(address.database)
        connection.executescript(statements)
        connection.close()
    else:
        with psycopg.connect(address.set(drivername="postgresql").render_as_string(hide_password=False)) as connection:
            connection.execute(statements)
    return str(address)


def made_of(new, metadata):
    """A database of tables as queries know them, made by SQLAlchemy, without any migration."""
    engine = create_engine(new())
    with engine.begin() as connection:
        metadata.create_all(connection)
        connection.exec_driver_sql(migrations.VERSIONS.format(**migrations.WORDS[engine.dialect.name]))
    found = described(engine)
    engine.dispose()
    return found


def steps(engine):
    with schema.reading(engine) as connection:
        return connection.execute(select(migrations.versions).order_by(migrations.versions.c.version)).all()


def test_a_new_database_has_the_tables_that_queries_know(new, opened):
    assert described(opened(new())) == made_of(new, schema.metadata)


@pytest.mark.parametrize("version", EVERY)
def test_a_database_of_any_version_becomes_like_a_new_one_and_keeps_what_is_in_it(new, opened, version):
    address = old(new, version)
    engine = opened(address)
    assert described(engine) == described(opened(new()))
    before = steps(engine)
    assert [step.version for step in before] == [1, 2, 3]
    [(number, name)] = [(row.id, row.name) for row in rows(engine, schema.studies)]
    study = studies.find(engine, number)
    assert name == "A study" and [question.name for question in study.questions] == ["coherence", "comment", "marks"]
    [row] = export.records(engine, study)
    assert (row["rater"], row["coherence"], row["comment"]) == ("गार्गी", 4, "it's 100 %")
    assert row["marks"] == [{"word": 1, "mark": "missing"}] and row["score_cross"] == 0.5
    assert [entry.kind for entry in rows(engine, schema.entries)] == ["rate", "skip"]
    assert len(quick.records(engine)) == (version > 1) and len(saved.listed(engine)) == (version > 2)
    assert steps(opened(address)) == before  # each step is taken once


def rows(engine, table):
    with schema.reading(engine) as connection:
        return connection.execute(select(table)).all()


def test_every_version_there_has_been_is_kept_here():
    assert len(migrations.MIGRATIONS) == len(EVERY), (
        "Write a database of the last version into tests/ratings/databases."
    )
    assert {file.stem for file in OLD.iterdir()} == {f"{name}-{at}" for name in migrations.WORDS for at in EVERY}


@pytest.mark.parametrize("version", [0, *EVERY])
def test_a_column_is_added_by_a_step_of_its_own(new, opened, monkeypatch, version):
    """As whoever adds one would: the column to its table, the statement to the migrations."""
    tomorrow = MetaData()
    for table in schema.metadata.sorted_tables:
        table.to_metadata(tomorrow)
    changed = tomorrow.tables["studies"]
    changed.append_column(Column("deadline", Integer))
    step = ("ALTER TABLE studies ADD COLUMN deadline INTEGER", "UPDATE studies SET deadline = 7")
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, step))
    engine = opened(old(new, version) if version else new())
    assert described(engine) == made_of(new, tomorrow)
    assert [step.version for step in steps(engine)] == [1, 2, 3, 4]
    assert [row.deadline for row in rows(engine, changed)] == ([7] if version else [])
    with engine.begin() as connection:
        row = {"id": "s", "name": "S", "plan": {}, "owner": "h", "at": schema.now(), "deadline": 3}
        connection.execute(changed.insert().values(**row))
    assert 3 in [row.deadline for row in rows(engine, changed)]


def test_a_dump_from_before_a_column_comes_back_without_it(opened, tmp_path, monkeypatch):
    before = opened(f"sqlite:///{tmp_path / 'before.db'}")
    studies.create(before, "A study")
    storage.dump(before, tmp_path / "dump")
    tomorrow = MetaData()
    tables = tuple(table.to_metadata(tomorrow) for table in schema.TABLES)
    tables[0].append_column(Column("closed", schema.raters.c.revoked.type))
    step = ("ALTER TABLE studies ADD COLUMN closed {time}",)
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, step))
    monkeypatch.setattr(schema, "TABLES", tables)
    after = opened(f"sqlite:///{tmp_path / 'after.db'}")
    assert storage.restore(after, tmp_path / "dump") == 1
    assert [(row.name, row.closed) for row in rows(after, tables[0])] == [("A study", None)]


def test_a_step_that_fails_leaves_all_as_it_was(new, opened, monkeypatch):
    address = old(new, 1)
    monkeypatch.setattr(
        migrations, "MIGRATIONS", (*migrations.MIGRATIONS, ("CREATE TABLE more (id INTEGER)", "nonsense"))
    )
    with pytest.raises(Exception, match="nonsense"):
        schema.connect(address)
    monkeypatch.undo()
    engine = opened(address)
    assert "more" not in inspect(engine).get_table_names()
    assert [step.version for step in steps(engine)] == [1, 2, 3] and len(rows(engine, schema.studies)) == 1


def test_a_database_of_a_newer_workbench_is_refused_and_left_alone(new, opened):
    address = new()
    engine = opened(address)
    with engine.begin() as connection:
        connection.execute(migrations.versions.insert().values(version=5, at=schema.now()))
    before = steps(engine)
    with pytest.raises(RatingError, match="Expected a ratings' database of version 3 or older; got version 5, which"):
        schema.connect(address)
    assert steps(engine) == before


def test_sqlite_writes_ahead(file_engine):
    with file_engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
