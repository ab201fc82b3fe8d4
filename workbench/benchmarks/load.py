"""How a server stands a crowd: scans, compositions and raters at once against one `python app.py`, side by side with
the same server idle, in one run. Needs nothing but Python: threads, and requests of its own. Bounded in number and
time.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from workbench.benchmarks.compose import PROSE
from workbench.benchmarks.page import serving
from workbench.composer import HOUSE, OFFERED
from workbench.corpora import signature

SCANS, COMPOSITIONS, RATERS, PAGES = 30, 5, 20, 5  # at once
IDLE = 5  # of each kind, one after the other, before the crowd
RATED = 3  # calls of each rater
MOST = 300.0  # seconds for anything
# Bhagavadgītā 1.1
VERSE = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः ।\nमामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"


def measure() -> dict[str, Any]:
    """Seconds of each kind of call, idle and in a crowd."""
    with tempfile.TemporaryDirectory() as data, serving(Path(data), Path(data) / "app.log") as address:
        caller = Caller(address)
        caller.compose(0)  # everything loads
        # Everybody in the crowd has the page open: Gradio lays it out anew for every session, once.
        for at in range(SCANS):
            caller.scan(at)
        for at in range(RATERS):
            caller.rate(at)
        idle = {name: [_timed(call, at) for at in range(1 if name == "compose" else IDLE)]
                for name, call in caller.calls.items()}  # fmt: skip
        crowd = _crowd(caller)
    return {
        "idle": {name: _summary(taken) for name, taken in idle.items()},
        "crowd": {name: _summary(taken) for name, taken in crowd.items()},
        "asked": {"scan": SCANS, "compose": COMPOSITIONS, "rate": RATERS * RATED, "page": PAGES},
        "signature": signature(packages=("gradio", "torch", "transformers")),
    }


class Caller:
    """The calls of strangers, as programs make them."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.calls: dict[str, Callable[[int], None]] = {
            "scan": self.scan, "rate": self.rate, "page": self.page, "compose": self.compose,
        }  # fmt: skip

    def scan(self, at: int) -> None:
        self._ask("scan", [VERSE, "auto", "auto", "iast"], f"scanner-{at}")

    def compose(self, at: int) -> None:
        settings = [option.shown(getattr(HOUSE, option.name)) for option in OFFERED]
        self._ask("compose", [PROSE[at % len(PROSE)], "embedded", "iast", *settings, []], f"poet-{at}")

    def rate(self, at: int) -> None:
        """A rater's door: the token opens nothing, which takes the database as much to find out."""
        body = {"data": ["0" * 16, f"nobody {at}", 0, "iast"], "session_hash": f"rater {at}"}
        self._post("/gradio_api/run/rate_show", body)

    def page(self, at: int) -> None:
        self._get("/")

    def _ask(self, name: str, data: list[Any], session: str) -> None:
        body = {"data": data, "session_hash": session}
        event = json.loads(self._post(f"/gradio_api/call/{name}", body))["event_id"]
        said = self._get(f"/gradio_api/call/{name}/{event}")
        if "event: complete" not in said:
            raise RuntimeError(f"Expected an answer to {name}; got {said[-200:]!r}.")

    def _post(self, path: str, body: dict[str, Any]) -> str:
        content = json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, content, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=MOST) as answer:
            return str(answer.read().decode())

    def _get(self, path: str) -> str:
        with urllib.request.urlopen(self.address + path, timeout=MOST) as answer:
            return str(answer.read().decode())


def _timed(call: Callable[[int], None], at: int) -> float:
    began = time.perf_counter()
    call(at)
    return time.perf_counter() - began


def _crowd(caller: Caller) -> dict[str, list[float]]:
    """All at once, each in a thread of its own; what fails counts as nothing, and is missing in the count."""
    taken: dict[str, list[float]] = {name: [] for name in caller.calls}
    lock, together = threading.Lock(), threading.Barrier(SCANS + COMPOSITIONS + RATERS + PAGES)

    def go(name: str, at: int, times: int) -> None:
        together.wait(MOST)
        for _ in range(times):
            seconds = _timed(caller.calls[name], at)
            with lock:
                taken[name].append(seconds)

    plan = (("compose", COMPOSITIONS, 1), ("scan", SCANS, 1), ("rate", RATERS, RATED), ("page", PAGES, 1))
    threads = [threading.Thread(target=go, args=(name, at, times), daemon=True)
               for name, number, times in plan for at in range(number)]  # fmt: skip
    for each in threads:
        each.start()
    for each in threads:
        each.join(MOST)
    return taken


def _summary(taken: list[float]) -> dict[str, float]:
    if not taken:
        return {"count": 0, "median": float("nan"), "slowest": float("nan")}
    return {"count": len(taken), "median": statistics.median(taken), "slowest": max(taken)}
