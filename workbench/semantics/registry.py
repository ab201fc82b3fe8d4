"""The register of judges of meaning: what each is, where it stands, by which of them verses are ranked. Loads none.

They stand in judges.toml beside this file. Scores are a mapping from a judge's name to its number; beside them may
stand `calibrated`, the ranker's on the scale of people's ratings. A name stays known when its judge is gone: stored
scores have it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

FILE = Path(__file__).with_name("judges.toml")
CALIBRATED = "calibrated"
NONE = "none"  # in place of a judge's folder: no judge, and verses stand in the generator's order

Scores: TypeAlias = Mapping[str, float]


@dataclass(frozen=True)
class JudgeEntry:
    """One judge, as judges.toml has it."""

    name: str
    kind: str
    title: str
    folder: str = ""
    label: str = ""
    says: str = ""
    faithful: float = 1.0
    partly: float = 0.5
    words: tuple[str, str, str] = ("faithful", "partly", "not")

    def word(self, score: float) -> str:
        """What a verse with this score is called."""
        faithful, partly, less = self.words
        return faithful if score >= self.faithful else partly if score >= self.partly else less

    @property
    def variable(self) -> str:
        """Of the environment, that names another folder."""
        return f"PINGALA_{self.title.upper().replace('-', '_')}"


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def known_entries() -> dict[str, JudgeEntry]:
    """Every judge that scores may be of, by name."""
    return {name: JudgeEntry(name, **entry) for name, entry in _table().items() if isinstance(entry, dict)}


def judge_entries() -> dict[str, JudgeEntry]:
    """Every judge that there is, by name: those that ship, and others where somebody names a folder."""
    found = {}
    for name, entry in known_entries().items():
        named = os.environ.get(entry.variable) or NONE
        if entry.folder or named != NONE:
            found[name] = entry if entry.folder else replace(entry, folder=named)
    return found


def ranker() -> JudgeEntry:
    """The one that candidates are ranked by."""
    return judge_entries()[_table()["ranker"]]


def sim_judge() -> JudgeEntry:
    """The one whose mean is the Sim of the paper's tables."""
    return judge_entries()[_table()["sim"]]


def compared() -> list[JudgeEntry]:
    """Whose scripts the paper's tables compare, the first of these that was asked: a cross-encoder of one's own, as the
    paper's are, and else the one whose mean is Sim."""
    return [*(entry for entry in known_entries().values() if entry.kind == "crossencoder"), sim_judge()]


def by_sim() -> list[JudgeEntry]:
    """Those that have a column in tables: the paper's, then the others."""
    return [sim_judge(), *(entry for entry in judge_entries().values() if entry.label and entry != sim_judge())]


def meaning(scores: Scores) -> float:
    """What verses are ranked by: the ranker's own score. On the scale of ratings it would rank the same, for the curve
    rises, but where the curve is flat it would tell nothing apart."""
    return scores[ranker().name]


def shown(scores: Scores) -> float:
    """What people are shown: the same on the rubric's scale, where it is known."""
    return scores[CALIBRATED] if CALIBRATED in scores else meaning(scores)


def as_json(scores: Scores) -> dict[str, float | None]:
    """A score of every judge, and calibrated: None where nobody was asked, and where no curve is known."""
    return {name: scores.get(name) for name in (*known_entries(), CALIBRATED)}
