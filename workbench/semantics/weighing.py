"""The judge that ranks: what the cross-encoder says of prose and verse, and what the reader hears, weighed together.

Each alone is fooled where the other is not: the cross-encoder reads both at once but has learnt for hours only, the
reader hears words and not who does what to whom; words that come again are charged. The weights are fitted on verses
whose meaning is graded (training/judge_weights.py) and stand beside the cross-encoder's, with the names and hashes of
the judges they were fitted with: with others they would mean nothing. Knows judges by what they answer; no search.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.prosody.verse import Verse
from workbench.semantics import JudgeError, joint_encoder
from workbench.semantics.joint_encoder import JointJudge
from workbench.semantics.reader import Reader
from workbench.semantics.support import share_heard
from workbench.semantics.verse_spelling import HALVES

FILE = "weights.json"
READER = "heard"  # the register's name of the reader as a judge
NEEDS = (READER,)  # judges that have to be there before this one loads
Table = npt.NDArray[np.float64]  # pairs x features


@dataclass(frozen=True)
class Weight:
    """Of a feature: what it is on the average and how far it strays from that, and what it counts."""

    mean: float
    spread: float
    weight: float


@dataclass(frozen=True)
class Weights:
    features: Mapping[str, Weight]
    bias: float
    reader: str  # name and hash of the one that was heard
    data: str  # what they were fitted on

    def apply(self, table: Mapping[str, npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
        """A number from 0 to 1 for each pair."""
        total = sum(
            (each.weight * (table[name] - each.mean) / each.spread for name, each in self.features.items()), 0.0
        )
        found: npt.NDArray[np.float64] = 1 / (1 + np.exp(-(total + self.bias)))
        return found

    def save(self, folder: Path) -> None:
        (folder / FILE).write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Weights:
        stored: dict[str, Any] = json.loads((folder / FILE).read_text(encoding="utf-8"))
        features = {name: Weight(**each) for name, each in stored.pop("features").items()}
        return cls(features, **stored)


class Features:
    """What is weighed, by name: a number for each pair."""

    def __init__(self, joint: JointJudge, reader: Reader) -> None:
        self._joint, self._reader = joint, reader

    def __call__(self, proses: Sequence[str], verses: Sequence[Verse]) -> dict[str, npt.NDArray[np.float64]]:
        logits, gains = self._joint.read(proses, verses)
        supports = [self._reader.support_of_pieces(prose, each[:-1]) for prose, each in zip(proses, gains, strict=True)]
        return {
            "cross": np.array(logits),
            "heard": np.array([share_heard(words) for words in supports]),
            "gain": np.array([sum(word.nats for word in words) / max(1, len(words)) for words in supports]),
            "repeated": np.array([repeated(verse) for verse in verses]),
        }


def repeated(verse: Verse) -> float:
    """The share of its longer words that begin as another does."""
    stems = verse.stems
    return 1 - len(set(stems)) / len(stems) if stems else 0.0


class WeighingJudge:
    spelling = HALVES

    def __init__(self, features: Features, weights: Weights) -> None:
        self._features, self._weights = features, weights

    def score(self, proses: Sequence[str], verses: Sequence[Verse]) -> list[float]:
        """From 0 to 1: how much of each prose its verse says."""
        return [float(each) for each in self._weights.apply(self._features(proses, verses))] if proses else []


def features_of(folder: Path) -> tuple[Features, str]:
    """Of the cross-encoder in a folder and the reader at hand, and that reader's name and hash."""
    from workbench.semantics.judges import judge_identity, judges, place
    from workbench.semantics.registry import judge_entries

    entry = judge_entries()[READER]
    heard: Any = judges().judge(READER)
    return Features(joint_encoder.load(folder, Path(place(entry))), heard.reader), judge_identity(entry)


def _hash(identity: str) -> str:
    """Of a name with a hash, the hash: the same reader may stand in a folder of another name."""
    return identity.rpartition("#")[2]


def load(where: str | Path) -> WeighingJudge:
    folder = Path(where)
    if not (folder / FILE).is_file():
        raise JudgeError(f"Expected weights in {folder.name}/{FILE}; found none. `train judge-weights` makes them.")
    weights = Weights.load(folder)
    features, reader = features_of(folder)
    if _hash(weights.reader) != _hash(reader):
        raise JudgeError(f"Expected the reader that the judge was fitted with, {weights.reader}; got {reader}.")
    return WeighingJudge(features, weights)
