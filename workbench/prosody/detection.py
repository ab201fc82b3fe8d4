"""Telling which script a text is in, and whether it is Sanskrit at all.

Indian scripts are told by their letters. Romanisations share theirs, so they are told by what only one of them has, and
else by which reading sounds most like Sanskrit, by the bits of its pairs of sounds (phonotactics.txt).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files

from workbench.prosody import sounds
from workbench.prosody.script import SCRIPTS, to_slp1
from workbench.refusal import Refusal

EXPECTED_SCRIPTS = "Devanagari, IAST, SLP1 or another script of India"


class ReadingError(Refusal):
    """The text cannot be read as Sanskrit verse; the message is a sentence for the person who wrote it."""


@cache
def _pair_bits() -> dict[str, int]:
    """Bits of each pair of sounds, learned by workbench.training.phonotactics."""
    table = files("workbench.prosody").joinpath("phonotactics.txt").read_text(encoding="utf-8").splitlines()[1:]
    symbols = table[0]
    return {
        row + column: int(bits, 16)
        for row, line in zip(symbols, table[1:], strict=True)
        for column, bits in zip(symbols, line, strict=True)
    }


def strangeness(slp1: str) -> float:
    """How unlike Sanskrit a text in SLP1 sounds: mean bits a pair of sounds, about 3.5 for a real verse."""
    return _strangeness(slp1)[0]


def _strangeness(slp1: str) -> tuple[float, int]:
    bits = _pair_bits()
    words = "".join(c if c in sounds.LETTERS else " " for c in slp1).split()
    spaced = f" {' '.join(words)} "
    pairs = [bits[a + b] for a, b in zip(spaced, spaced[1:], strict=False)]
    return (sum(pairs) / len(pairs) if words else 15.0), len(pairs)


def _strange(pairs: int) -> float:
    """From how many bits on a text is not Sanskrit; a short one may be odd. Of the 6,103 verses of itihasa.dev the
    oddest has 4.1, of their English 99 in 100 have more than 5.4."""
    return 4.6 + 24 / pairs


def detect(text: str) -> str:
    """The name of the script a text is written in; ReadingError when it is none, several, or not Sanskrit."""
    found: dict[str, str] = {}
    for letter in _letters_of(text):
        found.setdefault(_script_of(letter), letter)
    if not found:
        raise ReadingError(f"Expected a Sanskrit verse in {EXPECTED_SCRIPTS}; got no letter at all.")
    if len(found) > 1:
        mixed = " and ".join(f"{_label(name)} ({letter})" for name, letter in found.items())
        raise ReadingError(f"Expected one script in one text; got letters of {mixed}.")
    (script,) = found
    return script if script != "roman" else _detect_roman(text)


def detect_letters(text: str) -> str:
    """As `detect`, of letters too few to sound like anything: Latin ones are SLP1 where there is a capital among them,
    and IAST otherwise."""
    scripts = {_script_of(letter) for letter in _letters_of(text)}
    if scripts != {"roman"}:
        return detect(text)
    return "slp1" if re.search("[A-Z]", text) and text.isascii() else "iast"


def check_script(text: str, script: str) -> None:
    """Refuse letters that the script does not have."""
    family = "roman" if SCRIPTS[script].roman else script
    for letter in _letters_of(text):
        if _script_of(letter) != family or letter == _foreign(letter, script):
            raise ReadingError(
                f"Expected {SCRIPTS[script].label}; got {name_character(letter)}, which it does not have."
            )


def _letters_of(text: str) -> list[str]:
    """Letters and their marks, without what Tamil's superscripts share with Latin punctuation."""
    composed = unicodedata.normalize("NFC", text)
    return [c for c in composed if unicodedata.category(c)[0] in "LM" and c not in "ʼˮ꞉"]


@cache
def _script_of(letter: str) -> str:
    for script in SCRIPTS.values():
        if script.letters and re.match(f"[{script.letters}]", letter):
            return script.name
    if re.match("[A-Za-z\u00c0-\u017f\u1e00-\u1eff\u0300-\u036f]", letter):
        return "roman"
    raise ReadingError(f"Expected the letters of {EXPECTED_SCRIPTS}; got {name_character(letter)}.")


def _detect_roman(text: str) -> str:
    """Romanisations by what only they can have, and among those left by which reading sounds most like Sanskrit."""
    inner_capital = re.search(r"(?<=\w)[A-Z]", text)
    doubled = re.search("aa|ii|uu", text)
    if any(ord(letter) > 127 for letter in _letters_of(text)):
        candidates = ["iast"]
    elif not re.search("[A-Z]", text) and re.search(r'\.[rltdnsmh]|"[sn]', text):
        candidates = ["velthuis"]
    elif doubled:
        candidates = ["itrans"] if inner_capital else ["itrans", "velthuis"]
    else:
        candidates = ["hk", "slp1", "itrans"] if inner_capital else ["iast", "hk", "slp1", "itrans"]
    candidates = [name for name in candidates if not _foreign(text, name)] or candidates
    scores = {name: _strangeness(to_slp1(text, name)) for name in candidates}
    best = min(scores, key=lambda name: scores[name][0])
    bits, pairs = scores[best]
    if bits > _strange(pairs):
        raise ReadingError(
            "Expected Sanskrit; this text in Latin letters does not sound like it in IAST, SLP1, Harvard-Kyoto, "
            "ITRANS or Velthuis. If it is Sanskrit, name its script."
        )
    return best


# ASCII letters that a romanisation does not have; indic-transliteration would let them through as if they were SLP1.
_FOREIGN = {
    "iast": "fqwxz",
    "hk": "BCEFKOPQVWXYZfqwx",
    "itrans": "BFKPQVXZfqz",
    "velthuis": "ABCDEFGHIJKMNPQSTUVWXYZfqwxz",
    "slp1": "",
}


def _foreign(text: str, script: str) -> str:
    """The first letter that a romanisation does not have, or nothing."""
    text = text.lower() if script == "iast" else text
    return next((c for c in text if c in _FOREIGN.get(script, "")), "")


def _label(name: str) -> str:
    return "the Latin alphabet" if name == "roman" else SCRIPTS[name].label


def name_character(character: str) -> str:
    name = unicodedata.name(character, "unnamed character").lower()
    shown = f"“{character}”, " if character.isprintable() else ""
    return f"{shown}{name} (U+{ord(character):04X})"
