"""What the cross-encoder learns from: pairs that are true, of prepared corpora, and who stands beside whom; verses
that a generator composed for the proses of some, with grades; and such verses that careful readers gave points.

Knows the sources; no tokens. The hundredth that is kept for dev is the reader's.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workbench.corpora.blind_readings import BlindReading
from workbench.corpora.files import CorpusError, rows
from workbench.corpora.overlap import for_dev
from workbench.corpora.prepare import texts
from workbench.corpora.texts import clean_english
from workbench.prosody.metres import ANUSTUBH, find
from workbench.semantics.graded import Graded, Padas

GRADING = ("itihasa", "ramayana_modern", "sahitya")  # where what is aligned can be trusted
# Where a generator's verses stand between nothing of the prose and all of it: careful blind readers gave verses of ours
# 2.56 of 5 points. Likeness to the poet's verse and what the reader hears say which of them is better than that.
COMPOSED_MEAN, COMPOSED_SPREAD = 0.39, 0.2
COMPOSED_RANGE = (0.05, 0.9)


@dataclass(frozen=True, slots=True)
class TruePair:
    prose: str
    verse: str  # SLP1
    lengths: tuple[int, ...]  # of its pādas in syllables; none for prose
    source: str
    at: int  # its place in the source


@dataclass(frozen=True, slots=True)
class ComposedVerse:
    verse: str  # SLP1
    grade: float  # from 0 to 1


@dataclass
class JointMaterial:
    graded: list[TruePair]  # whole verses
    dev: list[TruePair]
    composed: dict[str, list[ComposedVerse]] = field(default_factory=dict)  # by prose
    read: list[list[Graded]] = field(default_factory=list)  # a list for every prose

    def __post_init__(self) -> None:
        self.with_composed = [pair for pair in self.graded if pair.prose in self.composed]
        self._places = {(pair.source, pair.at): pair for pair in (*self.graded, *self.dev)}

    def neighbour(self, pair: TruePair, chance: random.Random, within: int) -> TruePair | None:
        """A verse that stands near in the same work."""
        steps = [step for step in range(-within, within + 1) if step]
        chance.shuffle(steps)
        found = (self._places.get((pair.source, pair.at + step)) for step in steps)
        return next((other for other in found if other and other.verse != pair.verse), None)


def composed_verses(
    files: Iterable[Path], graded_by: Sequence[str] = ("chrf", "heard")
) -> dict[str, list[ComposedVerse]]:
    """By prose, what a generator composed for it, from the candidates that `measure choice --described` keeps."""
    found = [line for file in files for line in rows(file)]
    try:
        every = [candidate for line in found for candidate in line["candidates"]]
        means = {name: [statistics.fmean(each), statistics.pstdev(each) or 1.0]
                 for name in graded_by if (each := [candidate[name] for candidate in every])}  # fmt: skip

        def grade(candidate: dict[str, float]) -> float:
            better = statistics.fmean((candidate[name] - mean) / spread for name, (mean, spread) in means.items())
            low, high = COMPOSED_RANGE
            return min(high, max(low, COMPOSED_MEAN + COMPOSED_SPREAD * better))

        return {
            clean_english(line["prose"]): [ComposedVerse(each["verse"], grade(each)) for each in line["candidates"]]
            for line in found
        }
    except KeyError as missing:
        raise CorpusError(
            f"Expected lines that `measure choice --described` wrote, with prose and candidates; {missing} is missing."
        ) from None


def read_verses(read: Sequence[BlindReading]) -> list[list[Graded]]:
    """By prose, with the points of careful readers as grades."""
    by_prose: dict[str, list[Graded]] = {}
    for each in read:
        by_prose.setdefault(each.prose, []).append(Graded(clean_english(each.prose), each.slp1, each.share, "read"))
    return list(by_prose.values())


def material(prepared: Path, composed: Iterable[Path] = (), read: Sequence[list[Graded]] = ()) -> JointMaterial:
    graded = []
    for source in GRADING:
        for at, text in enumerate(texts(prepared, source)):
            lengths = _lengths(text.metre)
            if lengths and not for_dev(text.slp1) and Padas.of(text.slp1, lengths):
                graded.append(TruePair(text.english, text.slp1, lengths, source, at))
    dev = [
        TruePair(text.english, text.slp1, _lengths(text.metre), "itihasa_dev", at)
        for at, text in enumerate(texts(prepared, "itihasa_dev"))
        if text.metre == ANUSTUBH and Padas.of(text.slp1, _lengths(text.metre))
    ]
    if not dev or not graded:
        raise CorpusError(f"Expected a folder that `corpus FOLDER --out {prepared.name}` made; found no verses there.")
    return JointMaterial(graded, dev, composed_verses(composed), list(read))


def _lengths(metre: str) -> tuple[int, ...]:
    """Of a metre whose pādas have one length each."""
    if not metre:
        return ()
    found = [pada.lengths for pada in find(metre).padas]
    return tuple(length[0] for length in found) if all(len(length) == 1 for length in found) else ()
