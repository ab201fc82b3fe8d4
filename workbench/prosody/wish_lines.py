"""Wishes as a person or a program writes them, each in a line: `given 4:...`, `word 2:...`, `akshara 1.3:...`.

Sanskrit comes in any script. Latin letters that are too few to sound like anything (single sounds and akṣaras) are
IAST, or SLP1 where there is a capital among them; texts and words are told as verses are. A wish's own line is in
Devanagari, which is never taken for another script. What cannot be read is refused in a sentence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from workbench.prosody import sounds
from workbench.prosody.detection import check_script, detect_letters, name_character
from workbench.prosody.script import to_slp1
from workbench.prosody.text_reading import read_text
from workbench.prosody.verse import DANDA
from workbench.prosody.wishes import (
    PADAS,
    SOUND_NAMES,
    Akshara,
    Beginnings,
    Given,
    Rhyme,
    Wish,
    WishError,
    Without,
    Word,
    check_number,
)

MOST_CHARACTERS = 400
# How each is written after its kind, for people; the kinds are flags on the command line.
FORMS = {
    "given": ("PLACE:TEXT", "A text given for a place (samasyā): 1 to 4 for a pāda, half 1, half 2, beginning or end."),
    "word": ("[PADA:]WORD", "A word that must occur by itself (dattapadī), anywhere or in the pāda named."),
    "inside": ("[PADA:]WORD", "A word that must occur, by itself or inside a compound."),
    "akshara": ("PADA.SYLLABLE:AKSHARA", "An akṣara at a place (nyastākṣarī)."),
    "without": (
        "[PADA[.SYLLABLE]:]SOUNDS",
        "Sounds to go without (niṣiddhākṣarī), divided by spaces, everywhere or from a place on: r or ra is the "
        f"consonant, =ra the akṣara alone; or by name: {', '.join(SOUND_NAMES)}.",
    ),
    "begins": ("AKSHARAS", "Akṣaras with which the pādas begin, divided by spaces; - leaves a pāda free."),
    "rhyme": ("SYLLABLES[:PADAS]", "Pādas that end in the same one or two akṣaras (antyānuprāsa): 1, or 2:2,4."),
}
_PLACE_NAMES = {"start": "beginning", "first": "beginning", "last": "end", "half1": "half 1", "half2": "half 2"}
_MARKUP = "<>&{}[]\\@#$%*+;="


def read_wish(line: Any, script: str = "auto") -> Wish:
    """One wish from its line. WishError and ReadingError carry a sentence for the person who asked."""
    if not isinstance(line, str):
        raise WishError(f"Expected a wish in a line of text; got {str(line)[:40]}.")
    kind, _, value = line.strip().partition(" ")
    if kind not in FORMS:
        raise WishError(f"Expected a wish of the kinds {', '.join(FORMS)}; got {kind[:40]!r}.")
    if len(value) > MOST_CHARACTERS:
        raise WishError(f"Expected at most {MOST_CHARACTERS} characters in a wish; got {len(value):,}.")
    if not value.strip():
        raise WishError(f"Expected {kind} {FORMS[kind][0]}; got nothing after {kind}.")
    return _READERS[kind](value.strip(), script)


def read_wishes(lines: Sequence[Any], script: str = "auto") -> tuple[Wish, ...]:
    """Several; what is a wish already stays what it is."""
    if isinstance(lines, str) or not isinstance(lines, Sequence):
        raise WishError(f"Expected a list of wishes; got {str(lines)[:40]}.")
    check_number(lines)
    return tuple(line if isinstance(line, Wish) else read_wish(line, script) for line in lines)


def _refuse_markup(text: str) -> None:
    for letter in text:
        unreadable = unicodedata.category(letter) in ("Cc", "Cs", "Co", "Cn") and letter not in "\n\r\t"
        if letter in _MARKUP or unreadable:
            raise WishError(f"Expected Sanskrit in a wish; got {name_character(letter)}.")


def _text(text: str, script: str, kind: str) -> list[str]:
    """Lines of Sanskrit in the automaton's spelling."""
    _refuse_markup(text)
    if not text.strip():
        raise WishError(f"Expected {kind} {FORMS[kind][0]}; got no text.")
    return [sounds.plain(line) for verse in read_text(text, script).verses for line in verse]


