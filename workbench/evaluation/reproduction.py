"""The paper's experiments as lists of runs: which settings stand in which table, over which rows.

`main` compares settings over all of a test set (the paper's own steps over its first rows: they are slow), `beta` six
weights over a fixed sample, `ood` is prose from elsewhere. A run's place says what it is: EXPERIMENT/MODEL/SETTING.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.composer import PRESETS, Settings

PAPER, HOUSE = (PRESETS[name].but(rank="model") for name in ("paper", "house"))
MODERN = Path(__file__).with_name("modern.jsonl")
SAMPLE = 200  # rows of the β sweep, and of the paper's own steps
BETAS = (0, 1, 3, 5, 7, 10)


@dataclass(frozen=True)
class PlannedRun:
    """One run: where it stands, its name in a table, and what is run."""

    folder: str
    says: str
    settings: Settings
    first: int | None = None  # so many rows from the beginning
    drawn: int | None = None  # or so many drawn, always the same


MAIN = (
    PlannedRun("free", "no constraint", PAPER.but(mode="free")),
    PlannedRun("cd", "CD", PAPER.but(mode="cd")),
    PlannedRun("paper", "the paper's own steps, first 200 rows", PAPER.but(mode="paper"), first=SAMPLE),
    PlannedRun("pingala-paper", "Pingala, the paper's settings", PAPER),
    PlannedRun("pingala-first", "Pingala, our settings, the first beam", HOUSE),
    PlannedRun("pingala", "Pingala, our settings", HOUSE.but(rank="meaning")),
)
BETA = tuple(PlannedRun(f"beta-{beta:02}", f"{beta}", PAPER.but(beta=float(beta)), drawn=SAMPLE) for beta in BETAS)
OOD = (PlannedRun("pingala", "Pingala", HOUSE.but(rank="meaning")),)
EXPERIMENTS = {"main": MAIN, "beta": BETA, "ood": OOD}
