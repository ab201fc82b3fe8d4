"""The settings of a search, checked when they are made, and the two presets: the paper's and ours."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from workbench.decoding.constraint import check_settings
from workbench.prosody.metres import Metre


@dataclass(frozen=True)
class Settings:
    """Everything a search can be told. The defaults are the paper's."""

    metre: str = "anuṣṭubh"
    script: str = "slp1"
    mode: str = "pingala"
    beta: float = 5.0
    top_k: int | None = 100
    yati: str = "none"
    max_cluster: int = 3
    beams: int = 25
    returned: int = 25
    length_penalty: float = 1.0
    no_repeat_ngram: int = 3  # 0: any may repeat
    groups: int = 1  # diverse beams: so many groups, each put off by what those before it have just chosen
    diversity: float = 0.5
    synchronous: bool = False  # beams share their places equally among hypotheses with equal pādas done
    samples: int = 0  # instead of beams, so many verses drawn at random
    temperature: float = 1.0
    seed: int = 0
    guidance: float = 0.0

    def __post_init__(self) -> None:
        self.found_metre()
        for name, least in (("beams", 1), ("returned", 1), ("groups", 1), ("no_repeat_ngram", 0), ("samples", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise ValueError(f"Expected {name} to be a whole number of at least {least}; got {value!r}.")
        for name in ("length_penalty", "diversity", "temperature", "guidance"):
            value = getattr(self, name)
            if not isinstance(value, (int, float)) or not math.isfinite(value):
                raise ValueError(f"Expected {name} to be a number; got {value!r}.")
        if self.temperature <= 0:
            raise ValueError(f"Expected temperature to be above 0; got {self.temperature!r}.")
        if self.guidance < 0:
            raise ValueError(f"Expected guidance to be at least 0; got {self.guidance!r}.")
        if self.groups > self.beams:
            raise ValueError(f"Expected at most as many groups as beams, {self.beams}; got {self.groups}.")

    def found_metre(self) -> Metre:
        return check_settings(self.beta, self.top_k, self.yati, self.max_cluster, self.mode, self.metre)

    def but(self, **changes: Any) -> Settings:
        return replace(self, **changes)


PAPER = Settings()
# β no longer buys metre once the mask is exact; it only makes beams race to the pāda's end. All verses of a metre are
# equally long, so that length has nothing to be normalised for.
HOUSE = Settings(beta=0.0, top_k=None, length_penalty=0.0, synchronous=True)
PRESETS = {"paper": PAPER, "house": HOUSE}
