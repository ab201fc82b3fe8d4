"""What the cross-encoder learns from: pairs that are true, of prepared corpora, and who stands beside whom.

Knows the sources; no tokens. The hundredth that is kept for dev is the reader's.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from workbench.corpora.files import CorpusError
from workbench.corpora.overlap import for_dev
from workbench.corpora.prepare import ANUSTUBH, texts
from workbench.prosody.metres import find
from workbench.semantics.graded import Padas

# Where what is aligned can be trusted; the first also for grading.
GRADING = ("itihasa", "ramayana_modern", "sahitya")
ALIGNING = (*GRADING, "hitopadesha", "saamayik", "bible", "mitra")


@dataclass(frozen=True, slots=True)
class TruePair:
    prose: str
    verse: str  # SLP1
    lengths: tuple[int, ...]  # of its pādas in syllables; none for prose
    source: str
    at: int  # its place in the source


@dataclass
class JointMaterial:
    pairs: list[TruePair]  # to find hidden words in
    graded: list[TruePair]  # whole verses, to grade
    dev: list[TruePair]

    def __post_init__(self) -> None:
        self._places = {(pair.source, pair.at): pair for pair in (*self.graded, *self.dev)}

    def neighbour(self, pair: TruePair, chance: random.Random, within: int) -> TruePair | None:
        """A verse that stands near in the same work."""
        steps = [step for step in range(-within, within + 1) if step]
        chance.shuffle(steps)
        found = (self._places.get((pair.source, pair.at + step)) for step in steps)
        return next((other for other in found if other and other.verse != pair.verse), None)


def material(prepared: Path) -> JointMaterial:
    pairs, graded = [], []
    for source in ALIGNING:
        for at, text in enumerate(texts(prepared, source)):
            if for_dev(text.slp1):
                continue
            lengths = _lengths(text.metre)
            pair = TruePair(text.english, text.slp1, lengths, source, at)
            pairs.append(pair)
            if source in GRADING and lengths and Padas.of(text.slp1, lengths):
                graded.append(pair)
    dev = [
        TruePair(text.english, text.slp1, _lengths(text.metre), "itihasa_dev", at)
        for at, text in enumerate(texts(prepared, "itihasa_dev"))
        if text.metre == ANUSTUBH and Padas.of(text.slp1, _lengths(text.metre))
    ]
    if not dev or not graded:
        raise CorpusError(f"Expected a folder that `corpus FOLDER --out {prepared.name}` made; found no verses there.")
    return JointMaterial(pairs, graded, dev)


def _lengths(metre: str) -> tuple[int, ...]:
    """Of a metre whose pādas have one length each."""
    if not metre:
        return ()
    found = [pada.lengths for pada in find(metre).padas]
    return tuple(length[0] for length in found) if all(len(length) == 1 for length in found) else ()
