"""The akṣaras of half-verses as a poet counts them, and the pāda and place of each. Plain string work; no automaton.

An akṣara is the consonants before a vowel in its word, the vowel, and the anusvāra or visarga after it; the consonants
that end a word belong to its last akṣara (kaś-cit kān-tā: ka, ścit, kā, ntā), and without the space they would begin
the next (kaścitkāntā: ka, ści, tkā, ntā). An avagraha is no sound. A pāda's edge is the space between its last vowel
and the next one's first, and where a word runs on over it, just before the consonants of the next akṣara.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.prosody import sounds
from workbench.prosody.identify import identify
from workbench.prosody.metres import Metre
from workbench.prosody.scansion import weigh

_VOWEL = re.compile(f"([{sounds.VOWELS}])([MH]?)")


@dataclass(frozen=True)
class Written:
    """One akṣara of a half-verse."""

    onset: str
    vowel: str
    coda: str
    final: str = ""  # consonants that end its word
    word: int = 0  # which of the half-verse

    @property
    def sounds(self) -> str:
        return self.onset + self.vowel + self.coda + self.final

    def is_like(self, asked: Written) -> bool:
        """Whether this is the akṣara somebody asks for. What ends a word counts only where they ask for it."""
        same = (self.onset, self.vowel, self.coda) == (asked.onset, asked.vowel, asked.coda)
        return same and asked.final in ("", self.final)


def aksharas_of(half: str) -> list[Written]:
    """The akṣaras of a half-verse, or of any words, in SLP1."""
    found = []
    for number, word in enumerate(half.replace(sounds.AVAGRAHA, "").split()):
        matches = list(_VOWEL.finditer(word))
        before = 0
        for at, match in enumerate(matches, start=1):
            between = word[before : match.start()]
            onset = between[len(between.rstrip(sounds.CONSONANTS)) :]
            before = match.end()
            final = word[before:] if at == len(matches) else ""
            found.append(Written(onset, match[1], match[2], final, number))
    return found


@dataclass(frozen=True)
class PlacedPada:
    """One pāda of a verse."""

    text: str  # its letters and spaces, from edge to edge
    aksharas: tuple[Written, ...]
    begins_word: bool
    ends_word: bool


def placed_padas(halves: Sequence[str], metre: Metre) -> tuple[PlacedPada, ...]:
    """The four pādas of a verse as its metre divides it; none where it is not in that metre."""
    if len(halves) != 2:
        return ()
    found = identify(weigh(halves[0]), weigh(halves[1]), metre=metre)
    if found is None or found.licences:
        return ()
    return tuple(pada for half, split in zip(halves, found.splits, strict=True) for pada in cut_half(half, split))


def cut_half(half: str, split: int) -> tuple[PlacedPada, PlacedPada]:
    """The two pādas of a half-verse, the first of so many syllables."""
    vowels = list(re.finditer(f"[{sounds.VOWELS}][MH]?", half))
    before, after = vowels[split - 1].end(), vowels[split].start()
    space = half.find(" ", before, after)
    edge = space if space >= 0 else before
    aksharas = aksharas_of(half)
    at_word = space >= 0
    return (
        PlacedPada(half[:edge], tuple(aksharas[:split]), True, at_word),
        PlacedPada(half[edge:].lstrip(" "), tuple(aksharas[split:]), at_word, True),
    )
