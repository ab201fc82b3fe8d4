"""Items: prose and verse to be rated, with what raters never see: the system, its settings and scores, gold answers.

They are read from CSV, from JSON lines, and from the verses.jsonl of `evaluate --out`; what cannot be an item is told
row by row. Verses are kept as SLP1 if the caller brings a reader of scripts: this room knows none.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Engine, bindparam, select
from sqlalchemy.engine import Connection

from workbench.ratings import schema
from workbench.ratings.questions import check
from workbench.ratings.studies import Study, lock
from workbench.ratings.texts import RatingError, shown, text

BYTES, ROWS = 5_000_000, 10_000  # of one upload
ID, SYSTEM, PROSE, VERSE, SETTINGS = 100, 90, 5_000, 2_000, 20_000  # characters
VERSE_NAMES = ("verse", "slp1", "sa")
GOLD, SCORE = "gold_", "score_"  # prefixes of columns: gold_coherence, score_cross
COLUMNS = ("id", "en", *VERSE_NAMES, "system", "settings", "signature", "gold", "scores")


@dataclass(frozen=True)
class Item:
    id: str  # of the prose: two systems may have made a verse of the same
    prose: str
    verse: str
    system: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    signature: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)  # of metrics, such as bi and cross
    gold: Mapping[str, Any] | None = None

    @property
    def key(self) -> str:
        return f"{self.system}/{self.id}"

    @property
    def origin(self) -> dict[str, Any]:
        """What goes into one column, since no query asks for it."""
        return {
            "id": self.id,
            "settings": dict(self.settings),
            "signature": self.signature,
            "scores": dict(self.scores),
        }


@dataclass(frozen=True)
class RowError:
    row: int  # as a person counts: a CSV's header is row 1
    sentence: str


@dataclass(frozen=True)
class Preview:
    """What an upload would bring."""

    items: tuple[Item, ...]
    errors: tuple[RowError, ...]


def allow(size: int) -> None:
    """Refuse an upload for its size, before it is read."""
    if size > BYTES:
        raise RatingError(f"Expected an upload of at most {BYTES // 1_000_000} MB; got {size / 1e6:,.1f} MB.")


def preview(
    study: Study,
    upload: bytes | str,
    prose: Mapping[str, str] | None = None,
    system: str = "",
    signature: str = "",
    read_verse: Callable[[str], str] = str,
) -> Preview:
    """The items of an upload. `prose` has the English by id for rows that carry none, as those of `evaluate`; `system`
    and `signature` stand where a row names none; `read_verse` turns a verse into SLP1, or raises a ValueError."""
    items: list[Item] = []
    errors: list[RowError] = []
    seen: dict[str, int] = {}
    for count, (number, row) in enumerate(_rows(_decoded(upload))):
        if count == ROWS:
            errors.append(RowError(number, f"Expected at most {ROWS:,} rows; got more, left out from here on."))
            break
        try:
            if isinstance(row, RatingError):
                raise row
            item = _item(study, {"id": f"row {number}", **row}, prose or {}, system, signature, read_verse)
            if first := seen.get(item.key):
                raise RatingError(f"Expected every id once for a system; {shown(item.id)} stands in row {first} too.")
            seen[item.key] = number
            items.append(item)
        except ValueError as error:
            errors.append(RowError(number, str(error)))
    if not items and not errors:
        errors.append(RowError(1, "Expected rows with en, verse and system; got none."))
    return Preview(tuple(items), tuple(errors))


def add(engine: Engine, study: Study, items: Sequence[Item]) -> int:
    """Put items into a study, all or none; those it has already are passed over, but for scores they come with and it
    lacks. The number of new ones."""
    with engine.begin() as connection:
        lock(connection, study.id)
        before = stored(connection, study)
        known = {item.key: item for _, item in before}
        for item in items:
            if item.key in known:
                _agree(known[item.key], item)
        new = {item.key: item for item in items if item.key not in known}
        if new:
            connection.execute(schema.items.insert(), [_stored_row(study, item) for item in new.values()])
        _fill(connection, before, {item.key: item.scores for item in items})
    return len(new)


def fill(engine: Engine, study: Study, scores: Mapping[str, Mapping[str, float]]) -> int:
    """Give a study's items, by key, the scores they lack; a score that is there stays, whoever gave it. The number of
    items that got one."""
    with engine.begin() as connection:
        lock(connection, study.id)
        return _fill(connection, stored(connection, study), scores)


def stored(connection: Connection, study: Study) -> list[tuple[int, Item]]:
    """A study's items with their numbers in the database, in the order they came."""
    table = schema.items
    rows = connection.execute(select(table).where(table.c.study == study.id).order_by(table.c.id))
    return [(row.id, Item(prose=row.prose, verse=row.verse, system=row.system, gold=row.gold, **row.origin))
            for row in rows]  # fmt: skip


def _agree(before: Item, now: Item) -> None:
    """Scores are said of an item and make it no other one; but two that contradict each other are not passed over."""
    if replace(before, scores={}) != replace(now, scores={}):
        raise RatingError(f"Expected a new id, or the same item as before; {shown(now.key)} is another item.")
    for name, value in now.scores.items():
        if (kept := before.scores.get(name, value)) != value:
            refusal = f"{shown(now.key)} has {kept}, and now got {value}"
            raise RatingError(f"Expected no score {name}, or the same as before; {refusal}.")


