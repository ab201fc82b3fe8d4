"""What careful readers found in a generator's verses, who saw prose and verse and were told nothing else.

The readers were large language models that read Sanskrit, two for each of the first items and one for the others, in
sessions that knew nothing of each other: no people, and called that wherever their numbers stand in for ratings. Each
wrote down what a verse says before giving points for meaning and for grammar by the rubric of ratings. Proses and
poets' verses of the epics are looked up in the corpora by their row; they are not kept here. Knows no models.
"""

from __future__ import annotations

import hashlib
import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.corpora.files import rows
from workbench.prosody.verse import canonical

FILE = Path(__file__).with_suffix(".jsonl")
CHOSEN_ON = ("dev", "everyday")  # where something may be fitted; test and the fifty modern sentences only tell
COMPOSED = (
    "first",
    "other",
    "more",
)  # the generator's own; else the poet's (reference), or for another prose (crossed)
LOWEST, HIGHEST = 1.0, 5.0


@dataclass(frozen=True)
class BlindReading:
    of: str  # dev, test, everyday or modern
    row: str  # of that
    kind: str
    prose: str
    slp1: str
    meaning: tuple[float, ...]  # from 1 to 5, a number for each reader
    grammar: tuple[float, ...]

    @property
    def points(self) -> float:
        return statistics.fmean(self.meaning)

    @property
    def share(self) -> float:
        """Of the way from nothing to all of the prose."""
        return (self.points - LOWEST) / (HIGHEST - LOWEST)

    @property
    def composed(self) -> bool:
        return self.kind in COMPOSED


def to_learn_from(read: Sequence[BlindReading], half: int | None = None) -> list[BlindReading]:
    """All that something may be fitted on, or one half of its proses, 0 or 1: the other then tells what was learnt."""
    return [
        each
        for each in read
        if each.of in CHOSEN_ON and half in (None, hashlib.sha256(each.row.encode()).digest()[0] % 2)
    ]


def blind_readings(corpora: Mapping[str, Path]) -> list[BlindReading]:
    """All whose prose is at hand: `corpora` says where dev and test are, and their rows."""
    proses: dict[str, dict[str, str]] = {}
    verses: dict[tuple[str, str], str] = {}
    for name, corpus in corpora.items():
        found = list(rows(corpus))
        proses[name] = {row["id"]: row["en"] for row in found}
        verses |= {(name, row["id"]): row["slp1"] for row in found}
    read = []
    for line in map(json.loads, FILE.read_text(encoding="utf-8").splitlines()):
        of, row = line["of"], line["row"]
        prose = line.get("prose") or proses.get(of, {}).get(row)
        if prose:
            slp1 = canonical(line.get("verse") or verses[of, row], "slp1")
            points = tuple(line["meaning"]), tuple(line["grammar"])
            read.append(BlindReading(of, row, line["kind"], prose, slp1, *points))
    return read
