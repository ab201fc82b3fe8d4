"""The metres, read from metres.toml into four pādas each, every pāda a set of weight patterns with a name.

All kinds of metre come to the same shape here (anuṣṭubh with its vipulās, syllabic metres, mixtures, mora metres), so
what stands on top (acceptor, identification, faults) has no case for any of them. Knows weights, not letters.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import product
from os.path import commonprefix
from typing import Any

from workbench.prosody.script import to_slp1, write
from workbench.refusal import Refusal

GANAS = {"ya": "lgg", "ma": "ggg", "ta": "ggl", "ra": "glg", "ja": "lgl", "bha": "gll", "na": "lll", "sa": "llg",
         "la": "l", "ga": "g"}  # fmt: skip

ANUSTUBH = "anuṣṭubh"
KINDS = {
    "anustubh": ANUSTUBH,
    "sama": "samavṛtta",
    "dandaka": "daṇḍaka",
    "ardhasama": "ardhasamavṛtta",
    "visama": "viṣamavṛtta",
    "upajati": "upajāti",
    "jati": "jāti",
}


# Where an entry of the table names no source of its own.
APTE, HAHN = "Apte 1890, Appendix A", "Hahn 2014"
SOURCES = {"anustubh": HAHN, "sama": APTE, "dandaka": APTE, "ardhasama": APTE, "visama": APTE, "upajati": APTE,
           "jati": HAHN}  # fmt: skip


class UnknownMetre(Refusal):
    """No metre of that name; the message names the nearest."""


@dataclass(frozen=True)
class Form:
    """One way to fill a pāda: `pathyā`, `indravajrā`, or without a name where there is only one."""

    name: str
    pattern: str

    @cached_property
    def weights(self) -> frozenset[str]:
        """Every string of l and g that the pattern stands for."""
        return frozenset(_expand(self.pattern))

    def divided(self, weights: str) -> tuple[str, ...]:
        """Weights that fill it, as the parts that the pattern is written in: in mora metres its gaṇas."""
        parts = (part.strip("()").replace("x", "[lg]") for part in self.pattern.split())
        found = re.fullmatch("".join(f"({part})" for part in parts), weights)
        return found.groups() if found else ()

    @cached_property
    def outline(self) -> str:
        """Its weights as far as they are fixed, and in between, as a number, so many morae in any way: `8l5g`."""
        drawn: list[str | int] = []
        for part in self.pattern.split():
            ways = part.strip("()").split("|")
            begin = commonprefix(ways)
            rests = [way[len(begin) :] for way in ways]
            end = commonprefix([rest[::-1] for rest in rests])
            free = _morae(rests[0]) - _morae(end)
            for each in (begin, free, end[::-1]):
                if isinstance(each, int) and drawn and isinstance(drawn[-1], int):
                    drawn[-1] += each
                elif each:
                    drawn.append(each)
        return "".join(map(str, drawn))


@dataclass(frozen=True)
class Pada:
    forms: tuple[Form, ...]
    yati: tuple[int, ...] = ()

    @cached_property
    def weights(self) -> frozenset[str]:
        return frozenset().union(*(form.weights for form in self.forms))

    @cached_property
    def names(self) -> dict[str, str]:
        """The form of each weight string."""
        return {weights: form.name for form in reversed(self.forms) for weights in form.weights}

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        return tuple(sorted({len(weights) for weights in self.weights}))


@dataclass(frozen=True)
class Metre:
    name: str
    kind: str
    padas: tuple[Pada, Pada, Pada, Pada]
    ganas: str = ""
    also: tuple[str, ...] = ()
    source: str = ""
    skrutable: str = ""  # how skrutable's label begins; empty where it has no such metre
    general: bool = False  # so free that metres with every weight fixed are cases of it, and are named first

    @property
    def syllables(self) -> int | None:
        """Syllables of a verse, or None where they vary."""
        lengths = [pada.lengths for pada in self.padas]
        return sum(length[0] for length in lengths) if all(len(length) == 1 for length in lengths) else None

    @property
    def unit(self) -> str:
        """What a verse is counted in."""
        return "morae" if self.kind == KINDS["jati"] else "syllables"

    @property
    def morae(self) -> tuple[int, ...]:
        """Of each pāda, where it is filled to its end."""
        return tuple(max(map(_morae, pada.weights)) for pada in self.padas)

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """How many syllables, or morae, a verse may have: mostly one number."""
        if self.unit == "morae":
            return (sum(self.morae),)
        sums = {0}
        for pada in self.padas:
            sums = {before + length for before in sums for length in pada.lengths}
        return tuple(sorted(sums))

    def count(self, halves: Sequence[str]) -> int:
        """How many syllables, or morae, there are in half-verses given as weights. A light syllable that ends a half
        counts as long where a mora is lacking."""
        if self.unit == "syllables":
            return sum(map(len, halves))
        morae = sum(map(_morae, halves))
        return max(morae, min(morae + sum(half.endswith("l") for half in halves), self.lengths[0]))

    @cached_property
    def outline(self) -> tuple[str, ...]:
        """Its pādas for a list, those that are alike once: l, g, or x where a weight is free, a number where so many
        morae are, a space where a word should end, | between two lengths. Of anuṣṭubh the common form; nothing of
        mixtures that have next to nothing in common."""
        drawn = [_outlined(pada, first_form=self.kind == KINDS["anustubh"]) for pada in self.padas]
        if not all(drawn):
            return ()
        return tuple(drawn[:1] if len(set(drawn)) == 1 else drawn[:2] if drawn[:2] == drawn[2:] else drawn)

    def mora_count(self, weights: str) -> tuple[int, tuple[str, ...]]:
        """The morae of a pāda, and its gaṇas where it fits: a light end counts as long where a mora is lacking."""
        for pada in self.padas:
            for form in pada.forms:
                if weights in form.weights:
                    return max(map(_morae, pada.weights)) if weights.endswith("l") else _morae(weights), form.divided(
                        weights
                    )
        return _morae(weights), ()

    @property
    def summary(self) -> str:
        """A few words for a list: `4 × 8, pathyā and vipulās`."""
        if self.kind == KINDS["anustubh"]:
            return "4 × 8, pathyā and vipulās"
        if self.kind == KINDS["jati"]:
            return " + ".join(map(str, self.morae)) + " morae"
        lengths = ["–".join(map(str, pada.lengths)) for pada in self.padas]
        return f"4 × {lengths[0]}" if len(set(lengths)) == 1 else " + ".join(lengths)


def _outlined(pada: Pada, first_form: bool) -> str:
    if len(pada.lengths) > 1 and len(pada.forms) == 1:
        return pada.forms[0].outline
    fillings = pada.forms[0].weights if first_form else pada.weights
    drawn = [_shared([each for each in fillings if len(each) == length]) for length in pada.lengths]
    if len(drawn) > 1 and any(2 * each.count("x") > len(each) for each in drawn):
        return ""
    return "|".join(drawn) if len(drawn) > 1 else _parted(pada, drawn[0])


def _shared(fillings: Iterable[str]) -> str:
    """The weights that all of them have."""
    return "".join(each[0] if len(set(each)) == 1 else "x" for each in zip(*fillings, strict=True))


def _parted(pada: Pada, weights: str) -> str:
    ends = [sum(pada.yati[:at]) for at in range(len(pada.yati))] or [0]
    return " ".join(weights[begin:end] for begin, end in zip(ends, [*ends[1:], len(weights)], strict=True))


def _morae(weights: str) -> int:
    return len(weights) + weights.count("g")


def _expand(pattern: str) -> list[str]:
    """`x (lg|gl) g` -> llgg, lglg, ... Parts are multiplied out; patterns of the table have at most 320 fillings."""
    parts = re.findall(r"\([^)]*\)|[lgx]", pattern)
    if "".join(parts) != pattern.replace(" ", ""):
        raise ValueError(f"Expected l, g, x and (…|…) in a pattern; got {pattern!r}.")
    choices = [("l", "g") if part == "x" else part.strip("()").split("|") for part in parts]
    return ["".join(filling) for filling in product(*choices)]


def _from_ganas(ganas: str, free_end: bool) -> str:
    try:
        weights = "".join(GANAS[gana] for gana in ganas.split())
    except KeyError as unknown:
        raise ValueError(f"Expected gaṇas among {', '.join(GANAS)}; got {unknown} in {ganas!r}.") from None
    return weights[:-1] + "x" if free_end else weights


def _parse(table: dict[str, Any]) -> list[Metre]:
    metres: dict[str, Metre] = {}

    def add(kind: str, name: str, entry: dict[str, Any], *padas: Pada) -> None:
        if name in metres:
            raise ValueError(f"Expected each metre once; got {name} twice.")
        one, two, three, four = padas
        metres[name] = Metre(
            name,
            KINDS[kind],
            (one, two, three, four),
            entry.get("ganas", ""),
            tuple(entry.get("also", ())),
            entry.get("source", SOURCES[kind]),
            entry.get("skrutable", name),
            "alternating" in entry or entry.get("general", False),
        )

    def plain(pattern: str, yati: list[int] | None = None) -> Pada:
        pada = Pada((Form("", pattern),), tuple(yati or ()))
        if yati and sum(yati) != pada.lengths[0]:
            raise ValueError(f"Expected the yati {yati} to fill a pāda of {pada.lengths[0]} syllables.")
        return pada

    for name, entry in table["anustubh"].items():
        odd, even = (Pada(tuple(Form(**form) for form in entry[key])) for key in ("odd", "even"))
        add("anustubh", name, entry, odd, even, odd, even)
    for name, entry in table["sama"].items():
        free = len(entry["ganas"].split()) > 1  # a pāda of one gaṇa would have little left to know it by
        add("sama", name, entry, *[plain(_from_ganas(entry["ganas"], free), entry.get("yati"))] * 4)
    for name, entry in table["dandaka"].items():
        ganas = " ".join([entry["ganas"], *[entry["again"]] * entry["times"]])
        add("dandaka", name, {**entry, "ganas": ganas}, *[plain(_from_ganas(ganas, free_end=True))] * 4)
    for name, entry in table["ardhasama"].items():
        odd, even = (plain(_from_ganas(entry[key], free_end=False)) for key in ("odd", "even"))
        add("ardhasama", name, entry, odd, even, odd, even)
    for name, entry in table["visama"].items():
        add("visama", name, entry, *(plain(_from_ganas(ganas, free_end=False)) for ganas in entry["padas"]))

    def mixed(parts: list[str]) -> Pada:
        return Pada(tuple(Form(part, metres[part].padas[0].forms[0].pattern) for part in parts))

    for name, entry in table["upajati"].items():
        padas = [mixed([part]) for part in entry["padas"]] * 2 if "padas" in entry else [mixed(entry["of"])] * 4
        add("upajati", name, {**entry, "skrutable": "upajāti"}, *padas)

    def measured(*names: str) -> Pada:
        gana, pada = table["jati"]["gana"], table["jati"]["pada"]
        patterns = (" ".join(gana.get(each, each) for each in pada[name].split()) for name in names)
        forms = [Form(name.split(",")[0] if len(names) > 1 else "", p) for name, p in zip(names, patterns, strict=True)]
        return Pada(tuple(forms))

    for name, entry in table["jati"]["metre"].items():
        if "alternating" not in entry:
            add("jati", name, entry, *(measured(str(pada)) for pada in entry.get("morae") or entry["padas"]))
        else:
            odd, even = (measured(*(f"{part}, {which}" for part in entry["alternating"])) for which in ("odd", "even"))
            add("jati", name, entry, odd, even, odd, even)
    return list(metres.values())


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    text = files("workbench.prosody").joinpath("metres.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=1)
def all_metres() -> tuple[Metre, ...]:
    return tuple(_parse(_table()))


LONGEST_NAME = 200  # characters that somebody may type for a metre
FEWEST_LETTERS = 4  # of the beginning of a name that may stand for the whole
_DEVANAGARI = re.compile("[ऀ-ॿ]")
# How people write what IAST has a letter for, brought to the plainer one on both sides, in this order. The first of a
# pair is a regular expression that a browser reads too, since the page searches as it is typed into.
SPELLINGS = (
    ("z", "s"), ("x", "ks"), ("sh", "s"), ("ch+", "c"), ("r[iu]", "r"), ("w", "v"), ("ee", "i"), ("oo", "u"),
    ("ng", "n"), ("(a)[mh]$", "a"), ("m", "n"), ("([bdgkpt])h", "$1"), ("(.)\\1", "$1"), ("a$", ""),
)  # fmt: skip


def fold(name: str) -> str:
    """A name without diacritics, capitals and spaces: `Vasantatilaka` is vasantatilakā."""
    decomposed = unicodedata.normalize("NFD", name[:LONGEST_NAME].lower())
    return "".join(c for c in decomposed if c.isalnum())


def plain_name(name: str) -> str:
    """A name as it is searched for: whatever romanisation or Devanagari it is written in, doubled letters single."""
    text = fold(write(to_slp1(name[:LONGEST_NAME], "devanagari"), "iast") if _DEVANAGARI.search(name) else name)
    for written, plain in SPELLINGS:
        text = re.sub(written, plain.replace("$1", r"\1"), text)
    return text


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Metre]:
    return {fold(name): metre for metre in all_metres() for name in (metre.name, *metre.also)}


@lru_cache(maxsize=1)
def _by_plain_name() -> dict[str, list[Metre]]:
    """One metre each, or several whose names differ in nothing but what people leave out."""
    found: dict[str, list[Metre]] = {}
    for metre in all_metres():
        for name in dict.fromkeys(map(plain_name, (metre.name, *metre.also))):
            found.setdefault(name, []).append(metre)
    return found


@lru_cache(maxsize=1)
def common() -> tuple[Metre, ...]:
    """What people choose oftenest, first things first."""
    return tuple(find(name) for name in _table()["common"])


def search(text: str) -> list[Metre]:
    """Metres by what somebody types: any part of any of their names, with or without diacritics, spelled as people do
    (shardula, sloka), or the number of syllables of a pāda. The likeliest first; everything, where nothing is typed."""
    order = {metre.name: at for at, metre in enumerate(dict.fromkeys((*common(), *all_metres())))}
    asked = plain_name(text)
    if asked.isdigit():
        found = [metre for metre in all_metres() if {(int(asked),)} == {pada.lengths for pada in metre.padas}]
        return sorted(found, key=lambda metre: order[metre.name])
    ranked = []
    for metre in all_metres():
        names = [plain_name(name) for name in (metre.name, *metre.also, metre.kind)]
        places = [(name != asked, name.find(asked)) for name in names if asked in name]
        if places:
            unlike, at = min(places)
            ranked.append((unlike, at > 0, metre not in common(), order[metre.name], metre))
    return [metre for *_, metre in sorted(ranked, key=lambda each: each[:-1])]


def find(name: str) -> Metre:
    """The metre of a name, in IAST with or without diacritics or as people spell it, or by one of its other names; or
    by how a name begins, where one metre alone, or one common one, begins so: `shardula`."""
    if len(name) > LONGEST_NAME:
        raise UnknownMetre(f"Expected a metre of the table; got a name of {len(name):,} characters.")
    if fold(name) in _by_name():
        return _by_name()[fold(name)]
    asked = plain_name(name)
    found = _by_plain_name().get(asked) or _begun_so(asked)
    if len(found) == 1:
        return found[0]
    if found:
        several = ", ".join(metre.name for metre in found[:5])
        raise UnknownMetre(f"Expected one metre of the table; got {name!r}, which may be {several}.")
    from difflib import get_close_matches

    near = [_by_name()[key].name for key in get_close_matches(fold(name), _by_name(), n=3)]
    hint = f"; did you mean {', '.join(near)}?" if near else ", such as anuṣṭubh or vasantatilakā."
    raise UnknownMetre(f"Expected a metre of the table; got {name!r}{hint}")


def _begun_so(asked: str) -> list[Metre]:
    """Metres one of whose names begins so: the common one, where there is one."""
    if len(asked) < FEWEST_LETTERS:
        return []
    begun = [metre for name, metres in _by_plain_name().items() if name.startswith(asked) for metre in metres]
    likely = [metre for metre in dict.fromkeys(begun) if metre in common()]
    return likely if len(likely) == 1 else list(dict.fromkeys(begun))
