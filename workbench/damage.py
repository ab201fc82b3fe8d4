"""Files that must be whole: hashed, read, or refused in a sentence that names them and says what to do. Knows no room.

What a damaged file makes of the libraries that read it can be any error at all, and is told in its first line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from workbench.refusal import Refusal

LONGEST = 160  # characters of what a library said
ANEW = "Fetch the folder anew; `python -m workbench doctor` looks through all of them."


def sha256(*files: Path) -> str:
    """Of what is in them, one after the other; large ones never stand in memory."""
    total = hashlib.sha256()
    for file in files:
        with file.open("rb") as stream:
            hashlib.file_digest(stream, lambda: total)
    return total.hexdigest()


@contextmanager
def whole(folder: Path, what: str, error: type[Refusal], remedy: str = ANEW) -> Iterator[None]:
    """What is loaded within comes from a folder: whatever goes wrong is `error`, in a sentence."""
    try:
        yield
    except Refusal:
        raise
    except Exception as fault:
        raise error(f"Expected a whole {what} in {folder.name}/; {first_line(fault)}. {remedy}") from fault


def read_json(file: Path, error: type[Refusal], remedy: str, of: str = "") -> Any:
    """What a JSON file says."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as fault:
        raise error(f"Expected JSON in {file.name}{of}; {first_line(fault)}. {remedy}") from fault


def said(fault: Exception) -> str:
    """Its first line, or its name where it says nothing."""
    return (str(fault).strip().splitlines() or [type(fault).__name__])[0]


def first_line(fault: Exception) -> str:
    """What went wrong, without the paths of this machine that libraries like to tell."""
    words = [Path(word.strip("'\"")).name if "/" in word else word for word in said(fault).split()]
    return (" ".join(words)[:LONGEST] or type(fault).__name__).rstrip(".")
