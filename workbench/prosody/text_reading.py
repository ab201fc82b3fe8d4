"""Reading verses: a text in any script becomes half-verses in SLP1.

Knows the marks that end half-verses and verses, numbers, accents and punctuation, and refuses with a sentence what is
no verse. Letters are script.py's business, telling scripts apart detection.py's; what a syllable is, neither's.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from workbench.prosody import sounds
from workbench.prosody.detection import EXPECTED_SCRIPTS, ReadingError, check_script, detect, name_character
from workbench.prosody.script import SCRIPTS, to_slp1, write

MAX_CHARACTERS = 20_000
MAX_MARKS = 30  # on one letter, as Unicode's stream-safe text has it: putting them in order is quadratic
MAX_SYLLABLES = 120  # in a line; the longest metre has 104 in the whole verse

# Inside this module a half-verse ends with HALF and a verse with END, whatever the writer used for them. They are
# private-use characters, so that no transliteration scheme touches them.
HALF, END = "\ue000", "\ue001"

_INVISIBLE = re.compile("[\u00ad\u034f\u200b-\u200f\u2060-\u2064\ufeff]")
# Svarita, anudātta and the other Vedic marks of the Devanagari and Vedic Extensions blocks.
_ACCENTS = re.compile("[\u0951-\u0954\u1cd0-\u1cf4\u1cf7-\u1cff\ua8e0-\ua8f1]")
_NUMBER = re.compile(r"\d+(?:[.\-–:/]\d+)*")
_VERSE_END = re.compile(r"॥|।\s*।|\|\s*\||//|\.\.")
_HALF_END = re.compile(r"[।|/\n\v\f\u2028\u2029]")
# A full stop ends a half-verse, but in ITRANS and Velthuis it is also part of letters.
_STOP = {"slp1": re.compile(r"\.")}
_LONE_STOP = re.compile(rf"\.(?=\s|$|[{HALF}{END}])")
# Punctuation that a script uses as letters.
_LETTER_LIKE = {"velthuis": '"~.', "itrans": "~.^", "tamil": "()"}
_WORD_GAP = re.compile(f"(?<=[{sounds.CONSONANTS}]) (?=.)")
_TYPED_VISARGA = re.compile("(?<=[\u0900-\u0d7f]):")


@dataclass(frozen=True)
class TextReading:
    """What was read: the script, and the verses, each as its lines in SLP1: half-verses, where it is well written."""

    script: str
    verses: tuple[tuple[str, ...], ...]


def read_text(text: str, script: str = "auto") -> TextReading:
    """Read one or more verses. Daṇḍas, bars, slashes and line breaks end half-verses; double ones end verses."""
    _check_characters(text)
    if script != "auto" and script not in SCRIPTS:
        raise ReadingError(f"Expected a script among auto, {', '.join(SCRIPTS)}; got {script!r}.")
    text = _ACCENTS.sub("", _INVISIBLE.sub("", text))
    name = detect(text) if script == "auto" else script
    check_script(text, name)
    slp1 = to_slp1(_mark(text, name), name)
    for character in slp1:
        if character not in sounds.LETTERS and not character.isspace() and character not in (HALF, END):
            raise ReadingError(
                f"Expected {SCRIPTS[name].label}; got {name_character(character)}, which it does not have."
            )
    verses = _group(slp1)
    counts = [sounds.vowels_in(line) for verse in verses for line in verse]
    if not any(counts):
        raise ReadingError(f"Expected syllables; got consonants without a single vowel: {' '.join(slp1.split())[:40]}")
    if max(counts) > MAX_SYLLABLES:
        raise ReadingError(
            f"Expected half-verses of at most {MAX_SYLLABLES} syllables; got one of {max(counts):,}. "
            "Divide half-verses by ।, / or a line break."
        )
    return TextReading(name, verses)


def canonical_line(line: str) -> str:
    """A line of a reading in the one spelling that models are shown: the rarer codas as the common ones, and words as
    Devanagari is mostly written, one that ends in a consonant together with the next. Editions differ in both."""
    return _WORD_GAP.sub("", sounds.plain(line).replace(sounds.ANUNASIKA, ""))


def _check_characters(text: str) -> None:
    """Refuse what cannot be a verse in any script."""
    if not text.strip():
        raise ReadingError(f"Expected a Sanskrit verse in {EXPECTED_SCRIPTS}; got an empty text.")
    if len(text) > MAX_CHARACTERS:
        raise ReadingError(f"Expected at most {MAX_CHARACTERS:,} characters at once; got {len(text):,}.")
    marks = 0
    for position, character in enumerate(text, start=1):
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks > MAX_MARKS:
            raise ReadingError(f"Expected at most {MAX_MARKS} marks on a letter; character {position} is one more.")
        category = unicodedata.category(character)
        if category in ("Cc", "Cs", "Co", "Cn") and character not in "\t\n\r\v\f":
            raise ReadingError(f"Expected letters; character {position} is U+{ord(character):04X}, which is none.")
        if category == "So":
            raise ReadingError(f"Expected letters; character {position} is {name_character(character)}.")


def _mark(text: str, script: str) -> str:
    """Numbers out, half-verse and verse ends as HALF and END, and what is left of the punctuation out."""
    text = _NUMBER.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    if not SCRIPTS[script].roman:
        text = _TYPED_VISARGA.sub(write("kaH", script)[1:], text)
    text = _HALF_END.sub(HALF, _VERSE_END.sub(END, text))
    text = _STOP.get(script, _LONE_STOP).sub(HALF, text)
    kept = "'’‘ʼ`_\\^~ˮ꞉ऽ" + _LETTER_LIKE.get(script, "")
    dropped = {c for c in text if unicodedata.category(c)[0] in "PS" and c not in kept}
    return text.translate(dict.fromkeys(map(ord, dropped)))


def _group(slp1: str) -> tuple[tuple[str, ...], ...]:
    """Lines by verse. Two lines are one verse whatever marks stand between and after them."""
    verses = []
    for verse in slp1.split(END):
        lines = (" ".join(line.split()) for line in verse.split(HALF))
        verses.append(tuple(line for line in lines if any(c in sounds.LETTERS for c in line)))
    everything = sum(verses, ())
    return (everything,) if len(everything) == 2 else tuple(verse for verse in verses if verse)
