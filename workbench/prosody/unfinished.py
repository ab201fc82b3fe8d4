"""A verse in the making: its syllables laid on the metre's four pādas, and the weights that must still come.

For showing a search at work. The last syllable may be open: what follows will decide its weight. A text that has left
its metre, which only an unconstrained search writes, is laid out by count. Knows no tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from workbench.prosody import sounds
from workbench.prosody.acceptor import PADAS, acceptor
from workbench.prosody.metres import Metre, Pada
from workbench.prosody.scansion import Syllable, scan
from workbench.prosody.script import to_slp1
from workbench.prosody.verse import divide


@dataclass(frozen=True)
class Row:
    """One pāda: what is there of it, and what must come after it: l, g, or gl where either will do."""

    syllables: tuple[Syllable, ...]
    to_come: tuple[str, ...]
    form: str  # of a complete pāda: pathyā, na-vipulā, ...
    complete: bool
    fits: bool


def halves_so_far(text: str, script: str) -> list[str]:
    """The half-verses of a text in the making, in SLP1: letters and spaces only."""
    slp1 = to_slp1(text.replace("॥", ".").replace("।", "."), script)
    return ["".join(c for c in half if c in sounds.LETTERS + " ") for half in divide(slp1)]


def lay_out(text: str, script: str, metre: Metre, is_open: bool = False, wanted: str = "") -> tuple[Row, ...]:
    """The four pādas of a text; `is_open` says that its last syllable's weight is not settled, `wanted` what it must
    become where that is known."""
    scanned = [scan(half) for half in halves_so_far(text, script)]
    rows: list[list[Syllable]] = [[] for _ in range(PADAS)]
    known = [""] * PADAS
    machine = acceptor(metre)
    state = machine.start
    left = sum(map(len, scanned))
    for half, syllables in enumerate(scanned):
        if half and state >= 0:
            state = machine.second_half[state]
        for syllable in syllables:
            left -= 1
            at = min(machine.padas[state] if state >= 0 else _place_by_count(known, metre), PADAS - 1)
            rows[at].append(syllable)
            weight = syllable.weight
            if is_open and not left:
                if len(wanted) != 1:
                    break
                weight = wanted
            known[at] += weight
            state = machine.next[state].get(weight, -1) if state >= 0 else -1
    return tuple(_row(tuple(rows[at]), known[at], metre.padas[at]) for at in range(PADAS))


def _place_by_count(known: list[str], metre: Metre) -> int:
    for at, filled in enumerate(known):
        if len(filled) < metre.padas[at].lengths[-1]:
            return at
    return PADAS - 1


def _row(syllables: tuple[Syllable, ...], known: str, pada: Pada) -> Row:
    coming, fits = _coming(pada, known)
    complete = len(known) == len(syllables) and known in pada.weights
    return Row(syllables, coming[len(syllables) - len(known) :], pada.names.get(known, ""), complete, fits)


@lru_cache(maxsize=4096)
def _coming(pada: Pada, known: str) -> tuple[tuple[str, ...], bool]:
    """What may stand at each place after what is known, by the shortest way to fill the pāda; and whether any does."""
    fillings = [filling for filling in pada.weights if filling.startswith(known)]
    if not fillings:
        return (), False
    length = min(map(len, fillings))
    shortest = [filling for filling in fillings if len(filling) == length]
    return tuple("".join(sorted({filling[at] for filling in shortest})) for at in range(len(known), length)), True
