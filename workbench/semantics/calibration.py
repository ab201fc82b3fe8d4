"""From a raw score to the rubric's scale from 1 to 5, by isotonic regression, kept as JSON with what it came from: of
people's ratings, or, as long as there are too few, of verses graded by construction."""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from workbench.refusal import Refusal

LOWEST, HIGHEST = 1.0, 5.0
LEAST = 10  # ratings, below which a curve would be an anecdote
SCALE = "scale.json"  # beside a judge that ships: its curve by graded verses
PEOPLE, GRADED, READERS = "people", "graded verses", "blind readings"  # whose grades a curve was fitted on


class CalibrationError(Refusal):
    """No calibration can be fitted or read; the message says what was expected."""


@dataclass(frozen=True)
class Calibration:
    """A rising curve through (raw score, rating); raw scores outside it get its ends."""

    raw: tuple[float, ...]
    rating: tuple[float, ...]
    scorer: str  # name and hash of what gave the raw scores
    ratings: int
    data: str  # hash of the pairs it was fitted on
    by: str = PEOPLE

    def apply(self, score: float) -> float:
        return float(np.interp(score, self.raw, self.rating))

    @property
    def identity(self) -> str:
        """For signatures: another curve ranks otherwise."""
        return "calibration#" + hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()[:12]

    def __post_init__(self) -> None:
        if not self.raw or len(self.raw) != len(self.rating) or not np.isfinite([*self.raw, *self.rating]).all():
            raise ValueError("its curve has no points, or not two numbers for each")
        if not (_rises(self.raw) and _rises(self.rating)):
            raise ValueError("its curve falls somewhere")
        if self.rating[0] < LOWEST or self.rating[-1] > HIGHEST:
            raise ValueError(f"its curve leaves the scale from {LOWEST:g} to {HIGHEST:g}")

    def save(self, file: Path) -> None:
        """Whole or not at all, whoever else saves or reads at the same moment."""
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f".{file.name}.{uuid.uuid4().hex}")
        try:
            with part.open("x", encoding="utf-8") as written:
                written.write(json.dumps(asdict(self)) + "\n")
                written.flush()
                os.fsync(written.fileno())
            part.replace(file)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def _rises(numbers: Sequence[float]) -> bool:
    return all(one <= other for one, other in zip(numbers, numbers[1:], strict=False))


def fit(raw: Sequence[float], ratings: Sequence[float], scorer: str, by: str = PEOPLE) -> Calibration:
    from sklearn.isotonic import IsotonicRegression

    check_ratings(ratings)
    if len(raw) != len(ratings) or not np.isfinite(raw).all():
        raise CalibrationError(f"Expected {len(ratings)} finite scores, one for each rating; got others.")
    curve = IsotonicRegression(y_min=LOWEST, y_max=HIGHEST, out_of_bounds="clip").fit(raw, ratings)
    pairs = sorted(zip(map(float, raw), map(float, ratings), strict=True))
    return Calibration(
        tuple(map(float, curve.X_thresholds_)),
        tuple(map(float, curve.y_thresholds_)),
        scorer,
        len(raw),
        hashlib.sha256(json.dumps(pairs).encode()).hexdigest()[:12],
        by,
    )


def check_ratings(ratings: Sequence[float]) -> None:
    """Whether a curve can be fitted on them, before anybody is asked for scores."""
    if len(ratings) < LEAST:
        raise CalibrationError(f"Expected at least {LEAST} rated verses; got {len(ratings)}.")
    if not all(LOWEST <= rating <= HIGHEST for rating in ratings):
        raise CalibrationError(f"Expected ratings from {LOWEST:g} to {HIGHEST:g}; got others.")


def load(file: Path, scorer: str | None = None) -> Calibration | None:
    """The calibration in a file; None where there is none yet. It must be of `scorer`, if one is named: another judge's
    scores mean something else."""
    if not file.is_file():
        return None
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        kept = Calibration(
            tuple(map(float, found["raw"])), tuple(map(float, found["rating"])), str(found["scorer"]),
            int(found["ratings"]), str(found["data"]), str(found.get("by", PEOPLE)),
        )  # fmt: skip
        if scorer is not None and kept.scorer != scorer:
            raise ValueError(f"it is of {kept.scorer}, and verses are judged by {scorer}")
        return kept
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        said = f"Expected a calibration in {file.name}; {str(error).rstrip('.')}."
        raise CalibrationError(f"{said} Remove it, and scores are probabilities again; or fit one anew.") from error
