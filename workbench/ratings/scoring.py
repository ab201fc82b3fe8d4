"""Scores for items that came without them, by a judge whom the caller brings: this room knows no models.

Items are in their study before anyone is asked, so that no judge, or one that fails, costs nothing but the scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from workbench.ratings import items, schema
from workbench.ratings.studies import Study

BATCH = 200  # items between two writings: what was scored before a crash is not lost
# Of pairs of prose and verse (SLP1), what each gets by name, or a sentence about one that cannot be read.
Judge = Callable[[list[tuple[str, str]]], Sequence[Mapping[str, float | None] | str]]


@dataclass(frozen=True)
class Scored:
    items: int  # that got a score
    unread: tuple[tuple[str, str], ...]  # keys of those that could not be read, each with the reason


def score(engine: Engine, study: Study, keys: Collection[str], judge: Judge, names: Collection[str]) -> Scored:
    """Ask the judge about those of a study's items that lack a score, by name, and fill in what they lack."""
    wanted = set(keys)
    with schema.reading(engine) as connection:
        known = [item for _, item in items.stored(connection, study) if item.key in wanted]
    lacking = [item for item in known if not set(names) <= set(item.scores)]
    number, unread = 0, []
    for start in range(0, len(lacking), BATCH):
        batch = lacking[start : start + BATCH]
        found = {}
        for item, said in zip(batch, judge([(item.prose, item.verse) for item in batch]), strict=True):
            if isinstance(said, str):
                unread.append((item.key, said))
            else:
                found[item.key] = numbers(said, names)
        number += items.fill(engine, study, found)
    return Scored(number, tuple(unread))


def numbers(said: Mapping[str, object], names: Collection[str]) -> dict[str, float]:
    """The scores of these names among what is said of a verse: others may stand beside them, and one may be missing."""
    found = {name: said.get(name) for name in names}
    return {name: value for name, value in found.items() if isinstance(value, int | float) and math.isfinite(value)}
