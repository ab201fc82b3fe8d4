"""Wishes as small machines that read a verse sound by sound, beside its metre.

A machine is asked for its next state at every letter; at a vowel it is also told the vowel's place, pāda and syllable
counted from 0, which the metre knows (acceptor.py). A space, or a mark (daṇḍa or line break), ends a word; a second
mark says nothing new. That the verse has its metre and its spelling is not a machine's business: wish_product.py lets
machines and metre read together, and cuts off what can come to no end. None is no state.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from workbench.prosody import sounds
from workbench.prosody.acceptor import Place
from workbench.prosody.aksharas import Written
from workbench.prosody.metres import Metre
from workbench.prosody.verse import DANDA
from workbench.prosody.wishes import Akshara, Beginnings, Given, Rhyme, Wish, Without, Word

SPACE, MARK = " ", "."
GAP = SPACE + MARK
VOWELS, CONSONANTS = frozenset(sounds.VOWELS), frozenset(sounds.CONSONANTS)


class Machine(ABC):
    start: Any
    letters: frozenset[str]  # that it tells apart; of the others it knows whether they are vowels, consonants, codas

    @abstractmethod
    def step(self, state: Any, letter: str, place: Any) -> Any:
        """The state after a letter; `place` is what `label` says of a vowel's place."""

    @abstractmethod
    def ends(self, state: Any) -> bool:
        """Whether a verse that ends here keeps the wish."""

    def label(self, place: Place) -> Hashable:
        """What matters of a vowel's place."""
        return None

    def due(self, state: Any) -> int:
        """Letters that the wish asks for and that are still to be written; none where it asks for none. None at an
        end."""
        return 0


DONE = "done"


class GivenMachine(Machine):
    """A text that begins with the first vowel of a pāda, at the beginning of a word. A state is how far one is in the
    text: tentatively before that vowel, as `-1 - n` letters, and surely after it; then whether the pāda is over."""

    LOST, AFTER = "not there", "after the text"

    def __init__(self, wish: Given) -> None:
        self.text = wish.text.replace(DANDA, MARK)
        first = {"half 2": 2, "beginning": 0, "half 1": 0}.get(wish.place)
        self.first = wish.pada - 1 if wish.pada else int(first or 0)
        self.zone = {self.first} if wish.pada else {self.first, self.first + 1} if wish.place != "beginning" else None
        self.start = -1
        self.letters = frozenset(self.text) - set(GAP)

    def label(self, place: Place) -> Hashable:
        return place == (self.first, 0), self.zone is None or place[0] in self.zone

    def step(self, state: Any, letter: str, place: Any) -> Any:
        if state == DONE:
            return DONE
        if state == self.AFTER:
            if letter == MARK:
                return DONE
            return (None if place[1] else DONE) if letter in VOWELS else self.AFTER
        if state == self.LOST or state < 0:
            return self._before(-1 if state == self.LOST else -1 - state, state == self.LOST, letter, place)
        return self._within(state, letter, place)

    def _before(self, read: int, lost: bool, letter: str, place: Any) -> Any:
        if letter in GAP:
            return -1
        fits = not lost and self.text[read] == letter
        if letter in VOWELS:
            return (read + 1 if fits else None) if place[0] else self.LOST
        return -2 - read if fits else self.LOST

    def _within(self, read: int, letter: str, place: Any) -> Any:
        if read == len(self.text):
            if letter not in GAP:
                return None
            return DONE if self.zone is None or letter == MARK else self.AFTER
        if letter == self.text[read]:
            return read + 1 if letter not in VOWELS or place[1] else None
        if letter in GAP and (self.text[read - 1] == MARK or (letter == SPACE and self.text[read] == MARK)):
            return read  # spaces about a mark, and a second mark
        return None

    def ends(self, state: Any) -> bool:
        return state in (DONE, self.AFTER, len(self.text))

    def due(self, state: Any) -> int:
        if state in (DONE, self.AFTER):
            return 0
        return len(self.text) - (0 if state == self.LOST else max(0, state))


class EndMachine(Machine):
    """A text that ends the verse, from the beginning of a word on: a state is everywhere in it that one may be. Before
    the pāda in which it can begin at the earliest, one is nowhere."""

    def __init__(self, wish: Given, metre: Metre) -> None:
        self.text = wish.text.replace(DANDA, MARK)
        self.start = frozenset((0,))
        self.letters = frozenset(self.text) - set(GAP)
        first, *rest = wish.lines
        half = 0 if rest else 2
        lengths = [metre.padas[half + at].lengths for at in range(2)]
        self.earliest = half + (sounds.vowels_in(first) <= lengths[1][0])
        if metre.unit == "syllables" and any(len(each) > 1 for each in lengths):
            self.earliest = 0  # a mixture of lengths leaves open where a pāda begins

    def label(self, place: Place) -> Hashable:
        return place[0] >= self.earliest

    def step(self, state: Any, letter: str, place: Any) -> Any:
        text, length = self.text, len(self.text)
        following = {at + 1 for at in state if at < length and text[at] == letter}
        if letter in VOWELS and not place:
            return frozenset()
        if letter in GAP:
            following |= {0} | {at for at in state if at == length or (at and text[at - 1] == MARK)}
            if letter == SPACE:
                following |= {at for at in state if at < length and text[at] == MARK}
        return frozenset(following)

    def ends(self, state: Any) -> bool:
        return len(self.text) in state

    def due(self, state: Any) -> int:
        return len(self.text) - max(state, default=0)


