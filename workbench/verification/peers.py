"""Our table of metres against another's: which of its metres are ours, under which name, and why the others are not.

Knows patterns and names. A peer's table has a line a metre: its name in SLP1 and its pattern (G, L; | a yati; / between
unlike pādas).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench.prosody.metres import KINDS, Metre, all_metres
from workbench.prosody.script import write

# Where a peer's pattern is not ours though the name is, and what we go by.
REASONS = {
    "vegavatI": "odd pāda sa sa sa ga (VR 4; Apte), where the peer has a sa more",
    "BadravirAw": "even pāda ma sa ja ga ga (VR 4), where the peer has a ga less",
    "yavAtparAmatIya": "our yavamatī: even pāda ja ra ja ra ga (VR 4), where the peer has a ga less",
    "kalikA": "third pāda of sixteen, as in the rest of the āpīḍa family (VR 5), where the peer has fifteen",
    "varDamAna": "third pāda na na sa na na sa (VR 5), where the peer has na sa na",
}


@dataclass(frozen=True)
class Peer:
    name: str  # SLP1
    ours: str  # the name of our metre with its pattern; empty where there is none
    reason: str  # why there is none

    @property
    def iast(self) -> str:
        return write(self.name, "iast")


def compare(table: Path) -> Iterator[Peer]:
    for line in table.read_text(encoding="utf-8").splitlines():
        name, pattern = line.split("\t")
        padas = [pada.replace("|", "").lower() for pada in pattern.split("/")]
        found = next((metre.name for metre in _with_fixed_weights() if _fits(metre, padas)), "")
        yield Peer(name, found, "" if found else REASONS.get(name, ""))


def _with_fixed_weights() -> Iterator[Metre]:
    """Syllabic metres; of mixtures, those that say which pāda is which."""
    for metre in all_metres():
        if metre.kind != KINDS["jati"] and all(len(pada.forms) == 1 for pada in metre.padas):
            yield metre


def _fits(metre: Metre, padas: list[str]) -> bool:
    """The last syllable of a pāda is free in one table and written in another."""
    given = padas * (4 // len(padas))
    return all(
        any(weights[:-1] == wanted[:-1] and len(weights) == len(wanted) for weights in pada.weights)
        for pada, wanted in zip(metre.padas, given, strict=True)
    )
