"""What is told about composed verses: metre, chrF against their own and others' references, words, sameness.

chrF against the verse's own reference says how much of it is there; against other rows' references, how much of that is
only the epics' common stock. Knows verses and references in SLP1; knows no models and no files.
"""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from workbench.prosody.metres import Metre
from workbench.prosody.verse import Verse
from workbench.semantics.registry import Scores

SHUFFLES = 10
Listened = tuple[int | None, int | None]  # words of a prose that say something; of these, heard in the verse


@dataclass(frozen=True)
class Example:
    """Prose, and the verse that a poet made of it, in SLP1; empty where there is none."""

    id: str
    prose: str
    reference: str = ""

    @cached_property
    def poets(self) -> Verse:
        return Verse.from_slp1(self.reference)


@dataclass(frozen=True)
class Outcome:
    """What came of one example. `verse` is empty where a search found none."""

    id: str
    verse: str
    full: bool  # by skrutable
    syllables: int
    seconds: float
    scores: Scores = field(default_factory=dict)  # of the judges that were asked when it was chosen

    def as_row(self) -> dict[str, Any]:
        row = asdict(self)
        return row if self.scores else {name: value for name, value in row.items() if name != "scores"}

    @cached_property
    def composed(self) -> Verse:
        return Verse.from_slp1(self.verse)

    def off(self, metre: Metre) -> int:
        """How many syllables, or in a mora metre morae, it has too many or too few."""
        return min(abs(self.length(metre) - wanted) for wanted in metre.lengths)

    def length(self, metre: Metre) -> int:
        """In syllables or morae, as the metre counts; nothing, for what is no verse."""
        return metre.count(self.composed.weights) if self.syllables and metre.unit == "morae" else self.syllables


@dataclass(frozen=True)
class Likeness:
    """Sentence chrF of each verse: with its own reference, and the mean with others'."""

    own: list[float]
    others: list[float]

    def mean(self) -> dict[str, float]:
        own, others = statistics.fmean(self.own), statistics.fmean(self.others)
        return {"own": own, "shuffled": others, "ratio": own / others if others else 0.0}


def likeness(verses: Sequence[Verse], references: Sequence[Verse], seed: int = 0) -> Likeness:
    """Others are those of several shuffles, none of which leaves a row its own."""
    said, given = [verse.plain for verse in verses], [reference.plain for reference in references]
    own = [chrf(verse, other) for verse, other in zip(said, given, strict=True)]
    others = [0.0] * len(said)
    order = list(range(len(given)))
    shuffles = SHUFFLES if len(given) > 1 else 0
    for number in range(shuffles):
        random.Random(seed + number).shuffle(order)
        for at, following in zip(order, order[1:] + order[:1], strict=True):  # one cycle through all rows
            others[at] += chrf(said[at], given[following]) / shuffles
    return Likeness(own, others)


@lru_cache(maxsize=1 << 16)  # a run is measured row by row, then as a whole: more pairs than a test set has
def chrf(said: str, given: str) -> float:
    score: float = CHRF().sentence_score(said, [given]).score
    return score


def known(verse: Verse, lexicon: set[str]) -> int:
    return sum(word in lexicon for word in verse.words)


def repeats(verse: Verse) -> bool:
    """Whether a word of more than three letters comes twice. Poets do that seldom; small models like to."""
    said = [word for word in verse.words if len(word) > 3]
    return len(set(said)) < len(said)


def repeats_stem(verse: Verse) -> bool:
    """Whether two words begin alike, whatever their endings: said again in another case, a word says nothing new. What
    begins alike by chance, a prefix for one, the poets' verses have as well."""
    return len(set(verse.stems)) < len(verse.stems)


def figures(
    chosen: Sequence[Example], made: Sequence[Outcome], lexicon: set[str] | None, metre: Metre
) -> dict[str, Any]:
    """Everything that is told about a run, except meaning. Partial is a verse of the metre's own length."""
    number = len(made)
    verses = [outcome.composed for outcome in made]
    often = Counter(half for verse in verses for half in dict.fromkeys(verse.halves))
    references = [example.poets for example in chosen]
    result: dict[str, Any] = {
        "verses": number,
        "full_percent": 100 * sum(outcome.full for outcome in made) / number,
        "partial_percent": 100 * sum(outcome.off(metre) == 0 for outcome in made) / number,
        "distinct_verses": len({outcome.verse for outcome in made}),
        "most_frequent_half": dict(zip(("text", "times"), often.most_common(1)[0], strict=True)) if often else None,
        **{
            measure: {
                name: 100 * statistics.fmean(map(found, texts))
                for name, texts in (("composed", verses), ("references", references))
            }
            for measure, found in (("repeating_percent", repeats), ("repeating_stems_percent", repeats_stem))
        },
        metre.unit: dict(sorted(Counter(outcome.length(metre) for outcome in made).items())),
        "seconds_a_verse": statistics.fmean(outcome.seconds for outcome in made),
    }
    if all(example.reference for example in chosen):
        result["chrf"] = likeness(verses, references).mean()
        result["bleu"] = BLEU().corpus_score([v.plain for v in verses], [[r.plain for r in references]]).score
    if lexicon is not None:
        result["words"] = {
            "composed": sum(len(verse.words) for verse in verses),
            "composed_known_percent": _share(verses, lexicon),
            "references": sum(len(reference.words) for reference in references),
            "references_known_percent": _share(references, lexicon),
        }
    return result


def heard_percent(listened: Iterable[Listened]) -> float | None:
    """Of the proses' words that say something, the share heard in their verses; None where nobody listened."""
    pairs = [(content or 0, heard or 0) for content, heard in listened]
    content, heard = (sum(pair[at] for pair in pairs) for at in (0, 1))
    return 100 * heard / content if content else None


def _share(verses: Sequence[Verse], lexicon: set[str]) -> float:
    return 100 * sum(known(verse, lexicon) for verse in verses) / max(1, sum(len(verse.words) for verse in verses))
