"""A verse as it is being typed: its syllables on the metre's four pādas, what must still come, and what does not fit.

Made at every key, so it reads leniently and judges quickly: lines may be half-verses or pādas, the last word may be cut
short, and of the last syllable the weight may still be open. Each pāda is held against the nearest of the ways to fill
it, so that one slip is one fault. Knows no tokens and no models; the strict judge of a finished verse is verdict.py.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from workbench.prosody import sounds
from workbench.prosody.acceptor import acceptor
from workbench.prosody.detection import ReadingError, detect, detect_letters
from workbench.prosody.metres import Metre, Pada
from workbench.prosody.scansion import WEIGHT_NAMES, Reason, Syllable, scan
from workbench.prosody.script import SCRIPTS, write
from workbench.prosody.text_reading import read_text
from workbench.prosody.verse import Verse

FEW_LETTERS = 12  # of Latin ones: too few to tell whether they sound like Sanskrit
MOST_LINES = 4
_ENDED = re.compile(r"[\n।॥|/.]\s*$")


@dataclass(frozen=True)
class DraftSyllable:
    syllable: Syllable
    word: int  # which of its half-verse
    wanted: str = ""  # the weight it should have, where that is not its own
    is_open: bool = False  # what is typed next may change its weight
    extra: bool = False  # one more than the pāda has


@dataclass(frozen=True)
class DraftPada:
    syllables: tuple[DraftSyllable, ...]
    to_come: tuple[str, ...]  # weights, l, g, or gl where either will do
    form: str  # of a complete pāda: pathyā, na-vipulā, ...

    @property
    def faulty(self) -> bool:
        return any(each.wanted or each.extra for each in self.syllables)

    @property
    def complete(self) -> bool:
        return bool(self.syllables) and not self.to_come and not self.faulty


@dataclass(frozen=True)
class Draft:
    """What has been typed so far of one verse."""

    metre: Metre
    script: str  # that it is typed in
    halves: tuple[str, ...]  # SLP1; one or two, or none yet
    padas: tuple[DraftPada, ...]
    ends_word: bool  # a space or a mark stands at its end
    closed: bool  # a mark or a line break ends its last half

    @property
    def complete(self) -> bool:
        return len(self.halves) == 2 and all(pada.complete for pada in self.padas)

    @property
    def whole(self) -> bool:
        """Nothing must still come, whether or not all of it fits."""
        return len(self.halves) == 2 and not any(pada.to_come for pada in self.padas)

    @property
    def full(self) -> bool:
        """By the strict judge."""
        if not self.complete:
            return False
        verdict = Verse(self.halves).judged(self.metre).verdict
        return bool(verdict and verdict.full)

    @property
    def problems(self) -> tuple[str, ...]:
        """What does not fit, a sentence each."""
        return tuple(sentence for number, pada in enumerate(self.padas, start=1) for sentence in _faults(number, pada))

    @property
    def faulty_words(self) -> tuple[tuple[int, int], ...]:
        """The words that have a syllable of the wrong weight: half and place, from 0."""
        found = [(at // 2, each.word) for at, pada in enumerate(self.padas) for each in pada.syllables if each.wanted]
        return tuple(dict.fromkeys(found))


def _faults(number: int, pada: DraftPada) -> list[str]:
    found = [
        f"Pāda {number}, syllable {at} ({write(each.syllable.slp1, 'iast')}) is {WEIGHT_NAMES[each.syllable.weight]}; "
        f"it should be {WEIGHT_NAMES[each.wanted]}."
        for at, each in enumerate(pada.syllables, start=1)
        if each.wanted
    ]
    extra = sum(each.extra for each in pada.syllables)
    if extra:
        found.append(
            f"Pāda {number} has {len(pada.syllables)} syllables; it should have {len(pada.syllables) - extra}."
        )
    return found


def read_draft(text: str, metre: Metre, script: str = "auto") -> Draft:
    """What has been typed so far, as a verse in a metre. ReadingError says why it is none."""
    script, lines = _read(text, script)
    halves = _halves(lines, metre)
    if len(halves) > 2:
        raise ReadingError(f"Expected one verse, of two half-verses or four pādas; got {len(lines)} lines.")
    closed = bool(_ENDED.search(text))
    padas: list[DraftPada] = []
    for half in range(2):
        line = halves[half] if half < len(halves) else ""
        going_on = half == len(halves) - 1 and not closed
        padas += _lay_half(line, metre.padas[2 * half], metre.padas[2 * half + 1], metre, half, going_on)
    return Draft(metre, script, halves, tuple(padas), closed or text[-1:].isspace(), closed)


def _read(text: str, script: str) -> tuple[str, tuple[str, ...]]:
    if not text.strip():
        return "devanagari" if script == "auto" else script, ()
    if script == "auto":
        try:
            script = detect(text)
        except ReadingError:
            letters = [letter for letter in text if letter.isalpha()]
            if not letters or len(letters) > FEW_LETTERS or not all(_is_latin(letter) for letter in letters):
                raise
            script = detect_letters(text)
    try:
        verses = read_text(text, script).verses
    except ReadingError:
        if script in SCRIPTS and len(text.split()) == 1 and len(text.strip()) <= 3:
            return script, ()  # the first consonants of a word
        raise
    return script, tuple(sounds.plain(line) for verse in verses for line in verse)


def _is_latin(letter: str) -> bool:
    return "LATIN" in unicodedata.name(letter, "")


def _halves(lines: Sequence[str], metre: Metre) -> tuple[str, ...]:
    """Lines as half-verses: pādas that stand on lines of their own are put together, and what runs on over the first
    half's end without a mark is divided there."""
    first, second = metre.padas[0].lengths[-1], metre.padas[1].lengths[-1]
    if len(lines) > 1 and sounds.vowels_in(lines[0]) <= first and len(lines) <= MOST_LINES:
        return tuple(" ".join(lines[at : at + 2]) for at in range(0, len(lines), 2))
    if len(lines) == 1 and metre.padas[0].lengths[0] == first and metre.padas[1].lengths[0] == second:
        words = lines[0].split(" ")
        for at in range(1, len(words)):
            if sounds.vowels_in(" ".join(words[:at])) == first + second:
                return " ".join(words[:at]), " ".join(words[at:])
    return tuple(lines)


