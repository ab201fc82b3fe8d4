"""A prose said otherwise, by rule: plainer, shorter, as people type it. What a corpus has is long and Victorian.

Every rule keeps what the verse says or leaves a part of it out, which is then told: from such proses unmarked, a
generator would learn to fill lines with "O great king" that nobody asked for. None adds or changes. Chance decides
which rules are used, so that the same verse is learnt from another prose each time. Knows English on its surface
only.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable

LEAST_WORDS = 5  # shorter than this no rule makes a prose
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
# "O king," "O thou of mighty arms," at the beginning, in the middle or at the end of a sentence.
_VOCATIVE = re.compile(r"(?:,\s*)?\bO,? (?!\b(?:that|let|may|how)\b)[^,.;:!?]{2,40}(?:(?=[.;:?])|!|,|$)")
_CLAUSE_END = re.compile(r"(?<=[;.!?])\s+")  # after a comma, what is left is often no sentence
_TAG_END = re.compile(r"[,;:\-–—\s]+$")
_OLD = {
    "thou art": "you are", "thou": "you", "thee": "you", "thy": "your", "thine": "your", "thyself": "yourself",
    "ye": "you", "hath": "has", "doth": "does", "hast": "have", "dost": "do", "didst": "did", "wert": "were",
    "shalt": "shall", "wilt": "will", "canst": "can", "unto": "to", "spake": "spoke", "whilst": "while",
    "amongst": "among", "upon": "on", "verily": "truly", "wherefore": "therefore", "hither": "here",
    "thither": "there", "whence": "from where", "betwixt": "between", "ere": "before", "nay": "no", "oft": "often",
    "foremost of": "best of",
}  # fmt: skip
_OLD_WORDS = re.compile(rf"\b(?:{'|'.join(sorted(_OLD, key=len, reverse=True))})\b", re.IGNORECASE)


def without_brackets(prose: str) -> str:
    """Without what a translator added in brackets."""
    return _tidy(_BRACKETS.sub("", prose))


def without_vocatives(prose: str) -> str:
    """Without "O king" and the like."""
    return _tidy(_VOCATIVE.sub("", prose))


def modern_words(prose: str) -> str:
    def say(found: re.Match[str]) -> str:
        word = _OLD[found.group().lower()]
        return word[0].upper() + word[1:] if found.group()[0].isupper() else word

    return _OLD_WORDS.sub(say, prose)


def plain_names(prose: str) -> str:
    """Without diacritics, as people type names."""
    decomposed = unicodedata.normalize("NFD", prose)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))


def without_last_clause(prose: str) -> str:
    clauses = _CLAUSE_END.split(prose)
    return _tidy(" ".join(clauses[:-1])) if len(clauses) > 1 else prose


def without_first_clause(prose: str) -> str:
    clauses = _CLAUSE_END.split(prose)
    return _tidy(" ".join(clauses[1:])) if len(clauses) > 1 else prose


def as_typed(prose: str) -> str:
    """In small letters, with no mark at the end."""
    return prose.rstrip(" .;:,").lower()


def _tidy(prose: str) -> str:
    """One space between words, a capital at the beginning, a mark at the end."""
    text = re.sub(r"\s+([,.;:!?])", r"\1", " ".join(prose.split()))
    text = _TAG_END.sub("", text.lstrip(" ,;:-–—"))
    return text[:1].upper() + text[1:] + ("" if text[-1:] in (".", "!", "?", '"', "”", "") else ".")


# Each with how often it is used, where it has something to do.
RULES: tuple[tuple[float, Callable[[str], str]], ...] = (
    (0.4, without_brackets),
    (0.3, without_vocatives),
    (0.4, modern_words),
    (0.4, plain_names),
    (0.15, without_last_clause),
    (0.05, without_first_clause),
    (0.1, as_typed),
)
# What the verse says is left out by these; a bracket is the translator's.
LEAVING_OUT = (without_vocatives, without_last_clause, without_first_clause)


def vary(prose: str, chance: random.Random) -> tuple[str, bool]:
    """The prose, said otherwise or as it is, never shorter than a few words; and whether it now says less than its
    verse."""
    less = False
    for share, rule in RULES:
        if chance.random() < share:
            changed = rule(prose)
            if len(changed.split()) >= min(LEAST_WORDS, len(prose.split())):
                less = less or (rule in LEAVING_OUT and len(changed.split()) < len(prose.split()))
                prose = changed
    return prose, less
