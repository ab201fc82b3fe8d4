"""What an operator asks at `/healthz`: versions, which models are at hand, who waits, whether the database answers.

Tells no text, no token, no address and no path of this machine, since anybody may ask.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from workbench import composer
from workbench.ratings import schema
from workbench.ui import composing, limits
from workbench.ui import database as ratings


def report() -> dict[str, Any]:
    """All of it; `well` is false where something is wrong that visitors notice."""
    kept = database()
    generators = list(composer.offered_entries())
    return {
        "well": bool(generators) and kept["answers"],
        "versions": {name: version(name) for name in ("gradio", "torch", "transformers", "SQLAlchemy")},
        "models": {"generators": generators, "judges": composer.judges_at_hand(), "reader": composer.reader_at_hand()},
        "queue": queue(),
        "database": kept,
        "memory": {"free megabytes": round(limits.free_megabytes() or 0)},
    }


def database() -> dict[str, Any]:
    """Which kind, and whether it answers a question now."""
    try:
        engine = ratings.engine()
        with schema.reading(engine) as connection:
            connection.exec_driver_sql("SELECT 1")
    except Exception as error:  # its own words may hold the address
        return {"answers": False, "fault": type(error).__name__}
    return {"answers": True, "kind": engine.dialect.name}


def queue() -> dict[str, dict[str, int]]:
    """Who waits and who is at work, in every line."""
    named = {"people": composing.PEOPLE, "programs": composing.PROGRAMS, "scoring": composing.SCORING}
    return {name: {"waiting": line.waiting, "at work": line.at_work} for name, line in named.items()}
