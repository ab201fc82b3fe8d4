"""One row of a corpus as a text: canonical SLP1, the English that goes with it, its metre by our own engine.

Knows reading, weights and metres; no tokens. What cannot be read is a reason, not an error: corpora have noise.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from workbench.corpora.sources import Source
from workbench.prosody import verse
from workbench.prosody.detection import ReadingError
from workbench.prosody.identify import identify
from workbench.prosody.scansion import scan, weigh
from workbench.prosody.verse import DANDA, Verse

LEAST_SYLLABLES = 16  # fewer are a verse by chance
LONGEST_ENGLISH = 1000  # characters; longer ones are paragraphs
# Halves of two different verses, and a middle daṇḍa misread as ā: their metre says nothing of their form.
MISLEADING = {"inverted_danda", "no_mid_danda"}
# A nasal vowel that ends no Sanskrit word but "om": Hindi, which stands here and there among Sanskrit, or a misprint.
NO_ENDING = re.compile(r"(?:[eEO]|[A-Za-z']o)M(?![A-Za-z'])")
_SPACE = re.compile(r"\s+")
_LATIN = re.compile(r"[A-Za-z]")


@dataclass(frozen=True)
class Text:
    """What a model learns from. `slp1` has " . " between half-verses (in prose, clauses), none at the end."""

    id: str
    source: str
    work: str
    slp1: str
    english: str = ""
    metre: str = ""  # empty: prose, or a verse with a fault
    anvaya: str = ""  # the same words in the order of prose, where somebody wrote it down
    lemmas: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value}


class Unreadable(ValueError):
    """A row that is left out; the message is the reason, in a word or two."""


def read_row(row: dict[str, Any], source: Source) -> list[Text]:
    """The texts of a row: one, or for a dictionary's entry one a word."""
    if source.kind == "words":
        return _words(row, source)
    slp1 = canonical(row.get("sa") or row.get("slp1") or "")
    english = clean_english(row["en"]) if source.kind == "pairs" else ""
    if source.kind == "pairs":
        _check_english(english)
    metre = "" if MISLEADING & set(row.get("flags", ())) else find_metre(slp1)
    lemmas = tuple(canonical(lemma).replace(DANDA, " ") for lemma, _ in row.get("lemmas", ()) if lemma.strip("_ "))
    return [Text(row["id"], source.name, row.get("work") or row["source"], slp1, english, metre, _anvaya(row), lemmas)]


def canonical(sanskrit: str) -> str:
    """Devanagari or SLP1 as SLP1, its lines divided by " . ". Rare codas are written as the common ones."""
    try:
        return verse.canonical(sanskrit, "auto" if _LATIN.search(sanskrit) is None else "slp1")
    except ReadingError as error:
        raise Unreadable(_reason(str(error))) from error


def _reason(sentence: str) -> str:
    if "at most" in sentence:
        return "too long"
    return "empty" if "empty" in sentence or "no letter" in sentence else "letters"


def clean_english(text: str) -> str:
    return _SPACE.sub(" ", html.unescape(unicodedata.normalize("NFC", text)).replace("●", " ")).strip()


def _check_english(english: str) -> None:
    letters = sum(character.isalpha() for character in english)
    if not letters:
        raise Unreadable("no English")
    if len(english) > LONGEST_ENGLISH:
        raise Unreadable("too long")
    if sum("LATIN" in unicodedata.name(c, "") for c in english if c.isalpha()) < 0.95 * letters:
        raise Unreadable("no English")


def _anvaya(row: dict[str, Any]) -> str:
    """The prose order, its brackets (words that the verse leaves to be understood) and hyphens inside compounds out;
    nothing where English glosses stand in it."""
    given = row.get("anvaya") or ""
    if not given or _LATIN.search(given):
        return ""
    try:
        return canonical(re.sub(r"\([^)]*\)", " ", given).replace("-", "")).replace(DANDA, " ")
    except Unreadable:
        return ""


def _words(row: dict[str, Any], source: Source) -> list[Text]:
    english = clean_english(row["en"]).strip("'\" ,;")
    _check_english(english)
    found = []
    for number, word in enumerate(row["sa"]):
        plain = re.sub(r"\([^)]*\)?", " ", word).replace("-", "")
        try:
            slp1 = canonical(plain).replace(DANDA, " ")
        except Unreadable:
            continue
        found.append(Text(f"{source.name}.{english}.{number}", source.name, row["source"], slp1, english))
    if not found:
        raise Unreadable("letters")
    return found


def find_metre(slp1: str) -> str:
    """The name of the metre that a text of two lines, or of four pādas, is in without fault; empty otherwise."""
    halves = as_halves(Verse.from_slp1(slp1).halves)
    if halves is None:
        return ""
    krama = [(number, at) for number, half in enumerate(halves) for at, each in enumerate(scan(half)) if each.krama]
    first, second = map(weigh, halves)
    found = identify(first, second, krama) if len(first) + len(second) >= LEAST_SYLLABLES else None
    return found.metre.name if found else ""


def as_halves(lines: Sequence[str]) -> tuple[str, str] | None:
    if len(lines) == 4:
        return f"{lines[0]} {lines[1]}", f"{lines[2]} {lines[3]}"
    return (lines[0], lines[1]) if len(lines) == 2 else None
