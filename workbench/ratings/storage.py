"""Where ratings live, and their copies: a folder or a server, a dump that any database takes back, a Space's backup.

Knows the environment's names, and nothing of what the tables mean. Addresses may hold passwords and are never shown.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import DateTime, Engine, Integer, func, select
from sqlalchemy.exc import SQLAlchemyError

from workbench.ratings import schema
from workbench.ratings.texts import RatingError, shown

FILE = "ratings.db"
SERVERS, DRIVER = ("postgres", "postgresql"), "postgresql+psycopg"
SPACE_DISK = Path("/data")  # a Space's lasting disk, where it has one
MINUTES = 5  # between a Space's backups


def folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder for data: the one that is named, a Space's lasting disk, or data/ here."""
    if named := environment.get("PINGALA_DATA"):
        return Path(named)
    return SPACE_DISK if environment.get("SPACE_ID") and SPACE_DISK.is_dir() else Path("data")


def address(environment: Mapping[str, str] = os.environ) -> str:
    """PostgreSQL where DATABASE_URL says so, by the driver we have; otherwise a file of SQLite's."""
    if url := environment.get("DATABASE_URL"):
        scheme, separator, rest = url.partition("://")
        if not separator or scheme not in (*SERVERS, DRIVER, "sqlite"):
            got = f"{scheme}://" if separator and scheme else "no address"  # the rest may hold a password
            raise RatingError(f"Expected DATABASE_URL to begin with postgresql:// or sqlite://; got {got}.")
        return f"{DRIVER}://{rest}" if scheme in SERVERS else url
    folder(environment).mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder(environment) / FILE}"


def connect(environment: Mapping[str, str] = os.environ) -> Engine:
    """The database; its driver is loaded only where DATABASE_URL asks for one."""
    try:
        return schema.connect(address(environment))
    except ModuleNotFoundError as missing:
        raise RatingError(
            f"Expected the driver {missing.name} for DATABASE_URL, which the extra postgres brings; got none. In a "
            "checkout, `pip install '.[postgres]'` installs it."
        ) from missing


def dump(engine: Engine, target: Path) -> list[Path]:
    """Copy all tables into a folder as JSON lines; a file whose content is the same is left alone."""
    target.mkdir(parents=True, exist_ok=True)
    written = []
    with schema.reading(engine) as connection:
        for table in schema.TABLES:
            order = list(table.primary_key)
            rows = [dict(row._mapping) for row in connection.execute(select(table).order_by(*order))]
            lines = "".join(json.dumps(row, default=_time) + "\n" for row in rows)
            file = target / f"{table.name}.jsonl"
            if not file.is_file() or file.read_text(encoding="utf-8") != lines:
                part = file.with_suffix(".part")
                part.write_text(lines, encoding="utf-8")
                part.replace(file)  # whole or not at all
            written.append(file)
    return written


def restore(engine: Engine, source: Path) -> int:
    """Fill an empty database from a dump; the number of rows."""
    number = 0
    with engine.begin() as connection:
        if any(connection.scalar(select(func.count()).select_from(table)) for table in schema.TABLES):
            raise RatingError("Expected an empty database to restore into; this one has studies or ratings.")
        for table in schema.TABLES:
            file = source / f"{table.name}.jsonl"
            if not file.is_file() and table in schema.YOUNGER:
                continue
            if not file.is_file():
                raise RatingError(f"Expected {file.name} in the dump; there is none.")
            times = [column.name for column in table.columns if isinstance(column.type, DateTime)]
            rows = []
            for at, line in enumerate(file.read_bytes().splitlines(), start=1):
                row = _row(line, at, file.name)
                if more := sorted(set(row) - set(table.c.keys())):
                    known = ", ".join(table.c.keys())
                    raise RatingError(
                        f"Expected {file.name} with {known} alone; got {', '.join(more)}, which a newer workbench "
                        "may have written."
                    )
                rows.append(_with_times(row, times, at, file.name))
            if rows:
                try:
                    connection.execute(table.insert(), rows)
                except SQLAlchemyError as error:
                    raise RatingError(
                        f"Expected rows of {file.name} that a database takes; got {type(error).__name__}. "
                        "Nothing of the dump is in."
                    ) from error
                number += len(rows)
            numbered = "id" in table.c and isinstance(table.c.id.type, Integer)
            if rows and numbered and engine.dialect.name == "postgresql":
                # It numbers rows by itself, and must be told where the restored ones end.
                last = select(func.max(table.c.id)).scalar_subquery()
                connection.execute(select(func.setval(func.pg_get_serial_sequence(table.name, "id"), last)))
    return number


def _row(line: bytes, at: int, name: str) -> dict[str, Any]:
    try:
        row = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise RatingError(f"Expected a JSON object in row {at} of {name}; got {shown(line[:40])}. Nothing of it is in.")
    return row


def _with_times(row: dict[str, Any], times: list[str], at: int, name: str) -> dict[str, Any]:
    try:
        return {**row, **{each: datetime.fromisoformat(row[each]) for each in times if row.get(each)}}
    except (ValueError, TypeError):
        got = ", ".join(shown(row.get(each)) for each in times if row.get(each))
        raise RatingError(
            f"Expected times in row {at} of {name}, such as 2025-01-31T12:00:00+00:00; got {got}."
        ) from None


def schedule(engine: Engine, environment: Mapping[str, str] = os.environ, scheduler: Any = None) -> Any:
    """On a Space with a token, copy all to a private dataset every few minutes. None where it is not set up.

    PINGALA_BACKUP names the dataset, HF_TOKEN may write to it. `scheduler` stands in for huggingface_hub's in tests.
    """
    repository, token = environment.get("PINGALA_BACKUP"), environment.get("HF_TOKEN")
    if not repository or not token:
        return None
    if scheduler is None:
        from huggingface_hub import CommitScheduler as scheduler
    target = folder(environment) / "backup"

    class Backup(scheduler):  # type: ignore[misc]
        def push_to_hub(self) -> Any:
            dump(engine, target)
            return super().push_to_hub()

    return Backup(
        repo_id=repository, repo_type="dataset", private=True, folder_path=target, every=MINUTES, token=token,
        allow_patterns="*.jsonl",
    )  # fmt: skip


def _time(value: object) -> str:
    if isinstance(value, datetime):
        return schema.utc(value).isoformat()
    raise TypeError(f"Expected what JSON can hold, or a time; got {type(value).__name__}.")
