"""What tests of every tab do, and pictures too: serve the app as its own process, open Debian's Chromium, choose from a
list, measure contrast."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(data: Path, log: Path) -> Iterator[str]:
    """The address of a running `python app.py` that keeps its ratings in `data`."""
    port = free_port()
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SPACE_ID")},
        "GRADIO_SERVER_PORT": str(port), "GRADIO_SERVER_NAME": "127.0.0.1", "PINGALA_DATA": str(data),
    }  # fmt: skip
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [sys.executable, "app.py"], cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT
        ) as process,
    ):
        try:
            address = f"http://127.0.0.1:{port}"
            for _ in range(240):
                try:
                    urllib.request.urlopen(address, timeout=2).close()
                    break
                except (urllib.error.URLError, TimeoutError):
                    assert process.poll() is None, log.read_text()
                    time.sleep(0.25)
            else:
                raise AssertionError(f"The app did not answer in time: {log.read_text()}")
            yield address
        finally:
            process.terminate()
            process.wait(10)


@contextmanager
def browsing() -> Iterator[Browser]:
    found = shutil.which("chromium")
    assert found, "Expected Chromium; make chromium installs it."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


def choose(page, dropdown, option):
    page.locator(f"{dropdown} input").click()
    page.get_by_role("option", name=option, exact=True).click()


# WCAG's contrast of the text of each selector's first match, on what the browser paints behind it.
CONTRAST = """selectors => {
  const channel = v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  return Object.fromEntries(selectors.map(selector => {
    const element = document.querySelector(selector);
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground(element))].sort((x, y) => y - x);
    return [selector, (a + .05) / (b + .05)];
  }));
}"""
