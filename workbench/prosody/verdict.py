"""The strict final checker: skrutable's verdict, our own beside it, and what is wrong where, in words.

Ours says full when the table's metre fits, if need be by a traditional licence, which is then named. skrutable is
called in one place, with clean SLP1 and every half-verse (or pāda, where it would have to guess) on its own line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.prosody import sounds
from workbench.prosody.identify import (
    KRAMA,
    PADANTA,
    Fault,
    Identified,
    Licence,
    Part,
    identify,
    lay_over,
    nearest,
    parts,
)
from workbench.prosody.metres import KINDS, Metre
from workbench.prosody.scansion import WEIGHT_NAMES, Syllable, scan
from workbench.prosody.script import write

SKRUTABLE_PERFECT = 9
SKRUTABLE_PERFECT_UPAJATI = 8
MOST_PARTS = 8  # that a line by itself is said to be
WHOLE_VERSE = "Expected a verse of two half-verses, divided by ।, / or a line break"
ONE = {"pāda": "one pāda", "half": "one half", "three pādas": "three pādas"}
SKRUTABLE_SYLLABLES = 130  # beyond the longest metre's 104 its search for pāda ends takes long and can find nothing


@dataclass(frozen=True)
class SkrutableVerdict:
    label: str
    score: int

    def perfect(self, metre: Metre) -> bool:
        """Whether skrutable names this metre and finds no fault; never where it has no such metre."""
        if not metre.skrutable:
            return False
        if metre.kind == KINDS["upajati"]:
            # It scores a mixture 8, and four like pādas as what they are.
            return self.score >= SKRUTABLE_PERFECT_UPAJATI
        return self.score == SKRUTABLE_PERFECT and self.label.split(" [")[0].split(" = ")[0].startswith(metre.skrutable)


def ask_skrutable(lines: Sequence[str]) -> SkrutableVerdict:
    """skrutable's label and score for a verse, given as its half-verses or its pādas in SLP1."""
    from skrutable.meter_identification import MeterIdentifier

    clean = ["".join(c for c in sounds.plain(line) if c in sounds.LETTERS + " " and c != "'") for line in lines]
    if not 0 < sum(map(sounds.vowels_in, clean)) <= SKRUTABLE_SYLLABLES:
        return SkrutableVerdict("", 0)
    try:
        verse = MeterIdentifier().identify_meter(
            "\n".join(clean), resplit_option="resplit_lite", resplit_keep_midpoint=True, from_scheme="SLP"
        )
    except (KeyError, IndexError, ValueError, TypeError, AttributeError) as failure:
        # It raises on texts far from any verse; that is a verdict too.
        return SkrutableVerdict(f"skrutable failed: {type(failure).__name__}", 0)
    return SkrutableVerdict(verse.meter_label or "", int(verse.identification_score or 0))


