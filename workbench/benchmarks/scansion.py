"""Identification of real verses by ours, vidyut and skrutable, turn by turn in one run on one core.

vidyut gets our own table's fixed metres (its own comes with separate data and is several times longer, so this is to
its favour) and, like ours, SLP1. skrutable gets half-verses on their own lines, its fastest way.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from workbench.corpora import CorpusError, rows, signature
from workbench.prosody.automaton import compile_metre
from workbench.prosody.identify import identify
from workbench.prosody.metres import KINDS, all_metres, find
from workbench.prosody.scansion import weigh
from workbench.prosody.script import to_slp1
from workbench.prosody.verdict import ask_skrutable
from workbench.prosody.verse import Verse, divide

ROUNDS = 5
SKRUTABLE_VERSES = 500  # it is slow; its rate is taken from the first verses


def verses(path: str, number: int) -> list[str]:
    found = []
    for row in rows(path):
        slp1 = row.get("slp1") or to_slp1(row.get("verse") or row.get("sa", ""), "devanagari")
        if len(Verse.from_slp1(slp1).halves) == 2:
            found.append(slp1)
        if len(found) == number:
            return found
    if not found:
        raise CorpusError(f"Expected verses with two half-verses in {path}; got none.")
    return found


def ours(slp1: str) -> str:
    first, second, *_ = divide(slp1)
    found = identify(weigh(first), weigh(second))
    return found.metre.name if found else ""


def vidyut_classifier() -> Callable[[str], Any]:
    from vidyut.chandas import Chandas

    table = [
        f"{metre.name}\tvrtta\t" + "/".join(max(pada.weights).upper() for pada in metre.padas[:lines])
        for metre in all_metres()
        for lines in ({KINDS["sama"]: 1, KINDS["ardhasama"]: 2, KINDS["visama"]: 4}.get(metre.kind),)
        if lines
    ]
    classify: Callable[[str], Any] = Chandas.from_text("\n".join(table)).classify
    return classify


def measure(path: str, number: int) -> dict[str, Any]:
    with one_core():
        return _measure(path, number)


def _measure(path: str, number: int) -> dict[str, Any]:
    texts = verses(path, number)
    few = texts[:SKRUTABLE_VERSES]
    runs: dict[str, tuple[Callable[[str], Any], list[str]]] = {
        "ours": (ours, texts),
        "vidyut": (vidyut_classifier(), texts),
        "skrutable": (lambda slp1: ask_skrutable(Verse.from_slp1(slp1).halves), few),
    }
    rates = dict.fromkeys(runs, 0.0)
    for turn in range(ROUNDS):
        for name, (classify, given) in runs.items():
            if name == "skrutable" and turn:
                continue
            began = time.perf_counter()
            for text in given:
                classify(text)
            rates[name] = max(rates[name], len(given) / (time.perf_counter() - began))
    identified = sum(bool(ours(text)) for text in texts)
    return {
        "verses": len(texts),
        "identified": identified,
        "rounds": ROUNDS,
        "verses_per_second": rates,
        "ratios": {f"ours / {name}": rates["ours"] / rates[name] for name in ("vidyut", "skrutable")},
        "compile_seconds": compile_times(),
        "signature": signature(path, packages=("vidyut", "skrutable", "numpy")),
    }


def compile_times() -> dict[str, float]:
    metre = find("anuṣṭubh")
    seconds = {}
    for script in ("slp1", "devanagari"):
        for unit in ("characters", "bytes"):
            compile_metre.cache_clear()
            began = time.perf_counter()
            compile_metre(metre, script, unit)
            seconds[f"{script}, {unit}"] = time.perf_counter() - began
    return seconds


@contextmanager
def one_core() -> Iterator[None]:
    """On one core, and afterwards on as many as before."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
