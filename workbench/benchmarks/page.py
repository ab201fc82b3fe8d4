"""How long a person waits for the page: from starting it to its answer, to the first paint in a real Chromium, to the
first verse, and to the next ones. The app is a process of its own, started as a person would start it.
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
from typing import Any

from workbench.benchmarks.compose import PROSE
from workbench.composer import ModelError
from workbench.corpora import signature
from workbench.paths import HOME

WAIT = 120.0  # seconds, after which something is wrong
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync")  # fmt: skip
VERSE = "(document.querySelector('#verse [data-copy]')?.dataset.copy || '')"
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"


def measure() -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        raise ModelError("Expected Chromium to look at the page with; found none.")
    began = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data), Path(data) / "app.log") as address,
        sync_playwright() as playwright,
    ):
        answered = time.perf_counter() - began
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        page.set_default_timeout(WAIT * 1000)
        page.goto(address)
        page.locator("#compose").wait_for()
        painted = float(page.evaluate(PAINT))
        waits = []
        for prose in PROSE:
            before = page.evaluate(VERSE)
            page.locator("#prose textarea").fill(prose)
            asked = time.perf_counter()
            page.locator("#compose").click()
            page.wait_for_function(f"before => {{ const now = {VERSE}; return now && now !== before; }}", arg=before)
            waits.append(time.perf_counter() - asked)
            page.locator("#compose:not([disabled])").wait_for()
        browser.close()
    return {
        "answer_seconds": answered,
        "paint_seconds": painted,
        "first_seconds": waits[0],
        "next_seconds": statistics.median(waits[1:]),
        "slowest_seconds": max(waits[1:]),
        "verses": len(waits),
        "signature": signature(packages=("gradio", "torch", "transformers")),
    }


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
    told = log.read_text(encoding="utf-8", errors="replace")[-2000:]
    raise ModelError(f"Expected the page to answer; `python app.py` did not come up. It said: {told}")
