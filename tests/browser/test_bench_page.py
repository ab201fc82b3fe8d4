"""What `bench page` measures in a real browser: that it measures what it says. How long anything takes is nobody's
business here."""

import pytest

from workbench.benchmarks import page as bench


def test_a_page_is_painted_before_compose_can_be_pressed(app, chromium):
    painted, usable = bench.opened(chromium, app)
    assert 0 < painted <= usable


@pytest.mark.parametrize("box", list(bench.TYPED))
def test_every_key_is_timed_from_its_press_to_its_frame(app, chromium, box):
    took = bench.typed(chromium, app, box, between=0)
    assert len(took) == len(bench.TYPED[box][1]) and all(ms > 0 for ms in took)
