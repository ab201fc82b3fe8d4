"""The letters of pictures: which of the font's files holds a character, how wide words are in it, and what of a text it
can write at all. Measures with Pillow; the files are those that the page itself shows (`page_style.FONT_FILES`).

Knows fonts and characters, no verses and no pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from unicodedata import category

from PIL import ImageFont, features

from workbench.paths import ASSETS
from workbench.ui.page_style import FONT_FAMILY, FONT_FILES

ABROAD = 0.75  # of its size: how wide, about, a letter is that the font has not, of a script that others draw
MEASURED = 100  # the size at which words are measured; widths grow with it
FAMILY = f"{FONT_FAMILY}, Noto Serif, Noto Sans, serif"


def file(name: str) -> Path:
    return ASSETS / "fonts" / f"tiro-devanagari-sanskrit-{name}-400-normal.woff2"


@cache
def _spans() -> dict[str, list[tuple[int, int]]]:
    found = {}
    for name, ranges in FONT_FILES.items():
        parts = [part.strip().removeprefix("U+").split("-") for part in ranges.split(",")]
        found[name] = [(int(part[0], 16), int(part[-1], 16)) for part in parts]
    return found


@cache
def holder(character: str) -> str:
    """The file that holds a character; none for one of another script, or one that shows nothing."""
    if not character.isprintable() and character not in "\u200c\u200d":  # what joins and parts letters stays
        return ""
    code = ord(character)
    return next((name for name, spans in _spans().items() if any(a <= code <= b for a, b in spans)), "")


def runs(text: str) -> Iterator[tuple[str, str]]:
    """A text in parts, each with the file that holds all of it."""
    for name, characters in groupby(text, holder):
        yield name, "".join(characters)


def held(text: str) -> str:
    """What of a text the font can write, in a row: what it cannot would be boxes."""
    return " ".join("".join(character if holder(character) else " " for character in text).split())


@lru_cache(32)  # each holds its whole file
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file(name), size)


def width(text: str, size: float) -> float:
    """Of a text, in the units of its size."""
    found = 0.0
    for name, part in runs(text):
        found += font(name, MEASURED).getlength(part) if name else ABROAD * MEASURED * _letters(part)
    return found * size / MEASURED


def _letters(text: str) -> int:
    """How many stand beside each other: signs of vowels and what joins letters stand above or under one."""
    return sum(1 for character in text if not category(character).startswith("M"))


def shapes_devanagari() -> bool:
    """Whether letters of Devanagari are joined as they should be: without raqm Pillow puts one beside the other."""
    return bool(features.check("raqm"))


def wrapped(text: str, size: float, room: float, most: int) -> list[str]:
    """A text in lines that are no wider than the room; what does not go into so many ends in dots."""
    lines: list[str] = []
    rest = text.split()
    while rest and len(lines) < most:
        line, rest = _filled(rest, size, room)
        lines.append(line)
    if rest:
        last = lines[-1]
        while last and width(f"{last} …", size) > room:
            last = last[:-1].rstrip()
        lines[-1] = f"{last} …"
    return lines


def _filled(words: list[str], size: float, room: float) -> tuple[str, list[str]]:
    """A line, and the words that come after it; one word that is too long for any line is cut."""
    count = 1
    while count < len(words) and width(" ".join(words[: count + 1]), size) <= room:
        count += 1
    line = " ".join(words[:count])
    if count > 1 or width(line, size) <= room:
        return line, words[count:]
    cut = len(line)
    while cut > 1 and width(line[:cut], size) > room:
        cut -= 1
    return line[:cut], [line[cut:], *words[1:]]
