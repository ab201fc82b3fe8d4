"""How long a poet waits at the desk: for other pādas, for other words, for the next ones, for the scansion of what was
just typed, and for a verse under wishes; with whole verses composed beside them in the same run, for the ratio.
Everything is loaded before.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from workbench import composer
from workbench.benchmarks.compose import PROSE

SCRIPTS = ("devanagari", "iast")
ARTS = {  # of an avadhāna; the line is Bhagavadgītā 2.50's
    "samasyā": ("given 4:yogaḥ karmasu kauśalam",),
    "dattapadī": ("word 1:rājā", "word 2:vanaṃ", "word 3:tatra", "word 4:sukham"),
    "niṣiddhākṣarī": ("without r",),
}


def measure(model: str, settings: composer.Settings) -> dict[str, Any]:
    verses = [_composed(prose, settings, model) for prose in PROSE]
    waits: dict[str, list[float]] = {"compose": [seconds for _, seconds in verses[1:]]}
    made = [(prose, verse) for prose, (verse, _) in zip(PROSE, verses, strict=True)]

    def timed(name: str, call: Callable[..., Any], *given: Any) -> None:
        began = time.perf_counter()
        call(*given, settings, model)
        waits.setdefault(name, []).append(time.perf_counter() - began)

    for again in (False, True):  # at first, what is made once is made
        if again:
            waits = {"compose": waits["compose"]}
        for prose, verse in made:
            for pada in (1, 2, 3, 4):
                timed("others", composer.others, prose, verse, pada)
            for half in (0, 1):
                for word in range(len(verse.halves[half].split())):
                    timed("instead", composer.instead, prose, verse, half, word)
            for words in (1, 3, 5):
                typed = " ".join(verse.words[:words]) + " "
                draft = composer.draft(typed, settings.found_metre().name, "slp1")
                timed("next", composer.next_words, draft, prose)
            _type(verse, settings.found_metre().name, waits)
    figures = {
        name: {"median": statistics.median(each), "slowest": max(each), "times": len(each)}
        for name, each in waits.items()
    }
    return {
        "seconds": figures,
        "ratios": {
            name: figures[name]["median"] / figures["compose"]["median"]
            for name in ("others", "instead", "next", "scansion")
        },
        "wished": _wished(model, settings),
        "load": os.getloadavg()[0],
        "signature": composer.compose_signature(composer.identity(model), settings),
    }


def _wished(model: str, settings: composer.Settings) -> dict[str, dict[str, float]]:
    """For each of the old arts: seconds to compile its wishes, and how many times as long as without them a verse is,
    the first one with what is made once; median and most."""
    figures = {}
    for art, lines in ARTS.items():
        wishes = composer.read_wishes(lines)
        began = time.perf_counter()
        composer.check_wishes(settings.found_metre().name, wishes)
        compiling = time.perf_counter() - began
        times = []
        for prose in PROSE:
            plain = min(_composed(prose, settings, model)[1] for _ in range(2))
            times.append(_composed(prose, settings, model, wishes)[1] / plain)
        figures[art] = {"compiling": compiling, "times": statistics.median(times), "most": max(times)}
    return figures


def _composed(
    prose: str, settings: composer.Settings, model: str, wishes: Sequence[composer.Wish] = ()
) -> tuple[composer.Verse, float]:
    began = time.perf_counter()
    composing = composer.compose(prose, settings, model, watch=False, wishes=wishes)
    for _ in composing:
        pass
    chosen = composing.composition.chosen
    if chosen is None:
        raise composer.ModelError(f"Expected a verse from the generator {model}; got none.")
    return chosen.verse, time.perf_counter() - began


def _type(verse: composer.Verse, metre: str, waits: dict[str, list[float]]) -> None:
    """Scan every beginning of a verse, as if it was typed key by key."""
    for script in SCRIPTS:
        text = verse.text(script)
        for end in range(1, len(text) + 1):
            began = time.perf_counter()
            composer.draft_json(composer.draft(text[:end], metre, script))
            waits.setdefault("scansion", []).append(time.perf_counter() - began)
