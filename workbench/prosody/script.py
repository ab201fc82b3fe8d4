"""Reading Sanskrit in any script into SLP1, and writing SLP1 back in any script.

SLP1 is the one form the rest of the house knows: every text comes in through `read` or `to_slp1` and goes out through
`write`. Letters are converted by indic-transliteration; this module does what it leaves open: telling the scripts
apart, Unicode's spellings of one letter, accents, numbers, and the marks that end a half-verse or a verse. It does not
know what a syllable is.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from indic_transliteration import sanscript

from workbench.prosody import sounds

MAX_CHARACTERS = 20_000


class ReadingError(ValueError):
    """The text cannot be read as Sanskrit verse; the message is a sentence for the person who wrote it."""


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
ROMAN = tuple(script for script in SCRIPTS.values() if script.roman)
INDIC = tuple(script for script in SCRIPTS.values() if not script.roman)

# Inside this module a half-verse ends with HALF and a verse with END, whatever the writer used for them. They are
# private-use characters, so that no transliteration scheme touches them.
HALF, END = "\ue000", "\ue001"
# Keeps two letters of a romanisation apart that would be read as one: a_i is not the diphthong ai.
APART = "_"

_INVISIBLE = re.compile("[\u00ad\u034f\u200b-\u200f\u2060-\u2064\ufeff]")
# Svarita, anudātta and the other Vedic marks of the Devanagari and Vedic Extensions blocks, nukta included.
_INDIC_ACCENTS = re.compile("[\u0951-\u0954\u1cd0-\u1cf4\u1cf7-\u1cff\ua8e0-\ua8f1]")
# Dots that tell Persian from Indian letters; Bengali's l with a dot is a letter of Sanskrit, ḷ.
_NUKTA = re.compile("[\u093c\u0cbc\U0001133c]|(?<!ল)\u09bc")
_ROMAN_ACCENT = re.compile("([AEIOUaeiou\u0325\u0323\u0304]\u0304?)[\u0300\u0301]")
_NUMBER = re.compile(r"\d+(?:[.\-–:/]\d+)*", re.UNICODE)
_VERSE_MARK = re.compile(r"॥|।\s*।|\|\s*\||//|\.\.")
_SPELLINGS = {
    # Malayalam's chillu letters and Bengali's khaṇḍa ta are consonants without a vowel.
    **dict(zip("ൺൻർൽൾൿৎ", ("ണ്", "ന്", "ര്", "ല്", "ള്", "ക്", "ত্"), strict=True)),
    "ৱ": "ব", "ೞ": "ಳ", "ॲ": "अ", "\u0954": "",
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


# ---------------------------------------------------------------- telling scripts apart


@lru_cache(maxsize=1)
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
        raise ReadingError(f"Expected a Sanskrit verse in {_list_scripts()}; got no letter at all.")
    if len(found) > 1:
        mixed = " and ".join(f"{_label(name)} ({letter})" for name, letter in found.items())
        raise ReadingError(f"Expected one script in one text; got letters of {mixed}.")
    (script,) = found
    return script if script != "roman" else _detect_roman(text)


def _check_script(text: str, script: str) -> None:
    """Refuse letters of other scripts where the script is named."""
    family = "roman" if SCRIPTS[script].roman else script
    for letter in _letters_of(text):
        if _script_of(letter) != family:
            raise ReadingError(f"Expected {SCRIPTS[script].label}; got {_name(letter)}, which it does not have.")


def _letters_of(text: str) -> list[str]:
    """Letters and their marks, without what Tamil's superscripts share with Latin punctuation."""
    composed = unicodedata.normalize("NFC", text)
    return [c for c in composed if unicodedata.category(c)[0] in "LM" and c not in "ʼˮ꞉"]


def _script_of(letter: str) -> str:
    for script in INDIC:
        if re.match(f"[{script.letters}]", letter):
            return script.name
    if re.match("[A-Za-z\u00c0-\u017f\u1e00-\u1eff\u0300-\u036f]", letter):
        return "roman"
    raise ReadingError(f"Expected the letters of {_list_scripts()}; got {_name(letter)}.")


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
    scores = {name: _strangeness(to_slp1(_unmark(text, name), name)) for name in candidates}
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


def _list_scripts() -> str:
    return "Devanagari, IAST, SLP1 or another script of India"


def _label(name: str) -> str:
    return "the Latin alphabet" if name == "roman" else SCRIPTS[name].label


