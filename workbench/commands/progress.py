"""A progress line on standard error: overwritten when a person is looking, one a minute in a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def progress(items: Iterable[Item], what: str, every: float = 0.5, total: int = 0) -> Iterator[Item]:
    """The items, counted on one line that is wiped at the end; where it is known how many come, with the time left."""
    shown = sys.stderr.isatty()
    pause = every if shown else 60.0
    began = last = time.monotonic()
    there = 0  # what came at once was there already, and tells nothing about the pace
    for number, item in enumerate(items, start=1):
        now = time.monotonic()
        if now - began < 0.2:
            there = number
        if now - last > pause:
            pace = max(1, number - there) / (now - began)
            said = f"{number:,} of {total:,} {what}, {time_left((total - number) / pace)}" if total else (
                f"{number:,} {what}, {pace:,.0f}/s"
            )  # fmt: skip
            line, end = (f"\r\033[K{said} ", "") if shown else (f"{time.strftime('%H:%M:%S')} {said}", "\n")
            print(line, end=end, file=sys.stderr, flush=True)
            last = now
        yield item
    if shown:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def time_left(seconds: float) -> str:
    """As a person says it."""
    minutes, rest = divmod(round(max(0.0, seconds)), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min left"
    return f"{minutes} min {rest} s left" if minutes else f"{rest} s left"


def teller() -> Callable[[str], None]:
    """Says what goes on: on one line that is overwritten for a person, a line every half minute for a log."""
    last = 0.0

    def tell(sentence: str) -> None:
        nonlocal last
        if sys.stderr.isatty():
            print(f"\r\033[K{sentence}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - last > 30 or sentence.startswith("dev"):
            print(f"{time.strftime('%H:%M:%S')} {sentence}", file=sys.stderr, flush=True)
            last = time.monotonic()

    return tell
