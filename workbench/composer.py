"""The one door. The page, the command line and the experiments come in here, and none reaches behind it.

So far it scans: a text in any script becomes its verses, each judged, as plain data for a grid or a line of JSON.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workbench.prosody.detection import ReadingError
from workbench.prosody.judge import Problem, ScannedPada, Verdict, judge_lines
from workbench.prosody.metres import Metre, UnknownMetre, all_metres, find
from workbench.prosody.reading import read
from workbench.prosody.scansion import GLYPHS, WEIGHT_NAMES
from workbench.prosody.script import SCRIPTS, write

__all__ = ["SCRIPTS", "Metre", "ReadingError", "Scan", "UnknownMetre", "all_metres", "find_metre", "scan"]


@dataclass(frozen=True)
class Scan:
    """One verse as it was read and judged."""

    script: str  # the script it came in
    verdict: Verdict

    def as_json(self, to: str = "devanagari") -> dict[str, Any]:
        """The verse as JSON, its Sanskrit in the script asked for; `slp1` is always there."""
        verdict = self.verdict
        return {
            "slp1": verdict.slp1,
            "text": write(verdict.slp1, to),
            "script": self.script,
            "metre": verdict.metre.name if verdict.metre else None,
            "kind": verdict.metre.kind if verdict.metre else None,
            "ganas": verdict.metre.ganas if verdict.metre else "",
            "yati": list(verdict.metre.padas[0].yati) if verdict.metre else [],
            "full": verdict.full,
            "padas": [_pada(number, pada, verdict, to) for number, pada in enumerate(verdict.padas, start=1)],
            "problems": [_problem(problem) for problem in verdict.problems],
            "licences": [_problem(licence) for licence in verdict.licences],
            "near": list(verdict.near),
            "skrutable": {"label": verdict.skrutable.label, "score": verdict.skrutable.score},
        }


def _pada(number: int, pada: ScannedPada, verdict: Verdict, to: str) -> dict[str, Any]:
    return {
        "syllables": [write(syllable.slp1, to) for syllable in pada.syllables],
        "weights": pada.weights,
        "reasons": [_why(number, at, pada, verdict) for at in range(len(pada.syllables))],
        "form": pada.form,
    }


def _why(number: int, at: int, pada: ScannedPada, verdict: Verdict) -> str:
    """The reason for one weight, and at a pāda's end what its metre makes of it."""
    why = pada.syllables[at].why
    noted = [p.sentence for p in (*verdict.problems, *verdict.licences) if (p.pada, p.syllable) == (number, at + 1)]
    if at + 1 == len(pada.syllables) and verdict.metre and not noted:
        fillings = verdict.metre.padas[(number - 1) % 4].weights
        flipped = pada.weights[:-1] + ("g" if pada.weights[-1] == "l" else "l")
        if flipped in fillings and pada.weights in fillings:
            noted = ["The pāda ends here, so either weight will do."]
    return ". ".join([why, *noted])


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "sentence": problem.sentence,
        "pada": problem.pada,
        "syllable": problem.syllable,
        "wanted": problem.wanted,
        "got": problem.got,
    }


def find_metre(name: str | None) -> Metre | None:
    """A metre by name; None for no name, `auto` or an empty one."""
    return find(name) if name and name != "auto" else None


def scan(text: str, script: str = "auto", metre: str | None = None) -> list[Scan]:
    """Read a text and judge every verse in it, as its own metre or as the one named.

    ReadingError and UnknownMetre carry a sentence for the person who asked.
    """
    target = find_metre(metre)
    reading = read(text, script)
    return [Scan(reading.script, verdict) for verse in reading.verses for verdict in judge_lines(verse, target)]


def glyphs(weights: str) -> str:
    return "".join(GLYPHS[weight] for weight in weights)


def weight_name(weight: str) -> str:
    return WEIGHT_NAMES[weight]
