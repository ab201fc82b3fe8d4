"""A metre and a script compiled to one trimmed deterministic automaton over characters, or over UTF-8 bytes.

Three layers, each small. The acceptor (acceptor.py) says which weight may come next. The syllable layer reads sounds
and settles weights: only the last syllable's weight is ever open, until the next vowel or a second consonant. The
script layer reads letters: in SLP1 a letter is a sound; in Devanagari a consonant carries an `a` that the next sign
confirms or replaces. States from which no verse can be finished are cut off, so whatever is alive can be finished.

It knows no tokens. What it accepts is a verse in its plain spelling: words of letters with single spaces, each word
with a vowel; a daṇḍa or a line break after the first half-verse; the closing double daṇḍa if one likes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.prosody import sounds
from workbench.prosody.acceptor import Acceptor, acceptor
from workbench.prosody.metres import Metre

DEAD = 0  # the sink: every automaton's state 0 is where a broken prefix stays
# Half-akṣaras in one conjunct. kārtsnya, rtsny, has four and is the longest cluster of the language in common use.
MAX_CLUSTER = 4
YATI = ("none", "prefer", "require")


class Sound(StrEnum):
    """What a letter does; letters that do the same share one column of the automaton."""

    __hash__ = str.__hash__  # Enum's own is Python code, and compiling looks up little else

    SHORT = "short vowel"
    LONG = "long vowel"
    CONSONANT = "consonant"
    CODA = "anusvāra or visarga"
    AVAGRAHA = "avagraha"
    SPACE = "space"
    NEWLINE = "line break"
    DANDA = "daṇḍa"
    DOUBLE_DANDA = "double daṇḍa"
    SHORT_SIGN = "short vowel sign"
    LONG_SIGN = "long vowel sign"
    VIRAMA = "virāma"


# The columns of an automaton: sounds first, then the signs that only Devanagari has.
SIGNS = tuple(Sound)
SOUNDS = SIGNS[:9]

LETTERS = {
    "slp1": {
        **dict.fromkeys(sounds.SHORT, Sound.SHORT),
        **dict.fromkeys(sounds.LONG, Sound.LONG),
        **dict.fromkeys(sounds.CONSONANTS, Sound.CONSONANT),
        **dict.fromkeys("MH", Sound.CODA),
        "'": Sound.AVAGRAHA, " ": Sound.SPACE, "\n": Sound.NEWLINE, ".": Sound.DANDA,
    },
    "devanagari": {
        **dict.fromkeys("अइउऋऌ", Sound.SHORT),
        **dict.fromkeys("आईऊॠॡएऐओऔ", Sound.LONG),
        **dict.fromkeys("कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहळ", Sound.CONSONANT),
        **dict.fromkeys("िुृॢ", Sound.SHORT_SIGN),
        **dict.fromkeys("ाीूॄॣेैोौ", Sound.LONG_SIGN),
        **dict.fromkeys("ंः", Sound.CODA),
        "्": Sound.VIRAMA, "ऽ": Sound.AVAGRAHA, " ": Sound.SPACE, "\n": Sound.NEWLINE, "।": Sound.DANDA,
        "॥": Sound.DOUBLE_DANDA,
    },
}  # fmt: skip

Facts = tuple[bool, int, bool, str, int]  # of a state: may end here, pādas done, a weight is open, wanted, yati breaks
Row = tuple[Facts, tuple[tuple[int, int], ...]]  # a state: its facts and its edges, column and target


class At(StrEnum):
    """What stands just before, as far as spelling cares."""

    __hash__ = str.__hash__

    START = "the half-verse's start"
    INDENT = "a space at the half-verse's start"
    VOWEL = "a vowel"
    CODA = "a coda"
    CONSONANT = "a consonant"
    AVAGRAHA = "an avagraha"
    TWO_AVAGRAHAS = "two avagrahas"
    SPACE = "a space"
    ONE_DANDA = "one daṇḍa at the verse's end"
    CLOSED = "the double daṇḍa"


class Syllables(NamedTuple):
    """A state of the syllable layer."""

    metre: int  # the acceptor's state, before the open syllable
    open: int  # 0: nothing open; 1: a short vowel; 2: a short vowel and one consonant
    run: int  # consonants in a row in this word
    at: At
    word: bool  # this word has a vowel
    due: bool = False  # a pāda is full, and its last word should end before the next vowel
    breaks: int = 0  # pādas whose last word ran on into the next


class SyllableLayer:
    """Sounds in, syllables weighed. The rule of weight is that of scansion.py, turned into steps."""

    def __init__(self, metre: Acceptor, max_cluster: int, yati: str) -> None:
        self.metre = metre
        self.max_cluster = max_cluster
        self.yati = yati
        self.start = Syllables(metre.start, 0, 0, At.START, False)

    def step(self, state: Syllables, sound: Sound) -> Syllables | None:
        following = self._step(state, sound)
        if following is None or self.yati == "none" or sound not in (Sound.SHORT, Sound.LONG, Sound.SPACE):
            return following
        if sound is Sound.SPACE:
            return following._replace(due=False)
        # A vowel: if the word of a full pāda runs on into it, that is a break; if it fills an odd pāda, a word is due.
        if state.due and self.yati == "require":
            return None
        filled = self._padas(following)
        return following._replace(
            due=filled % 2 == 1 and filled > self._padas(state), breaks=following.breaks + state.due
        )

    def _step(self, state: Syllables, sound: Sound) -> Syllables | None:
        metre, open_, run, at, word, due, breaks = state
        if at is At.CLOSED:
            return None
        if at is At.ONE_DANDA:
            return state._replace(at=At.CLOSED) if sound is Sound.DANDA else None
        match sound:
            case Sound.SHORT | Sound.LONG if at is not At.CODA:
                settled = self._weigh(metre, "l") if open_ else metre
                if sound is Sound.SHORT:
                    return self._on(Syllables(settled, 1, 0, At.VOWEL, True, due, breaks))
                return self._on(Syllables(self._weigh(settled, "g"), 0, 0, At.VOWEL, True, due, breaks))
            case Sound.CONSONANT if run <= self.max_cluster:
                settled = self._weigh(metre, "g") if open_ == 2 else metre
                still_open = 2 if open_ == 1 else 0
                return self._on(Syllables(settled, still_open, run + 1, At.CONSONANT, word, due, breaks))
            case Sound.CODA if at is At.VOWEL:
                settled = self._weigh(metre, "g") if open_ else metre
                return self._on(Syllables(settled, 0, 0, At.CODA, word, due, breaks))
            case Sound.AVAGRAHA if at in (At.VOWEL, At.CODA, At.SPACE, At.START, At.INDENT):
                return state._replace(at=At.AVAGRAHA)
            case Sound.AVAGRAHA if at is At.AVAGRAHA:
                return state._replace(at=At.TWO_AVAGRAHAS)
            case Sound.SPACE | Sound.NEWLINE if at is At.START:
                return state._replace(at=At.INDENT)
            case Sound.SPACE if self._word_may_end(state):
                return Syllables(metre, open_, 0, At.SPACE, False, due, breaks)
            case Sound.DANDA | Sound.NEWLINE | Sound.DOUBLE_DANDA if self._word_may_end(state) or at is At.SPACE:
                return self._end_half(state, sound)
        return None

    def _on(self, state: Syllables) -> Syllables | None:
        if state.metre < 0 or (state.open and not self.metre.next[state.metre]):
            return None
        return state

    def _weigh(self, metre: int, weight: str) -> int:
        return self.metre.next[metre].get(weight, -1) if metre >= 0 else -1

    def _word_may_end(self, state: Syllables) -> bool:
        return state.word and state.run <= self.max_cluster

    def _settle(self, state: Syllables) -> int:
        """The acceptor's state once nothing more follows: a short vowel is light, and heavy before a consonant."""
        return self._weigh(state.metre, "lg"[state.open - 1]) if state.open else state.metre

    def _end_half(self, state: Syllables, mark: Sound) -> Syllables | None:
        settled = self._settle(state)
        if settled < 0:
            return None
        if mark is not Sound.DOUBLE_DANDA and self.metre.second_half[settled] >= 0:
            return Syllables(self.metre.second_half[settled], 0, 0, At.START, False, False, state.breaks)
        if mark is not Sound.NEWLINE and self.metre.done[settled]:
            at = At.CLOSED if mark is Sound.DOUBLE_DANDA else At.ONE_DANDA
            return Syllables(settled, 0, 0, at, False, False, state.breaks)
        return None

    def known(self, state: Syllables) -> Facts:
        wanted = "".join(sorted(self.metre.next[state.metre]))
        return self._accepts(state), self._padas(state), state.open > 0, wanted, state.breaks

    def _accepts(self, state: Syllables) -> bool:
        if state.at is At.CLOSED:
            return True
        # A space at the end is as good as none: some tokenizers write every word with one.
        if state.at is At.ONE_DANDA or not (self._word_may_end(state) or state.at is At.SPACE):
            return False
        settled = self._settle(state)
        return settled >= 0 and self.metre.done[settled]

    def _padas(self, state: Syllables) -> int:
        """Pādas whose last vowel has been read, its weight settled or not."""
        if not state.open:
            return self.metre.padas[state.metre]
        return min(self.metre.padas[following] for following in self.metre.next[state.metre].values())


