"""Pādas that end alike, as a machine: it keeps in mind how the first of them ended.

To remember any ending there is would take a copy of the metre for each, and there are some twenty thousand. So a rhyme
is made on one of a menu of endings: the commonest of the epics (endings.txt), as many as there is room for; or, where
a text is given that one of the pādas ends with, on its ending alone. What rhymes is always right, then; but a verse on
a rarer ending, though `kept` would call it a rhyme, is not looked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from workbench.prosody.acceptor import Place
from workbench.prosody.aksharas import Written, aksharas_of
from workbench.prosody.metres import Metre
from workbench.prosody.wish_machines import CONSONANTS, GAP, MARK, VOWELS, Machine
from workbench.prosody.wishes import BREAK, Akshara, Given, Rhyme, Wish, Without

Ending = tuple[str, ...]  # the last akṣaras of a pāda
NO_ENDING = "!"  # stands for letters that are of no ending
FINALS = "mtnkpwNRl"  # consonants that end words


@cache
def commonest() -> dict[int, tuple[Ending, ...]]:
    """The endings of the table, of one and of two akṣaras, the commonest first."""
    text = files("workbench.prosody").joinpath("endings.txt").read_text(encoding="utf-8")
    one, two = "\n".join(line for line in text.splitlines() if line[:1] != "#").removeprefix("1\n").split("\n2\n")
    return {
        1: tuple((each,) for each in one.split()),
        2: tuple(_pair(each) for each in two.replace("\n", ", ").split(", ")),
    }


def _pair(text: str) -> Ending:
    return tuple(text.split())


def menu(wish: Rhyme, metre: Metre, others: Sequence[Wish], room: int) -> tuple[Ending, ...]:
    """The endings that a rhyme chooses from: the one that is given, or the commonest, after such as have an akṣara that
    is asked for at the end of a pāda."""
    given = [wish.ending(aksharas) for each in others for aksharas in _given_ends(each, wish, metre)]
    given = [ending for ending in given if len(ending) == wish.syllables]
    if given:
        return (given[0],)
    asked = [
        (each.text + final,)
        for each in others
        if isinstance(each, Akshara) and wish.syllables == 1 and each.pada in wish.padas
        if each.syllable in metre.padas[each.pada - 1].lengths
        for final in ["", *FINALS]
    ]
    forbidden = {letter for each in others if isinstance(each, Without) for letter in each.sounds}
    usual = [ending for ending in commonest()[wish.syllables] if not forbidden & {*"".join(ending)}]
    return tuple(dict.fromkeys([*asked, *usual[:room]]))


def _given_ends(given: Wish, rhyme: Rhyme, metre: Metre) -> Iterator[Sequence[Written]]:
    """The akṣaras, at least the last, of pādas that rhyme and that a given text ends."""
    if not isinstance(given, Given):
        return
    if given.pada in rhyme.padas:
        yield aksharas_of(given.text)
    lines = given.text.split(BREAK)
    for number, line in enumerate(lines):
        half = {"half 1": 0, "half 2": 1, "end": 2 - len(lines) + number}.get(given.place)
        if given.place == "beginning" and len(lines) == 2 and number == 0:
            half = 0
        if half is None:
            continue
        if 2 * half + 2 in rhyme.padas:
            yield aksharas_of(line)
        lengths = metre.padas[2 * half].lengths
        whole = given.place.startswith("half") or (given.place, number) in (("end", 1), ("beginning", 0))
        if whole and 2 * half + 1 in rhyme.padas and len(lengths) == 1:
            yield aksharas_of(line)[: lengths[0]]


class Tail(NamedTuple):
    """What stands last in a verse in the making, as far as it may be the end of a pāda that rhymes."""

    ending: Ending | None  # of the pādas before
    before: str  # the akṣara before the last
    last: str  # the last one, with its vowel
    read: str  # consonants after it: they end its word, or begin the next akṣara
    closed: bool = False  # the word has ended: they begin the next one
    due: bool = False  # the pāda that is being read rhymes, and its last vowel may have been read
    more: bool = True  # another vowel of its ending may come


class RhymeMachine(Machine):
    """Reads the last akṣaras of pādas that rhyme, and compares them when the pāda is over: at a vowel of the next one,
    at the half-verse's end, or at the verse's."""

    NOT_HERE, NEXT = "not of an ending", "just before one"  # of a vowel; of others, whether it may be its last, or not

    def __init__(self, wish: Rhyme, metre: Metre, endings: tuple[Ending, ...]) -> None:
        self.size = wish.syllables
        self.endings = frozenset(endings)
        self.lengths = {pada - 1: metre.padas[pada - 1].lengths for pada in wish.padas}
        self.start = Tail(None, "", "", NO_ENDING)
        self.letters = frozenset(letter for ending in endings for akshara in ending for letter in akshara) | {"M", "H"}
        self._to_come: dict[Ending | None, _Beginnings] = {each: _Beginnings([each]) for each in endings}
        self._to_come[None] = _Beginnings(endings)

    def label(self, place: Place) -> Hashable:
        pada, syllable = place
        lengths = self.lengths.get(pada)
        if lengths is None or syllable < lengths[0] - self.size - 1:
            return self.NOT_HERE
        if syllable == lengths[0] - self.size - 1:
            return self.NEXT
        return syllable + 1 in lengths, syllable + 1 < lengths[-1]

    def step(self, state: Any, letter: str, place: Any) -> Any:
        if letter in VOWELS:
            return self._vowel(state, letter, place)
        if letter in GAP:
            closed = self._close(state)
            return self._settle(closed) if letter == MARK else closed
        if letter in CONSONANTS:
            return self._consonant(state, letter)
        if letter in "MH":
            return self._with_last(state, state.last + letter) if state.due else state
        return state

    def _vowel(self, state: Tail, letter: str, place: Any) -> Tail | None:
        if place in (self.NOT_HERE, self.NEXT):
            settled = self._settle(state)
            # What begins the next akṣara matters only where that one is of an ending.
            return settled._replace(read="" if place == self.NEXT else NO_ENDING) if settled else None
        may_be_last, more = place
        before = NO_ENDING if not may_be_last else state.last if self.size == 2 else ""
        return self._with_last(Tail(state.ending, before, "", "", due=True, more=more), state.read + letter)

    def _consonant(self, state: Tail, letter: str) -> Tail:
        if state.read == NO_ENDING:
            return state
        read = state.read + letter
        to_come = self._to_come[state.ending]
        ends_word = not state.closed and self._with_last(state, state.last + read).last != NO_ENDING
        begins = state.more and (read in to_come.first or read in to_come.after.get(state.last * (self.size - 1), ()))
        return state._replace(read=read if ends_word or begins else NO_ENDING)

    def _close(self, state: Tail) -> Tail:
        """A word has ended: the consonants are its last akṣara's."""
        if state.closed or not (state.due or state.read != NO_ENDING):
            return state
        closed = state._replace(read="", closed=True)
        return self._with_last(closed, state.last + state.read) if state.due else closed

    def _with_last(self, state: Tail, last: str) -> Tail:
        """The same with this last akṣara, or with one that is of no ending."""
        to_come = self._to_come[state.ending]
        if last in to_come.after.get(state.before, ()):
            return state._replace(last=last)
        return state._replace(before=NO_ENDING, last=last if state.more and last in to_come.first else NO_ENDING)

    def _settle(self, state: Tail) -> Tail | None:
        """The pāda is over."""
        if not state.due:
            return Tail(state.ending, "", "", NO_ENDING)
        found = (state.before, state.last)[-self.size :]
        if found not in self.endings or state.ending not in (None, found) or state.before == NO_ENDING:
            return None
        return Tail(found, "", "", NO_ENDING)

    def ends(self, state: Any) -> bool:
        return self._settle(self._close(state)) is not None


class _Beginnings:
    """How akṣaras of endings may begin: the first of two, and the last by the one before it (none where one rhymes)."""

    def __init__(self, endings: Sequence[Ending]) -> None:
        self.first = _beginnings(ending[0] for ending in endings if len(ending) == 2)
        before = {"" if len(ending) == 1 else ending[0] for ending in endings}
        self.after = {
            each: _beginnings(ending[-1] for ending in endings if ending[:-1] in ((), (each,))) for each in before
        }


def _beginnings(aksharas: Iterable[str]) -> frozenset[str]:
    return frozenset(akshara[:end] for akshara in aksharas for end in range(1, len(akshara) + 1))
