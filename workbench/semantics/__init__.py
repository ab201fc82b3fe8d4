"""Does this verse say what the prose says? Scores of pairs, and what makes them trustworthy. Knows no search."""


class JudgeError(ValueError):
    """A judge of meaning cannot be had; the message says what to run."""
