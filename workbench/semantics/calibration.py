"""From a raw score to the 1-5 scale of human ratings, by isotonic regression, kept as JSON with what it came from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from workbench.refusal import Refusal

LOWEST, HIGHEST = 1.0, 5.0
LEAST = 10  # ratings, below which a curve would be an anecdote


class CalibrationError(Refusal):
    """No calibration can be fitted or read; the message says what was expected."""


@dataclass(frozen=True)
class Calibration:
    """A rising curve through (raw score, human rating); raw scores outside it get its ends."""

    raw: tuple[float, ...]
    rating: tuple[float, ...]
    scorer: str  # name and hash of what gave the raw scores
    ratings: int
    data: str  # hash of the pairs it was fitted on

    def apply(self, score: float) -> float:
        return float(np.interp(score, self.raw, self.rating))

    def save(self, file: Path) -> None:
        file.write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")


def fit(raw: Sequence[float], ratings: Sequence[float], scorer: str) -> Calibration:
    from sklearn.isotonic import IsotonicRegression

    if len(raw) != len(ratings) or len(raw) < LEAST:
        raise CalibrationError(
            f"Expected at least {LEAST} scores, each with its rating; got {len(raw)} and {len(ratings)}."
        )
    if not all(LOWEST <= rating <= HIGHEST for rating in ratings) or not np.isfinite(raw).all():
        raise CalibrationError(f"Expected finite scores and ratings from {LOWEST:g} to {HIGHEST:g}.")
    curve = IsotonicRegression(y_min=LOWEST, y_max=HIGHEST, out_of_bounds="clip").fit(raw, ratings)
    pairs = sorted(zip(map(float, raw), map(float, ratings), strict=True))
    return Calibration(
        tuple(map(float, curve.X_thresholds_)),
        tuple(map(float, curve.y_thresholds_)),
        scorer,
        len(raw),
        hashlib.sha256(json.dumps(pairs).encode()).hexdigest()[:12],
    )


def load(file: Path) -> Calibration | None:
    """The calibration in a file; None where there is none yet."""
    if not file.is_file():
        return None
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        kept = Calibration(
            tuple(map(float, found["raw"])), tuple(map(float, found["rating"])), str(found["scorer"]),
            int(found["ratings"]), str(found["data"]),
        )  # fmt: skip
        if not kept.raw or len(kept.raw) != len(kept.rating) or not np.isfinite([*kept.raw, *kept.rating]).all():
            raise ValueError("its curve has no points, or not two numbers for each")
        return kept
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        said = f"Expected a calibration in {file.name}; {str(error).rstrip('.')}."
        raise CalibrationError(f"{said} Remove it, and scores are probabilities again; or fit one anew.") from error
