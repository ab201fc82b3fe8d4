"""A verse as it was read and judged, and a verse in the making, as plain data: what a page draws, or a line of JSON.

Writes in the script asked for. Knows verses and verdicts, no models.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workbench.prosody.drafts import Draft, DraftPada
from workbench.prosody.metres import find
from workbench.prosody.scansion import WEIGHT_NAMES
from workbench.prosody.script import write
from workbench.prosody.unfinished import lay_out
from workbench.prosody.verdict import Problem, ScannedPada, Verdict
from workbench.prosody.verse import DANDA, Verse


@dataclass(frozen=True)
class Scan:
    """One verse as it was read and judged."""

    verse: Verse
    verdict: Verdict
    script: str = "slp1"  # the script it came in

    @classmethod
    def of(cls, verse: Verse, script: str = "slp1") -> Scan | None:
        """None for what is no verse."""
        return cls(verse, verse.verdict, script) if verse.verdict else None

    def as_json(self, to: str = "devanagari") -> dict[str, Any]:
        """The verse as JSON, its Sanskrit in the script asked for; `slp1` is always there."""
        verdict, aksharas = self.verdict, self.verse.aksharas(to)
        return {
            "slp1": self.verse.slp1,
            "text": self.verse.text(to),
            "script": self.script,
            "metre": verdict.metre.name if verdict.metre else None,
            "kind": verdict.metre.kind if verdict.metre else None,
            "ganas": verdict.metre.ganas if verdict.metre else "",
            "yati": list(verdict.metre.padas[0].yati) if verdict.metre else [],
            "full": verdict.full,
            "padas": [_pada(at, verdict, aksharas[at]) for at in range(len(verdict.padas))],
            "problems": [_problem(problem) for problem in verdict.problems],
            "licences": [_problem(licence) for licence in verdict.licences],
            "near": list(verdict.near),
            **({"part_of": list(verdict.part_of)} if verdict.part_of else {}),
            "skrutable": {"label": verdict.skrutable.label, "score": verdict.skrutable.score},
        }


def _pada(number: int, verdict: Verdict, aksharas: list[str]) -> dict[str, Any]:
    pada = verdict.padas[number]
    return {
        "syllables": aksharas,
        "weights": pada.weights,
        "reasons": [_why(number + 1, at, pada, verdict) for at in range(len(pada.syllables))],
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


def unfinished_padas(beam: dict[str, Any], metre: str, script: str, to: str = "devanagari") -> list[dict[str, Any]]:
    """A beam of a trace as its four pādas: the akṣaras that are there, and the weights that must come."""
    return [
        {
            "syllables": [write(syllable.slp1, to) for syllable in row.syllables],
            "weights": "".join(syllable.weight for syllable in row.syllables),
            "to_come": list(row.to_come),
            "form": row.form,
            "complete": row.complete,
            "fits": row.fits,
        }
        for row in lay_out(beam["text"], script, find(metre), beam["open"], beam["wanted"])
    ]


def draft_json(draft: Draft, to: str = "auto") -> dict[str, Any]:
    """A verse as it is being typed: its pādas with what is there, what is wrong and what must come; in the script it is
    typed in unless another is asked for."""
    to = draft.script if to == "auto" else to
    letters = [each.syllable.slp1 for pada in draft.padas for each in pada.syllables]
    written = iter(write("\n".join(letters), to).split("\n"))
    words = [[write(word, to) for word in half.split()] for half in draft.halves]
    return {
        "metre": draft.metre.name,
        "script": draft.script,
        "slp1": DANDA.join(draft.halves),
        "full": draft.full,
        "padas": [_draft_pada(pada, [next(written) for _ in pada.syllables]) for pada in draft.padas],
        "problems": list(draft.problems),
        "faulty_words": [{"half": half, "word": word, "text": words[half][word]} for half, word in draft.faulty_words],
    }


def _draft_pada(pada: DraftPada, aksharas: list[str]) -> dict[str, Any]:
    return {
        "syllables": [
            {
                "akshara": akshara,
                "weight": each.syllable.weight,
                "why": each.syllable.why,
                "wanted": WEIGHT_NAMES.get(each.wanted, ""),
                "open": each.is_open,
                "extra": each.extra,
            }
            for akshara, each in zip(aksharas, pada.syllables, strict=True)
        ],
        "to_come": list(pada.to_come),
        "form": pada.form,
        "complete": pada.complete,
        "faulty": pada.faulty,
    }
