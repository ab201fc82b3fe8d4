"""From the weights of two half-verses to the metre, its forms, and what is wrong where.

Knows weights and the table of metres; letters only through the positions where a poet may count a syllable light.
Everything is looked up in sets made from the table, so a real verse is identified in a few microseconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, combinations

from workbench.prosody.metres import KINDS, Metre, Pada, all_metres, common
from workbench.prosody.scansion import GURU, LAGHU

PADANTA = "pādānta"
KRAMA = "kramasaṃyoga"
# More syllables than this on which a poet may use the licence are not tried together: no verse needs them.
MAX_KRAMA = 3
NO_METRES: tuple[list[Metre], list[Metre]] = ([], [])


@dataclass(frozen=True)
class Licence:
    """A traditional freedom without which the verse would not fit: which syllable counts as what, and why."""

    kind: str
    pada: int  # from 0
    syllable: int  # from 0
    counts_as: str


@dataclass(frozen=True)
class Identified:
    metre: Metre
    splits: tuple[int, int]  # syllables of the first and of the third pāda
    forms: tuple[str, ...]  # of the four pādas
    licences: tuple[Licence, ...] = ()


def identify(
    first: str, second: str, krama: Sequence[tuple[int, int]] = (), metre: Metre | None = None
) -> Identified | None:
    """The metre of a verse, from the weights of its halves. `krama` lists (half, syllable) that may count as light;
    with a metre only that one is tried.

    A verse that needs no licence is preferred to one that does, the pāda's end to the kramasaṃyoga; and a metre with
    every weight fixed, even by a licence of the pāda's end, to a general one of which it is a case.
    """
    metres, general = _by_lengths().get((len(first), len(second)), NO_METRES) if metre is None else ([metre], [])
    found = _strict(metres, first, second)
    if found is not None:
        return found
    for light in _subsets(krama):
        halves = [first, second]
        for half, syllable in light:
            halves[half] = halves[half][:syllable] + LAGHU + halves[half][syllable + 1 :]
        found = (_strict(metres, *halves) if light else None) or _with_free_ends(metres, *halves)
        found = found or _strict(general, *halves)
        if found is not None:
            licences = [_locate(KRAMA, half, syllable, found.splits) for half, syllable in light]
            return Identified(found.metre, found.splits, found.forms, (*licences, *found.licences))
    return None


def _subsets(positions: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], ...]]:
    for size in range(min(len(positions), MAX_KRAMA) + 1):
        yield from combinations(positions, size)


def _locate(kind: str, half: int, syllable: int, splits: tuple[int, int]) -> Licence:
    within = syllable < splits[half]
    pada = 2 * half + (not within)
    return Licence(kind, pada, syllable if within else syllable - splits[half], LAGHU)


@lru_cache(maxsize=1)
def _by_lengths() -> dict[tuple[int, int], tuple[list[Metre], list[Metre]]]:
    """Metres by the syllables of their halves, in the table's order, the general ones apart."""
    index: dict[tuple[int, int], tuple[list[Metre], list[Metre]]] = defaultdict(lambda: ([], []))
    for metre in all_metres():
        one, two, three, four = (pada.lengths for pada in metre.padas)
        for first in sorted({a + b for a in one for b in two}):
            for second in sorted({c + d for c in three for d in four}):
                index[first, second][metre.general].append(metre)
    return dict(index)


def _strict(metres: Sequence[Metre], first: str, second: str) -> Identified | None:
    for metre in metres:
        one, two, three, four = metre.padas
        for ab in one.lengths:
            if first[:ab] in one.weights and first[ab:] in two.weights:
                for cd in three.lengths:
                    if second[:cd] in three.weights and second[cd:] in four.weights:
                        forms = (
                            one.names[first[:ab]],
                            two.names[first[ab:]],
                            three.names[second[:cd]],
                            four.names[second[cd:]],
                        )
                        return Identified(metre, (ab, cd), forms)
    return None


@lru_cache(maxsize=1)
def _written_ends() -> frozenset[str]:
    """Metres that write the last syllable of their pādas: ardhasama- and viṣamavṛttas. In all others it is free
    already, but for the mora metres, where a pāda's end frees nothing inside a half-verse."""
    return frozenset(metre.name for metre in all_metres() if metre.kind in (KINDS["ardhasama"], KINDS["visama"]))