_SIGNS = {Sound.SHORT_SIGN: Sound.SHORT, Sound.LONG_SIGN: Sound.LONG}
_DEPENDENT = frozenset((Sound.VIRAMA, *_SIGNS))
_NOT_AFTER_VIRAMA = frozenset((Sound.SHORT, Sound.LONG, Sound.CODA, Sound.AVAGRAHA))
# What a Devanagari text may wait for: nothing; the sign that tells a consonant's vowel; a consonant after a virāma.
_NOTHING, _VOWEL, _CONSONANT = range(3)


class _DevanagariLayer:
    """Devanagari signs in, sounds out: a consonant's inherent `a` is read when the next sign does not replace it."""

    def __init__(self, heard: list[Row]) -> None:
        self.steps = [{}, *({SOUNDS[column]: target for column, target in edges} for _, edges in heard)]
        self.facts: list[Facts] = [(False, 0, False, "", 0), *(facts for facts, _ in heard)]
        self.start = (len(heard), _NOTHING)

    def step(self, state: tuple[int, int], sign: Sound) -> tuple[int, int] | None:
        heard, waits = state
        if sign in _DEPENDENT:
            if waits != _VOWEL:
                return None
            if sign is Sound.VIRAMA:
                return heard, _CONSONANT
            return self._on(self.steps[heard].get(_SIGNS[sign], DEAD), _NOTHING)
        if waits == _CONSONANT and sign in _NOT_AFTER_VIRAMA:
            return None
        target = self.steps[self._read(state)].get(sign, DEAD)
        return self._on(target, _VOWEL if sign is Sound.CONSONANT else _NOTHING)

    def _on(self, heard: int, waits: int) -> tuple[int, int] | None:
        return (heard, waits) if heard != DEAD else None

    def _read(self, state: tuple[int, int]) -> int:
        """The sounds of a text that goes no further."""
        heard, waits = state
        return self.steps[heard].get(Sound.SHORT, DEAD) if waits == _VOWEL else heard

    def known(self, state: tuple[int, int]) -> Facts:
        return (self.facts[self._read(state)][0], *self.facts[state[0]][1:])


