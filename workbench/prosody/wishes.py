"""What a poet asks of a verse beside its metre: the wishes, over sounds in SLP1; each says itself and checks a verse.

They are the tasks of an avadhāna. Samasyā: a pāda, a half, the beginning or the end is given, letter by letter as it is
written; it begins with a word and ends with one. Dattapadī: a word must occur, between spaces as the verse is spelled
(its last m or ṃ may be either), or also inside a compound: there it begins where an akṣara does, and anything may
follow it. Nyastākṣarī: an akṣara (aksharas.py) stands at a place; one asked for without anusvāra or visarga has none,
and consonants that end a word count only where they are asked for. Niṣiddhākṣarī: sounds or akṣaras that do not occur,
everywhere or from a place on; a consonant with its a, ra, is the name of the consonant, and =ra is that akṣara alone.
Pādas begin with given akṣaras, so that a name is read down the verse. Antyānuprāsa: the last one or two akṣaras of
pādas are equal, with the consonants that end them.

Spelling is taken as it comes: anusvāra is not m (but at the end of a word asked for), an avagraha is no sound. Knows no
automaton: wish_machines.py turns wishes into that, and `kept` is what it is held to.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar

from workbench.prosody import sounds
from workbench.prosody.aksharas import PlacedPada, Written, aksharas_of, placed_padas
from workbench.prosody.metres import Metre
from workbench.prosody.script import write
from workbench.prosody.verse import DANDA, Verse
from workbench.refusal import Refusal

MOST_WISHES = 12
PADAS = (1, 2, 3, 4)
PLACES = ("1", "2", "3", "4", "half 1", "half 2", "beginning", "end")
LONGEST_PADA = 54  # of the longest daṇḍaka of the table
# Names of sounds to go without. By place of articulation as the Pāṇinīyaśikṣā has them, o, au and v among the labials.
SOUND_NAMES = {
    "gutturals": "kKgGNh",
    "palatals": "cCjJYyS",
    "retroflexes": "wWqQRrzL",
    "dentals": "tTdDnls",
    "labials": "pPbBmvuUoO",
    "sibilants": "Szs",
    "nasals": "NYRnmM",
    "aspirates": "KGCJWQTDPB",
}


class WishError(Refusal):
    """A wish that cannot be read, or that no verse of the metre can keep; the message says which and why."""


class TooManyStates(WishError):
    """Wishes that may well go together, but whose automaton would be too large."""


class Wish(ABC):
    """One wish. Its `line` reads back as the same wish (wish_lines.py)."""

    kind: ClassVar[str]
    placed: ClassVar[bool] = True  # whether it speaks of pādas

    @property
    @abstractmethod
    def value(self) -> str:
        """What follows the kind in a line: as after the flag on the command line."""

    @property
    def line(self) -> str:
        return f"{self.kind} {self.value}"

    @property
    @abstractmethod
    def sentence(self) -> str:
        """The wish in plain words."""

    @abstractmethod
    def kept_by(self, halves: Sequence[str], padas: Sequence[PlacedPada]) -> bool:
        """Whether a verse keeps it, of which these are the half-verses in SLP1 and the pādas."""

    def kept(self, verse: Verse, metre: Metre | None = None) -> bool:
        """Whether a finished verse keeps it, by its text alone; never where it is not in its metre."""
        padas = _placed(verse, metre)
        return len(padas) == len(PADAS) and self.kept_by(verse.halves, padas)


def _placed(verse: Verse, metre: Metre | None) -> tuple[PlacedPada, ...]:
    """By the metre asked for, the one that the verse is meant to be in, or is in."""
    metre = metre or verse.metre or (verse.verdict.metre if verse.verdict else None)
    return placed_padas(verse.halves, metre) if metre else ()


def _devanagari(slp1: str) -> str:
    return write(slp1, "devanagari")


def _iast(slp1: str) -> str:
    return write(slp1, "iast")


def _check_text(text: str, what: str, spaces: bool = True) -> None:
    letters = sounds.VOWELS + sounds.CONSONANTS + "MH'" + " " * spaces
    if not any(letter in sounds.VOWELS for letter in text) or any(letter not in letters for letter in text):
        raise WishError(f"Expected {what} with a vowel, in letters of SLP1; got {text[:40]!r}.")


def _check_number(number: int, most: int, what: str) -> None:
    if number not in range(1, most + 1):
        raise WishError(f"Expected {what} from 1 to {most}; got {number}.")


def _one_akshara(text: str) -> Written:
    _check_text(text, "one akṣara", spaces=False)
    found = aksharas_of(text)
    if len(found) != 1 or found[0].sounds != text:
        raise WishError(f"Expected one akṣara; got {_iast(text)}, which has {len(found)}.")
    return found[0]


@dataclass(frozen=True)
class Given(Wish):
    """A text given for a place; for the beginning and the end it may reach over the half's end, written as DANDA."""

    text: str
    place: str  # one of PLACES
    kind: ClassVar[str] = "given"

    @property
    def lines(self) -> list[str]:
        return self.text.split(DANDA)

    @property
    def placed(self) -> bool:  # type: ignore[override]
        return self.place != "end"

    def __post_init__(self) -> None:
        if self.place not in PLACES:
            raise WishError(f"Expected a place among {', '.join(PLACES)}; got {self.place[:40]!r}.")
        parts = self.lines
        if len(parts) > (2 if self.place in ("beginning", "end") else 1):
            raise WishError(f"Expected one line for {self.where}; got {len(parts)}.")
        for part in parts:
            _check_text(part, "a given text")
            if " ".join(part.split()) != part:
                raise WishError(f"Expected single spaces in a given text; got {part[:40]!r}.")

    @property
    def where(self) -> str:
        return {"beginning": "the beginning", "end": "the end"}.get(
            self.place, self.place if self.place.startswith("half") else f"pāda {self.place}"
        )

    @property
    def pada(self) -> int | None:
        return int(self.place) if self.place.isdigit() else None

    @property
    def value(self) -> str:
        return f"{self.place}:{_devanagari(self.text)}"

    @property
    def sentence(self) -> str:
        verb = "are" if self.place in ("beginning", "end") else "is"
        words = {"beginning": "The first words", "end": "The last words"}.get(self.place, self.where.capitalize())
        return f"{words} {verb} {_iast(self.text)}."

    def kept_by(self, halves: Sequence[str], padas: Sequence[PlacedPada]) -> bool:
        if self.pada:
            pada = padas[self.pada - 1]
            return pada.text == self.text and pada.begins_word and pada.ends_word
        if self.place.startswith("half"):
            return halves[int(self.place[-1]) - 1] == self.text
        whole = f" {DANDA.join(halves)} "
        if self.place == "beginning":
            return whole.startswith(f" {self.text} ")
        return whole.endswith(f" {self.text} ")


