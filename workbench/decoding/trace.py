"""What happened, step by step and beam by beam, as one JSON document that a viewer needs no model for.

Text, laghu-guru pattern, pādas and scores of every beam at every step; which beams went on and which were dropped; how
many of the top tokens were masked, why, and the best of them that was refused. `document` says what is where.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from workbench.decoding.constraint import SearchConstraint, TopTokens
from workbench.decoding.document import VERSION
from workbench.decoding.search import Hypothesis, Step
from workbench.decoding.settings import Settings
from workbench.prosody.scansion import weigh
from workbench.prosody.unfinished import halves_so_far


class Tracer:
    """Turns the steps of one search into events, each a JSON object; `document` has them all."""

    def __init__(self, constraint: SearchConstraint, settings: Settings) -> None:
        self.constraint = constraint
        self.settings = settings
        self._steps: list[dict[str, Any]] = []
        self._before: tuple[Hypothesis, ...] = (Hypothesis(state=constraint.start),)
        self._why = lru_cache(maxsize=100_000)(constraint.reason)

    def event(self, step: Step) -> dict[str, Any]:
        """One step as JSON. Steps must come in their order."""
        beams = [self._beam(f"{step.number}.{at}", step.number, parent, beam)
                 for at, (beam, parent) in enumerate(zip(step.beams, step.parents, strict=True))]  # fmt: skip
        finished = [
            self._beam(f"{step.number}.end{at}", step.number, None, end) for at, end in enumerate(step.finished)
        ]
        event = {
            "number": step.number,
            "beams": beams,
            "finished": finished,
            "dropped": self._dropped(step),
            "looked": self._masked(step.top_tokens),
        }
        self._before = step.beams
        self._steps.append(event)
        return event

    def document(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "settings": self.settings.recorded(),
            "metre": self.constraint.metre.name,
            "script": self.settings.script,
            "steps": self._steps,
        }

    def _beam(self, name: str, number: int, parent: int | None, beam: Hypothesis) -> dict[str, Any]:
        facts = self.constraint.facts(beam.state)
        text = self.constraint.vocabulary.text(beam.tokens)
        return {
            "id": name,
            "parent": f"{number - 1}.{parent}" if parent is not None and number > 1 else None,
            "text": text.strip(),
            "weights": "".join(map(weigh, halves_so_far(text, self.settings.script))),
            "open": facts.open,
            "wanted": facts.wanted,
            "padas": facts.padas,
            "log_probability": beam.log_probability,
            "added": beam.added,
            "score": beam.score,
            "milestones": [asdict(milestone) for milestone in beam.milestones],
        }

    def _dropped(self, step: Step) -> list[dict[str, str]]:
        """Beams of the step before that neither went on nor ended."""
        went_on = set(step.parents)
        ended = {end.tokens[:-1] for end in step.finished}
        return [
            {"id": f"{step.number - 1}.{at}", "reason": "other beams scored higher"}
            for at, beam in enumerate(self._before)
            if step.number > 1 and at not in went_on and beam.tokens not in ended
        ]

    def _masked(self, top_tokens: tuple[TopTokens, ...]) -> dict[str, Any]:
        """How many of the rows' best tokens were masked, for which reasons, and the likeliest of these."""
        reasons: Counter[str] = Counter()
        tokens = 0
        best: tuple[float, int, str] | None = None
        for beam, row in zip(self._before, top_tokens, strict=False):
            tokens += len(row.tokens)
            for token, score, alive in zip(row.tokens.tolist(), row.scores.tolist(), row.alive.tolist(), strict=True):
                if alive:
                    continue
                reason = self._why(beam.state, token)
                reasons[reason] += 1
                if best is None or score > best[0]:
                    best = score, token, reason
        refused = None
        if best is not None:
            text = self.constraint.vocabulary.text([best[1]])
            refused = {"text": text, "log_probability": best[0], "reason": best[2]}
        return {"tokens": tokens, "masked": reasons.total(), "reasons": dict(reasons), "best_refused": refused}
