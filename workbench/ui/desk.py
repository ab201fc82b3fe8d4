"""The poet's desk on the page: what is locked of a verse, what is offered for one of its places, what is taken.

Each press makes a new Desk, or a new composition with the verse put together by hand in front; the tab shows them. What
is offered comes from the composer. Knows compositions as the page keeps them, no components.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from workbench import composer
from workbench.ui import strings, verse
from workbench.ui.composing import FinishedComposition
from workbench.ui.refusing import sentence_for


@dataclass(frozen=True)
class Panel:
    """What is offered at a place."""

    pada: int  # the first of the place
    sentence: str
    offers: tuple[composer.Offer, ...] = ()
    glosses: tuple[str, ...] = ()

    def shown(self, to: str) -> dict[str, Any]:
        glosses = self.glosses or ("",) * len(self.offers)
        rows = [
            {"at": at, "text": composer.write(offer.text, to), "gloss": gloss, "figure": _figure(offer)}
            for at, (offer, gloss) in enumerate(zip(self.offers, glosses, strict=True))
        ]
        return {"pada": self.pada, "rows": rows, "sentence": self.sentence}


def _figure(offer: composer.Offer) -> str:
    """The meaning of the whole verse with it."""
    return str(verse.meaning({"meaning": composer.scores_json(offer.scores)})["figure"]) if offer.scores else ""


@dataclass(frozen=True)
class Desk:
    locks: frozenset[int] = frozenset()  # pādas that stay when the rest is composed
    panel: Panel | None = None


EMPTY = Desk()


def _place(kept: FinishedComposition, at: int, pada: int) -> list[int]:
    """The pādas that are locked together with one."""
    for place in verse.places(kept.verses[at], kept.composition["metre"], "slp1"):
        if pada in place["padas"]:
            found: list[int] = place["padas"]
            return found
    return []


def _place_of_word(kept: FinishedComposition, at: int, half: int, word: int) -> int:
    for place in verse.places(kept.verses[at], kept.composition["metre"], "slp1"):
        if any((each["half"], each["word"]) == (half, word) for each in place["words"]):
            return int(place["padas"][0]) if place["padas"] else 0
    return 0


def toggle(desk: Desk, kept: FinishedComposition, at: int, pada: int) -> Desk:
    """Lock a place, or unlock it."""
    here = frozenset(_place(kept, at, pada))
    return replace(desk, locks=desk.locks - here if here <= desk.locks else desk.locks | here)


def locked_lines(desk: Desk, kept: FinishedComposition | None, at: int) -> list[str]:
    """What is locked, as wishes."""
    if not desk.locks or not kept or not kept.verses:
        return []
    metre = composer.find_metre(kept.composition["metre"])
    return [wish.line for wish in composer.locked(kept.verses[at], desk.locks, metre)]


def _wishes(kept: FinishedComposition, padas: list[int]) -> list[str]:
    """The wishes of a composition, but for a text given for the very place that other words are asked for."""
    half = f"half {(padas[0] + 1) // 2}" if padas else ""
    here = (*(f"given {pada}:" for pada in padas), *((f"given {half}:",) if half else ()))
    return [wish["line"] for wish in kept.composition.get("wishes", ()) if not wish["line"].startswith(here)]


def look(desk: Desk, kept: FinishedComposition, at: int, asked: dict[str, Any]) -> Desk:
    """What else may stand at a place: `others` of a pāda, or words `instead` of one."""
    composition, this = kept.composition, kept.verses[at]
    pada = int(asked.get("pada", 0))
    half, word = int(asked.get("half", 0)), int(asked.get("word", 0))
    if asked["action"] == "instead":
        pada = _place_of_word(kept, at, half, word)
    try:
        settings = composer.Settings(**kept.settings)
        wishes = _wishes(kept, _place(kept, at, pada))
        if asked["action"] == "instead":
            found = composer.instead(composition["prose"], this, half, word, settings, kept.model, wishes)
            glosses = tuple(composer.meanings([offer.text for offer in found.offers]))
        else:
            found = composer.others(composition["prose"], this, pada, settings, kept.model, wishes)
            glosses = ()
        sentence = found.sentence if found.offers else strings.NO_OFFERS
        return replace(desk, panel=Panel(pada, sentence, found.offers, glosses))
    except Exception as error:
        return replace(desk, panel=Panel(pada, sentence_for(error, f"{asked['action']} for {this.slp1}")))


def take(desk: Desk, kept: FinishedComposition, at: int, number: int) -> tuple[Desk, FinishedComposition]:
    """The verse with what was chosen, before all candidates. Wishes that it no longer keeps are no longer told of."""
    offers = desk.panel.offers if desk.panel else ()
    chosen = offers[number].verse if number in range(len(offers)) else None
    if chosen is None:
        return replace(desk, panel=None), kept
    composition = kept.composition
    scores = offers[number].scores or composer.weigh(composition["prose"], chosen)
    cost, _ = composer.negative_log_prob(composition["prose"], chosen.slp1, kept.model)
    candidate = composer.by_hand(chosen, "devanagari", -cost, scores, strings.TAKEN)
    wishes = [wish for wish in composition.get("wishes", ()) if composer.read_wish(wish["line"]).kept(chosen)]
    made = {**composition, "candidates": [candidate, *composition["candidates"]], "wishes": wishes}
    made.pop("example", None)  # from here on it is the poet's own
    return replace(desk, panel=None), replace(kept, composition=made, verses=(chosen, *kept.verses))


def brought_back(
    prose: str, slp1: str, script: str, choices_settings: composer.Settings, model: str, link: str, wishes: list[str]
) -> FinishedComposition:
    """A verse of the list as a composition of its own, judged again; ReadingError says why it is none."""
    this = composer.Verse.read(slp1, "slp1").judged(choices_settings.found_metre())
    asked = [composer.read_wish(line) for line in wishes]
    kept_wishes = [{"line": wish.line, "sentence": wish.sentence} for wish in asked if wish.kept(this)]
    cost, _ = composer.negative_log_prob(prose, this.slp1, model)
    candidate = composer.by_hand(this, script, -cost, composer.weigh(prose, this), strings.BACK)
    composition = {
        "prose": prose, "verse": candidate["text"], "metre": choices_settings.found_metre().name, "wishes": kept_wishes,
        "candidates": [candidate], "notes": [], "timings": {},
        "signature": composer.compose_signature(composer.identity(model), choices_settings, asked),
    }  # fmt: skip
    return FinishedComposition(composition, {}, link, model, choices_settings.recorded(), (this,))
