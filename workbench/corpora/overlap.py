"""What two texts share: half-lines and English sentences, compared by their letters alone.

Keeps what is learnt apart from what is measured, and finds what comes twice. Knows nothing of files.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator

from workbench.corpora.texts import Text
from workbench.prosody.verse import Verse

SENTENCE_WORDS = 6  # shorter sentences ("He said to him.") are anybody's
DEV_SHARE = 100  # one text in so many is learnt by no model
HALF_LETTERS = 16  # shorter lines ("sūta uvāca") likewise
_NASALS = str.maketrans("NYRnm", "MMMMM")
_SENTENCE_END = re.compile(r"[.!?;:]+")
_WORD = re.compile(r"[a-z0-9]+")


def letters(slp1: str) -> str:
    """A line without what editions differ in: spaces, avagrahas, how a nasal before a consonant is spelled."""
    return slp1.translate(_NASALS).replace(" ", "").replace("'", "")


def for_dev(slp1: str) -> bool:
    """Whether a text belongs to the hundredth that no model learns from: by its letters, so that the same verse with
    another English goes with it."""
    return int.from_bytes(hashlib.sha256(letters(slp1).encode()).digest()[:4], "big") % DEV_SHARE == 0


def long_halves(text: Text) -> set[str]:
    return {key for key in map(letters, Verse.from_slp1(text.slp1).halves) if len(key) >= HALF_LETTERS}


def plain_english(text: str) -> str:
    """Without accents and in small letters: names are spelled in many ways."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).lower()


def sentences(english: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(plain_english(english)):
        words = _WORD.findall(sentence)
        if len(words) >= SENTENCE_WORDS:
            yield " ".join(words)


class MeasuredTexts:
    """Everything that figures are taken on."""

    def __init__(self) -> None:
        self._halves: set[str] = set()
        self._sentences: set[str] = set()

    def add(self, text: Text) -> None:
        self._halves |= long_halves(text)
        self._sentences.update(sentences(text.english))

    def shared(self, text: Text) -> str:
        """What a text has in common with it, as a reason; empty when nothing."""
        if self._halves & long_halves(text):
            return "half-line of dev or test"
        if any(sentence in self._sentences for sentence in sentences(text.english)):
            return "sentence of dev or test"
        return ""


class SeenTexts:
    """Texts that were there before."""

    def __init__(self) -> None:
        self._keys: set[int] = set()
        self._halves: set[int] = set()

    def before(self, text: Text) -> bool:
        """Whether the same text was here, with the same English if it has any; a verse alone, whether all its halves
        were, unless it brings lemmas that no other has."""
        key = hash((letters(text.slp1), plain_english(text.english), bool(text.lemmas)))
        found = {hash(half) for half in long_halves(text)}
        known = key in self._keys or (not text.english and not text.lemmas and bool(found) and found <= self._halves)
        self._keys.add(key)
        self._halves |= found
        return known
