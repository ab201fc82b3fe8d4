"""Prose to begin with, and the verses that the generator that ships made of it before: what an empty page shows, and
the page of a metre in which no verse of the tradition is quoted.

`python -m workbench examples` makes examples.json beside this file; showing what stands there loads no model. Knows
compositions and readings as plain data, no page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from workbench import composer
from workbench.damage import read_json
from workbench.refusal import Refusal

STORED = Path(__file__).with_suffix(".json")
MADE_BY = "python -m workbench examples"
MODEL, SETTINGS = "embedded", composer.HOUSE
CANDIDATES = 5  # of each prose that are kept; what the first one says is kept with it
MEANINGS = 2  # of each word of it: as many as the page shows
KEPT = ("slp1", "full", "padas", "log_prob", "added", "score", "meaning", "milestones", "copies", "why")

# Paraphrases of our own, and thoughts of today.
PROSES = (
    "On the field of duty, at Kurukshetra, my sons and the sons of Pandu had gathered, eager for battle.",
    "You have a right to your work alone, never to its fruits.",
    "The king, hearing these words of the sage, was filled with grief and fell to the ground.",
    "Rama, the best of men, entered the dense forest together with Sita and Lakshmana.",
    "The mighty son of Pandu pierced his enemy with sharp arrows on the field of battle.",
    "He who gives food to the hungry goes to heaven after death.",
    "Anger destroys wisdom, as fire destroys dry wood.",
    "The moon rose over the river, and the birds fell silent.",
    "A good friend is a shelter in the rain and a lamp in the night.",
    "The monkey leapt across the ocean with the speed of the wind.",
    "Truth is the highest dharma; there is nothing greater than truth.",
    "O mother, give me your blessing; I must go to a distant land.",
)

# By the most syllables of a verse that has to hold it; a daṇḍaka may have two hundred and more.
METRE_PROSES = {
    20: "Protect me, Vishnu.",
    40: "The moon rose over the river, and the birds fell silent.",
    64: "The moon rose over the river, the birds fell silent in the trees, and the sage sat alone in the forest.",
    1000: "When the bright moon rose over the river, the birds fell silent in the trees, the lotuses closed, a cool "
    "wind came from the mountain, and the great sage sat alone in the forest, his mind at rest, thinking of Vishnu, "
    "the lord of the worlds.",
}


def make(proses: tuple[str, ...] = PROSES, model: str = MODEL) -> dict[str, Any]:
    """Compose each prose as a visitor would who presses Compose, and keep what a page needs of it."""
    made = []
    for prose in proses:
        composition = _composed(prose, SETTINGS, model).as_json()
        candidates = [{name: each[name] for name in KEPT} for each in composition["candidates"][:CANDIDATES]]
        candidates[0]["reading"] = reading_of(prose, candidates[0]["slp1"])
        made.append(
            {
                **{name: composition[name] for name in ("prose", "metre", "notes", "timings", "signature")},
                "candidates": candidates,
            }
        )
    identity = composer.identity(model)
    return {
        "made_by": MADE_BY,
        "model": model,
        "generator": identity,
        "examples": made,
        "metres": dict(in_metres(model)),
    }


def reading_of(prose: str, slp1: str) -> dict[str, Any] | None:
    """What the reader says of a verse and hears of its prose, for any script; None where there is no reader."""
    if not composer.reader_at_hand():
        return None
    [verse] = composer.read(slp1, "slp1")
    read = verse.as_json("slp1")
    return {
        **{name: read[name] for name in ("slp1", "english", "notes", "reader", "lemmatizer")},
        "words": [{"slp1": word["slp1"], "meanings": word["meanings"][:MEANINGS]} for word in read["words"]],
        "support": [{**asdict(each), "nats": round(each.nats, 3)} for each in composer.support(prose, [verse.slp1])[0]],
    }


def in_metres(model: str) -> Iterator[tuple[str, dict[str, str]]]:
    """A verse in every metre in which none is quoted."""
    for metre in composer.all_metres():
        if composer.quoted_verse(metre):
            continue
        syllables = sum(pada.lengths[-1] for pada in metre.padas)
        prose = next(prose for most, prose in METRE_PROSES.items() if syllables <= most)
        best = _composed(prose, SETTINGS.but(metre=metre.name), model).candidates[0]
        yield metre.name, {"prose": prose, "slp1": best.verse.slp1}


def _composed(prose: str, settings: composer.Settings, model: str) -> composer.Composition:
    composing = composer.compose(prose, settings, model, watch=False)
    for _ in composing:
        pass
    return composing.composition


def written(made: dict[str, Any]) -> str:
    """As the file has it: an example a line, a metre a line."""
    head = {name: value for name, value in made.items() if name not in ("examples", "metres")}
    lines = ",\n".join(map(_json, made["examples"]))
    metres = ",\n".join(f"{_json(name)}: {_json(each)}" for name, each in made["metres"].items())
    return f'{_json(head)[:-1]},\n"examples": [\n{lines}\n],\n"metres": {{\n{metres}\n}}}}\n'


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@cache
def stored() -> dict[str, Any]:
    """What was made before; a Refusal says what to do about a file that is not whole."""
    found: dict[str, Any] = read_json(STORED, Refusal, f"`{MADE_BY}` makes it anew.")
    return found
