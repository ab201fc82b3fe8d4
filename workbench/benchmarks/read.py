"""How long the reader takes: one verse read with its words and the support of a prose, and the support of 25 verses."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from workbench import composer
from workbench.corpora import signature

# Bhagavadgītā 1.1, 2.47, 4.7; Rāmāyaṇa 1.2.15; Raghuvaṃśa 1.1
VERSES = (
    "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya ..",
    "karmaRyevADikAraste mA Palezu kadAcana . mA karmaPalaheturBUrmA te saNgo'stvakarmaRi ..",
    "yadA yadA hi Darmasya glAnirBavati BArata . aByutTAnamaDarmasya tadAtmAnaM sfjAmyaham ..",
    "mA nizAda pratizWAM tvamagamaH SASvatIH samAH . yatkrOYcamiTunAdekamavaDIH kAmamohitam ..",
    "vAgarTAviva saMpfktO vAgarTapratipattaye . jagataH pitarO vande pArvatIparameSvarO ..",
)
PROSE = "Whenever virtue fades and the lawless rise, O Bharata, I send myself forth into the world to protect the good."
CANDIDATES = 25


def measure() -> dict[str, Any]:
    """Medians of seconds; the first verse, on which everything loads, is told apart."""
    first = _taken(lambda: list(composer.read(VERSES[0], "slp1")))
    reading = [_taken(lambda verse=verse: _everything(verse)) for verse in VERSES]  # type: ignore[misc]
    many = (VERSES * CANDIDATES)[:CANDIDATES]
    support = [_taken(lambda: composer.support(PROSE, many)) for _ in range(3)]
    return {
        "first_seconds": first,
        "reading_seconds": statistics.median(reading),
        "slowest_seconds": max(reading),
        "support_seconds": statistics.median(support),
        "candidates": CANDIDATES,
        "signature": f"{composer.reader().identity} | {signature(packages=('torch', 'transformers'))}",
    }


def _everything(verse: str) -> None:
    for reading in composer.read(verse, "slp1"):
        composer.support(PROSE, [reading.slp1])


def _taken(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