def _fill(connection: Connection, known: Iterable[tuple[int, Item]], scores: Mapping[str, Mapping[str, float]]) -> int:
    rows = []
    for number, item in known:
        filled = {**scores.get(item.key, {}), **item.scores}
        if len(filled) > len(item.scores):
            rows.append({"number": number, "filled": replace(item, scores=filled).origin})
    if rows:
        table = schema.items
        one = table.update().where(table.c.id == bindparam("number")).values(origin=bindparam("filled"))
        connection.execute(one, rows)
    return len(rows)


def _stored_row(study: Study, item: Item) -> dict[str, Any]:
    gold = dict(item.gold) if item.gold else None
    return {"study": study.id, "key": item.key, "prose": item.prose, "verse": item.verse, "system": item.system,
            "origin": item.origin, "gold": gold}  # fmt: skip


def _decoded(upload: bytes | str) -> str:
    allow(len(upload) if isinstance(upload, bytes) else len(upload.encode("utf-8", "surrogatepass")))
    if isinstance(upload, str):
        return upload.removeprefix("\ufeff")
    try:
        return upload.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RatingError(f"Expected CSV or JSON lines in UTF-8; byte {error.start:,} is none.") from None


def _rows(upload: str) -> Iterator[tuple[int, dict[str, Any] | RatingError]]:
    """Rows with their numbers, or why one is none."""
    if upload.lstrip().startswith(("{", "[")):
        for number, line in enumerate(upload.split("\n"), start=1):
            if line.strip():
                yield number, _json_row(line)
        return
    lines = csv.DictReader(io.StringIO(upload, newline=""), restkey="", restval="", strict=True)
    try:
        names = [name.strip() for name in lines.fieldnames or []]
        if len(set(names)) < len(names) or not set(VERSE_NAMES) & set(names):
            expected = f"Expected a header with id, en, {' or '.join(VERSE_NAMES)}, system, each once"
            yield 1, RatingError(f"{expected}; got {shown(', '.join(names))}.")
            return
        lines.fieldnames = names
        for row in lines:
            more = row.pop("", None)
            number = lines.line_num  # a quoted field may hold line ends: this is the line the row ends on
            if more:
                yield number, RatingError(f"Expected {len(names)} fields; got {len(names) + len(more)}.")
            else:
                yield number, {name: value for name, value in row.items() if value}
    except csv.Error as error:
        yield lines.reader.line_num, RatingError(f"Expected CSV that can be read to its end; {error}.")


def _json_row(line: str) -> dict[str, Any] | RatingError:
    row = _json(line)
    if not isinstance(row, dict):
        return RatingError(f"Expected one JSON object a line; got {shown(line)}.")
    return {name: value for name, value in row.items() if value is not None}


def _item(
    study: Study,
    row: Mapping[str, Any],
    prose: Mapping[str, str],
    system: str,
    signature: str,
    read_verse: Callable[[str], str],
) -> Item:
    number = text(str(row["id"]), "an id", ID, 1)
    verse = next((row[name] for name in VERSE_NAMES if name in row), "")
    verse = text(read_verse(text(verse, "a verse", VERSE, 1)), "a verse", VERSE, 1)
    gold = {**_object(row, "gold"), **{name.removeprefix(GOLD): _number(value, name)
                                       for name, value in row.items() if name.startswith(GOLD)}}  # fmt: skip
    scores = {**_object(row, "scores"), **{name.removeprefix(SCORE): value
                                           for name, value in row.items() if name.startswith(SCORE)}}  # fmt: skip
    # What else a row carries is kept with its settings, so that nothing of it is lost.
    rest = {name: value for name, value in row.items() if name not in COLUMNS and not name.startswith((GOLD, SCORE))}
    settings = {**_object(row, "settings"), **rest}
    text(json.dumps(settings, ensure_ascii=False), "settings", SETTINGS)
    return Item(
        number,
        text(row.get("en", prose.get(number, "")), "an English prose (en)", PROSE, 1),
        verse,
        text(row.get("system", system), "a system's name", SYSTEM, 1),
        settings,
        text(row.get("signature", signature), "a signature", PROSE),
        {text(name, "a score's name", SYSTEM, 1): _number(value, f"score {name}") for name, value in scores.items()},
        check(study.questions, gold, verse) or None,
    )


def _json(written: str) -> Any:
    """JSON read, or None. NaN and the infinities are not JSON, whatever Python thinks, and PostgreSQL refuses them."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        return json.loads(written, parse_constant=refuse)
    except (ValueError, RecursionError):
        return None


def _object(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A field that is an object, or in CSV an object written as JSON."""
    value = row.get(name, {})
    if isinstance(value, str):
        value = _json(value)
    if not isinstance(value, dict):
        raise RatingError(f"Expected a JSON object as {name}; got {shown(row[name])}.")
    return value


def _number(value: object, name: str) -> float:
    """A number; a whole one as int, as the answers of a scale are."""
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise RatingError(f"Expected a number as {name}; got {shown(value)}.")
    return int(number) if number.is_integer() and not isinstance(value, float) else number
