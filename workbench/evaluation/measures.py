"""What is told about composed verses: metre, chrF against their own and others' references, words, sameness.

chrF against the verse's own reference says how much of it is there; against other rows' references, how much of that is
only the epics' common stock. Knows verses and references in SLP1; knows no models and no files.
"""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sacrebleu.metrics.chrf import CHRF

SHUFFLES = 10


@dataclass(frozen=True)
class Example:
    """Prose, and the verse that a poet made of it, in SLP1; empty where there is none."""

    id: str
    prose: str
    reference: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of one example. `verse` is empty where a search found none."""

    id: str
    verse: str
    full: bool  # by skrutable
    syllables: int
    seconds: float


def words(slp1: str) -> list[str]:
    return slp1.replace(".", " ").split()


def halves(slp1: str) -> list[str]:
    return [half for part in slp1.split(".") if (half := part.strip())]


def _plain(slp1: str) -> str:
    return " ".join(words(slp1))


@dataclass(frozen=True)
class Likeness:
    """Sentence chrF of each verse: with its own reference, and the mean with others'."""

    own: list[float]
    others: list[float]

    def mean(self) -> dict[str, float]:
        own, others = statistics.fmean(self.own), statistics.fmean(self.others)
        return {"own": own, "shuffled": others, "ratio": own / others if others else 0.0}


def likeness(verses: Sequence[str], references: Sequence[str], seed: int = 0) -> Likeness:
    """Others are those of several shuffles, none of which leaves a row its own."""
    metric = CHRF()
    said, given = [_plain(verse) for verse in verses], [_plain(reference) for reference in references]
    own = [metric.sentence_score(verse, [other]).score for verse, other in zip(said, given, strict=True)]
    others = [0.0] * len(said)
    order = list(range(len(given)))
    shuffles = SHUFFLES if len(given) > 1 else 0
    for number in range(shuffles):
        random.Random(seed + number).shuffle(order)
        for at, following in zip(order, order[1:] + order[:1], strict=True):  # one cycle through all rows
            others[at] += metric.sentence_score(said[at], [given[following]]).score / shuffles
    return Likeness(own, others)


def chrf(verses: Sequence[str], references: Sequence[str], seed: int = 0) -> dict[str, float]:
    return likeness(verses, references, seed).mean()


def known(slp1: str, lexicon: set[str]) -> int:
    return sum(word in lexicon for word in words(slp1))


def repeats(slp1: str) -> bool:
    """Whether a word of more than three letters comes twice. Poets do that seldom; small models like to."""
    said = [word for word in words(slp1) if len(word) > 3]
    return len(set(said)) < len(said)


def figures(chosen: Sequence[Example], made: Sequence[Outcome], lexicon: set[str] | None) -> dict[str, Any]:
    """Everything that is told about a run, except meaning."""
    number = len(made)
    verses = [outcome.verse for outcome in made]
    often = Counter(half for verse in verses for half in set(halves(verse)))
    references = [example.reference for example in chosen]
    result: dict[str, Any] = {
        "verses": number,
        "full_percent": 100 * sum(outcome.full for outcome in made) / number,
        "partial_percent": 100 * sum(outcome.syllables == 32 for outcome in made) / number,
        "distinct_verses": len(set(verses)),
        "most_frequent_half": dict(zip(("text", "times"), often.most_common(1)[0], strict=True)) if often else None,
        "repeating_percent": {
            name: 100 * statistics.fmean(map(repeats, texts))
            for name, texts in (("composed", verses), ("references", references))
        },
        "syllables": dict(sorted(Counter(outcome.syllables for outcome in made).items())),
        "seconds_a_verse": statistics.fmean(outcome.seconds for outcome in made),
    }
    if all(references):
        result["chrf"] = chrf(verses, references)
    if lexicon is not None:
        result["words"] = {
            "composed": sum(len(words(verse)) for verse in verses),
            "composed_known_percent": _share(verses, lexicon),
            "references": sum(len(words(reference)) for reference in references),
            "references_known_percent": _share(references, lexicon),
        }
    return result


def _share(texts: Sequence[str], lexicon: set[str]) -> float:
    return 100 * sum(known(text, lexicon) for text in texts) / max(1, sum(len(words(text)) for text in texts))
