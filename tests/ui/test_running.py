"""Stop reaches a composition: while it runs, before it begins, and nobody else's. Looking at it does not hold it up."""

import threading
import time

import pytest

from workbench.ui.running import Tickets, newest


def test_stop_reaches_work_that_has_begun():
    tickets, called = Tickets(), []
    ticket = tickets.draw("one")
    ticket.take(lambda: called.append("one"))
    other = tickets.draw("two")
    other.take(lambda: called.append("two"))
    assert tickets.stop("one")
    assert called == ["one"] and ticket.stopped and not other.stopped


def test_stop_reaches_work_that_still_waits():
    tickets, called = Tickets(), []
    ticket = tickets.draw("one")
    tickets.stop("one")
    ticket.take(lambda: called.append("cancelled"))
    assert called == ["cancelled"]


def test_a_new_press_stops_the_one_before_and_what_is_done_is_forgotten():
    tickets = Tickets()
    first = tickets.draw("one")
    second = tickets.draw("one")
    assert first.stopped and not second.stopped
    tickets.done("one", first)  # late: it must not take the new one's place
    assert tickets.find("one") is second
    tickets.done("one", second)
    assert not tickets.stop("one")


def test_whoever_looks_sees_the_newest_and_holds_nothing_up():
    looked, threads = threading.Event(), set()

    def making():
        threads.add(threading.get_ident())
        yield "first"
        assert looked.wait(10)
        for number in range(1000):
            threads.add(threading.get_ident())
            yield number
        made.set()
        assert seen_last.wait(10)

    made, seen_last = threading.Event(), threading.Event()
    pictures = newest(making(), lambda: None, 0.0)
    assert next(pictures) == "first"
    looked.set()
    assert made.wait(10)  # all of it is made while nobody asks for more
    assert next(pictures) == 999
    seen_last.set()
    assert list(pictures) == []
    assert len(threads) == 1 and threading.get_ident() not in threads


def test_pictures_come_no_more_often_than_asked():
    looked = threading.Event()

    def slowly():
        yield "first"
        assert looked.wait(10)
        for number in range(3):
            yield number
            time.sleep(0.05)  # long enough for each to be seen, if it could be

    pictures = newest(slowly(), lambda: None, 60.0)
    assert next(pictures) == "first"
    looked.set()
    assert list(pictures) == []


def test_an_error_in_the_making_is_raised_where_somebody_looks():
    def failing():
        yield 1
        raise ValueError("no such thing")

    with pytest.raises(ValueError, match="no such thing"):
        list(newest(failing(), lambda: None, 0.0))


def test_whoever_stops_looking_cancels_it_and_what_ended_is_not_cancelled():
    cancelled = threading.Event()

    def endless():
        while not cancelled.is_set():
            yield 1

    pictures = newest(endless(), cancelled.set, 0.0)
    assert next(pictures) == 1
    pictures.close()
    assert cancelled.is_set()
    called = []
    assert list(newest(iter([]), lambda: called.append(1), 0.0)) == [] and called == []
