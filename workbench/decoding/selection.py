"""Which of the returned verses to show first: the paper's final selection, every part of it kept for the table.

The strict checker goes over all candidates; perfect ones come first, in the model's order. When there is none, which
only unconstrained and paper-mode searches can bring about, the fallback score decides:
-α | syllables - wanted | + log P + γ (pādas that are right). The same verse twice is one candidate. Knows no meaning:
semantic scores are put on top elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from workbench.decoding.search import Hypothesis
from workbench.decoding.vocabulary import Vocabulary
from workbench.prosody.acceptor import acceptor
from workbench.prosody.detection import ReadingError
from workbench.prosody.metres import Metre
from workbench.prosody.script import to_slp1
from workbench.prosody.verdict import Verdict
from workbench.prosody.verse import Verse


@dataclass(frozen=True)
class Candidate:
    text: str  # as the model wrote it
    verse: Verse
    full: bool
    syllables: int
    right_padas: int
    log_probability: float
    added: float  # by β and yati
    score: float  # of the search, length penalty applied
    fallback: float
    hypothesis: Hypothesis
    copies: int = 1  # how often the search returned this verse

    @property
    def verdict(self) -> Verdict | None:
        """None: not even readable as a verse."""
        return self.verse.verdict

    @property
    def why(self) -> str:
        """Why it ranks where it does, in words."""
        if self.full:
            return "Every syllable fits the metre."
        return f"Not every syllable fits: {self.syllables} syllables, {self.right_padas} of 4 quarters (pādas) right."


def select(
    hypotheses: Iterable[Hypothesis],
    words: Vocabulary,
    metre: Metre,
    script: str,
    length_penalty: float = 1.0,
    alpha: float = 1.0,
    gamma: float = 1.0,
) -> list[Candidate]:
    """Candidates, the chosen one first."""
    found: dict[str, Candidate] = {}
    for hypothesis in hypotheses:
        candidate = _judge(hypothesis, words, metre, script, length_penalty, alpha, gamma)
        key = candidate.verse.slp1 if candidate.verdict else candidate.text
        known = found.get(key)
        found[key] = replace(known, copies=known.copies + 1) if known else candidate
    return sorted(found.values(), key=lambda one: (not one.full, 0.0 if one.full else -one.fallback))


def _judge(
    hypothesis: Hypothesis,
    words: Vocabulary,
    metre: Metre,
    script: str,
    length_penalty: float,
    alpha: float,
    gamma: float,
) -> Candidate:
    text = words.text(hypothesis.tokens).strip()
    verse = read_written(text, metre, script)
    verdict = verse.verdict
    syllables = sum(len(pada.syllables) for pada in verdict.padas) if verdict else 0
    right = _right_padas(verdict, metre)
    deviation = _deviation(syllables, metre)
    fallback = -alpha * deviation + hypothesis.log_probability + gamma * right
    return Candidate(
        text=text,
        verse=verse,
        full=bool(verdict and verdict.full and not verdict.licences),
        syllables=syllables,
        right_padas=right,
        log_probability=hypothesis.log_probability,
        added=hypothesis.added,
        score=hypothesis.final_score(length_penalty),
        fallback=fallback,
        hypothesis=hypothesis,
    )


def read_written(text: str, metre: Metre, script: str) -> Verse:
    """What a model wrote, judged; without a verdict where it wrote no verse at all."""
    try:
        return Verse.read(text, script).judged(metre)
    except ReadingError:
        return Verse.from_slp1(to_slp1(text, script), unread=True)


def _right_padas(verdict: Verdict | None, metre: Metre) -> int:
    """Pādas that fit, as the verse is laid out, or as its weights run on from the first: whichever are more."""
    if verdict is None:
        return 0
    laid_out = sum(pada.weights in wanted.weights for pada, wanted in zip(verdict.padas, metre.padas, strict=False))
    machine = acceptor(metre)
    state, running = machine.start, 0
    for weight in "".join(pada.weights for pada in verdict.padas):
        state = machine.second_half[state] if machine.second_half[state] >= 0 else state
        state = machine.next[state].get(weight, -1)
        if state < 0:
            break
        running = machine.padas[state]
    return max(laid_out, running)


def _deviation(syllables: int, metre: Metre) -> int:
    least = sum(pada.lengths[0] for pada in metre.padas)
    most = sum(pada.lengths[-1] for pada in metre.padas)
    return max(least - syllables, syllables - most, 0)