def _lay_half(line: str, one: Pada, two: Pada, metre: Metre, half: int, going_on: bool) -> list[DraftPada]:
    syllables = scan(line) if line else ()
    words = _word_numbers(line)
    open_at = len(syllables) - 1 if going_on and syllables and _may_change(syllables[-1]) else -1
    split = _split(syllables, one, metre, half, open_at)
    laid = []
    for pada, low, high in ((one, 0, split), (two, split, len(syllables))):
        part = [(syllables[at], words[at], at == open_at) for at in range(low, high)]
        laid.append(_lay_pada(part, pada))
    return laid


def _may_change(syllable: Syllable) -> bool:
    return syllable.reason in (Reason.SHORT_VOWEL, Reason.CLOSED_END)


def _word_numbers(line: str) -> list[int]:
    return [number for number, word in enumerate(line.split()) for letter in word if letter in sounds.VOWELS]


def _split(syllables: Sequence[Syllable], one: Pada, metre: Metre, half: int, open_at: int) -> int:
    """How many syllables of a half-verse belong to its first pāda."""
    if len(one.lengths) == 1:
        return min(one.lengths[0], len(syllables))
    machine = acceptor(metre)
    state = machine.start
    if half:
        state = next(after for after in machine.second_half if after >= 0)
    begun = 2 * half
    for at, syllable in enumerate(syllables):
        if machine.padas[state] > begun:
            return at
        ways = machine.next[state]
        weight = syllable.weight if syllable.weight in ways and at != open_at else next(iter(ways), "")
        if not weight:
            return at
        state = ways[weight]
    return len(syllables)


def _lay_pada(part: Sequence[tuple[Syllable, int, bool]], pada: Pada) -> DraftPada:
    longest = pada.lengths[-1]
    known = "".join("?" if is_open else syllable.weight for syllable, _, is_open in part[:longest])
    filling, to_come = _nearest(pada, known)
    laid = []
    for at, (syllable, word, is_open) in enumerate(part):
        extra = at >= len(filling)
        wanted = "" if extra or is_open or filling[at] in ("?", syllable.weight) else filling[at]
        laid.append(DraftSyllable(syllable, word, wanted, is_open, extra))
    weights = "".join(syllable.weight for syllable, *_ in part)
    return DraftPada(tuple(laid), to_come, pada.names.get(weights, ""))


@lru_cache(maxsize=4096)
def _nearest(pada: Pada, known: str) -> tuple[str, tuple[str, ...]]:
    """What is known, as the nearest way to fill the pāda has it, with `?` where that is open; and what may stand at
    each place after it."""
    ways: list[tuple[int, int, str]] = []
    for filling in pada.weights:
        cost = sum(one not in ("?", other) for one, other in zip(known, filling, strict=False))
        ways.append((cost + max(0, len(known) - len(filling)), len(filling), filling))
    least, length, best = min(ways)
    near = [filling for cost, size, filling in ways if (cost, size) == (least, length)]
    to_come = tuple("".join(sorted({filling[at] for filling in near})) for at in range(len(known), length))
    # Where one of the nearest ways has what was typed, that is no fault.
    agreed = "".join(
        "?" if letter == "?" else letter if any(filling[at] == letter for filling in near) and not least else best[at]
        for at, letter in enumerate(known[:length])
    )
    return agreed, to_come