@dataclass(frozen=True)
class Word(Wish):
    """A word that must occur, in a pāda or anywhere; `inside`: in a compound will do. Several words are a phrase."""

    text: str
    pada: int | None = None
    inside: bool = False

    def __post_init__(self) -> None:
        _check_text(self.text, "a word")
        if " ".join(self.text.split()) != self.text:
            raise WishError(f"Expected single spaces between words; got {self.text[:40]!r}.")
        if self.pada is not None:
            _check_number(self.pada, 4, "a pāda")

    @property
    def kind(self) -> str:  # type: ignore[override]
        return "inside" if self.inside else "word"

    @property
    def placed(self) -> bool:  # type: ignore[override]
        return self.pada is not None

    @property
    def value(self) -> str:
        return (f"{self.pada}:" if self.pada else "") + _devanagari(self.text)

    @property
    def sentence(self) -> str:
        how = "by itself or inside a compound" if self.inside else "by itself"
        return f"{'Pāda ' + str(self.pada) if self.pada else 'The verse'} has the word {_iast(self.text)}, {how}."

    def kept_by(self, halves: Sequence[str], padas: Sequence[PlacedPada]) -> bool:
        """It is there, and each of its vowels is in the pāda asked for."""
        before = 0  # vowels
        lengths = [len(pada.aksharas) for pada in padas]
        ends = [sum(lengths[: number + 1]) for number in range(len(lengths))]
        for half in halves:
            for start, end in self._found(half):
                first = before + sounds.vowels_in(half[:start])
                last = before + sounds.vowels_in(half[:end]) - 1
                if (
                    self.pada is None
                    or ends[self.pada - 1] - lengths[self.pada - 1] <= first <= last < ends[self.pada - 1]
                ):
                    return True
            before += sounds.vowels_in(half)
        return False

    def _found(self, half: str) -> list[tuple[int, int]]:
        text = re.escape(self.text)
        if self.inside:
            pattern = f"(?<![{sounds.CONSONANTS}])(?={text})"
        else:
            last = "[mM]" if self.text[-1] in "mM" else re.escape(self.text[-1])
            pattern = f"(?<![^ ])(?={re.escape(self.text[:-1])}{last}(?![^ ]))"
        return [(match.start(), match.start() + len(self.text)) for match in re.finditer(pattern, half)]


