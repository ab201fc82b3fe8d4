"""A verse as one thing: its half-verses in SLP1, and whatever is asked of them, found out once and kept.

It goes from the search to the page, the judges of meaning, the measures and the store, so that nothing is read, scanned
or written twice on the way. Only this file knows how half-verses are divided in a text. Knows no tokens and no models.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from workbench.prosody.metres import Metre
from workbench.prosody.scansion import weigh
from workbench.prosody.script import write
from workbench.prosody.text_reading import canonical_line, read_text
from workbench.prosody.verdict import ScannedPada, Verdict, metre_verdict, metre_verdicts

DANDA = " . "  # between half-verses
STEM_LETTERS = 5


def divide(slp1: str) -> list[str]:
    """What stands between the daṇḍas and line ends of a text in SLP1, as it stands; where two meet, nothing."""
    return re.split(r"[.\n]", slp1)


@dataclass(frozen=True)
class Verse:
    """Half-verses in SLP1, letters and single spaces only. Two verses are the same when they have the same letters,
    whatever metre they are meant to be in."""

    halves: tuple[str, ...]
    metre: Metre | None = field(default=None, compare=False)  # that it is meant to be in; None: the one it is in
    unread: str = ""  # instead of a verse, what a model wrote that is none, in SLP1 as far as it goes
    known: Verdict | None = field(default=None, compare=False, repr=False)
    _written: dict[tuple[str, str], list[str]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def from_slp1(cls, slp1: str, unread: bool = False) -> Verse:
        """A text that is SLP1 already, a stored verse for one; its letters are not looked at."""
        halves = (" ".join(part.split()) for part in divide(slp1))
        return cls(tuple(half for half in halves if half), unread=slp1 if unread else "")

    @classmethod
    def read(cls, text: str, script: str = "auto") -> Verse:
        """A text in any script as one verse, whatever number of lines it has. ReadingError says why it is none."""
        return cls(tuple(line for lines in read_text(text, script).verses for line in lines))

    def judged(self, metre: Metre | None = None) -> Verse:
        """As its own metre, or as the one it is meant to be in; its halves are then divided where that has them."""
        verdict = metre_verdict(self.halves, metre)
        return Verse(verdict.halves, metre, known=verdict)

    @cached_property
    def verdict(self) -> Verdict | None:
        """None for what is no verse."""
        if self.unread or not self.halves:
            return None
        return self.known or metre_verdict(self.halves, self.metre)

    @property
    def padas(self) -> tuple[ScannedPada, ...]:
        return self.verdict.padas if self.verdict else ()

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(word for half in self.halves for word in half.split())

    @property
    def stems(self) -> list[str]:
        """How its longer words begin: two that begin alike are mostly one word in two cases."""
        return [word[:STEM_LETTERS] for word in self.words if len(word) >= STEM_LETTERS]

    @property
    def plain(self) -> str:
        """Its words in a row, without daṇḍas: the same whatever script and marks it came in."""
        return " ".join(self.words)

    @cached_property
    def weights(self) -> tuple[str, ...]:
        """Of each half, as l and g: quickly, without a verdict."""
        return tuple(map(weigh, self.halves))

    @property
    def slp1(self) -> str:
        """The canonical text: a daṇḍa between halves, a double one at the end."""
        return self.unread or " ".join(half + mark for half, mark in zip(self.halves, self._marks, strict=True))

    @property
    def _marks(self) -> list[str]:
        """What follows each half."""
        last = " .." if len(self.halves) > 1 else " ."
        return [last if half == len(self.halves) else " ." for half in range(1, len(self.halves) + 1)]

    def _write(self, parts: Iterable[str], script: str, what: str) -> list[str]:
        """Parts of this verse in a script: written in one go, and once."""
        if (what, script) not in self._written:
            self._written[what, script] = write("\n".join(parts), script).split("\n")
        return self._written[what, script]

    def lines(self, script: str, dandas: bool = False) -> list[str]:
        """The halves in a script, with or without the daṇḍas after them."""
        if not self.halves:
            return []
        marked = (part for pair in zip(self.halves, self._marks, strict=True) for part in pair)
        parts = self._write(marked, script, "lines")
        return [half + mark * dandas for half, mark in zip(parts[::2], parts[1::2], strict=True)]

    def text(self, script: str) -> str:
        """The canonical text in a script."""
        return write(self.unread, script) if self.unread else " ".join(self.lines(script, dandas=True))

    def aksharas(self, script: str) -> list[list[str]]:
        """The syllables of each pāda in a script."""
        letters = (syllable.slp1 for pada in self.padas for syllable in pada.syllables)
        written = iter(self._write(letters, script, "akṣaras"))
        return [[next(written) for _ in pada.syllables] for pada in self.padas]


def in_one_spelling(lines: Iterable[str]) -> str:
    """Lines as models are shown them, one after the other."""
    return DANDA.join(map(canonical_line, lines))


def canonical(text: str, script: str = "auto") -> str:
    """A text as models are shown it. ReadingError says why it is none."""
    return in_one_spelling(line for lines in read_text(text, script).verses for line in lines)


def read_verses(text: str, script: str = "auto", metre: Metre | None = None) -> tuple[str, list[Verse]]:
    """The script of a text, and every verse in it, judged. ReadingError says why there is none."""
    reading = read_text(text, script)
    verdicts = [verdict for lines in reading.verses for verdict in metre_verdicts(lines, metre)]
    return reading.script, [Verse(verdict.halves, metre, known=verdict) for verdict in verdicts]
