"""Stop reaches a composition: while it runs, before it begins, and nobody else's."""

from workbench.ui.running import Tickets


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
