"""The page as a server meets strangers: programs that go away, lines that are full, headers, health."""

import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import httpx
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from tests.ratings import made
from tests.waiting import run_async
from workbench import composer
from workbench.ratings import raters, schema
from workbench.ui import database as ratings
from workbench.ui import guard
from workbench.ui import rating_strings as strings
from workbench.ui.choices import Choices

ROOT = Path(__file__).resolve().parents[2]
GITA = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः ।\nमामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"
pytestmark = pytest.mark.server


def until(true, tries=600):
    """Waits for what somebody else is about to do."""
    for _ in range(tries):
        if found := true():
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come")


@contextmanager
def serving(data, *command, **environment):
    """A client of a server of its own, bound to this machine alone, and the file of its log."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SPACE_ID")}
    own = {"GRADIO_SERVER_NAME": "127.0.0.1", "GRADIO_SERVER_PORT": str(port), "PINGALA_DATA": str(data)}
    log = data / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=kept | own | environment, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:

            def answers():
                assert process.poll() is None, log.read_text()
                try:
                    return client.get("/gradio_api/app_id").status_code == 200
                except httpx.TransportError:
                    return False

            until(answers, 2400)
            client.log = log
            yield client
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def notes(tmp_path_factory):
    return tmp_path_factory.mktemp("notes")


@pytest.fixture(scope="module")
def client(tmp_path_factory, notes):
    """Of a server whose compositions never end, and at which one program may wait."""
    with serving(tmp_path_factory.mktemp("data"), "-m", "tests.ui.endless_app", str(notes), "1") as client:
        yield client


def ask(client, prose, **settings):
    return begin(client, "compose", *{**Choices(prose).controls(), **settings}.values())


def begin(client, name, *data):
    return client.post(f"/gradio_api/call/{name}", json={"data": data}).json()["event_id"]


def listening(client, event):
    return client.stream("GET", f"/gradio_api/call/compose/{event}")


def answer(client, event, name="compose"):
    """The last event of an answer, and its data."""
    *_, said, data = client.get(f"/gradio_api/call/{name}/{event}").text.strip().splitlines()
    return said.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def test_a_composition_for_a_program_ends_when_its_client_has_gone(client, notes):
    with listening(client, ask(client, "one")):
        until((notes / "one begun").exists)
        assert not (notes / "one ended").exists()
    until((notes / "one ended").exists)
    assert int((notes / "one begun").read_text()) < 1199  # it was ended; it did not come to its end


def test_a_composition_for_an_assistant_ends_when_it_has_gone(client, notes):
    """By hand and not by the library's client, which asks once more before it goes."""
    asked = {"name": "compose", "arguments": {"prose": "eleven"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
    both = {"Accept": "application/json, text/event-stream"}
    with client.stream("POST", "/gradio_api/mcp/", json=body, headers=both):
        until((notes / "eleven begun").exists)
        assert not (notes / "eleven ended").exists()
    until((notes / "eleven ended").exists)
    assert int((notes / "eleven begun").read_text()) < 1199


def test_whoever_waits_waits_in_line_and_a_full_line_says_so(client, notes):
    with listening(client, ask(client, "two")):
        until((notes / "two begun").exists)
        third = ask(client, "three")
        with listening(client, third):
            until(lambda: health(client)["queue"]["programs"] == {"waiting": 1, "at work": 1})
            said, data = answer(client, ask(client, "four"))
            assert said == "error"
            assert data["error"].startswith("Expected at most 1 waiting; got one more. Try again in about")
        until(lambda: health(client)["queue"]["programs"] == {"waiting": 0, "at work": 1})  # who went has left the line
        assert not (notes / "two ended").exists()  # and nobody else's work was stopped for it
        assert health(client)["queue"]["people"] == {"waiting": 0, "at work": 0}  # whose slots are their own
    assert not (notes / "three begun").exists()


def health(client):
    return client.get("/healthz").json()


def test_what_is_out_of_bounds_never_begins(client, notes):
    said, data = answer(client, ask(client, "five", beta=1e308))
    assert said == "error" and data["error"].startswith("Expected beta to be a number from 0 to 10; got")
    assert not (notes / "five begun").exists()


def test_a_forged_address_goes_round_no_limit(client):
    def guess(number):
        said = client.post(
            "/gradio_api/run/rate_show",
            json={"data": ["0" * 16, f"guess {number}", 0, "iast"], "session_hash": "guesser"},
            headers={"X-Forwarded-For": f"1.2.3.{number}"},
        )
        return said.json()["data"][0]["error"]

    said = [guess(number) for number in range(12)]
    assert "opens no study" in said[0] and said[-1].startswith("Too many wrong links from here")


def test_browsers_are_told_what_the_page_may_do_and_other_sites_read_nothing(client):
    for path in ("/", "/healthz", "/gradio_api/info", "/config"):
        told = client.get(path, headers={"Origin": "https://elsewhere.example", "Host": "pingala.example"}).headers
        policy = told["content-security-policy"]
        assert "frame-ancestors 'self'" in policy and "object-src 'none'" in policy and "default-src 'self'" in policy
        assert told["referrer-policy"] == "same-origin" and told["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in told and "access-control-allow-credentials" not in told
    asked = {"Origin": "https://elsewhere.example", "Host": "pingala.example", "Access-Control-Request-Method": "POST"}
    assert "access-control-allow-origin" not in client.options("/gradio_api/run/rate_show", headers=asked).headers


def test_a_link_tells_whoever_shows_it_its_title_and_its_picture_and_the_log_nothing(client):
    prose = "An unheard-of sentence about a king."
    page = client.get("/", params={"prose": prose, "verse": "DarmakzetrE"}, headers={"Accept-Encoding": "br, gzip"})
    assert f'og:title" content="“{prose}” as Sanskrit verse"' in page.text
    assert page.text.count('property="og:image"') == 1 and "githubusercontent" not in page.text
    where = unescape(re.search('og:image" content="([^"]+)"', page.text)[1])
    assert where.startswith(f"{client.base_url}/preview.png?prose=An+unheard-of")
    told = client.get(where)
    assert told.headers["content-type"] == "image/png" and told.content.startswith(b"\x89PNG")
    assert "max-age" in told.headers["cache-control"] and "default-src" in told.headers["content-security-policy"]
    assert client.head("/preview.png").status_code == 200 and client.get("/preview.png?prose=%ff%00").status_code == 200
    assert client.post("/preview.png").status_code in (404, 405)
    assert "unheard-of sentence" not in client.log.read_text()


def test_health_tells_versions_models_queue_and_database_and_no_secret(client):
    told = client.get("/healthz")
    said = told.json()
    assert told.status_code == 200 and said["well"] is True
    assert said["versions"]["gradio"] and "embedded" in said["models"]["generators"]
    assert said["database"] == {"answers": True, "kind": "sqlite"} and "people" in said["queue"]
    assert str(ROOT) not in told.text and "sqlite:" not in told.text


def test_logs_are_a_line_an_event_without_prose_or_tokens(client, notes):
    with listening(client, ask(client, "unheard-of prose")):
        until((notes / "unheard-of prose begun").exists)
    client.get("/?prose=unheard-of&invite=secret-token")
    body = {"data": ["0" * 16, "secret-token", 0, "iast"], "session_hash": "s"}
    client.post("/gradio_api/run/rate_show", json=body)
    told = until(lambda: (text := client.log.read_text()).count("/gradio_api/run/rate_show 200") and text)
    assert "POST /gradio_api/call/compose 200" in told and "GET / 200" in told
    assert "unheard-of" not in told and "secret-token" not in told
    assert guard.shortened("/a\nb/c") == "/a\\nb/c"


def test_a_space_may_be_framed_by_the_hub(monkeypatch):
    monkeypatch.setenv("SPACE_ID", "somebody/pingala")
    (policy,) = [value.decode() for name, value in guard.headers() if name == b"content-security-policy"]
    assert "frame-ancestors 'self' https://huggingface.co" in policy
    monkeypatch.delenv("SPACE_ID")
    (policy,) = [value.decode() for name, value in guard.headers() if name == b"content-security-policy"]
    assert "frame-ancestors 'self';" in policy + ";" and "huggingface" not in policy


def test_assistants_get_json(client):
    async def ask():
        async with (
            streamable_http_client(f"{client.base_url}/gradio_api/mcp/") as (read, write, _),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            said = await session.call_tool("scan", {"text": GITA})
            return said.content[0].text

    (verse,) = json.loads(run_async(ask()))
    assert verse["metre"] == "anuṣṭubh" and verse["full"] is True


def test_so_many_pairs_at_once_and_no_more(client):
    pairs = [{"en": "A king spoke.", "sa": "rājā"}] * 101
    said, data = answer(client, begin(client, "score", pairs), "score")
    assert said == "error" and data["error"] == "Expected at most 100 pairs at once; got 101."


def test_sixty_ratings_that_wait_for_a_locked_database_hold_up_nobody(tmp_path):
    engine = schema.connect(f"sqlite:///{tmp_path / 'ratings.db'}")
    study = made.study(engine, 3, overlap=60)
    invited = [raters.invite(engine, study, f"rater {number}").token for number in range(60)]
    engine.dispose()
    with serving(tmp_path, "app.py") as client:

        def rate(number, key="key"):
            data = [study.id, invited[number], {"training": "kāvya"}, "iast"]
            said = client.post("/gradio_api/run/rate_consent", json={"data": data, "session_hash": f"{key} {number}"})
            return said.json()["data"][0]

        assert rate(0)["error"] == ""  # the database is open
        client.get("/")  # and so is the page
        lock = sqlite3.connect(tmp_path / "ratings.db", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(60) as pool:
            waiting = [pool.submit(rate, number) for number in range(60)]
            until(lambda: all(each.running() or each.done() for each in waiting))
            with httpx.Client(base_url=client.base_url, timeout=60) as other:
                assert other.get("/").status_code == 200
                said, data = answer(other, begin(other, "scan", GITA, "auto", "auto", "iast"), "scan")
                assert said == "complete" and data[0][0]["metre"] == "anuṣṭubh"
                # Who came last waits still; on a machine with much to do the first may have given up by now.
                assert not all(each.done() for each in waiting)
            answers = [each.result() for each in waiting]
        assert {(each["error"], each["retry"]) for each in answers} == {(strings.RATE_BUSY, True)}
        lock.execute("ROLLBACK")
        lock.close()
        assert [rate(number, "again")["error"] for number in (1, 59)] == ["", ""]
    assert "Traceback" not in client.log.read_text()


def test_it_starts_as_a_space_does(tmp_path):
    """With SPACE_ID set, from the checkout alone: studies are the administrator's, and the Hub may frame it."""
    with serving(tmp_path, "app.py", SPACE_ID="somebody/pingala", PINGALA_ADMIN="an administrator") as client:
        told = client.get("/")
        assert told.status_code == 200 and "https://huggingface.co" in told.headers["content-security-policy"]
        assert client.get("/healthz").json()["well"] is True
    assert "Traceback" not in client.log.read_text()


@pytest.mark.parametrize("missing", ["generators", "database"])
def test_a_server_that_cannot_serve_says_so_to_its_operator(missing, monkeypatch):
    """503, which whatever watches it understands; and no address of the database that does not answer."""
    if missing == "generators":
        monkeypatch.setattr(composer, "offered_entries", dict)
    else:
        monkeypatch.setattr(ratings, "engine", lambda: schema.connect("sqlite:////nowhere/at all/ratings.db"))
    told = {}

    async def ask():
        async def send(message):
            told.setdefault(message["type"], message)

        await guard.Guard(None)({"type": "http", "method": "GET", "path": "/healthz", "headers": []}, None, send)

    run_async(ask())
    said = json.loads(told["http.response.body"]["body"])
    assert told["http.response.start"]["status"] == 503 and said["well"] is False
    assert "nowhere" not in json.dumps(said)
