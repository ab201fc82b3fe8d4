"""The scripts: letters of each as SLP1, and SLP1 written in each.

SLP1 is the one form the rest of the house knows. Letters are converted by indic-transliteration; this module does what
it leaves open: Unicode's spellings of one letter, the sign ॐ, the rare visargas, and romanisations in which two letters
could be read as one. It does not know which script a text is in (detection.py), nor what a verse is (text_reading.py).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from indic_transliteration import sanscript

from workbench.prosody import sounds


@dataclass(frozen=True)
class Script:
    name: str  # as a person types it on the command line
    label: str  # as a person reads it
    scheme: str  # indic-transliteration's name
    letters: str = ""  # a character class that holds its letters; empty for the romanisations

    @property
    def roman(self) -> bool:
        return not self.letters


SCRIPTS = {
    script.name: script
    for script in (
        Script("devanagari", "Devanagari", sanscript.DEVANAGARI, "\u0900-\u0963\u0970-\u097f\u1cf5\u1cf6\ua8f2-\ua8fd"),
        Script("iast", "IAST", sanscript.IAST),
        Script("slp1", "SLP1", sanscript.SLP1),
        Script("hk", "Harvard-Kyoto", sanscript.HK),
        Script("itrans", "ITRANS", sanscript.ITRANS),
        Script("velthuis", "Velthuis", sanscript.VELTHUIS),
        Script("telugu", "Telugu", sanscript.TELUGU, "\u0c00-\u0c7f"),
        Script("kannada", "Kannada", sanscript.KANNADA, "\u0c80-\u0cff"),
        Script("malayalam", "Malayalam", sanscript.MALAYALAM, "\u0d00-\u0d7f"),
        Script("bengali", "Bengali", sanscript.BENGALI, "\u0980-\u09ff"),
        Script("grantha", "Grantha", sanscript.GRANTHA, "\U00011300-\U0001137f"),
        Script("tamil", "Tamil with Grantha letters", sanscript.TAMIL_SUP, "\u0b80-\u0bff"),
    )
}

# Keeps two letters of a romanisation apart that would be read as one: a_i is not the diphthong ai.
APART = "_"

# Dots that tell Persian from Indian letters; Bengali's l with a dot is a letter of Sanskrit, ḷ.
_NUKTA = re.compile("[\u093c\u0cbc\U0001133c]|(?<!ল)\u09bc")
_ROMAN_ACCENT = re.compile("([AEIOUaeiou\u0325\u0323\u0304]\u0304?)[\u0300\u0301]")
_SPELLINGS = {
    # Malayalam's chillu letters and Bengali's khaṇḍa ta are consonants without a vowel.
    **dict(zip("ൺൻർൽൾൿৎ", ("ണ്", "ന്", "ര്", "ല്", "ള്", "ക്", "ত্"), strict=True)),
    "ৱ": "ব", "ೞ": "ಳ",
    # Sanskrit has no short e and o; in the southern scripts people often write them for the long ones.
    **dict(zip("ऎऒॆॊఎఒెొಎಒೆೊഎഒെൊஎஒெொ", "एओेोఏఓేోಏಓೇೋഏഓേോஏஓேோ", strict=True)),
    "ೱ": "\u1cf5", "ೲ": "\u1cf6",
}  # fmt: skip
_INDIC_SPELLINGS = str.maketrans(_SPELLINGS)
# What a scheme takes for the sign ॐ, which is oṃ spelled in one sign.
_OM = {
    "iast": (("oṃ", f"o{APART}ṃ"),),
    "hk": (("OM", "oM"),),
    "itrans": (("AUM", "oM"), ("OM", "oM")),
    "velthuis": (("O", "o.m"),),
}
# ā, ū and anusvāra in a row would be taken for oṃ by indic-transliteration, whose SLP1 for oṃ is AUM.
_LONG_U_NASAL = re.compile("(?=[ऊఊಊഊঊ\U0001130aஊ][ंంಂംং\U00011302ம])")
_IAST_SPELLINGS = str.maketrans({"ṁ": "ṃ", "ē": "e", "ō": "o", "ẖ": "Z", "ḫ": "V"})


def to_slp1(text: str, script: str) -> str:
    """One stretch of text in a known script as SLP1; what is not a letter stays as it is, for the caller to judge."""
    source = SCRIPTS[script]
    if source.name == "slp1":
        return _normalise_roman(text, source)
    if source.roman:
        pieces = _normalise_roman(text, source).split(APART)
    else:
        text = unicodedata.normalize("NFC", text).translate(_INDIC_SPELLINGS)
        pieces = _LONG_U_NASAL.split(_NUKTA.sub("", text))
    slp1 = "".join(_letters(piece, source) for piece in pieces)
    slp1 = slp1.replace("\u1cf5", sounds.JIHVAMULIYA).replace("\u1cf6", sounds.UPADHMANIYA)
    # व्ँ: a nasalised semivowel is a consonant; only a vowel's anunāsika is a sound of its own.
    return re.sub(f"(?<=[{sounds.CONSONANTS}])~", "", slp1)


def _normalise_roman(text: str, script: Script) -> str:
    if script.name == "iast":
        text = unicodedata.normalize("NFD", text.lower())
        text = _ROMAN_ACCENT.sub(r"\1", text).replace("m\u0310", "~").replace("\u0325", "\u0323")
        text = re.sub("([iu])\u0308", APART + r"\1", text)
        text = unicodedata.normalize("NFC", text).translate(_IAST_SPELLINGS)
        # ḷ is a vowel after a consonant and before one (kḷpta), and Vedic's consonant before a vowel (īḷe).
        text = re.sub("ḷ(?=[aāiīuūṛṝeo])", "ḻ", text)
    elif script.name == "slp1":
        text = re.sub(r"[\\^]", "", text)
    for symbol, spelled in _OM.get(script.name, ()):
        text = text.replace(symbol, spelled)
    return re.sub("[’‘ʼ`]", "'", text)


def _letters(text: str, script: Script) -> str:
    # Z and V stand for the two rare visargas only in SLP1; in a scheme they would be letters of its own, or none.
    if script.name == "iast" and re.search("[ZV]", text):
        return "".join(p if p in "ZV" else _letters(p, script) for p in re.split("([ZV])", text) if p)
    slp1 = str(sanscript.transliterate(text, script.scheme, sanscript.SLP1)) if text else ""
    # Its letters for ॐ and for ḷh are not SLP1's one letter a sound.
    return (slp1 if script.roman else slp1.replace("AUM", "oM")).replace("|", "Lh")


def write(slp1: str, script: str) -> str:
    """SLP1 text (daṇḍas as `.` and `..`) in another script, so that reading it gives the same letters back."""
    target = SCRIPTS[script]
    if target.name == "slp1":
        return slp1
    if target.roman:
        return "".join(_write_roman_word(word, target) for word in re.split("([^A-Za-z'~]+)", slp1))
    pieces = re.split("(?<=A)(?=UM)", slp1)  # AUM would be written as oṃ
    text = "".join(str(sanscript.transliterate(piece, sanscript.SLP1, target.scheme)) for piece in pieces)
    return text.replace("Z", "\u1cf5").replace("V", "\u1cf6")


def _write_roman_word(word: str, script: Script) -> str:
    if not word or word[0] not in sounds.LETTERS:
        return word.replace("..", "||").replace(".", "|")
    pieces = [_roman_letter(word[0], script)]
    for at, letter in enumerate(word[1:], start=1):
        piece = _roman_letter(letter, script)
        if not _reads_apart(word[max(0, at - 2) : at], letter, script):
            piece = {"i": "ï", "u": "ü"}.get(letter, APART + piece) if script.name == "iast" else APART + piece
        pieces.append(piece)
    return "".join(pieces)


@cache
def _roman_letter(letter: str, script: Script) -> str:
    rare = {"iast": {"Z": "ẖ", "V": "ḫ", "~": "m̐"}}.get(script.name, {"Z": "H", "V": "H"})
    if script.name == "velthuis":
        rare = {"Z": ".h", "V": ".h", "L": "L"}
    return rare.get(letter) or str(sanscript.transliterate(letter, sanscript.SLP1, script.scheme))


@cache
def _reads_apart(before: str, letter: str, script: Script) -> bool:
    """Whether a letter, written after one or two others, is read as itself."""
    joined = "".join(_roman_letter(sound, script) for sound in before + letter)
    expected = before + letter if script.name == "iast" else re.sub("[ZV]", "H", before + letter)
    return to_slp1(joined, script.name) == expected
