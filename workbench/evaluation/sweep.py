"""Which settings serve meaning best: the same prose of dev under every setting that a search has, side by side.

Each variant changes one thing of a base, so that a row of the table says what that thing does. Never run on test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from workbench import composer
from workbench.evaluation import evaluate, measures
from workbench.evaluation.parallel import Parallelism

_GUIDED = {"beta": 5.0, "top_k": 100, "guidance": 0.5, "synchronous": True}
BASE = composer.Settings(beta=0.0, top_k=None, length_penalty=0.0, rank="model")
_OURS = {**composer.HOUSE.recorded(), "rank": "meaning"}  # the judge chooses
VARIANTS: dict[str, dict[str, Any]] = {
    "base: β 0, whole vocabulary": {},
    "β 1": {"beta": 1.0},
    "β 3": {"beta": 3.0},
    "β 5": {"beta": 5.0},
    "top-k 100": {"top_k": 100},
    "synchronous": {"synchronous": True},
    "β 5, synchronous": {"beta": 5.0, "synchronous": True},
    "β 5, top-k 100, synchronous": {"beta": 5.0, "top_k": 100, "synchronous": True},
    "length penalty 1": {"length_penalty": 1.0},
    "n-grams may repeat": {"no_repeat_ngram": 0},
    "no pair of tokens twice": {"no_repeat_ngram": 2},
    "guidance 0.25": {"guidance": 0.25},
    "guidance 0.5": {"guidance": 0.5},
    "guidance 1": {"guidance": 1.0},
    "guidance 1.5": {"guidance": 1.5},
    "guidance 1, synchronous": {"guidance": 1.0, "synchronous": True},
    "guidance 1.5, synchronous": {"guidance": 1.5, "synchronous": True},
    "β 5, top-k 100, guidance 0.5, synchronous": _GUIDED,
    "β 5, top-k 100, guidance 1, synchronous": {**_GUIDED, "guidance": 1.0},
    "a word again costs 3": {"repetition": 3.0},
    "guidance 1, synchronous, a word again costs 3": {"guidance": 1.0, "synchronous": True, "repetition": 3.0},
    **{
        f"β 5, top-k 100, guidance {guidance:g}, synchronous, a word again costs {cost:g}": {
            **_GUIDED,
            "guidance": guidance,
            "repetition": cost,
        }
        for guidance, cost in ((0.5, 1.0), (0.5, 2.0), (0.5, 3.0), (0.5, 4.0), (0.0, 3.0), (1.0, 3.0))
    },
    "ours": _OURS,
    "ours, guidance 0.25": {**_OURS, "guidance": 0.25},
    "ours, guidance 1": {**_OURS, "guidance": 1.0},
    "ours, 5 groups": {**_OURS, "groups": 5},
    "ours, 25 draws as well": {**_OURS, "draws": 25, "temperature": 0.6},
    "diverse, 5 groups": {"groups": 5},
    "25 draws, temperature 0.6": {"samples": 25, "temperature": 0.6},
    "yati preferred": {"yati": "prefer"},
    "the paper's preset": {"beta": 5.0, "top_k": 100, "length_penalty": 1.0},
    "no metre at all": {"mode": "free", "length_penalty": 1.0},
}


def sweep(
    path: str | Path,
    limit: int,
    model: str,
    workers: int,
    names: Sequence[str] = (),
    lexicon: set[str] | None = None,
) -> Iterator[dict[str, Any]]:
    """One row of figures for each variant."""
    chosen = evaluate.examples(path, limit)
    for name in names or VARIANTS:
        settings = BASE.but(**VARIANTS[name])
        made = evaluate.in_order(chosen, evaluate.outcomes(chosen, settings, model, Parallelism(workers)))
        figures = measures.figures(chosen, made, lexicon, settings.found_metre())
        yield {"variant": name, **figures, "heard_percent": measures.heard_percent(evaluate.words_heard(chosen, made))}
