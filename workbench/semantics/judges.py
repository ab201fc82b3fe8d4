"""The judges of meaning that are at hand: bi-encoder, cross-encoder and calibration, loaded once when first asked.

Which ones is a folder's or the Hub's name: the embedded ones, unless PINGALA_BI_ENCODER or PINGALA_CROSS_ENCODER says
otherwise; `none` does without. Without a calibration a score is a probability and says so.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from workbench.prosody.verse import Verse
from workbench.semantics import BI_ENCODER, CROSS_ENCODER, JudgeError, biencoder, calibration, crossencoder
from workbench.semantics.calibration import Calibration
from workbench.semantics.spelling import fingerprint

ROOT = Path(__file__).resolve().parents[2]
CALIBRATION = "PINGALA_CALIBRATION"  # a file
DATA = "PINGALA_DATA"  # the folder for data, in which it is otherwise
NONE = "none"  # in place of a judge's name: no judge, and verses stand in the generator's order
_lock = threading.Lock()


@dataclass(frozen=True)
class Scores:
    """What the judges say of one pair. `bi` is None where only what ranks was asked, `calibrated` as long as nobody has
    rated."""

    bi: float | None
    cross: float
    calibrated: float | None


def _place(variable: str, embedded: str, command: str) -> str:
    named = os.environ.get(variable)
    if named == NONE:
        raise JudgeError(f"{variable} is {NONE}: no {command} is asked.")
    if named:
        return named
    folder = ROOT / embedded
    if not folder.is_dir():
        raise JudgeError(
            f"Expected a {command} in {embedded}; found none. `python -m workbench train {command}` makes one."
        )
    return str(folder)


def calibration_file() -> Path:
    """Where the calibration is kept: the file that is named, or one in the folder for data."""
    named = os.environ.get(CALIBRATION)
    return Path(named) if named else Path(os.environ.get(DATA) or "data") / "calibration.json"


class Judges:
    @cached_property
    def bi(self) -> biencoder.BiEncoder:
        with _lock:
            return biencoder.load(_place("PINGALA_BI_ENCODER", BI_ENCODER, "bi-encoder"))

    @cached_property
    def cross(self) -> crossencoder.CrossEncoder:
        with _lock:
            return crossencoder.load(_place("PINGALA_CROSS_ENCODER", CROSS_ENCODER, "cross-encoder"))

    @cached_property
    def calibration(self) -> Calibration | None:
        return calibration.load(calibration_file())

    def calibrate(self, raw: Sequence[float], ratings: Sequence[float]) -> Calibration:
        """Fit a curve, keep it for later, and use it from now on."""
        try:
            scorer = self.identity
        except JudgeError:  # ratings may be there before a judge is
            scorer = "no judge at hand"
        fitted = calibration.fit(raw, ratings, scorer)
        file = calibration_file()
        file.parent.mkdir(parents=True, exist_ok=True)
        fitted.save(file)
        self.calibration = fitted
        return fitted

    @cached_property
    def ranker(self) -> str:
        """Name and hash of what verses are ranked by, for signatures."""
        place = _place("PINGALA_CROSS_ENCODER", CROSS_ENCODER, "cross-encoder")
        return f"cross-encoder {_hashed(place)}"

    @cached_property
    def identity(self) -> str:
        """Names and hashes of both."""
        place = _place("PINGALA_BI_ENCODER", BI_ENCODER, "bi-encoder")
        return f"bi-encoder {_hashed(place)} | {self.ranker}"

    def weigh(self, prose: Sequence[str], verses: Sequence[Verse]) -> list[Scores]:
        """What verses are ranked by: the cross-encoder's scores."""
        curve = self.calibration
        return [Scores(None, cross, curve.apply(cross) if curve else None) for cross in self.cross.score(prose, verses)]

    def score(self, prose: Sequence[str], verses: Sequence[Verse]) -> list[Scores]:
        """The same with the bi-encoder's beside it."""
        both = zip(self.bi.score(prose, verses), self.weigh(prose, verses), strict=True)
        return [replace(said, bi=bi) for bi, said in both]


def _hashed(place: str) -> str:
    folder = Path(place)
    return fingerprint(folder) if folder.is_dir() else place


_judges = Judges()


def judges() -> Judges:
    """The judges, kept once loaded."""
    return _judges
