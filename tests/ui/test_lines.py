"""Lines before heavy work: one after the other, each told its place; Stop and going away leave them."""

import asyncio

import pytest

from tests.waiting import run_async
from workbench.ui import composing, limits, lines, strings
from workbench.ui.running import Ticket


def test_a_line_lets_one_in_after_the_other_and_tells_the_others_their_place():
    line = lines.Line(slots=1, places=2, usual=10.0)
    first, second = line.join(), line.join()
    with pytest.raises(lines.LineFull, match=r"at most 2 waiting; got one more. Try again in about 30 seconds"):
        line.join()
    assert not second.begin() and first.begin() and not second.begin()
    assert (first.number, second.number, second.seconds, line.waiting, line.at_work) == (0, 1, 10, 1, 1)
    third = line.join()
    assert (third.number, third.seconds) == (2, 20)
    first.leave()
    first.leave()
    assert not third.begin() and second.begin()
    second.leave()
    assert third.begin()
    third.leave()
    assert (line.waiting, line.at_work) == (0, 0) and line.usual < 10


@pytest.fixture
def taken(monkeypatch):
    """The one slot for people, taken."""
    monkeypatch.setattr(composing, "PEOPLE", lines.Line(slots=1, places=1, usual=10.0))
    place = composing.PEOPLE.join()
    assert place.begin()
    composing.TICKETS.draw("somebody")
    yield place
    assert composing.TICKETS.find("somebody") is None


def pressed(work=("made",)):
    def told(state):
        return state.error or state.stopped or state.live["sentence"]

    return composing.in_line("somebody", lambda: iter(work), told)


def test_the_page_shows_the_place_in_line_and_then_the_work(taken):
    async def press():
        work = pressed()
        first = await anext(work)
        taken.leave()
        return first, [each async for each in work]

    first, rest = run_async(press())
    assert first == "Number 1 in line; its turn comes in about 10 s."
    assert rest == ["made"]
    composing.TICKETS.stop("somebody")
    composing.TICKETS.done("somebody", composing.TICKETS.find("somebody"))  # which the work itself does


def test_stop_ends_waiting_too(taken):
    async def press():
        work = pressed()
        await anext(work)
        assert composing.TICKETS.stop("somebody")
        return [each async for each in work]

    assert run_async(press()) == [strings.STOPPED_WAITING] and composing.PEOPLE.waiting == 0


def test_whoever_goes_away_leaves_the_line(taken):
    async def press():
        work = pressed()
        await anext(work)
        await work.aclose()

    run_async(press())
    assert composing.PEOPLE.waiting == 0


def test_a_full_line_is_a_sentence_where_the_verse_would_stand(taken):
    other = composing.PEOPLE.join()

    async def press():
        return [each async for each in pressed()]

    (said,) = run_async(press())
    assert said == strings.LINE_FULL.format(places=1, seconds=20)
    other.leave()


def test_whoever_waits_holds_no_thread():
    line = lines.Line(slots=1, places=100, usual=1.0)
    first = line.join()
    assert first.begin()

    async def wait():
        waiting = [asyncio.ensure_future(_all(line.join().turn(Ticket()))) for _ in range(100)]
        await asyncio.sleep(0)
        assert line.waiting == 100 and len(line._threads._threads) == 0
        for each in waiting:
            each.cancel()

    run_async(wait())


async def _all(turn):
    return [each async for each in turn]


def test_too_little_memory_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(limits, "MEMORY", tmp_path / "meminfo")
    (tmp_path / "meminfo").write_text("MemTotal: 9000000 kB\nMemAvailable:  102400 kB\n")
    with pytest.raises(
        limits.TooLittle, match=r"Expected 300 MB of free memory for a composition; this server has 100"
    ):
        limits.check_memory()
    monkeypatch.setenv(limits.MEGABYTES_VARIABLE, "50")
    limits.check_memory()
    monkeypatch.setattr(limits, "GROUP_LIMIT", tmp_path / "max")
    monkeypatch.setattr(limits, "GROUP_USED", tmp_path / "current")
    (tmp_path / "max").write_text("104857600\n")
    (tmp_path / "current").write_text("94371840\n")
    with pytest.raises(limits.TooLittle, match="has 10 now"):
        limits.check_memory()
    monkeypatch.setenv(limits.SECONDS_VARIABLE, "soon")
    with pytest.raises(limits.Refusal, match="Expected PINGALA_SECONDS to be a whole number; got 'soon'"):
        limits.seconds()


def test_two_calls_of_one_session_do_not_stop_each_other_and_both_end_with_it():
    """A client may ask for several things at once, and all assistants share a session."""
    line, begun = lines.Line(slots=2, places=2, usual=1.0), []

    def work():
        begun.append(lines.CURRENT.get())
        return "made"

    class Request:
        session_hash = "shared"

    async def both():
        call = lines.for_line(line)(work)
        return await asyncio.gather(call(Request), call(Request))

    assert run_async(both()) == ["made", "made"]
    assert len(begun) == 2 and not any(ticket.stopped for ticket in begun)
    first, second = lines.CALLS.draw("shared"), lines.CALLS.draw("shared")
    lines.gone("shared")
    assert first.stopped and second.stopped
    lines.CALLS.done("shared", first)
    lines.CALLS.done("shared", second)
    assert not lines.CALLS.stop("shared")
