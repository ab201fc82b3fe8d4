"""A progress line on standard error, when a person is looking."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def progress(items: Iterable[Item], what: str, every: float = 0.5) -> Iterator[Item]:
    """The items, counted on one line that is wiped at the end."""
    shown = sys.stderr.isatty()
    began = last = time.monotonic()
    for number, item in enumerate(items, start=1):
        now = time.monotonic()
        if shown and now - last > every:
            print(f"\r{number:,} {what}, {number / (now - began):,.0f}/s ", end="", file=sys.stderr, flush=True)
            last = now
        yield item
    if shown:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