@dataclass(frozen=True)
class Progress:
    """What the automaton knows of a prefix."""

    alive: bool
    syllables: int  # whose vowel is certain; a Devanagari consonant at the very end may still lose its a
    padas: int  # pādas complete: their last vowel has been read
    open: bool  # the last syllable's weight is not settled
    wanted: str  # weights the metre admits for that syllable, or for the next: l, g or gl
    may_end: bool
    letters_to_end: int  # at least; -1 when dead


@dataclass(frozen=True, eq=False)
class Automaton:
    """States are rows, state 0 is dead. Columns are what letters do (SIGNS), or the 256 bytes."""

    metre: Metre
    script: str
    unit: str  # "characters" or "bytes"
    start: int
    delta: npt.NDArray[np.int32]  # state x column -> state
    column: dict[str, int]  # of a character; a byte is its own column
    accepting: npt.NDArray[np.bool_]
    padas: npt.NDArray[np.int8]
    open: npt.NDArray[np.bool_]
    wanted: tuple[str, ...]
    breaks: npt.NDArray[np.int8]  # pādas whose last word runs on, where yati is "prefer"
    to_end: npt.NDArray[np.int32]  # letters (or bytes) at least until the verse can end; -1 when dead
    due: npt.NDArray[np.int32] | None = None  # letters that wishes ask for and that are to come; None without wishes

    def __len__(self) -> int:
        return len(self.delta)

    def read(self, text: str | bytes, state: int | None = None) -> int:
        """The state after a text, from the start or from a given state; DEAD when it cannot become a verse."""
        state = self.start if state is None else state
        if self.unit == "bytes":
            columns = list(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
        else:
            letters = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
            columns = [self.column.get(letter, -1) for letter in letters]
        for column in columns:
            if column < 0 or state == DEAD:
                return DEAD
            state = int(self.delta[state, column])
        return state

    def accepts(self, text: str | bytes) -> bool:
        return bool(self.accepting[self.read(text)])

    def progress(self, text: str | bytes) -> Progress:
        state = self.read(text)
        letters = text.decode(errors="ignore") if isinstance(text, bytes) else text
        return Progress(
            state != DEAD,
            _count_syllables(letters, self.script),
            int(self.padas[state]),
            bool(self.open[state]),
            self.wanted[state],
            bool(self.accepting[state]),
            int(self.to_end[state]),
        )

    def alive_letters(self, state: int) -> list[str]:
        """The characters that keep a prefix alive."""
        return [letter for letter in self.column if self.read(letter, state) != DEAD]


def _count_syllables(text: str, script: str) -> int:
    signs = [LETTERS[script].get(letter) for letter in text]
    vowels = signs.count(Sound.SHORT) + signs.count(Sound.LONG)
    if script == "devanagari":
        waiting = signs[-1:] == [Sound.CONSONANT]
        vowels += signs.count(Sound.CONSONANT) - signs.count(Sound.VIRAMA) - waiting
    return vowels


@lru_cache(maxsize=32)
def compile_metre(
    metre: Metre, script: str = "slp1", unit: str = "characters", max_cluster: int = MAX_CLUSTER, yati: str = "none"
) -> Automaton:
    """The automaton of a metre in a script. Compiled once and shared.

    yati: "none" lets words run over from pāda to pāda, "require" does not, "prefer" counts how many do.
    """
    if script not in LETTERS:
        raise ValueError(f"Expected a script among {', '.join(LETTERS)}; got {script!r}.")
    if unit not in ("characters", "bytes"):
        raise ValueError(f"Expected the unit characters or bytes; got {unit!r}.")
    if max_cluster < 1:
        raise ValueError(f"Expected max_cluster of at least 1; got {max_cluster}.")
    if yati not in YATI:
        raise ValueError(f"Expected yati to be one of {', '.join(YATI)}; got {yati!r}.")
    layer = SyllableLayer(acceptor(metre), max_cluster, yati)
    signs = frozenset(LETTERS[script].values())
    rows = _build(layer, signs & frozenset(SOUNDS))
    if script == "devanagari":
        rows = _build(_DevanagariLayer(rows), signs)
    columns = {letter: SIGNS.index(sign) for letter, sign in LETTERS[script].items()}
    if unit == "bytes":
        return _assemble(metre, script, unit, _unfold(rows, columns), columns)
    return _assemble(metre, script, unit, rows, columns)


def _build(layer: Any, signs: frozenset[Sound]) -> list[Row]:
    states, edges = explore(layer.start, layer.step, signs)
    return minimise(edges, [layer.known(state) for state in states])


def explore(
    start: Hashable, step: Callable[[Any, Sound], Any], signs: frozenset[Sound]
) -> tuple[list[Any], list[dict[int, int]]]:
    """Every state that can be reached, in the order found, and its edges by column."""
    numbers: dict[Hashable, int] = {start: 0}
    states, edges = [start], []
    columns = [(column, sign) for column, sign in enumerate(SIGNS) if sign in signs]
    for state in states:
        row = {}
        for column, sign in columns:
            following = step(state, sign)
            if following is not None:
                if following not in numbers:
                    numbers[following] = len(states)
                    states.append(following)
                row[column] = numbers[following]
        edges.append(row)
    return states, edges


def minimise(edges: list[dict[int, int]], facts: list[Facts]) -> list[Row]:
    """The distinct states that can reach an end, numbered from 1, every state after those it leads to, the start last.

    Every letter brings a verse nearer to its end, so there are no cycles, and one pass from the ends merges all that
    is equal: same facts, same edges. A state with no edge left that is no end itself is dead and cut off here.
    """
    number: dict[int, int] = {}  # explored state -> its new number, DEAD when no end can be reached
    rows: dict[Row, int] = {}
    stack = [0]
    while stack:
        state = stack[-1]
        waiting = [target for target in edges[state].values() if target not in number]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        row = tuple((column, number[target]) for column, target in edges[state].items() if number[target] != DEAD)
        alive = row or facts[state][0]
        number[state] = rows.setdefault((facts[state], row), len(rows) + 1) if alive else DEAD
    return list(rows)


def _unfold(rows: list[Row], columns: dict[str, int]) -> list[Row]:
    """The same over UTF-8 bytes, each byte a column: a character's bytes are a path through states that know what the
    state before the character knew, and are no ends."""
    spelled: dict[int, dict[bytes, list[int]]] = {}  # column -> all but the last byte of its letters -> last bytes
    for letter, column in columns.items():
        *_, last = spelling = letter.encode()
        spelled.setdefault(column, {}).setdefault(spelling[:-1], []).append(last)
    unfolded: dict[Row, int] = {}
    number = {DEAD: DEAD}
    for state, ((final, *rest), edges) in enumerate(rows, start=1):
        inside: Facts = (False, *rest)  # type: ignore[assignment]
        paths: dict[bytes, dict[int, int]] = {b"": {}}
        for column, target in edges:
            for prefix, lasts in spelled[column].items():
                paths.setdefault(prefix, {}).update(dict.fromkeys(lasts, number[target]))
        for length in range(max(map(len, paths)), 0, -1):
            for prefix in [prefix for prefix in paths if len(prefix) == length]:
                row = (inside, tuple(sorted(paths[prefix].items())))
                here = unfolded.setdefault(row, len(unfolded) + 1)
                paths.setdefault(prefix[:-1], {})[prefix[-1]] = here
        row = ((final, *rest), tuple(sorted(paths[b""].items())))  # type: ignore[assignment]
        number[state] = unfolded.setdefault(row, len(unfolded) + 1)
    return list(unfolded)


def _assemble(metre: Metre, script: str, unit: str, rows: list[Row], columns: dict[str, int]) -> Automaton:
    delta = np.zeros((len(rows) + 1, 256 if unit == "bytes" else len(SIGNS)), np.int32)
    to_end = [-1]
    for state, ((final, *_), edges) in enumerate(rows, start=1):
        targets = [target for _, target in edges]
        delta[state, [column for column, _ in edges]] = targets
        to_end.append(0 if final else 1 + min(to_end[target] for target in targets))
    accepting, padas, open_, wanted, breaks = zip((False, 0, False, "", 0), *(facts for facts, _ in rows), strict=True)
    return Automaton(
        metre,
        script,
        unit,
        len(rows),
        delta,
        columns,
        np.array(accepting),
        np.array(padas, np.int8),
        np.array(open_),
        wanted,
        np.array(breaks, np.int8),
        np.array(to_end, np.int32),
    )