def _letters(text: str, script: str) -> str:
    """A few letters, too few for a text: a sound or an akṣara."""
    _refuse_markup(text)
    name = detect_letters(text) if script == "auto" else script
    check_script(text, name)
    return sounds.plain(to_slp1(text, name))


def _given(value: str, script: str) -> Wish:
    place, colon, text = value.partition(":")
    place = " ".join(place.lower().removeprefix("pada").removeprefix("pāda").split())
    if not colon:
        raise WishError(f"Expected given {FORMS['given'][0]}; got {value[:40]!r}.")
    return Given(DANDA.join(_text(text, script, "given")), _PLACE_NAMES.get(place, place))


def _word(value: str, script: str, inside: bool = False) -> Wish:
    found = re.match(r"([0-9]+)\s*:", value)
    text = value[found.end() :] if found else value
    lines = _text(text, script, "inside" if inside else "word")
    if len(lines) != 1:
        raise WishError(f"Expected a word or a few in one line; got {len(lines)} lines.")
    return Word(lines[0], int(found[1]) if found else None, inside)


def _inside(value: str, script: str) -> Wish:
    return _word(value, script, inside=True)


def _akshara(value: str, script: str) -> Wish:
    found = re.match(r"([0-9]{1,3})\s*[.,]\s*([0-9]{1,3})\s*:", value)
    if not found:
        raise WishError(f"Expected akshara {FORMS['akshara'][0]}, such as 1.3:ka; got {value[:40]!r}.")
    return Akshara(_letters(value[found.end() :].strip(), script), int(found[1]), int(found[2]))


def _without(value: str, script: str) -> Wish:
    found = re.match(r"([0-9]{1,3})(?:\s*[.,]\s*([0-9]{1,3}))?\s*:", value)
    pieces = re.split(r"[\s,]+", value[found.end() :].strip() if found else value)
    heard, akshara = "", []
    for piece in filter(None, pieces):
        if piece.lower() in SOUND_NAMES:
            heard += SOUND_NAMES[piece.lower()]
        elif piece.startswith("="):
            akshara.append(_letters(piece[1:], script))
        else:
            letters = _letters(piece, script)
            named = letters[:-1] if len(letters) == 2 and letters[0] in sounds.CONSONANTS and letters[1] == "a" else ""
            if named or len(letters) == 1:
                heard += named or letters
            else:
                akshara.append(letters)
    place = (int(found[1]), int(found[2] or 1)) if found else (None, 1)
    return Without("".join(dict.fromkeys(heard)), tuple(dict.fromkeys(akshara)), *place)


def _begins(value: str, script: str) -> Wish:
    pieces = [piece for piece in re.split(r"[\s,]+", value) if piece]
    return Beginnings(tuple("" if piece in "-_" else _letters(piece, script) for piece in pieces))


def _rhyme(value: str, script: str) -> Wish:
    found = re.fullmatch(r"([0-9])(?:\s*:\s*([0-9](?:[\s,]+[0-9])*))?", value)
    if not found:
        raise WishError(f"Expected rhyme {FORMS['rhyme'][0]}, such as 1 or 2:2,4; got {value[:40]!r}.")
    padas = tuple(sorted(map(int, re.findall("[0-9]", found[2])))) if found[2] else PADAS
    return Rhyme(int(found[1]), padas)


_READERS = {
    "given": _given, "word": _word, "inside": _inside, "akshara": _akshara, "without": _without, "begins": _begins,
    "rhyme": _rhyme,
}  # fmt: skip
