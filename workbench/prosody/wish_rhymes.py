"""Pādas that end alike, as a machine: it keeps in mind how the first of them ended.

To remember any ending there is would take a copy of the metre for each, and there are some twenty thousand. So a rhyme
is made on one of a menu of endings: the commonest of the epics (endings.txt), as many as there is room for, and those
of words that are asked for; or, where a text is given that one of the pādas ends with, on its ending. What rhymes is
always right, then; but a verse on a rarer ending, though `kept` would call it a rhyme, is not looked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import Any, NamedTuple

from workbench.prosody.acceptor import Place
from workbench.prosody.aksharas import Written, aksharas_of
from workbench.prosody.metres import Metre
from workbench.prosody.wish_machines import CONSONANTS, GAP, MARK, VOWELS, Machine
from workbench.prosody.wishes import Akshara, Given, Rhyme, Wish, Without, Word

Ending = tuple[str, ...]  # the last akṣaras of a pāda
NO_ENDING = "!"  # stands for letters that are of no ending
FINALS = "mtnkpwNRl"  # consonants that end words
BESIDE = 12  # of the commonest akṣaras, beside one that is asked for


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
    """The endings that a rhyme chooses from: those that a given text leaves to a pāda; else the commonest, after such
    as a given text may have or as have an akṣara that is asked for at the end of a pāda."""
    possible: list[Ending] = []
    for ends in (ends for each in others if isinstance(each, Given) for ends in _given_ends(each, metre)):
        if ends.pada not in wish.padas:
            continue
        found = [wish.ending(aksharas) for aksharas in ends.possible]
        whole = [ending for ending in found if len(ending) == wish.syllables]
        if ends.certain and len(whole) == len(found):
            return tuple(dict.fromkeys(whole))
        possible += whole
    forbidden = {letter for each in others if isinstance(each, Without) for letter in each.sounds}
    usual = [ending for ending in commonest()[wish.syllables] if not forbidden & {*"".join(ending)}]
    own, beside = _of_words(wish, others)
    mixed = [each for pair in zip_longest(usual, beside) for each in pair if each]
    return tuple(dict.fromkeys([*possible, *own, *_asked(wish, metre, others), *mixed[:room]]))


def _asked(wish: Rhyme, metre: Metre, others: Sequence[Wish]) -> Iterator[Ending]:
    """Endings with an akṣara that is asked for; of two, beside the commonest single ones."""
    for each in others:
        if not isinstance(each, Akshara) or each.pada not in wish.padas:
            continue
        for length in metre.padas[each.pada - 1].lengths:
            if each.syllable == length:
                before = commonest()[1][:BESIDE] if wish.syllables == 2 else ((),)
                yield from ((*first, each.text + final) for first in before for final in ["", *FINALS])
            elif each.syllable == length - 1 and wish.syllables == 2:
                yield from ((each.text, *last) for last in commonest()[1][:BESIDE])


def _of_words(wish: Rhyme, others: Sequence[Wish]) -> tuple[list[Ending], list[Ending]]:
    """Endings of pādas that end with a word that is asked for, whose m may be written as anusvāra there; and, where one
    akṣara more is wanted, before it or after it, beside the commonest."""
    words = [each for each in others if isinstance(each, Word) and (each.pada is None or each.pada in wish.padas)]
    texts = [word.text for word in words] + [word.text[:-1] + "M" for word in words if word.text[-1] == "m"]
    endings = [wish.ending(aksharas_of(text)) for text in texts]
    own = [ending for ending in endings if len(ending) == wish.syllables]
    if wish.syllables == 1:
        return own, []
    usual = commonest()[1][:BESIDE]
    before = [(*first, *ending) for first in usual for ending in endings if len(ending) == 1]
    return own, before + [(ending[-1], *last) for last in usual for ending in endings]


class GivenEnds(NamedTuple):
    """How a given text lets a pāda end: its akṣaras, at least the last, in every way there is; and whether it must."""

    pada: int
    possible: list[Sequence[Written]]
    certain: bool


def _given_ends(given: Given, metre: Metre) -> Iterator[GivenEnds]:
    if given.pada:
        yield GivenEnds(given.pada, [aksharas_of(given.text)], True)
        return
    lines = [aksharas_of(line) for line in given.lines]
    first = {"half 2": 1, "end": 2 - len(lines)}.get(given.place, 0)
    for half, line in enumerate(lines, first):
        one, two = metre.padas[2 * half].lengths, metre.padas[2 * half + 1].lengths
        from_start = given.place != "end" or half > first
        to_end = given.place != "beginning" or half < first + len(lines) - 1
        if to_end:
            yield GivenEnds(2 * half + 2, [line], True)
        elif len(line) in {length + more for length in one for more in two}:
            yield GivenEnds(2 * half + 2, [line], False)
        if from_start:
            cuts = [length for length in one if length <= len(line)]
            yield GivenEnds(2 * half + 1, [line[:cut] for cut in cuts], to_end or len(cuts) == len(one))
        elif cuts := [len(line) - length for length in two if length < len(line)]:
            yield GivenEnds(2 * half + 1, [line[:cut] for cut in cuts], len(cuts) == len(two))


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
