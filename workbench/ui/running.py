"""Which composition is under way for whom, so that Stop reaches it: also while it still waits for its place.

Knows sessions and tickets, nothing of what a ticket is for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable


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
