"""Prose as a person sends it, made readable: markup and control characters out, white space even, faults in a sentence.

Knows no models: how much of it a generator reads, and what it makes of other languages, is the generator's to say.
"""

from __future__ import annotations

import html
import re
import unicodedata

from workbench.refusal import Refusal

MOST_CHARACTERS = 5_000  # a passage; as much is kept with a rating, and models read less
MOST_MARKS = 30  # on one letter, as Unicode's stream-safe text has it: putting them in order is quadratic
# Everything here meets what strangers send, and is linear: tests/test_nasty_texts.py counts its steps.
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_LONG_NUMBER = re.compile(r"&#[0-9]{10,};?")  # no character; Python refuses to read thousands of digits


class ProseError(Refusal):
    """There is no prose to compose from; the message says what was expected."""


def read_prose(text: str) -> tuple[str, tuple[str, ...]]:
    """The prose, and notes about what was left out of it."""
    if len(text) > MOST_CHARACTERS:
        raise ProseError(
            f"Expected at most {MOST_CHARACTERS:,} characters of English prose, a passage; got {len(text):,}."
        )
    notes = []
    plain = html.unescape(_LONG_NUMBER.sub(" ", text))
    without = _TAG.sub(" ", _without_comments(plain))
    if without != plain:
        notes.append("Markup was left out.")
    # Control characters and lone surrogates say nothing; a tokenizer may even stumble over them.
    readable = "".join(
        " " if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn") else c
        for c in unicodedata.normalize("NFC", _fewer_marks(without))
    )
    prose = " ".join(readable.split())
    if not prose:
        raise ProseError("Expected a sentence or two of English prose; got nothing to read.")
    letters = [c for c in prose if c.isalpha()]
    if not letters:
        raise ProseError(f"Expected English prose; got no word in {prose[:40]!r}.")
    latin = sum("LATIN" in unicodedata.name(c, "") for c in letters)
    if 2 * latin < len(letters):
        notes.append("This is not written in Latin letters; the generators read English, and may miss what it says.")
    return prose, tuple(notes)


def _without_comments(text: str) -> str:
    """Comments of HTML out. One that never ends is left as it is, and sought only once."""
    kept, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return " ".join([*kept, text[at:]])


def _fewer_marks(text: str) -> str:
    """No more marks on a letter than somebody may have meant."""
    kept, run = [], 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) else 0
        if run <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)
