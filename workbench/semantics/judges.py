"""The judges of meaning that are at hand, each loaded once when first asked, and the calibration of the one that ranks.

Which ones is the register's to say (judges.toml); where each stands, a folder or the Hub's name: the embedded ones,
unless a variable such as PINGALA_BI_ENCODER says otherwise; `none` does without. Without a calibration a score is a
probability and says so.
"""

from __future__ import annotations

import importlib
import logging
import os
import threading
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from workbench.damage import whole
from workbench.one_at_a_time import LOADING
from workbench.paths import HOME
from workbench.prosody.verse import Verse
from workbench.semantics import JudgeDamaged, JudgeError, calibration
from workbench.semantics.calibration import Calibration, CalibrationError
from workbench.semantics.registry import CALIBRATED, NONE, JudgeEntry, Scores, judge_entries, ranker
from workbench.semantics.verse_spelling import fingerprint

log = logging.getLogger(__name__)

CALIBRATION = "PINGALA_CALIBRATION"  # a file
DATA = "PINGALA_DATA"  # the folder for data, in which it is otherwise
REMOVED = ".removed.json"  # what a calibration's file is called once it is taken away
_lock = threading.Lock()


class Judge(Protocol):
    """What a judge's module gives when it is loaded."""

    spelling: str  # how it wants its verses (verse_spelling.py)

    def score(self, proses: Sequence[str], verses: Sequence[Verse]) -> list[float]:
        """One number for each pair."""


def place(entry: JudgeEntry) -> str:
    """The folder of a judge, or its name on the Hub. JudgeError says why there is none."""
    named = os.environ.get(entry.variable)
    if named == NONE:
        raise JudgeError(f"Expected a {entry.title}; {entry.variable} is {NONE}, so none is asked.")
    if named:
        return named
    folder = HOME / entry.folder
    if not folder.is_dir():
        raise JudgeError(
            f"Expected a {entry.title} in {entry.folder}; found none. `python -m workbench train {entry.title}` makes "
            "one."
        )
    return str(folder)


def at_hand() -> bool:
    """Whether all judges are there, as far as can be told without loading them."""
    try:
        return bool([place(entry) for entry in judge_entries().values()])
    except JudgeError:
        return False


def calibration_file() -> Path:
    """Where the calibration is kept: the file that is named, or one in the folder for data."""
    named = os.environ.get(CALIBRATION)
    return Path(named) if named else Path(os.environ.get(DATA) or "data") / "calibration.json"


class Judges:
    def __init__(self) -> None:
        self._loaded: dict[str, Judge] = {}
        self._loading: dict[str, threading.Lock] = {}
        self.calibration_fault = ""  # what is wrong with the calibration, once that is known

    def judge(self, name: str) -> Judge:
        """A judge by name. JudgeError says why it cannot be had."""
        with _lock:
            loading = self._loading.setdefault(name, threading.Lock())
        with loading:  # its own: who wants another judge does not wait for this one
            if name not in self._loaded:
                entry = judge_entries()[name]
                module: Any = importlib.import_module(f"workbench.semantics.{entry.kind}")
                where = place(entry)
                # What it asks itself comes first: who holds the lock that models load under waits for nobody.
                for other in getattr(module, "NEEDS", ()):
                    self.judge(other)
                with LOADING, whole(Path(where), entry.title, JudgeDamaged):
                    self._loaded[name] = module.load(where)
            return self._loaded[name]

    @cached_property
    def calibration(self) -> Calibration | None:
        """The curve by people's ratings, or else the one that came with the judge, by graded verses. CalibrationError
        says what is wrong with the one there is."""
        people = calibration.load(calibration_file(), self._ranker)
        return people or calibration.load(Path(place(ranker())) / calibration.SCALE, self._ranker)

    def fitted(self, proses: Sequence[str], verses: Sequence[Verse], ratings: Sequence[float]) -> Calibration:
        """The curve that would be kept; nothing changes by it. The ranker is asked anew: a score that came with an item
        may be anybody's."""
        calibration.check_ratings(ratings)
        return calibration.fit(self.judge(ranker().name).score(proses, verses), ratings, self._ranker)

    def calibrate(self, proses: Sequence[str], verses: Sequence[Verse], ratings: Sequence[float]) -> Calibration:
        """Fit a curve, keep it for later, and use it from now on."""
        fitted = self.fitted(proses, verses, ratings)
        fitted.save(calibration_file())
        self.calibration = fitted
        self.calibration_fault = ""
        return fitted

    def forget_calibration(self) -> bool:
        """Take away the curve that people's ratings made, whole or damaged; whether there was one. The file stays,
        under another name."""
        there = calibration_file().is_file()
        if there:
            calibration_file().replace(calibration_file().with_suffix(REMOVED))
        self.__dict__.pop("calibration", None)
        self.calibration_fault = ""
        return there

    @cached_property
    def _ranker(self) -> str:
        return judge_identity(ranker())

    @property
    def ranked_by(self) -> str:
        """Name and hash of what verses are ranked by, for signatures: the judge's, and its curve's if there is one."""
        curve = self.curve()
        return f"{self._ranker} | {curve.identity}" if curve else self._ranker

    @property
    def scale_by(self) -> str:
        """Whose grades the scale from 1 to 5 stands on."""
        try:
            curve = self.curve()
        except JudgeError:  # verses that were judged elsewhere, or before
            curve = None
        return curve.by if curve else calibration.READERS

    @cached_property
    def identity(self) -> str:
        """Names and hashes of all."""
        return " | ".join(map(judge_identity, judge_entries().values()))

    def weigh(self, proses: Sequence[str], verses: Sequence[Verse]) -> list[Scores]:
        """What verses are ranked by: the ranker's scores, calibrated where that can be."""
        return self.score(proses, verses, [ranker().name])

    def score(self, proses: Sequence[str], verses: Sequence[Verse], names: Iterable[str] | None = None) -> list[Scores]:
        """What all judges, or those named, say of each pair."""
        asked = list(judge_entries()) if names is None else list(names)
        said = [self.judge(name).score(proses, verses) for name in asked]
        return [self._calibrated(dict(zip(asked, each, strict=True))) for each in zip(*said, strict=True)]

    def _calibrated(self, scores: dict[str, float]) -> Scores:
        curve = self.curve()
        if curve and ranker().name in scores:
            scores[CALIBRATED] = curve.apply(scores[ranker().name])
        return scores

    def curve(self) -> Calibration | None:
        """The calibration, if it can be had: a bad one takes no ranking away, and is said."""
        if not self.calibration_fault:
            try:
                return self.calibration
            except CalibrationError as error:
                self.calibration_fault = str(error)
                log.warning("%s", error)
        return None


def judge_identity(entry: JudgeEntry) -> str:
    """Name and hash of a judge, as signatures have it."""
    folder = Path(place(entry))
    return f"{entry.title} {fingerprint(folder) if folder.is_dir() else folder}"


_judges = Judges()


def judges() -> Judges:
    """The judges, kept once loaded."""
    return _judges
