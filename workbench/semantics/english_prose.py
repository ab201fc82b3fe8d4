"""Whether a text reads as English prose, by the reader's model of English: how little it expects what comes next.

SQL, other languages and what a cat types on a keyboard surprise it at every letter; a modern sentence, which it has
hardly met, much less. Knows the reader; what is done about a doubt is the door's business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from workbench.semantics.pieces import plain
from workbench.semantics.reader import Reader

WORDS = 60  # of a text that are looked at: what begins as English goes on as such
OPENING = 8.0  # nats that the beginning of any sentence may cost: nobody can foresee it
PASSED = 0.98  # of modern sentences that the reader has not read: so many cost less than the most that passes
AGAIN = 6  # words, from which on a text that is mostly one word is no sentence
NOT_ENGLISH = "This does not read as English."
ONE_WORD = "This is one word again and again."


def surprise(reader: Reader, text: str) -> float:
    """Nats a letter, read without any verse."""
    read = " ".join(plain(text).split()[:WORDS])
    nats = -float(reader.log_probs([read], [""])[0].sum()) if read else 0.0
    return max(0.0, nats - OPENING) / max(1, len(read))


def choose_most(reader: Reader, texts: Sequence[str]) -> float:
    """The nats a letter up to which a text passes, by sentences that should."""
    found = sorted(surprise(reader, text) for text in texts)
    return round(found[min(len(found) - 1, int(PASSED * len(found)))], 3)


def doubt(reader: Reader, text: str) -> str:
    """A sentence about a text that is hardly English prose; nothing for one that may be, or where the reader was never
    told how much English may surprise it."""
    words = text.lower().split()[:WORDS]
    if len(words) >= AGAIN and Counter(words).most_common(1)[0][1] > len(words) / 2:
        return ONE_WORD
    letters = sum(each.isalpha() for each in text)
    if 2 * sum(each.isalpha() for each in plain(text)) < letters:  # another script, of which the reader sees nothing
        return NOT_ENGLISH
    most = reader.thresholds.english
    return NOT_ENGLISH if most is not None and surprise(reader, text) > most else ""
