"""English words that say nothing by themselves (function_words.txt): articles, pronouns, prepositions, auxiliaries."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_LETTERS = re.compile(r"[a-z]+")


@cache
def _function_words() -> frozenset[str]:
    assert __package__
    return frozenset((files(__package__) / "function_words.txt").read_text(encoding="utf-8").split())


def is_content(word: str) -> bool:
    return any(part not in _function_words() for part in _LETTERS.findall(word.lower()))
