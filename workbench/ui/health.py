"""What an operator asks at `/healthz`: versions, which models are at hand, who waits, whether the database answers.

Tells no text, no token, no address and no path of this machine, since anybody may ask.
"""

from __future__ import annotations

from typing import Any

from workbench.ui import composing


def report() -> dict[str, Any]:
    return {"queue": queue()}


def queue() -> dict[str, dict[str, int]]:
    """Who waits and who is at work, in every line."""
    named = {"people": composing.PEOPLE, "programs": composing.PROGRAMS, "scoring": composing.SCORING}
    return {name: {"waiting": line.waiting, "at work": line.at_work} for name, line in named.items()}
