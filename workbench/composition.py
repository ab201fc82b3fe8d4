"""What came of one piece of prose: verses with what is known of each, and all that is needed to make them again.

Plain data, for a page or a line of JSON. Knows candidates and scores; loads no model.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.decoding.settings import Settings
from workbench.semantics import registry
from workbench.semantics.registry import CALIBRATED, Scores

if TYPE_CHECKING:
    from workbench.decoding.selection import Candidate
    from workbench.decoding.wishing import Wish
    from workbench.prosody.verse import Verse


@dataclass(frozen=True)
class Ranked:
    """A candidate, and what the judges of meaning say of it, where they were asked."""

    candidate: Candidate
    scores: Scores | None = None

    @property
    def order(self) -> tuple[float, float]:
        """What the better one has more of: meaning, then probability."""
        return registry.meaning(self.scores) if self.scores else 0.0, self.candidate.log_probability

    @property
    def why(self) -> str:
        if self.scores is None:
            return self.candidate.why
        said = registry.shown(self.scores)
        meaning = (
            f"{said:.1f} of 5"
            if CALIBRATED in self.scores
            else f"{said:.2f} of 1, uncalibrated: no people have checked it yet"
        )
        return f"{self.candidate.why} Meaning: {meaning}."

    def as_json(self, to: str) -> dict[str, Any]:
        candidate = self.candidate
        return _candidate_json(
            candidate.verse, to, candidate.full, candidate.log_probability, self.scores,
            added=candidate.added, score=candidate.score, why=self.why, copies=candidate.copies,
            milestones=[asdict(milestone) for milestone in candidate.hypothesis.milestones],
        )  # fmt: skip


def _candidate_json(
    verse: Verse, to: str, full: bool, log_probability: float, scores: Scores | None, **more: Any
) -> dict[str, Any]:
    return {
        "slp1": verse.slp1,
        "devanagari": verse.text("devanagari"),
        "text": verse.text(to),
        "lines": verse.lines(to),
        "full": full,
        "padas": [{"weights": pada.weights, "form": pada.form} for pada in verse.padas],
        "log_prob": log_probability,
        "added": more["added"],
        "score": more["score"],
        "meaning": registry.as_json(scores) if scores else None,
        "milestones": more["milestones"],
        "copies": more["copies"],
        "why": more["why"],
    }


def by_hand(verse: Verse, to: str, log_probability: float, scores: Scores | None, why: str) -> dict[str, Any]:
    """A verse that a person put together or brings back, as the candidates of a composition are told: no search found
    it, so it has no steps."""
    full = bool(verse.verdict and verse.verdict.full and not verse.verdict.licences)
    candidate = _candidate_json(
        verse, to, full, log_probability, scores, added=0.0, score=log_probability, milestones=[], copies=1, why=why
    )
    return {**candidate, "by_hand": True}


@dataclass(frozen=True)
class Composition:
    """Verses for one piece of prose, the chosen one first, with all that is needed to make them again."""

    prose: str
    settings: Settings
    ranked: tuple[Ranked, ...]
    notes: tuple[str, ...]
    timings: dict[str, float]
    signature: str
    trace: dict[str, Any] = field(repr=False)
    wishes: tuple[Wish, ...] = ()  # that every candidate keeps

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        return tuple(each.candidate for each in self.ranked)

    @property
    def chosen(self) -> Candidate | None:
        """None when the search was cancelled before a verse was whole, or when the paper's mode stranded every beam."""
        return self.ranked[0].candidate if self.ranked else None

    def as_json(self, to: str = "devanagari") -> dict[str, Any]:
        candidates = [each.as_json(to) for each in self.ranked]
        return {
            "prose": self.prose,
            "verse": candidates[0]["text"] if candidates else None,
            "metre": self.settings.found_metre().name,
            **(
                {"wishes": [{"line": wish.line, "sentence": wish.sentence} for wish in self.wishes]}
                if self.wishes
                else {}
            ),
            "candidates": candidates,
            "notes": list(self.notes),
            "timings": self.timings,
            "signature": self.signature,
        }
