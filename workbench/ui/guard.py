"""What stands around the whole app, before Gradio: it tells browsers what the page may do and who may frame
it, lets no other site read answers, notices when a program's connection ends, answers `/healthz`, and hands out the
pictures of links. Assistants get JSON.

An ASGI application around another, put there when the server starts (`around`). Knows paths and headers, no tabs.
"""

from __future__ import annotations

import json
import logging
import os
import time
from asyncio import to_thread
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from secrets import token_hex
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from gradio.routes import templates
from starlette.responses import JSONResponse, Response

from workbench.ui import preview
from workbench.ui.health import report
from workbench.ui.lines import CONNECTION, gone

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# Where answers come from: a stream by session, or by call, whose session is then named after it.
HEALTH = "/healthz"
LOGGED = ("/gradio_api/call/", "/gradio_api/run/", "/gradio_api/queue/join", "/gradio_api/upload", "/gradio_api/mcp")
log = logging.getLogger(__name__)
STREAM, CALL, ASSISTANTS = "/gradio_api/queue/data", "/gradio_api/call/", "/gradio_api/mcp"


# Gradio's page has scripts and styles within, and makes functions of templates; everything else is our own host's.
POLICY = {
    "default-src": "'self'", "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob:",
    "style-src": "'self' 'unsafe-inline'", "img-src": "'self' data: blob:", "font-src": "'self' data:",
    "connect-src": "'self' data: blob:", "worker-src": "'self' blob:", "media-src": "'self' data: blob:",
    "object-src": "'none'", "base-uri": "'self'", "form-action": "'self'", "frame-ancestors": "'self'",
}  # fmt: skip
# A Space is shown in a frame of the Hub's, and raters log in there.
ON_A_SPACE = {
    "frame-ancestors": "'self' https://huggingface.co https://*.huggingface.co https://*.hf.space",
    "form-action": "'self' https://huggingface.co",
}
FOR_OTHER_SITES = (b"access-control-allow-origin", b"access-control-allow-credentials")


def headers() -> list[tuple[bytes, bytes]]:
    """What goes with every answer."""
    policy = {**POLICY, **(ON_A_SPACE if os.environ.get("SPACE_ID") else {})}
    values = {
        "content-security-policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "referrer-policy": "same-origin",
        "x-content-type-options": "nosniff",
    }
    return [(name.encode(), value.encode()) for name, value in values.items()]


class Guard:
    def __init__(self, app: Application) -> None:
        self.app = app
        self.headers = headers()
        self.painter = preview.Painter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        send = self._with_headers(send, stranger=from_another_site(scope))
        if scope["path"] == preview.PATH and scope["method"] in ("GET", "HEAD"):
            query = dict(parse_qsl(bytes(scope["query_string"]).decode("latin-1")))
            kept = {"cache-control": "public, max-age=86400"}
            painted = Response(await self.painter.picture(query), media_type="image/png", headers=kept)
            await painted(scope, receive, send)
            return
        if scope["path"] == HEALTH:
            health = await to_thread(report)
            await JSONResponse(health, 200 if health["well"] else 503)(scope, receive, send)
            return
        session = streamed_session(scope)
        if scope["method"] == "POST" and scope["path"].startswith(ASSISTANTS):
            # Gradio calls itself for an assistant, with the same headers: so the call knows whose it is.
            session = token_hex(16)
            scope = {**scope, "headers": [*scope["headers"], (CONNECTION.encode(), session.encode())]}
        began, status = time.monotonic(), [0]
        send = _noting(send, status)
        try:
            await self.app(scope, receive, send)
        finally:
            # The path alone: queries carry prose, and bodies tokens.
            line = f"{scope['method']} {shortened(scope['path'])} {status[0]} {time.monotonic() - began:.3f}s"
            if log_worthy(scope["path"]):
                log.info("%s", line)
            if session:
                gone(session)

    def _with_headers(self, send: Send, stranger: bool) -> Send:
        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                kept = [
                    (name, value)
                    for name, value in message.get("headers", [])
                    if not (stranger and name.lower() in FOR_OTHER_SITES)
                ]
                message = {**message, "headers": [*kept, *self.headers]}
            await send(message)

        return sending


def _noting(send: Send, status: list[int]) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            status[0] = int(message["status"])
        await send(message)

    return sending


def log_worthy(path: str) -> bool:
    """Whether an operator wants a line of it: what people and programs ask for, not the page's own parts."""
    return path == "/" or path.startswith(LOGGED)


def shortened(path: str) -> str:
    """A path for the log: without what it names after an endpoint, and on one line whatever it holds."""
    return "/".join(path.split("/")[:4]).encode("unicode_escape").decode("ascii")[:100]


def from_another_site(scope: Scope) -> bool:
    """Whether a page of another site asks: Gradio would tell its browser that it may read the answer."""
    headers = dict(scope["headers"])
    origin = headers.get(b"origin", b"").decode("latin-1")
    return bool(origin) and urlsplit(origin).netloc != headers.get(b"host", b"").decode("latin-1")


def streamed_session(scope: Scope) -> str:
    """The session whose answers a request listens to; none for any other request."""
    path = str(scope["path"])
    if scope["method"] != "GET":
        return ""
    if path == STREAM:
        query = parse_qs(bytes(scope["query_string"]).decode("latin-1"))
        return query.get("session_hash", [""])[0]
    return path.rsplit("/", 1)[-1] if path.startswith(CALL) else ""


@asynccontextmanager
async def around(app: Any) -> AsyncIterator[None]:
    """The lifespan that puts the guard around a Starlette application, outside of everything Gradio adds to it."""
    app.middleware_stack = Guard(app.middleware_stack)
    answer_in_json(app.get_blocks().mcp_server_obj)
    preview.add_to_page(templates.env)
    yield


def answer_in_json(assistants: Any) -> None:
    """Have assistants' tools answer in JSON: by itself Gradio writes data for them as Python would, which no other
    language reads. There is no setting for it; of this one object the method that writes is another."""
    if assistants is None:
        return
    content = assistants.types.TextContent

    def written(data: Any, root_url: str) -> list[Any]:
        return [content(type="text", text=json.dumps(each, ensure_ascii=False)) for each in data]

    assistants.postprocess_output_data = written
