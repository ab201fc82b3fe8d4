"""The real app as its own process, and Debian's Chromium. Any request to another host fails the test."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

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


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """The folder in which the app keeps its ratings."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def app(tmp_path_factory, data):
    """The address of a running `python app.py`."""
    port = free_port()
    log = tmp_path_factory.mktemp("app") / "app.log"
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
        address = f"http://127.0.0.1:{port}"
        for _ in range(240):
            try:
                urllib.request.urlopen(address, timeout=2).close()
                break
            except (urllib.error.URLError, TimeoutError):
                assert process.poll() is None, log.read_text()
                time.sleep(0.25)
        else:
            pytest.fail(f"The app did not answer in time: {log.read_text()}")
        yield address
        process.terminate()
        process.wait(10)
    assert "Traceback" not in log.read_text()


@pytest.fixture(scope="session")
def chromium():
    found = shutil.which("chromium")
    assert found, "Expected Chromium; make chromium installs it."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(app, chromium):
    """Opens the app at a size and theme; at the end, no page may have asked another host or logged an error."""
    pages, elsewhere, errors = [], [], []

    def open_one(width: int = 1440, height: int = 1000, theme: str = "light", tab: str = "Compose", query: str = ""):
        page = chromium.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(20_000)
        page.on(
            "request", lambda request: request.url.startswith((app, "data:", "blob:")) or elsewhere.append(request.url)
        )
        page.on("dialog", lambda dialog: (errors.append(f"{dialog.type}: {dialog.message}"), dialog.dismiss()))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(f"{app}/?__theme={theme}{query}")
        page.locator("#prose textarea").wait_for()
        if tab != "Compose":
            page.get_by_role("tab", name=tab).click()
        pages.append(page)
        return page

    yield open_one
    for page in pages:
        page.close()
    assert elsewhere == []
    assert errors == []
