"""Work that is under way: whose it is, so that Stop reaches it also while it still waits for its place; and how a page
looks at it without holding it up.

Knows sessions, tickets and threads, nothing of what is being made.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

Made = TypeVar("Made")
HEAVY = 15  # the priority of heavy work, of 0 to 19, where 19 waits for everybody


class Ticket:
    """One press of Compose. It may be stopped before its work begins."""

    def __init__(self) -> None:
        self.stopped = False
        self._cancel: Callable[[], None] | None = None

    def take(self, cancel: Callable[[], None]) -> None:
        """The work begins; `cancel` stops it."""
        self._cancel = cancel
        if self.stopped:
            cancel()

    def stop(self) -> None:
        self.stopped = True
        if self._cancel:
            self._cancel()


class Tickets:
    """The ticket of each session; a new one takes the place of the one before, which is stopped."""

    def __init__(self) -> None:
        self._tickets: dict[str, Ticket] = {}
        self._lock = threading.Lock()

    def draw(self, session: str) -> Ticket:
        ticket = Ticket()
        with self._lock:
            before = self._tickets.pop(session, None)
            self._tickets[session] = ticket
        if before:
            before.stop()
        return ticket

    def find(self, session: str) -> Ticket | None:
        return self._tickets.get(session)

    def stop(self, session: str) -> bool:
        """Whether there was something to stop."""
        ticket = self.find(session)
        if ticket:
            ticket.stop()
        return ticket is not None

    def done(self, session: str, ticket: Ticket) -> None:
        with self._lock:
            if self._tickets.get(session) is ticket:
                del self._tickets[session]


def step_back() -> None:
    """Let this thread's heavy work stand back behind whoever only scans, rates or opens a page. Linux gives every
    thread a priority of its own; elsewhere nothing changes."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), HEAVY)


class _Ended:
    """Comes after the last thing made, with the error that ended it if there was one."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def newest(making: Iterable[Made], cancel: Callable[[], None], every: float) -> Generator[Made, None, None]:
    """The newest of what is being made, at most once in `every` seconds; what came between is never seen.

    It is made in a thread of its own, so that it never waits for a page that draws, and all of it in one, since torch
    keeps threads of its own for each thread that asks it. An error there is raised here. Whoever stops looking cancels
    it.
    """
    made: SimpleQueue[Made | _Ended] = SimpleQueue()

    def make() -> None:
        step_back()
        error: BaseException | None = None
        try:
            for each in making:
                made.put(each)
        except BaseException as caught:  # noqa: BLE001  raised again where somebody looks
            error = caught
        made.put(_Ended(error))

    maker = threading.Thread(target=make, name="making", daemon=True)
    maker.start()
    last: Made | _Ended | None = None
    try:
        due = time.monotonic()
        while not isinstance(last, _Ended):
            last = made.get()
            while not isinstance(last, _Ended) and (wait := due - time.monotonic()) > 0:
                with suppress(Empty):
                    last = made.get(timeout=wait)
            for _ in range(made.qsize()):  # and no longer: it may be made faster than it is read
                last = made.get()
            if not isinstance(last, _Ended):
                yield last
                due = time.monotonic() + every
    finally:
        if not isinstance(last, _Ended):
            cancel()
        maker.join()
    if last.error:
        raise last.error
