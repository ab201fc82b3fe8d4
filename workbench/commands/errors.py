"""How a command refuses: one sentence on standard error that says what was expected, and exit code 2."""

from __future__ import annotations

import sys
from collections.abc import Callable

from workbench.refusal import Refusal

UNREADABLE = 2
# What an extra brings, by the name it is imported under, and which extra: a command may be asked for without it.
EXTRAS = {
    "accelerate": "train", "datasets": "train", "peft": "hub", "bitsandbytes": "hub", "ray": "ray",
    "playwright": "dev", "vidyut": "dev",
}  # fmt: skip


def answer(command: Callable[[], int]) -> int:
    """What a command gives: its exit code, or, where it is refused, a sentence and ours."""
    try:
        return command()
    except Refusal as refusal:
        return complain(str(refusal))
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        return complain(
            f"Expected the package {package}, which the extra {EXTRAS[package]} brings; got none. In a checkout, "
            f"`pip install '.[{EXTRAS[package]}]'` installs it."
        )


def complain(sentence: str) -> int:
    """Say it, and give the exit code. What cannot be encoded, a lone surrogate for one, is shown escaped."""
    print(sentence.encode("utf-8", "backslashreplace").decode(), file=sys.stderr, flush=True)
    return UNREADABLE
