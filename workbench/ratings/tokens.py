"""Tokens: made by chance, kept as hashes, compared in constant time, and guessed at only slowly.

A token is what an invitation link or a study's owner carries. Only its hash is stored, so that a copy of the database
opens no door.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict
from typing import NoReturn

from workbench.refusal import Refusal

BYTES = 24  # 192 bits: not to be guessed, and so a plain hash is enough
TRIES, WITHIN = 10, 60.0  # wrong tokens from one place, and the seconds they count for
PLACES = 10_000  # remembered at most


def mint() -> str:
    return secrets.token_urlsafe(BYTES)


def digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def same(token: str, kept: str) -> bool:
    """Whether a token is the one whose hash was kept."""
    return hmac.compare_digest(digest(token), kept)


class NoEntry(Refusal):
    """A token, or a login, that opens nothing here; the message says so and no more."""


class TooMany(NoEntry):
    """Too many wrong tokens from one place; the message says when to try again."""


class Limiter:
    """Counts wrong tokens by place, an address for one; in memory, since a restart is slower than the limit."""

    def __init__(self, tries: int = TRIES, within: float = WITHIN) -> None:
        self._tries, self._within = tries, within
        self._wrong: OrderedDict[str, list[float]] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, place: str, now: float | None = None) -> None:
        """Refuse a place that has been wrong too often lately."""
        now = time.monotonic() if now is None else now
        with self._lock:
            recent = [at for at in self._wrong.get(place, []) if now - at < self._within]
            if len(recent) >= self._tries:
                wait = round(self._within - (now - recent[0])) or 1
                raise TooMany(f"Too many wrong links from here; try again in {wait} seconds.")

    def refuse(self, place: str, refusal: NoEntry) -> NoReturn:
        """Refuse a token that was looked at and is wrong: with `refusal`, or, where there were too many, with that."""
        self.check(place)
        self.wrong(place)
        raise refusal

    def wrong(self, place: str, now: float | None = None) -> None:
        now = time.monotonic() if now is None else now
        with self._lock:
            recent = [at for at in self._wrong.pop(place, []) if now - at < self._within]
            self._wrong[place] = [*recent, now]
            while len(self._wrong) > PLACES:
                self._wrong.popitem(last=False)