class WordMachine(Machine):
    """A word somewhere: a state is everywhere in the word that one may be, until it was found."""

    def __init__(self, wish: Word) -> None:
        last = "mM" if wish.text[-1] in "mM" and not wish.inside else wish.text[-1]
        self.word = (*wish.text[:-1], last)  # the letters that will do, for each
        self.pada = None if wish.pada is None else wish.pada - 1
        self.inside = wish.inside
        self.start = frozenset((0,))
        self.letters = frozenset("".join(self.word)) - {SPACE}

    def label(self, place: Place) -> Hashable:
        return self.pada is None or place[0] == self.pada

    def step(self, state: Any, letter: str, place: Any) -> Any:
        if state == DONE:
            return DONE
        if letter in GAP and not self.inside and len(self.word) in state:
            return DONE
        following = set()
        if letter not in VOWELS or place:
            following = {at + 1 for at in state if at < len(self.word) and letter in self.word[at]}
        if self.inside and len(self.word) in following:
            return DONE
        if letter in GAP or (self.inside and letter not in CONSONANTS):
            following.add(0)
        return frozenset(following)

    def ends(self, state: Any) -> bool:
        return state == DONE or (not self.inside and len(self.word) in state)

    def due(self, state: Any) -> int:
        return 0 if state == DONE else len(self.word) - max(state, default=0)


class WithoutMachine(Machine):
    """Sounds that are forbidden from a place on. A consonant belongs to the akṣara of the vowel after it in its word,
    or, at the word's end, to that of the vowel before: until one is there, it is held against what comes."""

    BEFORE, HELD, SINCE = "before the place", "before it, a forbidden consonant to come", "since"

    def __init__(self, wish: Without) -> None:
        self.from_place = wish.place
        self.letters = frozenset(wish.sounds)
        self.start = self.SINCE if wish.place == (0, 0) else self.BEFORE

    def label(self, place: Place) -> Hashable:
        return place >= self.from_place

    def step(self, state: Any, letter: str, place: Any) -> Any:
        if state == self.SINCE:
            return None if letter in self.letters else state
        if letter in VOWELS:
            if not place:
                return self.BEFORE
            return None if state == self.HELD or letter in self.letters else self.SINCE
        if letter in GAP:
            return self.BEFORE
        return self.HELD if letter in CONSONANTS and letter in self.letters else state

    def ends(self, state: Any) -> bool:
        return True


class AksharaMachine(Machine):
    """An akṣara at a place, or not from a place on. Before a vowel a state is how much of its consonants has been read,
    -1 when others were; after the right vowel, which letter of what closes it is due."""

    def __init__(self, akshara: Written, place: Place, forbidden: bool = False) -> None:
        self.akshara = akshara
        self.closing = akshara.coda + akshara.final
        self.place = place
        self.forbidden = forbidden
        self.start = ("before", 0)
        self.letters = frozenset(akshara.sounds) | {"M", "H"}

    def label(self, place: Place) -> Hashable:
        return place >= self.place if self.forbidden else place == self.place

    def step(self, state: Any, letter: str, place: Any) -> Any:
        if state == DONE:
            return DONE
        kind, at = state
        if kind == "before":
            return self._before(at, letter, place)
        alike = self._alike(at, letter)
        if alike is None:
            return "after", at + 1
        if self.forbidden:
            return None if alike else self._again(at, letter, place)
        return DONE if alike else None

    def _before(self, read: int, letter: str, place: Any) -> Any:
        onset = self.akshara.onset
        if letter in CONSONANTS:
            return "before", read + 1 if 0 <= read < len(onset) and onset[read] == letter else -1
        if letter not in VOWELS or not place:
            return "before", 0
        if read == len(onset) and letter == self.akshara.vowel:
            return "after", 0
        return ("before", 0) if self.forbidden else None

    def _alike(self, at: int, letter: str) -> bool | None:
        """Whether the akṣara is the one asked for, now that this letter follows; None while it may become that."""
        if at < len(self.closing):
            return None if letter == self.closing[at] else False
        if self.akshara.final:
            return letter in GAP
        return bool(self.akshara.coda) or letter not in "MH"

    def _again(self, at: int, letter: str, place: Any) -> Any:
        """It was another: what was read of its end begins the next."""
        state: Any = ("before", 0)
        for read in (*self.closing[:at], letter):
            state = self._before(state[1], read, place)
        return state

    def ends(self, state: Any) -> bool:
        if state == DONE:
            return True
        kind, at = state
        alike = kind == "after" and at == len(self.closing)
        return bool(alike != self.forbidden)

    def due(self, state: Any) -> int:
        if self.forbidden or state == DONE:
            return 0
        kind, at = state
        return len(self.closing) - at if kind == "after" else len(self.akshara.sounds)


def machines_of(wish: Wish, metre: Metre, others: Sequence[Wish], endings: int) -> Iterator[Machine]:
    """The machines that keep a wish; all of them together, where there are several. `endings` is how many a rhyme may
    choose from."""
    match wish:
        case Given():
            yield EndMachine(wish, metre) if wish.place == "end" else GivenMachine(wish)
        case Word():
            yield WordMachine(wish)
        case Akshara():
            yield AksharaMachine(wish.akshara, (wish.pada - 1, wish.syllable - 1))
        case Beginnings():
            for each in wish.each:
                yield from machines_of(each, metre, others, endings)
        case Without():
            if wish.sounds:
                yield WithoutMachine(wish)
            for akshara in wish.aksharas:
                yield AksharaMachine(akshara, wish.place, forbidden=True)
        case Rhyme():
            from workbench.prosody.wish_rhymes import RhymeMachine, menu  # which stands on this module

            yield RhymeMachine(wish, metre, menu(wish, metre, others, endings))
