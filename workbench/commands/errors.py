"""How a command refuses: one sentence on standard error that says what was expected, and exit code 2."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

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
    except OSError as error:
        if isinstance(error, BrokenPipeError) or error.filename is None:  # the caller knows what to do; or a fault
            raise
        return complain(f"Expected a file or folder that can be read and written; {error.strerror}: {error.filename}.")
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        return complain(
            f"Expected the package {package}, which the extra {EXTRAS[package]} brings; got none. In a checkout, "
            f"`pip install '.[{EXTRAS[package]}]'` installs it."
        )
    except Exception as error:
        if not _of_a_database(error):
            raise
        return complain(no_database(error))


def _of_a_database(error: Exception) -> bool:
    """Without loading what only some commands need."""
    known = sys.modules.get("sqlalchemy.exc")
    return known is not None and isinstance(error, known.SQLAlchemyError)


def no_database(error: Exception) -> str:
    """In a sentence of ours: its own words may hold the address, and so a password."""
    return f"Expected a database at DATABASE_URL or in PINGALA_DATA; got {type(error).__name__}."


def not_on_test(corpus: str | Path, what: str = "nothing is chosen") -> None:
    if "test" in Path(corpus).name:
        raise Refusal(f"Expected the dev corpus: {what} on test; got {corpus}.")


def complain(sentence: str) -> int:
    """Say it, and give the exit code. What cannot be encoded, a lone surrogate for one, is shown escaped."""
    print(sentence.encode("utf-8", "backslashreplace").decode(), file=sys.stderr, flush=True)
    return UNREADABLE
