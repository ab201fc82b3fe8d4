"""The real app, the database of its ratings, and Debian's Chromium. Any request to another host fails the test."""

from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from tests.browser.looking import browsing
from tests.semantics import small_judge, small_reader
from workbench.benchmarks.page import serving
from workbench.ratings import schema

# What Gradio's page logs of requests that were under way when somebody loaded it anew, or closed it.
CUT_OFF = ("AbortError", "errored out")
expect.set_options(timeout=30_000)  # a page that shares two cores with other tests may take its time


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """The folder in which the app keeps its ratings."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def app(tmp_path_factory, data):
    """The address of a running `python app.py`, with a small reader and a judge over it."""
    log = tmp_path_factory.mktemp("app") / "app.log"
    with ExitStack() as running:
        with (
            pytest.MonkeyPatch.context() as patch
        ):  # for the app alone: other tests of this process have the reader that ships
            reader = small_reader.make(tmp_path_factory.mktemp("reader"))
            patch.setenv("PINGALA_READER", str(reader))
            patch.setenv("PINGALA_JUDGE", str(small_judge.make(reader, tmp_path_factory.mktemp("judge"))))
            address = running.enter_context(serving(data, log))
        yield address
    assert "Traceback" not in log.read_text()


@pytest.fixture(scope="session")
def chromium():
    with browsing() as browser:
        yield browser


@pytest.fixture(scope="session")
def been_here(app):
    """What a browser remembers whose person has seen the tour: it comes to newcomers only, and no other test meets it."""
    return {"cookies": [], "origins": [{"origin": app, "localStorage": [{"name": "pingala-tour", "value": "seen"}]}]}


@pytest.fixture
def open_page(app, chromium, been_here):
    """Opens the app at a size and theme; at the end, no page may have asked another host or logged an error. A newcomer's
    browser has never been here; `before` is a script that it runs before the page's own."""
    pages, elsewhere, errors = [], [], []

    def open_one(
        width: int = 1440, height: int = 1000, theme: str = "light", tab: str = "Compose", query: str = "",
        newcomer: bool = False, before: str = "",
    ):  # fmt: skip
        remembered = None if newcomer else been_here
        page = chromium.new_page(viewport={"width": width, "height": height}, storage_state=remembered)
        if before:
            page.add_init_script(before)
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
    assert [error for error in errors if not any(sign in error for sign in CUT_OFF)] == []


@pytest.fixture(scope="module")
def engine(app, data):
    connected = schema.connect(f"sqlite:///{data / 'ratings.db'}")
    yield connected
    connected.dispose()


@pytest.fixture
def devices(app, chromium, been_here):
    """Opens browsers of their own; at the end no page may have asked another host, logged an error, or sent a token in
    an address, but for the link itself; and nothing that came back to a rater may name a system."""
    contexts, elsewhere, errors, addresses, answers = [], [], [], [], []

    def device(width=1440, height=1000):
        size = {"width": width, "height": height}
        context = chromium.new_context(viewport=size, accept_downloads=True, storage_state=been_here)
        context.set_default_timeout(20_000)

        def watch(page):
            page.on("request", lambda request: addresses.append((request.resource_type, request.url)))
            page.on("response", lambda got: answers.append((page, got)) if "/rate_" in got.url else None)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)

        context.on("page", watch)
        contexts.append(context)
        return context

    device.errors, device.answers = errors, answers
    yield device
    for context in contexts:
        context.close()
    elsewhere += [url for _, url in addresses if not url.startswith((app, "data:", "blob:"))]
    assert elsewhere == [] and [error for error in errors if not any(sign in error for sign in CUT_OFF)] == []
    assert [url for kind, url in addresses if "invite=" in url and kind != "document"] == []
