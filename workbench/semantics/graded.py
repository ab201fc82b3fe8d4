"""Pairs of prose and verse whose meaning is graded by construction: so many of a verse's pādas true, the rest not.

Nobody need rate them, and metre tells nothing about them: what is put in comes from the same place of a verse in the
same metre. A prose with one thing changed, or with another's clause added, gets a grade as well. Knows no models.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.prosody.sounds import vowels_in
from workbench.prosody.verse import DANDA, Verse
from workbench.semantics.changes import changes

PADAS = 4
ANUSTUBH_LENGTHS = (8, 8, 8, 8)  # the corpora to measure on hold no other metre in number
# What a change leaves of the rubric's five points, as a share of the way from 1 to 5: a statement that is denied, or
# whose doer has become its victim, is lost but for its theme; a wrong number is a detail.
KEPT_BY_CHANGE = {
    "negation dropped": 0.25, "negation added": 0.25, "names swapped": 0.25, "number changed": 0.7,
}  # fmt: skip
_SENTENCE_END = re.compile(r"(?<=[.;!?])\s+")
ADDED_WORDS = range(4, 16)  # of a clause that is added


@dataclass(frozen=True)
class Padas:
    """A verse cut into its four pādas at word ends."""

    texts: tuple[str, str, str, str]

    @classmethod
    def of(cls, slp1: str, lengths: Sequence[int]) -> Padas | None:
        """None where a pāda ends inside a word, or the text is no verse of this length."""
        halves = Verse.from_slp1(slp1).halves
        if len(halves) != 2:
            return None
        cut = [*_cut(halves[0], lengths[0]), *_cut(halves[1], lengths[2])]
        if len(cut) != PADAS or [vowels_in(part) for part in cut] != list(lengths):
            return None
        one, two, three, four = cut
        return cls((one, two, three, four))

    @property
    def slp1(self) -> str:
        one, two, three, four = self.texts
        return f"{one} {two}{DANDA}{three} {four}"

    def mixed(self, other: Padas, kept: int, chance: random.Random) -> Padas:
        """So many of its pādas where they were, the others another's."""
        own = set(chance.sample(range(PADAS), kept))
        one, two, three, four = ((self if at in own else other).texts[at] for at in range(PADAS))
        return Padas((one, two, three, four))


def _cut(half: str, length: int) -> list[str]:
    words = half.split(" ")
    for at in range(1, len(words)):
        if vowels_in(" ".join(words[:at])) == length:
            return [" ".join(words[:at]), " ".join(words[at:])]
    return []


@dataclass(frozen=True)
class Graded:
    prose: str
    verse: str  # SLP1
    grade: float  # from 0, nothing of the prose, to 1, all of it
    kind: str


def changed(prose: str, verse: str, chance: random.Random) -> Graded | None:
    """The prose with one change that changes what it says, if it allows one."""
    found = list(changes(prose, chance.randrange(1 << 30)))
    if not found:
        return None
    change = chance.choice(found)
    return Graded(change.text, verse, KEPT_BY_CHANGE[change.kind], change.kind)


def clause_added(prose: str, verse: str, other: str, chance: random.Random) -> Graded | None:
    """The prose with a sentence of another's added: the verse says the less of it, the longer that is."""
    clauses = [clause for clause in _SENTENCE_END.split(other) if len(clause.split()) in ADDED_WORDS]
    if not clauses:
        return None
    clause = chance.choice(clauses)
    own, more = len(prose.split()), len(clause.split())
    text = f"{prose} {clause}" if chance.random() < 0.5 else f"{clause} {prose}"
    return Graded(text, verse, own / (own + more), "clause added")


def grades(prose: str, own: Padas, other: Padas, chance: random.Random) -> list[Graded]:
    """A verse with all, three, two, one and none of its pādas."""
    mixed = {kept: own.mixed(other, kept, chance).slp1 for kept in range(PADAS, -1, -1)}
    return [Graded(prose, verse, kept / PADAS, f"{kept} pādas") for kept, verse in mixed.items()]
