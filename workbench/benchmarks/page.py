"""How long a person waits for the page: from starting it to its answer, to the first paint in a real Chromium, to a
button that can be pressed, to the first verse and the next ones; and how long a key takes to be seen. The app is a
process of its own, started as a person would start it, and every browser is a newcomer's: nothing is in its cache.

What the page itself takes is measured in the page, by its own clock. Knows no component of it but by its id.
"""

from __future__ import annotations

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.benchmarks.compose import PROSE
from workbench.composer import ModelError
from workbench.corpora import signature
from workbench.paths import HOME

if TYPE_CHECKING:  # it is for those who develop, and everybody else does without
    from playwright.sync_api import Browser, Page

WAIT = 120.0  # seconds, after which something is wrong
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync")  # fmt: skip
VERSE = "(document.querySelector('#verse [data-copy]')?.dataset.copy || '')"
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"


ROUNDS = 5  # pages opened anew, and boxes typed into, for each figure
TARGETS = {
    "paint_seconds": 1.5,
    "prose_key_ms": 60.0,
    "write_key_ms": 60.0,
}  # to stay under
BETWEEN_KEYS = 180.0  # ms: a fast typist's, and a little more than Write waits before it scans
TYPED = {  # box -> its tab, and what is typed into it; a keyboard has no ṣ
    "prose": ("Compose", "The old king gave his crown away and went alone to the forest."),
    "write": ("Write", "dharmakSetre kurukSetre samavetA yuyutsavaH / mAmakAH pANDavAzcaiva"),
}
BOXES = {"prose": "#prose textarea", "write": "#write-text textarea"}
# Runs before the page's own scripts: notes, at the first frame in which it is so, that Compose can be pressed.
USABLE = """(() => {
  const look = () => {
    const button = document.querySelector('#compose');
    if (button && !button.disabled && button.checkVisibility()) window.benchUsable = performance.now() / 1000;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
# From the key's own time stamp to after the frame that shows what it wrote; keys that write nothing are not counted.
WATCH_KEYS = """() => {
  let pressed = 0;
  window.benchKeys = [];
  addEventListener('keydown', (event) => { pressed = event.timeStamp; }, true);
  addEventListener('input', () => {
    const began = pressed, { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.benchKeys.push(performance.now() - began);
    requestAnimationFrame(() => port2.postMessage(0));
  }, true);
}"""


def measure() -> dict[str, Any]:
    from playwright.sync_api import TimeoutError as TooLong
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        raise ModelError(
            "Expected Chromium to look at the page with; found none. In a checkout, `make chromium` installs it."
        )
    began = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data), Path(data) / "app.log") as address,
        sync_playwright() as playwright,
    ):
        answered = time.perf_counter() - began
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        try:
            shown = [opened(browser, address) for _ in range(ROUNDS)]
            waits = composed(browser, address)
            keys = {box: [ms for _ in range(ROUNDS) for ms in typed(browser, address, box)] for box in TYPED}
        except TooLong:
            load = f"this machine's load is {os.getloadavg()[0]:.1f}"
            raise ModelError(f"Expected the page to do it within {WAIT:.0f} s; it did not, and {load}.") from None
        finally:
            browser.close()
    paints, usable = zip(*shown, strict=True)
    return {
        "answer_seconds": answered,
        "paint_seconds": statistics.median(paints),
        "slowest_paint_seconds": max(paints),
        "usable_seconds": statistics.median(usable),
        "rounds": ROUNDS,
        "first_seconds": waits[0],
        "next_seconds": statistics.median(waits[1:]),
        "slowest_seconds": max(waits[1:]),
        "verses": len(waits),
        **{f"{box}_key_ms": statistics.median(took) for box, took in keys.items()},
        **{f"slowest_{box}_key_ms": max(took) for box, took in keys.items()},
        **{f"{box}_keys": len(took) for box, took in keys.items()},
        "targets": TARGETS,
        "load": os.getloadavg()[0],
        "signature": signature(packages=("gradio", "torch", "transformers")),
    }


@contextmanager
def newcomer(browser: Browser, address: str) -> Iterator[Page]:
    """The page in a browser that has never been there."""
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.set_default_timeout(WAIT * 1000)
    page.add_init_script(USABLE)
    page.goto(address)
    page.wait_for_function("window.benchUsable")
    yield page
    page.close()


def opened(browser: Browser, address: str) -> tuple[float, float]:
    """Seconds from the navigation to the first paint, and to a Compose that can be pressed."""
    with newcomer(browser, address) as page:
        return float(page.evaluate(PAINT)), float(page.evaluate("window.benchUsable"))


def composed(browser: Browser, address: str) -> list[float]:
    """Seconds from pressing Compose to each verse, one after the other; with the first, everything loads."""
    waits = []
    with newcomer(browser, address) as page:
        for prose in PROSE:
            before = page.evaluate(VERSE)
            page.locator("#prose textarea").fill(prose)
            asked = time.perf_counter()
            page.locator("#compose").click()
            page.wait_for_function(f"before => {{ const now = {VERSE}; return now && now !== before; }}", arg=before)
            waits.append(time.perf_counter() - asked)
            page.locator("#compose:not([disabled])").wait_for()
    return waits


def typed(browser: Browser, address: str, box: str, between: float = BETWEEN_KEYS) -> list[float]:
    """Milliseconds from each key to the frame that shows its letter, in a box of a page that was just opened."""
    tab, text = TYPED[box]
    with newcomer(browser, address) as page:
        page.get_by_role("tab", name=tab, exact=True).click()
        field = page.locator(BOXES[box])
        field.click()
        page.evaluate(WATCH_KEYS)
        field.press_sequentially(text, delay=between)
        page.wait_for_function("count => window.benchKeys.length >= count", arg=len(text))
        if field.input_value() != text:
            raise ModelError(f"Expected what was typed into {box} to stand there; got something else.")
        return [float(ms) for ms in page.evaluate("window.benchKeys")]


@contextmanager
def serving(data: Path, log: Path) -> Iterator[str]:
    """The address of a running `python app.py` that keeps its ratings in `data` and its log in `log`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    address = f"http://127.0.0.1:{port}"
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SPACE_ID")},
        "GRADIO_SERVER_PORT": str(port), "GRADIO_SERVER_NAME": "127.0.0.1", "PINGALA_DATA": str(data),
    }  # fmt: skip
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [sys.executable, str(HOME / "app.py")], cwd=HOME, env=environment, stdout=output, stderr=subprocess.STDOUT
        ) as process,
    ):
        try:
            _until_it_answers(address, process, log)
            yield address
        finally:
            process.terminate()
            process.wait(10)


def _until_it_answers(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    ends = time.monotonic() + WAIT
    while time.monotonic() < ends:
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except (urllib.error.URLError, TimeoutError):
            if process.poll() is not None:
                break
            time.sleep(0.05)
    last_lines = log.read_text(encoding="utf-8", errors="replace")[-2000:]
    raise ModelError(f"Expected the page to answer; `python app.py` did not come up. It said: {last_lines}")
