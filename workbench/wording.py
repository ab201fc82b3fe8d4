"""Prose as a person sends it, made readable: markup and control characters out, white space even, faults in a sentence.

Knows no models: how much of it a generator reads, and what it makes of other languages, is the generator's to say.
"""

from __future__ import annotations

import html
import re
import unicodedata

from workbench.refusal import Refusal

MOST_CHARACTERS = 100_000
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)


class ProseError(Refusal):
    """There is no prose to compose from; the message says what was expected."""


def read_prose(text: str) -> tuple[str, tuple[str, ...]]:
    """The prose, and notes about what was left out of it."""
    if len(text) > MOST_CHARACTERS:
        raise ProseError(f"Expected a sentence or two of English prose; got {len(text):,} characters.")
    notes = []
    plain = html.unescape(text)
    without = _TAG.sub(" ", plain)
    if without != plain:
        notes.append("Markup was left out.")
    # Control characters and lone surrogates say nothing; a tokenizer may even stumble over them.
    readable = "".join(
        " " if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn") else c
        for c in unicodedata.normalize("NFC", without)
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
