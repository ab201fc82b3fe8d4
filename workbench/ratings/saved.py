"""Compositions that visitors of the workbench saved, kept once each, for the owners of studies to bring in as items.

Whatever is kept can be an item. Knows neither who saved it nor how it was composed: the caller tells the settings.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Engine, select
from sqlalchemy.exc import IntegrityError

from workbench.ratings import items, schema
from workbench.ratings.items import PROSE, SETTINGS, SYSTEM, VERSE, Item, Preview
from workbench.ratings.studies import Study
from workbench.ratings.texts import text


def keep(
    engine: Engine,
    prose: str,
    verse: str,
    system: str,
    settings: Mapping[str, Any],
    signature: str,
    scores: Mapping[str, float],
) -> bool:
    """Keep a composition; False if the same is kept already. A signature tells the settings apart, so that the same
    prose, verse, system and signature are the same composition."""
    text(json.dumps(dict(settings), ensure_ascii=False), "settings", SETTINGS)
    parts = [text(prose, "a prose", PROSE, 1), text(verse, "a verse", VERSE, 1),
             text(system, "a system's name", SYSTEM, 1), text(signature, "a signature", PROSE)]  # fmt: skip
    origin = {"settings": dict(settings), "signature": parts[3], "scores": dict(scores)}
    key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    row = {"prose": parts[0], "verse": parts[1], "system": parts[2], "origin": origin, "key": key, "at": schema.now()}
    try:
        with engine.begin() as connection:
            connection.execute(schema.saved.insert().values(**row))
    except IntegrityError:  # saved before: what was kept first stands
        return False
    return True


def listed(engine: Engine) -> list[Item]:
    """Every saved composition as an item, newest first; its id is its own for good."""
    table = schema.saved
    with schema.reading(engine) as connection:
        rows = connection.execute(select(table).order_by(table.c.id.desc())).all()
    return [Item(f"saved-{row.id}", row.prose, row.verse, row.system, **row.origin) for row in rows]


def preview(engine: Engine, study: Study) -> Preview:
    """What a study could bring in: the saved compositions it does not have yet, and no more than one upload may have;
    asking again after those gives the rest."""
    with schema.reading(engine) as connection:
        known = {item.key for _, item in items.stored(connection, study)}
    new = [item for item in listed(engine) if item.key not in known]
    return Preview(tuple(new[: items.ROWS]), ())
