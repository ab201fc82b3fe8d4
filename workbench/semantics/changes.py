"""One change to a piece of English that changes what it says: a negation added or dropped, two names swapped, a number
changed. A judge of meaning should hear each of them. Knows English by small lists of words, no grammar."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

KINDS = ("negation dropped", "negation added", "names swapped", "number changed")
_AUXILIARIES = (
    "is|are|was|were|will|shall|can|could|should|would|must|may|might|has|have|had|does|do|did|am|art|hast|hath"
    "|wilt|shalt"
)
_ADD = re.compile(rf"\b({_AUXILIARIES})\b(?! (?:not|never|no)\b)", re.IGNORECASE)
_DROP = re.compile(r"\b(?:not|never)\b ?|(?<=\bcan)not\b", re.IGNORECASE)
_NUMBERS = {
    "one": "three", "two": "five", "three": "seven", "four": "nine", "five": "two", "six": "ten", "seven": "three",
    "eight": "five", "nine": "four", "ten": "six", "twelve": "seven", "sixteen": "nine", "twenty": "fifty",
    "thirty": "eighty", "fifty": "twenty", "sixty": "ten", "hundred": "thousand", "thousand": "hundred",
    "first": "third", "second": "seventh", "third": "second", "fourth": "tenth", "fifth": "second",
    "twice": "seven times", "thrice": "ten times", "both": "all five",
}  # fmt: skip
_NUMBER = re.compile(rf"\b({'|'.join(_NUMBERS)})\b", re.IGNORECASE)
_NAME = re.compile(r"(?<![.!?:;\"'“‘(] )(?<!^)\b[A-ZĀĪŪṚŚṢṆṬḌÁÂÍÚŞ][\w'’]{2,}")
# Capitalised in the translations, and no names.
_NOT_NAMES = {
    "The", "This", "That", "These", "Those", "They", "There", "Then", "Thou", "Thee", "Thy", "Thus", "You", "Your",
    "His", "Her", "She", "Him", "Our", "Lord", "King", "God", "Gods", "Sage", "Rishi", "Having", "And", "But",
    "For", "What", "Who", "When", "How", "Why", "With", "From", "All", "Even", "Therefore", "Indeed", "Now",
    "Vedas", "Veda", "Brahmana", "Brahmanas", "Kshatriya", "Kshatriyas", "Brāhmaṇa", "Earth", "Sir", "Majesty",
    "Supreme", "Creator",
}  # fmt: skip


@dataclass(frozen=True)
class Change:
    kind: str
    text: str  # the prose, changed


def _capital_like(word: str, like: str) -> str:
    return word.capitalize() if like[0].isupper() else word


def changes(prose: str, seed: int = 0) -> Iterator[Change]:
    """One change of each kind that this prose allows; the seed decides where."""
    chance = random.Random(f"{seed} {prose}")
    if found := list(_DROP.finditer(prose)):
        hit = chance.choice(found)
        yield Change(KINDS[0], " ".join((prose[: hit.start()] + prose[hit.end() :]).split()))
    elif found := list(_ADD.finditer(prose)):
        hit = chance.choice(found)
        yield Change(KINDS[1], f"{prose[: hit.end()]} not{prose[hit.end() :]}")
    names = sorted({name for name in _NAME.findall(prose) if name.split("'")[0].split("’")[0] not in _NOT_NAMES})
    if len(names) >= 2:
        one, other = chance.sample(names, 2)
        swapped = {one: other, other: one}
        pattern = re.compile(rf"\b({re.escape(one)}|{re.escape(other)})\b")
        yield Change(KINDS[2], pattern.sub(lambda hit: swapped[hit[1]], prose))
    if found := list(_NUMBER.finditer(prose)):
        hit = chance.choice(found)
        yield Change(
            KINDS[3], prose[: hit.start()] + _capital_like(_NUMBERS[hit[1].lower()], hit[1]) + prose[hit.end() :]
        )
