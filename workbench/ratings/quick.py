"""Quick ratings: what any visitor says of the verse just composed. Kept apart from studies, whose raters are known."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Engine, select
from sqlalchemy.exc import IntegrityError

from workbench.ratings import questions, schema, texts
from workbench.ratings.items import PROSE, SETTINGS, VERSE
from workbench.ratings.texts import text

ASKED = questions.chosen(("comment",))


def rate(
    engine: Engine, prose: str, verse: str, origin: Mapping[str, Any], answers: Mapping[str, Any], key: str
) -> None:
    """Keep a visitor's rating; `origin` is the composition's settings and signature. A key counts once."""
    checked = questions.check(ASKED, answers, verse)
    questions.complete(ASKED, checked)
    text(json.dumps(dict(origin), ensure_ascii=False), "settings", SETTINGS)
    row = {"prose": text(prose, "a prose", PROSE, 1), "verse": text(verse, "a verse", VERSE, 1),
           "origin": dict(origin), "answers": checked, "key": texts.key(key), "at": schema.now()}  # fmt: skip
    try:
        with engine.begin() as connection:
            connection.execute(schema.quick.insert().values(**row))
    except IntegrityError:  # sent again: the first sending stands
        return


def records(engine: Engine) -> list[dict[str, Any]]:
    """Every quick rating, oldest first, as a row to export."""
    with schema.reading(engine) as connection:
        rows = connection.execute(select(schema.quick).order_by(schema.quick.c.id)).all()
    names = [question.name for question in ASKED]
    return [
        {"en": row.prose, "verse": row.verse, **{name: row.answers.get(name) for name in names},
         "origin": row.origin, "at": schema.utc(row.at).isoformat()}
        for row in rows
    ]  # fmt: skip
