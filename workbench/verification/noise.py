"""Noise in, metre out: random-weight models of three families under every setting, and every verse judged by skrutable.

This is the guarantee of the workbench, shown: whatever a model says, what is returned is full.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from workbench.decoding.decode import make_constraint
from workbench.decoding.search import results, search
from workbench.decoding.selection import select
from workbench.decoding.settings import Settings
from workbench.models.scorers import ModelScorer
from workbench.models.tiny import FAMILIES, SCRIPTS, prompt

BEAMS = (1, 5, 25)
BETAS = (0.0, 1.0, 3.0, 5.0, 7.0, 10.0)
METRES = ("anuṣṭubh", "vasantatilakā", "āryā")


@dataclass(frozen=True)
class Run:
    family: str
    settings: Settings
    returned: int
    full: int  # by skrutable and by us
    wrong: tuple[str, ...]


def run(family: str, settings: Settings, number: int = 0) -> Run:
    """One search of a random model, every returned verse judged."""
    model, tokenizer = FAMILIES[family]()
    constraint = make_constraint(tokenizer, settings)
    found = results(list(search(ModelScorer(model, prompt(number)), constraint, settings)), settings)
    candidates = select(found, constraint.vocabulary, constraint.metre, settings.script, settings.length_penalty)
    good = [c for c in candidates if c.full and c.verdict and c.verdict.perfect(constraint.metre)]
    wrong = tuple(candidate.text for candidate in candidates if candidate not in good)
    return Run(family, settings, len(found), sum(candidate.copies for candidate in good), wrong)


def matrix() -> Iterator[Run]:
    """Families x beams x β x scripts x metres: 324 searches."""
    for family, beams, beta, script, metre in product(FAMILIES, BEAMS, BETAS, SCRIPTS, METRES):
        yield run(family, Settings(metre=metre, script=script, beta=beta, beams=beams, returned=beams))
