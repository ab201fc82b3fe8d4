"""Lines: who waits for heavy work, in which place and about how long. People and programs each have one, with slots of
its own, so that neither holds up the other. Whoever waits holds no thread; only whoever works has one of the line's.

Knows places, slots and threads, nothing of the work. A line that is full refuses with a sentence.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar

import gradio as gr

from workbench.refusal import Refusal
from workbench.ui import strings
from workbench.ui.running import Ticket, step_back

LOOK = 0.1  # seconds between two looks whether it is one's turn
TELL = 2.0  # seconds after which somebody who waits is told again: by then they may have gone, which is noticed so
CONNECTION = "x-pingala-connection"  # a header of the guard's: which connection of an assistant a call was made for
MEMORY = 0.2  # how much the last piece of work says of the next one's length
Made = TypeVar("Made")
_END: Any = object()

# The ticket of the call that is at work in this thread; programs' calls, by session, for when their connection ends.
CURRENT: ContextVar[Ticket | None] = ContextVar("ticket", default=None)


class Calls:
    """The tickets of programs' calls, several for a session: a client may ask for several things at once."""

    def __init__(self) -> None:
        self._tickets: dict[str, set[Ticket]] = {}
        self._lock = threading.Lock()

    def draw(self, session: str) -> Ticket:
        ticket = Ticket()
        with self._lock:
            self._tickets.setdefault(session, set()).add(ticket)
        return ticket

    def done(self, session: str, ticket: Ticket) -> None:
        with self._lock:
            left = self._tickets.get(session, set())
            left.discard(ticket)
            if not left:
                self._tickets.pop(session, None)

    def stop(self, session: str) -> bool:
        """Stop all that a session asked for; whether there was anything."""
        with self._lock:
            found = list(self._tickets.get(session, ()))
        for ticket in found:
            ticket.stop()
        return bool(found)


CALLS = Calls()


class LineFull(Refusal):
    """So many wait already that another would wait in vain; the message says when to come again."""


class Line:
    """A line before some slots. `usual` is how many seconds a piece of work takes, as long as nobody knows better."""

    def __init__(self, slots: int, places: int, usual: float) -> None:
        self.slots, self.places, self.usual = slots, places, usual
        self._waiting: list[Place] = []
        self._at_work: dict[Place, float] = {}  # and since when
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(slots, thread_name_prefix="heavy", initializer=step_back)

    def join(self) -> Place:
        with self._lock:
            if len(self._waiting) >= self.places:
                wait = self.estimated_wait(len(self._waiting))
                raise LineFull(strings.LINE_FULL.format(places=self.places, seconds=wait))
            place = Place(self)
            self._waiting.append(place)
            return place

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def at_work(self) -> int:
        return len(self._at_work)

    async def run(self, work: Callable[..., Made], *given: Any) -> Made:
        """Do a part of the work of whoever has a slot, in a thread of the line's."""
        context = copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._threads, lambda: context.run(work, *given))

    def estimated_wait(self, ahead: int) -> int:
        """About how many seconds until whoever has so many before them has a slot."""
        return max(1, round(self.usual * (ahead + 1) / self.slots))

    def number(self, place: Place) -> int:
        """Which one a place is of those that wait, from 1; 0 for one that does not."""
        with self._lock:
            return self._waiting.index(place) + 1 if place in self._waiting else 0

    def admit(self, place: Place) -> bool:
        """Give a place a slot, if one is free and the place is the first that waits."""
        with self._lock:
            if self._waiting[:1] != [place] or len(self._at_work) >= self.slots:
                return False
            self._waiting.remove(place)
            self._at_work[place] = time.monotonic()
            return True

    def leave(self, place: Place) -> None:
        """A place leaves the line, or its slot; a second time changes nothing."""
        with self._lock:
            if place in self._at_work:
                took = time.monotonic() - self._at_work.pop(place)
                self.usual += MEMORY * (took - self.usual)
            elif place in self._waiting:
                self._waiting.remove(place)


class Place:
    """One place in a line."""

    def __init__(self, line: Line) -> None:
        self._line = line

    @property
    def number(self) -> int:
        """From 1, as people count; 0 for whoever is at work or has left."""
        return self._line.number(self)

    @property
    def seconds(self) -> int:
        """About how long until it is this one's turn."""
        return self._line.estimated_wait(max(0, self.number - 1))

    def begin(self) -> bool:
        """Take a slot, if it is this one's turn."""
        return self._line.admit(self)

    def leave(self) -> None:
        """Leave the line, or the slot; a second time changes nothing."""
        self._line.leave(self)

    async def turn(self, ticket: Ticket) -> AsyncIterator[Place]:
        """Wait for one's turn, telling when the place changes and now and then; ends when it is, or at Stop."""
        shown, due = 0, 0.0
        while not ticket.stopped and not self.begin():
            if (number := self.number) != shown or time.monotonic() >= due:
                shown, due = number, time.monotonic() + TELL
                yield self
            await asyncio.sleep(LOOK)


async def pictures(line: Line, place: Place, making: Iterator[Made]) -> AsyncGenerator[Made, None]:
    """What is being made, looked at from threads of the line's. Whoever stops looking ends it, and then the place is
    left: not here, where others would wait for it."""
    try:
        while (made := await line.run(next, making, _END)) is not _END:
            yield made
    finally:
        threading.Thread(target=_end, args=(making, place), name="ending", daemon=True).start()


def _end(making: Iterator[Any], place: Place) -> None:
    try:
        close = getattr(making, "close", None)
        if close:
            close()
    finally:
        place.leave()


def for_line(line: Line) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An endpoint for programs that waits in a line. When its client goes, its ticket is stopped: see `gone`."""

    def wrap(call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        async def wait_and_call(*given: Any) -> Any:
            *asked, request = given
            session = _caller(request)
            try:
                place = line.join()
            except LineFull as full:
                raise gr.Error(str(full), print_exception=False) from full
            ticket = CALLS.draw(session)
            CURRENT.set(ticket)
            try:
                async for _ in place.turn(ticket):
                    pass
                if ticket.stopped:
                    raise gr.Error(strings.STOPPED_WAITING, print_exception=False)
                return await line.run(call, *asked)
            finally:
                place.leave()
                CALLS.done(session, ticket)

        # Gradio hands over the request because the signature asks for it.
        asked = signature(call)
        request = Parameter("request", Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=gr.Request)
        whole: Any = wait_and_call
        whole.__signature__ = asked.replace(parameters=[*asked.parameters.values(), request])
        whole.__annotations__ = {**call.__annotations__, "request": gr.Request}
        return wait_and_call

    return wrap


def _caller(request: gr.Request | None) -> str:
    """Who is gone when a connection ends: a session, or an assistant, for whom Gradio calls by a session of its own."""
    headers = getattr(request, "headers", None)
    return (headers and headers.get(CONNECTION)) or str(getattr(request, "session_hash", None))


def gone(session: str) -> None:
    """A program's connection has ended: what still runs for it is stopped."""
    CALLS.stop(session)