@dataclass(frozen=True)
class Akshara(Wish):
    """An akṣara at a place: the syllable of a pāda, counted from 1."""

    text: str
    pada: int
    syllable: int
    kind: ClassVar[str] = "akshara"

    def __post_init__(self) -> None:
        _one_akshara(self.text)
        _check_number(self.pada, 4, "a pāda")
        _check_number(self.syllable, LONGEST_PADA, "a syllable")

    @property
    def akshara(self) -> Written:
        return _one_akshara(self.text)

    @property
    def value(self) -> str:
        return f"{self.pada}.{self.syllable}:{_devanagari(self.text)}"

    @property
    def sentence(self) -> str:
        return f"Akṣara {self.syllable} of pāda {self.pada} is {_iast(self.text)}."

    def kept_by(self, halves: Sequence[str], padas: Sequence[PlacedPada]) -> bool:
        aksharas = padas[self.pada - 1].aksharas
        return self.syllable <= len(aksharas) and aksharas[self.syllable - 1].is_like(self.akshara)


@dataclass(frozen=True)
class Without(Wish):
    """Sounds, and whole akṣaras, that do not occur: in the verse, or from a place on."""

    sounds: str = ""
    syllables: tuple[str, ...] = ()
    pada: int | None = None
    syllable: int = 1
    kind: ClassVar[str] = "without"

    def __post_init__(self) -> None:
        unknown = [letter for letter in self.sounds if letter not in sounds.VOWELS + sounds.CONSONANTS + "MH"]
        if unknown or not (self.sounds or self.syllables):
            raise WishError(f"Expected sounds in SLP1 to go without; got {self.sounds[:40]!r}.")
        for text in self.syllables:
            _one_akshara(text)
        if self.pada is not None:
            _check_number(self.pada, 4, "a pāda")
            _check_number(self.syllable, LONGEST_PADA, "a syllable")

    @property
    def placed(self) -> bool:  # type: ignore[override]
        return self.pada is not None

    @property
    def aksharas(self) -> tuple[Written, ...]:
        return tuple(map(_one_akshara, self.syllables))

    @property
    def place(self) -> tuple[int, int]:
        """From where on, counted from 0."""
        return (self.pada or 1) - 1, self.syllable - 1

    @property
    def value(self) -> str:
        where = "" if self.pada is None else f"{self.pada}.{self.syllable}:" if self.syllable > 1 else f"{self.pada}:"
        return where + " ".join([*map(_devanagari, self.sounds), *(f"={_devanagari(text)}" for text in self.syllables)])

    @property
    def sentence(self) -> str:
        what = [f"the sounds {', '.join(map(_iast, self.sounds))}"] if self.sounds else []
        what += [f"the akṣaras {', '.join(map(_iast, self.syllables))}"] if self.syllables else []
        where = (
            "The verse does"
            if self.pada is None
            else f"From akṣara {self.syllable} of pāda {self.pada} on the verse does"
        )
        return f"{where} without {' and '.join(what)}."

    def kept_by(self, halves: Sequence[str], padas: Sequence[PlacedPada]) -> bool:
        from_pada, from_syllable = self.place
        looked_at = [
            *padas[from_pada].aksharas[from_syllable:],
            *(a for pada in padas[from_pada + 1 :] for a in pada.aksharas),
        ]
        return not any(
            set(akshara.sounds) & set(self.sounds) or any(akshara.is_like(asked) for asked in self.aksharas)
            for akshara in looked_at
        )


