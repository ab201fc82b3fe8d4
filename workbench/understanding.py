"""What verses say, for people: a text in any script becomes verses, each with its English, its words, their meanings.

Knows prosody's text_reading, the reader and the lemmatizer; no page, no generator. Both are loaded when a verse is
first read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.damage import whole
from workbench.paths import at_home
from workbench.prosody import sounds
from workbench.prosody.script import write
from workbench.prosody.text_reading import read_text
from workbench.prosody.verdict import in_pairs, metre_verdicts
from workbench.prosody.verse import Verse, canonical, in_one_spelling
from workbench.refusal import Refusal
from workbench.semantics import ReaderMissing
from workbench.wording import read_prose

if TYPE_CHECKING:
    from workbench.semantics.lemmatizer import Lemmatizer
    from workbench.semantics.reader import Reader, Reading, Support

SHIPPED, LEMMATIZER = "checkpoints/reader", "checkpoints/lemmatizer"
FEW_SYLLABLES = 5
MANY_FAULTS = 4  # a verse with more of them is none
MOST_WORDS = 300  # of a prose that are looked for in a verse, which holds thirty
NO_METRE = "This fits no metre: it is read as prose."
ONE_WORD = "This is hardly more than a word: its reading is a guess."


@dataclass(frozen=True)
class VerseReading:
    """One verse and what the machine reads in it."""

    slp1: str  # its lines, divided by " . "
    script: str  # the script it came in
    reading: Reading
    notes: tuple[str, ...] = ()

    def as_json(self, to: str = "devanagari") -> dict[str, Any]:
        return {
            "slp1": self.slp1,
            "text": write(self.slp1, to),
            "english": self.reading.english,
            "alternatives": list(self.reading.alternatives),
            "words": [
                {
                    "lemma": write(word.lemma, to),
                    "slp1": word.lemma,
                    "gloss": word.gloss,
                    "meanings": list(word.meanings),
                }
                for word in self.reading.words
            ],
            "notes": list(self.notes),
            "reader": reader().identity,
            "lemmatizer": words_identity(),
        }


def reader_folder() -> Path:
    return Path(os.environ.get("PINGALA_READER") or at_home(SHIPPED))


def reader_at_hand() -> bool:
    return (reader_folder() / "model.safetensors").is_file()


def reader() -> Reader:
    """The reader; ReaderMissing says what to do where there is none."""
    from workbench.semantics.reader import loaded

    with whole(reader_folder(), "reader", ReaderMissing):
        return loaded(reader_folder())


def lemmatizer() -> Lemmatizer | None:
    """The lemmatizer; None where there is none, and the reader finds words as it can."""
    from workbench.semantics.lemmatizer import WEIGHTS, loaded

    folder = Path(os.environ.get("PINGALA_LEMMATIZER") or at_home(LEMMATIZER))
    if not (folder / WEIGHTS).is_file():
        return None
    with whole(folder, "lemmatizer", ReaderMissing):
        return loaded(folder)


def lemmas(texts: Sequence[str]) -> list[list[str]]:
    """The words of each text (SLP1) as a dictionary has them."""
    return (lemmatizer() or reader()).lemmas(texts)


def words_identity() -> str:
    """Name and hash of who finds the words of a verse."""
    return (lemmatizer() or reader()).identity


def read(text: str, script: str = "auto") -> Iterator[VerseReading]:
    """The verses of a text, read one by one as they are asked for; ReadingError says why it is none."""
    reading = read_text(text, script)
    for verse in reading.verses:
        for lines in _verses(verse):
            slp1 = in_one_spelling(lines)
            yield VerseReading(slp1, reading.script, reader().read(slp1, lemmas([slp1])[0]), _notes(lines))


def _verses(lines: Sequence[str]) -> list[Sequence[str]]:
    """Lines that no double daṇḍa divides: one verse, or several of two lines each where the metre says so."""
    if len(lines) < 4 or len(metre_verdicts(lines)) == 1:
        return [lines]
    return in_pairs(lines)


def _notes(lines: Sequence[str]) -> tuple[str, ...]:
    if sum(map(sounds.vowels_in, lines)) < FEW_SYLLABLES:
        return (ONE_WORD,)
    most = MANY_FAULTS if len(lines) > 1 else 1  # of a half-verse, that it is only half is the one
    near = any(verdict.metre and len(verdict.problems) <= most for verdict in metre_verdicts(lines))
    return () if near else (NO_METRE,)


def doubt(prose: str) -> str:
    """A sentence about a prose that does not read as English, for a person to think about before anything is composed;
    nothing where it does, or where there is no reader to ask."""
    from workbench.semantics import english_prose

    try:
        return english_prose.doubt(reader(), read_prose(prose)[0]) if reader_at_hand() else ""
    except Refusal:  # a damaged reader stops no verse; what is no prose at all is refused by whoever composes
        return ""


def support(prose: str, verses: Sequence[str | Verse]) -> list[tuple[Support, ...]]:
    """What of a prose is heard in each of several verses, word by word; of a long one, of its first words."""
    words = read_prose(prose)[0].split()[:MOST_WORDS]
    texts = [in_one_spelling(v.halves) if isinstance(v, Verse) else canonical(v, "slp1") for v in verses]
    return reader().support(" ".join(words), texts)