@dataclass(frozen=True)
class ScannedPada:
    syllables: tuple[Syllable, ...]
    form: str = ""

    @property
    def weights(self) -> str:
        return "".join(syllable.weight for syllable in self.syllables)


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, located, with a sentence. Numbers count from 1, as people do."""

    sentence: str
    pada: int | None = None
    syllable: int | None = None
    wanted: str = ""
    got: str = ""


@dataclass(frozen=True)
class Verdict:
    halves: tuple[str, ...]  # as they are divided by the metre, where they were not before
    metre: Metre | None
    full: bool
    padas: tuple[ScannedPada, ...]
    problems: tuple[Problem, ...]
    licences: tuple[Problem, ...]
    near: tuple[str, ...]  # other metres the verse is near to
    skrutable: SkrutableVerdict
    complete: bool = True  # two half-verses, as a verse has
    part_of: tuple[str, ...] = ()  # of a line by itself: what it can be, in words

    def perfect(self, metre: Metre) -> bool:
        """Whether this metre is kept to the letter: by skrutable, and where it has no such metre by our table."""
        if metre.skrutable:
            return self.skrutable.perfect(metre)
        return self.full and self.metre == metre and not self.licences


def metre_verdict(halves: Sequence[str], metre: Metre | None = None) -> Verdict:
    """Judge a verse, given as its half-verses in SLP1: as the metre it is in, or as the one it is meant to be in."""
    halves = tuple(halves)
    if len(halves) != 2:
        halves = _two_halves(halves, metre) or halves
    scanned = [scan(half) for half in halves]
    weights = ["".join(syllable.weight for syllable in half) for half in scanned]
    found = _identify(scanned, weights, metre) if len(halves) == 2 else None
    if found is not None:
        padas = _cut(scanned, found.splits, found.forms)
        licences = tuple(_licence_in_words(licence, padas) for licence in found.licences)
        return Verdict(halves, found.metre, True, padas, (), licences, (), _skrutable(halves, found.metre, padas))
    part_of = parts(weights, metre) if len(halves) < 4 else []
    if part_of:
        return _part_verdict(halves, scanned, part_of)
    word_ends = [{at for at, syllable in enumerate(half, start=1) if syllable.word_end} for half in scanned]
    near = nearest(weights, word_ends) if metre is None else [lay_over(metre, weights, word_ends)]
    problems = [] if len(halves) == 2 else [_wrong_number(halves, weights)]
    whole = len(halves) == 2
    if not near:
        lines = tuple(ScannedPada(half) for half in scanned)
        counts = " and ".join(_syllables(len(half)) for half in scanned)
        problems.append(Problem(f"No metre of the table is near to {counts}."))
        return Verdict(halves, None, False, lines, tuple(problems), (), (), ask_skrutable(halves), whole)
    best = near[0]
    padas = _cut(scanned, best.splits, best.forms)
    problems += [_fault_in_words(fault, padas, best.metre) for fault in best.faults]
    others = tuple(other.metre.name for other in near[1:])
    skrutable = _skrutable(halves, best.metre, padas)
    return Verdict(halves, best.metre, False, padas, tuple(problems), (), others, skrutable, whole)


def _part_verdict(lines: tuple[str, ...], scanned: Sequence[tuple[Syllable, ...]], found: Sequence[Part]) -> Verdict:
    """Of lines that are less than a verse: what they can be, drawn as the first of it."""
    first, padas, number = found[0], [], found[0].starts[0]
    for line, cuts in zip(scanned, first.cuts, strict=True):
        begin = 0
        for length in cuts:
            pada = ScannedPada(line[begin : begin + length])
            padas.append(replace(pada, form=first.metre.padas[number].names.get(pada.weights, "")))
            begin, number = begin + length, number + 1
    *others, last = (len(line) for line in scanned)
    count = " + ".join([*map(str, others), _syllables(last)])
    problem = Problem(f"{WHOLE_VERSE}; got {ONE[first.what]} of {count}.")
    words = tuple(part.in_words for part in found[:MOST_PARTS])
    return Verdict(
        lines, first.metre, False, tuple(padas), (problem,), (), (), ask_skrutable(lines), complete=False, part_of=words
    )


def metre_verdicts(lines: Sequence[str], metre: Metre | None = None) -> list[Verdict]:
    """Judge lines that no double daṇḍa divides. Four may be the pādas of one verse or two verses: the reading with
    fewer problems is taken, and two verses only where both are whole; more are verses of two half-verses, an odd one at
    the end going with the last."""
    if len(lines) < 4:
        return [metre_verdict(lines, metre)]
    pairs = in_pairs(lines)
    several = [metre_verdict(pair, metre) for pair in pairs]
    if len(lines) > 4:
        return several
    one = metre_verdict([" ".join(pair) for pair in pairs], metre)
    both = all(verdict.complete for verdict in several)
    return several if both and sum(len(verdict.problems) for verdict in several) < len(one.problems) else [one]


def in_pairs(lines: Sequence[str]) -> list[Sequence[str]]:
    """Lines two by two, an odd one at the end with the last."""
    cuts = list(range(0, len(lines) - 1, 2))
    return [lines[at : at + 2 if at != cuts[-1] else len(lines)] for at in cuts]


def _identify(
    scanned: Sequence[tuple[Syllable, ...]], weights: Sequence[str], metre: Metre | None
) -> Identified | None:
    krama = [(half, at) for half, line in enumerate(scanned) for at, syllable in enumerate(line) if syllable.krama]
    return identify(weights[0], weights[1], krama, metre)


def _two_halves(lines: Sequence[str], metre: Metre | None) -> tuple[str, str] | None:
    """A verse without a daṇḍa, or with one too many: the place between lines, or else between words, at which its two
    parts make a metre, if there is one."""
    parts = lines if len(lines) > 1 else lines[0].split(" ")
    middle = len(" ".join(parts)) / 2
    for at in sorted(range(1, len(parts)), key=lambda at: abs(len(" ".join(parts[:at])) - middle)):
        halves = " ".join(parts[:at]), " ".join(parts[at:])
        scanned = [scan(half) for half in halves]
        if _identify(scanned, ["".join(syllable.weight for syllable in half) for half in scanned], metre) is not None:
            return halves
    return None


def _cut(
    scanned: Sequence[tuple[Syllable, ...]], splits: Sequence[int], forms: Sequence[str]
) -> tuple[ScannedPada, ...]:
    padas = [part for half, at in zip(scanned, splits, strict=True) for part in (half[:at], half[at:])]
    return tuple(ScannedPada(pada, form) for pada, form in zip(padas, forms, strict=True))


def _skrutable(halves: Sequence[str], metre: Metre, padas: Sequence[ScannedPada]) -> SkrutableVerdict:
    # In mora metres the pādas differ in length, and skrutable's search for their ends does not reach far enough.
    if metre.kind == KINDS["jati"] and len(padas) == 4:
        return ask_skrutable(["".join(syllable.slp1 for syllable in pada.syllables) for pada in padas])
    return ask_skrutable(halves)


def _wrong_number(halves: Sequence[str], weights: Sequence[str]) -> Problem:
    if len(halves) == 1:
        return Problem(f"{WHOLE_VERSE}; got one line of {_syllables(len(weights[0]))}.")
    return Problem(f"Expected a verse of two half-verses; got {len(halves)}.")


def _syllables(number: int) -> str:
    return f"{number} syllable{'' if number == 1 else 's'}"


def _akshara(padas: Sequence[ScannedPada], pada: int, syllable: int) -> str:
    return write(padas[pada].syllables[syllable].slp1, "iast")


def _fault_in_words(fault: Fault, padas: Sequence[ScannedPada], metre: Metre) -> Problem:
    number = fault.pada + 1
    if fault.syllable is None:
        return Problem(
            f"Pāda {number} has {_syllables(int(fault.got))}; {metre.name} wants {fault.wanted}.",
            number,
            None,
            fault.wanted,
            fault.got,
        )
    wanted, got = WEIGHT_NAMES[fault.wanted], WEIGHT_NAMES[fault.got]
    akshara = _akshara(padas, fault.pada, fault.syllable)
    return Problem(
        f"Pāda {number}, syllable {fault.syllable + 1} ({akshara}) is {got}; it should be {wanted}.",
        number,
        fault.syllable + 1,
        wanted,
        got,
    )


def _licence_in_words(licence: Licence, padas: Sequence[ScannedPada]) -> Problem:
    akshara = _akshara(padas, licence.pada, licence.syllable)
    why = {
        PADANTA: "it ends the pāda, where a laghu may stand for a guru (pādānte vā)",
        KRAMA: "the conjunct after it begins a word (kramasaṃyoga, Vṛttaratnākara 1.10)",
    }[licence.kind]
    wanted = WEIGHT_NAMES[licence.counts_as]
    sentence = f"Pāda {licence.pada + 1}, syllable {licence.syllable + 1} ({akshara}) counts as {wanted}: {why}."
    got = WEIGHT_NAMES[padas[licence.pada].syllables[licence.syllable].weight]
    return Problem(sentence, licence.pada + 1, licence.syllable + 1, wanted, got)