@dataclass(frozen=True)
class Beginnings(Wish):
    """Pādas begin with akṣaras, from the first pāda on; an empty one leaves its pāda free."""

    aksharas: tuple[str, ...]
    kind: ClassVar[str] = "begins"

    def __post_init__(self) -> None:
        if len(self.aksharas) > len(PADAS) or not any(self.aksharas):
            raise WishError(f"Expected one to four akṣaras, one for each pāda; got {len(self.aksharas)}.")
        for text in filter(None, self.aksharas):
            _one_akshara(text)

    @property
    def each(self) -> tuple[Akshara, ...]:
        """The same as akṣaras at places."""
        return tuple(Akshara(text, pada, 1) for pada, text in enumerate(self.aksharas, start=1) if text)

    @property
    def value(self) -> str:
        return " ".join(_devanagari(text) or "-" for text in self.aksharas)

    @property
    def sentence(self) -> str:
        words = ", ".join(f"{_iast(wish.text)} ({wish.pada})" for wish in self.each)
        return f"The pādas begin with {words}."

    def kept_by(self, halves: Sequence[str], padas: Sequence[PlacedPada]) -> bool:
        return all(wish.kept_by(halves, padas) for wish in self.each)


@dataclass(frozen=True)
class Rhyme(Wish):
    """Pādas end alike: their last one or two akṣaras are equal."""

    syllables: int = 1
    padas: tuple[int, ...] = PADAS
    kind: ClassVar[str] = "rhyme"

    def __post_init__(self) -> None:
        _check_number(self.syllables, 2, "akṣaras that end alike")
        if len(set(self.padas)) < 2 or list(self.padas) != sorted({*self.padas} & {*PADAS}):
            raise WishError(f"Expected two pādas or more from 1 to 4, in order; got {', '.join(map(str, self.padas))}.")

    @property
    def value(self) -> str:
        return str(self.syllables) + ("" if self.padas == PADAS else ":" + ",".join(map(str, self.padas)))

    @property
    def sentence(self) -> str:
        which = "All pādas" if self.padas == PADAS else f"Pādas {', '.join(map(str, self.padas))}"
        return f"{which} end in the same {'akṣara' if self.syllables == 1 else 'two akṣaras'}."

    def kept_by(self, halves: Sequence[str], padas: Sequence[PlacedPada]) -> bool:
        return len({self.ending(padas[pada - 1].aksharas) for pada in self.padas}) == 1

    def ending(self, aksharas: Sequence[Written]) -> tuple[str, ...]:
        """What rhymes of a pāda."""
        return tuple(akshara.sounds for akshara in aksharas[-self.syllables :])


def check_number(wishes: Sequence[Wish]) -> None:
    if len(wishes) > MOST_WISHES:
        raise WishError(f"Expected at most {MOST_WISHES} wishes at once; got {len(wishes)}.")


def locked(verse: Verse, numbers: Collection[int], metre: Metre | None = None) -> tuple[Given, ...]:
    """Pādas of a verse, by number, as wishes that keep them while the others are made anew; both of a half as the half.
    WishError where a word runs on out of one."""
    padas = _placed(verse, metre)
    if not padas:
        raise WishError("Expected a verse that is in its metre, for its pādas to be kept; got one that is not.")
    made: list[Given] = []
    for half, text in enumerate(verse.halves):
        here = [number for number in (2 * half + 1, 2 * half + 2) if number in numbers]
        if len(here) == 2:
            made.append(Given(text, f"half {half + 1}"))
            continue
        for number in here:
            pada = padas[number - 1]
            if not (pada.begins_word and pada.ends_word):
                raise WishError(
                    f"Expected pādas that end with a word, to keep one without the other; got pāda {2 * half + 1}, "
                    f"whose last word runs on into pāda {2 * half + 2}."
                )
            made.append(Given(pada.text, str(number)))
    return tuple(made)
