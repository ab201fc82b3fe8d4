"""A real verse in each of some metres, with its source. Knows names of metres and SLP1; scans nothing."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class QuotedVerse:
    source: str
    slp1: str  # half-verses divided by a daṇḍa


@cache
def quoted_verses() -> dict[str, QuotedVerse]:
    """By the name of their metre."""
    table = tomllib.loads(files("workbench.prosody").joinpath("metre_verses.toml").read_text(encoding="utf-8"))
    return {name: QuotedVerse(each["source"], " ".join(each["verse"].split())) for name, each in table.items()}
