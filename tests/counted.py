"""Work counted instead of timed: how many steps a regular expression takes over a text, and a normalisation of Unicode.

`steps` goes through Python's own parsed form of an expression, as its engine does, backtracking and all, and counts
every character looked at. Only what the house's expressions have is known here; anything else is an error.
"""

import re
import sys
import unicodedata
from functools import cache

PARSER = re._parser
MANY = PARSER.MAXREPEAT
ONE_CHARACTER = {"LITERAL", "NOT_LITERAL", "ANY", "IN"}


@cache
def _in_class(items: str, flags: int, character: str) -> bool:
    return any(_item(item, character) for item in _CLASSES[items]) is not _NEGATED[items]


_CLASSES: dict[str, list] = {}
_NEGATED: dict[str, bool] = {}
_CATEGORIES = {"CATEGORY_DIGIT": r"\d", "CATEGORY_SPACE": r"\s", "CATEGORY_WORD": r"\w", "CATEGORY_NOT_SPACE": r"\S",
               "CATEGORY_NOT_WORD": r"\W", "CATEGORY_NOT_DIGIT": r"\D"}  # fmt: skip


def _item(item, character: str) -> bool:
    kind, value = str(item[0]), item[1]
    if kind == "LITERAL":
        return ord(character) == value
    if kind == "RANGE":
        return value[0] <= ord(character) <= value[1]
    return re.fullmatch(_CATEGORIES[str(value)], character) is not None


class Counter:
    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        self.text, self.flags, self.steps = text, pattern.flags, 0
        self.tree = list(PARSER.parse(pattern.pattern, pattern.flags))

    def search(self, at: int) -> tuple[int, int] | None:
        """The first match from a place on; what was looked at is counted."""
        for start in range(at, len(self.text) + 1):
            for end in self._all(self.tree, start):
                return start, end
        return None

    def _fits(self, kind: str, value, at: int) -> bool:
        self.steps += 1
        if at >= len(self.text):
            return False
        letter = self.text[at]
        if kind == "ANY":
            return letter != "\n" or bool(self.flags & re.DOTALL)
        if kind == "IN":
            name = repr(value)
            negated = str(value[0][0]) == "NEGATE"
            _CLASSES.setdefault(name, list(value[1:] if negated else value))
            _NEGATED.setdefault(name, negated)
            return _in_class(name, 0, letter)
        return (ord(letter) == value) is (kind == "LITERAL")

    def _all(self, tree, at: int):
        """Every place at which the rest of an expression may end, in the engine's order."""
        if not tree:
            yield at
            return
        (code, value), rest = tree[0], tree[1:]
        kind = str(code)
        if kind in ONE_CHARACTER:
            if self._fits(kind, value, at):
                yield from self._all(rest, at + 1)
        elif kind == "SUBPATTERN":
            yield from self._all([*value[-1], *rest], at)
        elif kind == "BRANCH":
            for branch in value[1]:
                yield from self._all([*branch, *rest], at)
        elif kind in ("MAX_REPEAT", "MIN_REPEAT"):
            yield from self._repeat(kind, *value, rest, at)
        elif kind in ("ASSERT", "ASSERT_NOT"):
            direction, inner = value
            begin = at if direction > 0 else at - inner.getwidth()[1]
            found = begin >= 0 and any(True for _ in self._all(list(inner), begin))
            if found is (kind == "ASSERT"):
                yield from self._all(rest, at)
        elif kind == "AT":
            self.steps += 1
            here = {"AT_BEGINNING": at == 0, "AT_END": at == len(self.text), "AT_END_STRING": at == len(self.text)}
            if here[str(value)]:
                yield from self._all(rest, at)
        else:
            raise NotImplementedError(kind)

    def _repeat(self, kind: str, least: int, most: int, body, rest, at: int):
        (code, value) = body[0]
        if len(body) == 1 and str(code) in ONE_CHARACTER:
            ends = [at]
            if kind == "MIN_REPEAT":
                while True:
                    if len(ends) > least:
                        yield from self._all(rest, ends[-1])
                    if len(ends) > most or not self._fits(str(code), value, ends[-1]):
                        return
                    ends.append(ends[-1] + 1)
            while len(ends) <= most and self._fits(str(code), value, ends[-1]):
                ends.append(ends[-1] + 1)
            for end in reversed(ends[least:]):
                yield from self._all(rest, end)
            return
        if most:
            fewer = most if most == MANY else most - 1
            again = (PARSER.MAX_REPEAT, (max(0, least - 1), fewer, body))
            for end in self._all(list(body), at):
                if end > at:
                    yield from self._all([again, *rest], end)
        if not least:
            yield from self._all(rest, at)


def steps(pattern: re.Pattern[str], text: str) -> int:
    """Characters looked at by `pattern.sub` over a whole text."""
    counter, at, before = Counter(pattern, text), 0, sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        while at <= len(text) and (found := counter.search(at)):
            at = max(found[1], found[0] + 1)
    finally:
        sys.setrecursionlimit(before)
    return counter.steps


def normalising(text: str) -> int:
    """What putting marks in order costs: every mark is compared with those of its run before it."""
    work, run = 0, 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) else 0
        work += 1 + run
    return work


def counted(monkeypatch, function, but=()):
    """The calls of a function from now on, whatever module of the house has it by whatever name."""
    calls = []

    def counting(*given, **named):
        calls.append(given)
        return function(*given, **named)

    for name, module in list(sys.modules.items()):
        if name.startswith("workbench") and name not in but:
            for attribute in [key for key, value in vars(module).items() if value is function]:
                monkeypatch.setattr(module, attribute, counting)
    return calls
