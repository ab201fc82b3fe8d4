"""What one composition may take of the machine when strangers ask for it: seconds, and memory that must be free.

Knows the environment's names and the system's account of its memory, nothing of compositions. The bounds of settings
are not here: they are declared with the settings.
"""

from __future__ import annotations

import os
from pathlib import Path

from workbench.refusal import Refusal

SECONDS_VARIABLE, MEGABYTES_VARIABLE = "PINGALA_SECONDS", "PINGALA_MEGABYTES"
SECONDS, MEGABYTES = 120, 300  # a verse takes some seconds; with the widest settings that are allowed, 250 MB
MOST_PAIRS = 100  # of prose and verse, that the judges score in one call
MEMORY = Path("/proc/meminfo")
# Of a container that may use less than the machine has.
GROUP_LIMIT, GROUP_USED = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")


class TooLittle(Refusal):
    """The machine has no room for another composition now; the message says so."""


def seconds() -> float:
    """That a composition may search, after which it is stopped."""
    return _number(SECONDS_VARIABLE, SECONDS)


def check_memory() -> None:
    """Refuse work for which there is too little memory, before the system ends us all."""
    wanted, free = _number(MEGABYTES_VARIABLE, MEGABYTES), free_megabytes()
    if free is not None and free < wanted:
        raise TooLittle(
            f"Expected {wanted:,.0f} MB of free memory for a composition; this server has {free:,.0f} now. "
            "Try again in a minute."
        )


def free_megabytes() -> float | None:
    """What the system, or the container, has left; None where it does not say."""
    found = []
    if MEMORY.is_file():
        lines = dict(line.split(":", 1) for line in MEMORY.read_text(encoding="ascii").splitlines() if ":" in line)
        if "MemAvailable" in lines:
            found.append(int(lines["MemAvailable"].split()[0]) / 1024)
    if GROUP_LIMIT.is_file() and GROUP_USED.is_file():
        limit = GROUP_LIMIT.read_text(encoding="ascii").strip()
        if limit.isdigit():
            found.append((int(limit) - int(GROUP_USED.read_text(encoding="ascii"))) / 2**20)
    return min(found, default=None)


def _number(variable: str, usual: float) -> float:
    said = os.environ.get(variable)
    if not said:
        return usual
    if not said.isdigit():
        raise Refusal(f"Expected {variable} to be a whole number; got {said[:40]!r}.")
    return float(said)
