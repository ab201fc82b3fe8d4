"""How `bench page` prints its figures, and how it refuses; tests/browser/test_bench_page.py looks at how it measures."""

import json
import shutil
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from workbench.__main__ import main
from workbench.benchmarks import page

FIGURES = {
    "answer_seconds": 3.0, "paint_seconds": 0.61, "slowest_paint_seconds": 0.82, "usable_seconds": 1.3, "rounds": 5,
    "first_seconds": 11.2, "next_seconds": 2.1, "slowest_seconds": 2.7, "verses": 6, "prose_key_ms": 17.4,
    "slowest_prose_key_ms": 40.2, "prose_keys": 310, "write_key_ms": 21.9, "slowest_write_key_ms": 71.3,
    "write_keys": 335, "targets": page.TARGETS, "load": 0.4, "signature": "made up",
}  # fmt: skip


def test_the_page_s_figures_are_printed_with_their_targets_beside(monkeypatch, capsys):
    monkeypatch.setattr(page, "measure", lambda: FIGURES)
    assert main(["bench", "page"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "      0.61 s   to the first paint in Chromium (median of 5, slowest 0.82; target: under 1.5 s)" in lines
    assert "      1.30 s   until Compose can be pressed (median of 5)" in lines
    assert "      17.4 ms  a key in the prose box (median of 310, slowest 40.2; target: under 60 ms)" in lines
    assert "      21.9 ms  a key in Write, scanning (median of 335, slowest 71.3; target: under 60 ms)" in lines
    assert main(["bench", "page", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == FIGURES


@pytest.mark.parametrize("missing", ["playwright", "chromium"])
def test_what_is_missing_is_a_sentence_that_says_how_to_install_it(monkeypatch, capsys, missing):
    if missing == "playwright":
        monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
        monkeypatch.setitem(sys.modules, "playwright", None)
    else:
        monkeypatch.setattr(shutil, "which", lambda name: None)
    assert main(["bench", "page"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("Expected") and said.count("\n") == 1
    assert ("pip install '.[dev]'" if missing == "playwright" else "make chromium") in said


def test_a_page_that_does_not_come_is_a_sentence(monkeypatch, capsys):
    from playwright.sync_api import TimeoutError as TooLong

    def wait(browser, address):
        raise TooLong("Timeout 120000ms exceeded.")

    browser = SimpleNamespace(close=lambda: None)
    started = SimpleNamespace(chromium=SimpleNamespace(launch=lambda **given: browser))
    # In a process whose tests have a browser already, another cannot be started.
    monkeypatch.setattr("playwright.sync_api.sync_playwright", lambda: nullcontext(started))
    monkeypatch.setattr(page, "opened", wait)
    monkeypatch.setattr(page, "serving", lambda data, log: nullcontext("http://127.0.0.1:9"))
    assert main(["bench", "page"]) == 2
    assert capsys.readouterr().err.startswith("Expected the page to do it within 120 s; it did not, and this machine")
