"""The progress line: how much is done, and how long it takes yet, on a clock of our own."""

import io
import sys
import time

import pytest

from workbench.commands.progress import progress, time_left


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 s left"), (59.4, "59 s left"), (61, "1 min 1 s left"), (3600, "1 h 0 min left"), (-5, "0 s left")],
)
def test_time_is_told_as_people_say_it(seconds, said):
    assert time_left(seconds) == said


def test_what_was_there_already_does_not_count_for_the_pace(monkeypatch):
    """Forty rows are there at once; then one comes a second, and of fifty, five are left after five seconds."""
    clock = iter([0.0, *([0.0] * 40), *range(1, 11)])
    terminal = Terminal()
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(sys, "stderr", terminal)
    assert len(list(progress(range(50), "verses", total=50))) == 50
    lines = terminal.getvalue().split("\r")
    assert any("45 of 50 verses, 5 s left" in line for line in lines)
    assert lines[-1] == "\033[K", "the line is wiped at the end"


def test_nobody_looking_nothing_written(monkeypatch):
    quiet = io.StringIO()
    monkeypatch.setattr(sys, "stderr", quiet)
    assert list(progress(range(3), "verses")) == [0, 1, 2] and quiet.getvalue() == ""


def test_a_log_gets_a_line_a_minute(monkeypatch):
    """One item every ten seconds, twenty of them: told at 70 s, 140 s and not in between."""
    clock = iter(range(0, 1000, 10))
    log = io.StringIO()
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(sys, "stderr", log)
    assert list(progress(range(20), "sets", total=20)) == list(range(20))
    lines = log.getvalue().splitlines()
    assert len(lines) == 2 and lines[0].endswith(" 7 of 20 sets, 2 min 10 s left") and "\r" not in log.getvalue()