def _with_free_ends(metres: Sequence[Metre], first: str, second: str) -> Identified | None:
    """As `_strict`, where a pāda's light last syllable may stand for a heavy one."""
    for metre in metres:
        if metre.name not in _written_ends():
            continue
        (ab,), (cd,) = metre.padas[0].lengths, metre.padas[2].lengths
        licences, forms = [], []
        given = (first[:ab], first[ab:], second[:cd], second[cd:])
        for number, (pada, weights) in enumerate(zip(metre.padas, given, strict=True)):
            if weights not in pada.weights:
                weights = weights[:-1] + GURU
                licences.append(Licence(PADANTA, number, len(weights) - 1, GURU))
            forms.append(pada.names.get(weights))
        if None not in forms:
            return Identified(metre, (ab, cd), tuple(map(str, forms)), tuple(licences))
    return None


# ---------------------------------------------------------------- less than a verse


PARTS = {1: "pāda", 2: "half", 3: "three pādas"}  # by how many pādas they are


@dataclass(frozen=True)
class Part:
    """What lines that are no whole verse can be: pādas of a metre in a row."""

    metre: Metre
    starts: tuple[int, ...]  # the pādas, from 0, that the first of them can be
    cuts: tuple[tuple[int, ...], ...]  # of each line, the syllables of its pādas

    @property
    def size(self) -> int:
        """How many pādas they are."""
        return sum(map(len, self.cuts))

    @property
    def what(self) -> str:
        return PARTS[self.size]

    @property
    def in_words(self) -> str:
        everywhere = {1: 4, 2: 2, 3: 1}[self.size]
        numbers = [start // 2 + 1 if self.size == 2 else start + 1 for start in self.starts]
        which = "" if len(self.starts) >= everywhere else f"{' or '.join(map(str, numbers))} "
        return f"{self.what} {which}of {self.metre.name}"


def parts(lines: Sequence[str], metre: Metre | None = None) -> list[Part]:
    """What lines can be that are no whole verse, each given as its weights and each a pāda or a half-verse. Metres with
    every weight fixed come before mixtures, these before general ones, and among each the common ones first."""
    found = []
    for each in _likeliest_first() if metre is None else (metre,):
        laid = {start: cuts for start in range(4) if (cuts := _laid(each, lines, start)) is not None}
        size = sum(map(len, next(iter(laid.values()), ())))
        # Two pādas that are no half, such as the second and third, are not worth a word; three begin wherever they do.
        starts = tuple(start for start in laid if size != 2 or start % 2 == 0)
        if starts and size in PARTS:
            found.append(Part(each, starts, laid[starts[0]]))
    return found


@lru_cache(maxsize=1)
def _likeliest_first() -> tuple[Metre, ...]:
    metres = dict.fromkeys((*common(), *all_metres()))
    return tuple(sorted(metres, key=lambda metre: (metre.general, metre.kind == KINDS["upajati"])))


def _laid(metre: Metre, lines: Sequence[str], start: int) -> tuple[tuple[int, ...], ...] | None:
    """How lines are pādas of a metre from one of them on: of each line, the syllables of its pādas."""
    if not lines:
        return ()
    if start > 3:
        return None
    line, rest = lines[0], lines[1:]
    if _is_pada(metre, start, line) and (more := _laid(metre, rest, start + 1)) is not None:
        return (len(line),), *more
    for cut in metre.padas[start].lengths if start % 2 == 0 else ():
        if _is_pada(metre, start, line[:cut]) and _is_pada(metre, start + 1, line[cut:]):
            more = _laid(metre, rest, start + 2)
            if more is not None:
                return (cut, len(line) - cut), *more
    return None


def _is_pada(metre: Metre, number: int, weights: str) -> bool:
    fillings = metre.padas[number].weights
    return weights in fillings or (metre.name in _written_ends() and weights[:-1] + GURU in fillings)


# ---------------------------------------------------------------- what is wrong where


@dataclass(frozen=True)
class Fault:
    """Something that does not fit: one syllable's weight, or, where `syllable` is None, the number of syllables."""

    pada: int  # from 0
    syllable: int | None  # from 0
    wanted: str  # l or g; or how many syllables
    got: str


@dataclass(frozen=True)
class Nearness:
    """A metre laid over a verse that does not fit it."""

    metre: Metre
    cost: float
    splits: tuple[int, ...]  # syllables of the first pāda of each half
    forms: tuple[str, ...]
    faults: tuple[Fault, ...]


LENGTH_COST = 2.0  # one syllable too many or too few is worse than one of the wrong weight
MAX_SURPLUS = 6  # beyond it, weights are not compared: a pāda so much too long or too short is another one
WORD_COST = 0.5  # a pāda that ends inside a word, where the verse does not fit anyway, is the less likely reading

# For each half-verse, after which syllables (counted from 1) a word ends.
WordEnds = Sequence[Collection[int]]


def lay_over(metre: Metre, halves: Sequence[str], word_ends: WordEnds = ()) -> Nearness:
    """The best way to see half-verses as this metre, with every fault. Half-verses beyond two repeat the pattern."""
    cost, splits, forms, faults = 0.0, [], [], []
    for number, half in enumerate(halves):
        one, two = metre.padas[2 * number % 4 : 2 * number % 4 + 2]
        ends = word_ends[number] if word_ends else range(len(half) + 1)
        half_cost, split = min(
            (_pada_cost(one, half[:at])[0] + _pada_cost(two, half[at:])[0] + WORD_COST * (at not in ends), at)
            for at in _cuts(one, two, len(half))
        )
        cost += half_cost
        splits.append(split)
        for offset, (pada, weights) in enumerate(((one, half[:split]), (two, half[split:]))):
            _, filling = _pada_cost(pada, weights)
            forms.append(pada.names[weights] if weights == filling else "")
            faults += _faults(2 * number + offset, weights, filling, pada)
    return Nearness(metre, cost if faults else 0.0, tuple(splits), tuple(forms), tuple(faults))


def _cuts(one: Pada, two: Pada, length: int) -> range:
    """Where a half-verse may be cut: as the first pāda wants, as the second wants, or in between."""
    low = min(one.lengths[0], length - two.lengths[-1])
    high = max(one.lengths[-1], length - two.lengths[0])
    return range(max(0, low), min(length, high) + 1)


@lru_cache(maxsize=4096)
def _pada_cost(pada: Pada, weights: str) -> tuple[float, str]:
    """How far weights are from a pāda, and the nearest filling."""
    if weights in pada.weights:
        return 0.0, weights
    length = min(pada.lengths, key=lambda candidate: abs(candidate - len(weights)))
    surplus = abs(length - len(weights))
    if surplus > MAX_SURPLUS:
        return LENGTH_COST * surplus, min(filling for filling in pada.weights if len(filling) == length)
    return min(
        (LENGTH_COST * surplus + _mismatches(weights, filling), filling)
        for filling in pada.weights
        if len(filling) == length
    )


def _mismatches(one: str, other: str) -> int:
    """Wrong weights that remain when the longer of two patterns is shortened as well as it can be."""
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    surplus = len(longer) - len(shorter)
    best = [0] * (surplus + 1)  # by how many syllables of the longer have been passed over
    for at, weight in enumerate(shorter):
        best = [cost + (longer[at + passed] != weight) for passed, cost in enumerate(accumulate(best, min))]
    return min(best)


def _faults(number: int, weights: str, nearest: str, pada: Pada) -> list[Fault]:
    if len(weights) != len(nearest):
        return [Fault(number, None, " or ".join(map(str, pada.lengths)), str(len(weights)))]
    return [
        Fault(number, at, wanted, got)
        for at, (got, wanted) in enumerate(zip(weights, nearest, strict=True))
        if got != wanted
    ]


def nearest(halves: Sequence[str], word_ends: WordEnds = (), most: int = 3) -> list[Nearness]:
    """Metres that the half-verses come near to, nearest first; none when nothing is near."""
    syllables = sum(map(len, halves))
    candidates = [
        metre
        for metre in all_metres()
        if all(_reach(metre, number % 2, len(half)) <= 3 for number, half in enumerate(halves))
    ]
    laid = sorted((lay_over(metre, halves, word_ends) for metre in candidates), key=lambda near: near.cost)
    return [near for near in laid if near.cost <= syllables / 4][:most]


def _reach(metre: Metre, half: int, length: int) -> int:
    """How many syllables a half-verse is longer or shorter than the metre's."""
    one, two = metre.padas[2 * half : 2 * half + 2]
    return max(one.lengths[0] + two.lengths[0] - length, length - one.lengths[-1] - two.lengths[-1], 0)
