"""How a command refuses: one sentence on standard error that says what was expected, and exit code 2."""

from __future__ import annotations

import sys

from workbench.composer import JudgeError, ModelError, ProseError, ReadingError, SettingsError, UnknownMetre
from workbench.corpora import CorpusError
from workbench.semantics import ReaderMissing

UNREADABLE = 2
Refused = (JudgeError, ModelError, ProseError, ReadingError, SettingsError, UnknownMetre, CorpusError, ReaderMissing)


def complain(sentence: str) -> int:
    """Say it, and give the exit code. What cannot be encoded, a lone surrogate for one, is shown escaped."""
    print(sentence.encode("utf-8", "backslashreplace").decode(), file=sys.stderr, flush=True)
    return UNREADABLE