def _name(character: str) -> str:
    name = unicodedata.name(character, "unnamed character").lower()
    shown = f"“{character}”, " if character.isprintable() else ""
    return f"{shown}{name} (U+{ord(character):04X})"


# ---------------------------------------------------------------- reading verses


@dataclass(frozen=True)
class Reading:
    """What was read: the script, and the verses, each as its half-verses in SLP1."""

    script: str
    verses: tuple[tuple[str, ...], ...]


def read(text: str, script: str = "auto") -> Reading:
    """Read one or more verses. Daṇḍas, bars, slashes and line breaks end half-verses; double ones end verses."""
    check_characters(text)
    if script != "auto" and script not in SCRIPTS:
        raise ReadingError(f"Expected a script among auto, {', '.join(SCRIPTS)}; got {script!r}.")
    text = _INDIC_ACCENTS.sub("", _INVISIBLE.sub("", text))
    if script == "auto":
        name = detect(text)
    else:
        name = script
        _check_script(text, name)
    if foreign := _foreign(text, name):
        raise ReadingError(f"Expected {SCRIPTS[name].label}; got {_name(foreign)}, which it does not have.")
    slp1 = to_slp1(_unmark(text, name), name)
    _check_letters(slp1, name)
    verses = tuple(_group(slp1))
    if not any(any(c in sounds.VOWELS for c in half) for verse in verses for half in verse):
        raise ReadingError(f"Expected syllables; got consonants without a single vowel: {slp1.strip()[:40]}")
    return Reading(name, verses)


def check_characters(text: str) -> None:
    """Refuse what cannot be a verse in any script."""
    if not text.strip():
        raise ReadingError(f"Expected a Sanskrit verse in {_list_scripts()}; got an empty text.")
    if len(text) > MAX_CHARACTERS:
        raise ReadingError(f"Expected at most {MAX_CHARACTERS:,} characters at once; got {len(text):,}.")
    for position, character in enumerate(text, start=1):
        category = unicodedata.category(character)
        if category in ("Cc", "Cs", "Co", "Cn") and character not in "\t\n\r\v\f":
            raise ReadingError(f"Expected letters; character {position} is U+{ord(character):04X}, which is none.")
        if category == "So":
            raise ReadingError(f"Expected letters; character {position} is {_name(character)}.")


def _unmark(text: str, script: str) -> str:
    """Numbers out, half-verse and verse ends as HALF and END, and what is left of the punctuation out."""
    text = _NUMBER.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    if not SCRIPTS[script].roman:
        text = re.sub(r"(?<=[^\W\d_]|\w):|(?<=[\u0900-\u0d7f]):", "\u0903" if script == "devanagari" else "", text)
    text = _VERSE_MARK.sub(END, text)
    dot = r"\." if script == "slp1" else r"\.(?=\s|$|[\ue000\ue001])"
    text = re.sub(rf"[।|/\n\v\f\u2028\u2029]|{dot}", HALF, text)
    kept = {"velthuis": '"~.', "itrans": "~.^", "tamil": "()"}.get(script, "~")
    punctuation = "".join(c for c in set(text) if unicodedata.category(c)[0] in "PS" and c not in kept + "'’‘ʼ`_\\^ˮ꞉ऽ")
    return text.translate(dict.fromkeys(map(ord, punctuation)))


def _check_letters(slp1: str, script: str) -> None:
    for character in slp1:
        if character not in sounds.LETTERS and not character.isspace() and character not in (HALF, END):
            raise ReadingError(f"Expected {SCRIPTS[script].label}; got {_name(character)}, which it does not have.")


def _group(slp1: str) -> list[tuple[str, ...]]:
    """Half-verses by verse. Two half-verses are one verse whatever marks stand between and after them; four lines
    that only their line ends divide are the four pādas of one verse."""
    groups: list[tuple[str, ...]] = []
    everything: list[str] = []
    for verse in slp1.split(END):
        halves = [" ".join(half.split()) for half in verse.split(HALF)]
        halves = [half for half in halves if any(c in sounds.LETTERS for c in half)]
        everything += halves
        if halves:
            groups.append(
                (f"{halves[0]} {halves[1]}", f"{halves[2]} {halves[3]}") if len(halves) == 4 else tuple(halves)
            )
    return [tuple(everything)] if len(everything) == 2 else groups
