"""What the judges learn from: pairs of English prose and Sanskrit verse.

Knows the corpora's rows (the README beside them says what their flags mean). Knows no tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench.corpora import CorpusError, rows
from workbench.corpora.texts import MISLEADING
from workbench.models.embedded import spell
from workbench.prosody.verse import DANDA


@dataclass(frozen=True)
class Pair:
    prose: str  # empty: a verse by itself
    verse: str
    whole: bool  # one whole anuṣṭubh verse; otherwise any text, for its words


def clean(prose: str) -> str:
    return re.sub(r"\s+", " ", prose).strip()


def pairs(paths: Iterable[str | Path]) -> Iterator[Pair]:
    """The rows of corpora with `en`, `slp1`, `full_anustubh` and `flags`."""
    for path in paths:
        for row in rows(path):
            try:
                verse, prose = spell(row["slp1"]), clean(row["en"])
                whole = bool(row["full_anustubh"]) and not MISLEADING & set(row["flags"])
            except KeyError as missing:
                raise CorpusError(
                    f"Expected rows with en, slp1, full_anustubh and flags; {missing} is missing."
                ) from None
            if verse and prose:
                yield Pair(prose, verse, whole and verse.count(DANDA) == 1)


def verses_for(corpus: str | Path, made: Iterable[str | Path]) -> dict[str, list[str]]:
    """What a generator composed for the proses of a corpus, by prose, from `verses.jsonl` of runs over it."""
    found: dict[str, list[str]] = {}
    runs = [row for path in made for row in rows(path)]
    proses = {row["id"]: clean(row["en"]) for row in rows(corpus)} if runs else {}
    for row in runs:
        if row["id"] in proses and row["verse"]:
            found.setdefault(proses[row["id"]], []).append(spell(row["verse"]))
    return found
