"""Does this verse say what the prose says? Scores of pairs, and what makes them trustworthy. Knows no search."""

from workbench.refusal import Refusal


class JudgeError(Refusal):
    """A judge of meaning cannot be had; the message says what to run."""


class JudgeDamaged(JudgeError):
    """A judge is there and cannot be loaded; the message names its folder."""


class ReaderMissing(Refusal):
    """There is no reader; the message says what to do."""
