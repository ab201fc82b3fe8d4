"""Twenty raters at once through the real server, which is killed three times meanwhile: what it acknowledged is there,
once, in order, with edits and undos as they were made. On both databases."""

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
from sqlalchemy import select

from tests.ratings import made
from workbench.ratings import raters, schema

ROOT = Path(__file__).resolve().parents[2]
RATERS, ITEMS, KILLS = 20, 50, 3


def actions(shift):
    """(key, what, position, rating), in order: every verse is rated, some are edited, some taken back and rated again."""
    for position in range(1, ITEMS + 1):
        yield f"rate-{position:04}", "rate", position, 1 + (position + shift) % 5
        if (position + shift) % 20 == 0:
            yield f"edit-{position:04}", "rate", max(1, position - 3), 1 + (position + shift + 1) % 5
        elif (position + shift) % 25 == 0:
            yield f"undo-{position:04}", "undo", position, None
            yield f"last-{position:04}", "rate", position, 1 + (position + shift + 2) % 5


def free_port():
    """One below those that the system hands out to clients: while a server gets ready, twenty of them come and go."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port


class Server:
    """One `python app.py` on a port of its own."""

    def __init__(self, environment, log):
        port = free_port()
        self.address, self.log = f"http://127.0.0.1:{port}", log
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SPACE_ID")}
        own = {"GRADIO_SERVER_NAME": "127.0.0.1", "GRADIO_SERVER_PORT": str(port)}
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "app.py"], cwd=ROOT, env={**kept, **own, **environment}, stdout=output,
                stderr=subprocess.STDOUT,
            )  # fmt: skip

    def kill(self):
        self.process.kill()
        assert self.process.wait() == -signal.SIGKILL, self.log.read_text()  # and not by itself before


class Service:
    """A server, and the next one, which gets ready meanwhile and takes its place when it is killed."""

    def __init__(self, environment, folder):
        self.environment, self.folder = environment, folder
        self.at_work = self.another(0)
        self.servers = [self.at_work]

    def another(self, number):
        return Server(self.environment, self.folder / f"server-{number}.log")

    def prepare(self):
        self.servers.append(self.another(len(self.servers)))

    def kill(self):
        """Kill the server at work; those who called it find the next."""
        at_work, self.at_work = self.at_work, self.servers[-1]
        at_work.kill()

    def call(self, client, name, *data):
        """The answer's screen; sent again, the same, until there is an answer."""
        while True:
            server = self.at_work
            try:
                answer = client.post(
                    f"{server.address}/gradio_api/run/rate_{name}",
                    json={"data": [*data, "iast"], "session_hash": f"session-{id(client)}"},
                )
            except httpx.TransportError:
                assert server.process.poll() in (None, -signal.SIGKILL), server.log.read_text()
                time.sleep(0.1)
                continue
            assert answer.status_code == 200, server.log.read_text()
            [screen] = answer.json()["data"]
            if screen["retry"]:  # busy, as the page would: it is sent again
                time.sleep(0.1)
                continue
            assert screen["error"] == ""
            return screen


def test_every_acknowledged_rating_is_there_once_though_the_server_is_killed(engine, url, tmp_path):
    study = made.study(engine, ITEMS, ask=("comment",), overlap=RATERS)
    people = [raters.invite(engine, study, f"rater {number}") for number in range(RATERS)]
    acknowledged = {invited.rater.id: [] for invited in people}
    service = Service({"PINGALA_DATA": str(tmp_path), "DATABASE_URL": url}, tmp_path)
    wanted = sum(len(list(actions(shift))) for shift in range(RATERS))
    over, more = threading.Event(), threading.Condition()

    def rate(shift):
        invited = people[shift]
        with httpx.Client(timeout=120) as client:
            who = (study.id, invited.token)
            assert service.call(client, "consent", *who, {"training": "kāvya"})["showing"]["position"] == 1
            for key, what, position, rating in actions(shift):
                given = (key,) if what == "undo" else (position, {"coherence": rating}, key)
                screen = service.call(client, "undo" if what == "undo" else "submit", *who, *given)
                assert screen["saved"] == position
                with more:
                    acknowledged[invited.rater.id].append(key)
                    more.notify()

    def interrupt():
        """Kill the server when a quarter, a half and three quarters of it all are in, wherever it is then."""
        for kill in range(1, KILLS + 1):
            service.prepare()
            part = kill * wanted / (KILLS + 1)
            with more:
                more.wait_for(lambda part=part: over.is_set() or sum(map(len, acknowledged.values())) >= part)
            service.kill()

    try:
        with ThreadPoolExecutor(RATERS + 1) as pool:
            killer = pool.submit(interrupt)
            try:
                list(pool.map(rate, range(RATERS)))
            finally:
                over.set()
                with more:
                    more.notify()
            killer.result()
    finally:
        for server in service.servers:
            server.process.kill()
            server.process.wait()
    assert len(service.servers) == KILLS + 1
    assert not any("Traceback" in server.log.read_text() for server in service.servers)

    table = schema.entries
    for shift, invited in enumerate(people):
        expected = list(actions(shift))
        with schema.reading(engine) as connection:
            log = connection.execute(select(table).where(table.c.rater == invited.rater.id).order_by(table.c.id)).all()
        assert [(row.key, row.kind, row.position) for row in log] == [action[:3] for action in expected]
        assert acknowledged[invited.rater.id] == [key for key, *_ in expected]
        standing = {position: rating for _, what, position, rating in expected if what == "rate"}
        shown = [made.show(engine, invited.rater, position) for position in range(1, ITEMS + 1)]
        assert {each.position: each.answers["coherence"] for each in shown} == standing
        assert len({each.prose for each in shown}) == ITEMS


def test_a_large_upload_is_refused_at_the_door(tmp_path):
    server = Server({"PINGALA_DATA": str(tmp_path)}, tmp_path / "server.log")
    try:
        with httpx.Client(timeout=120) as client:
            while True:
                try:
                    answer = client.post(
                        f"{server.address}/gradio_api/upload",
                        files={"files": ("../../../items.csv", bytes(50_000_000))},
                    )
                    break
                except httpx.ConnectError:
                    assert server.process.poll() is None, server.log.read_text()
                    time.sleep(0.2)
        assert answer.status_code == 413
    finally:
        server.kill()
