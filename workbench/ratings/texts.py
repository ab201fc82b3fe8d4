"""What a person may type or upload, and how it is refused. Knows lengths and characters, no questions and no tables."""

from __future__ import annotations

import re

from workbench.refusal import Refusal

COMMENT = 10_000  # characters
KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")
# Control characters besides tab and line ends, and halves of surrogate pairs: PostgreSQL, or UTF-8, cannot hold them.
UNHOLDABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


class RatingError(Refusal):
    """Something that cannot be entered; the message says what was expected."""


def text(value: object, what: str, most: int, least: int = 0) -> str:
    """A text as it is to be kept: without blanks around it, and of a length that is allowed."""
    if not isinstance(value, str):
        raise RatingError(f"Expected text as {what}; got {shown(value)}.")
    if found := UNHOLDABLE.search(value):
        raise RatingError(f"Expected text as {what}; got the character U+{ord(found[0]):04X} in it.")
    value = value.strip()
    if len(value) > most:
        raise RatingError(f"Expected {what} of at most {most:,} characters; got {len(value):,}.")
    if len(value) < least:
        raise RatingError(f"Expected {what}; got nothing.")
    return value


def key(value: object) -> str:
    """A sender's own name for one submission, by which a second sending is known."""
    if not isinstance(value, str) or not KEY.fullmatch(value):
        raise RatingError(f"Expected a key of 8 to 64 letters and digits for a submission; got {shown(value)}.")
    return value


def shown(value: object) -> str:
    """What was got, short enough for a sentence."""
    said = repr(value)
    return said if len(said) <= 40 else said[:39] + "…"
