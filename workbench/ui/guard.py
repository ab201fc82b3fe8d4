"""What stands around the whole app, before Gradio: it notices when a program's connection ends, and
answers `/healthz`.

An ASGI application around another, put there when the server starts (`around`). Knows paths and headers, no tabs.
"""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs

from starlette.responses import JSONResponse

from workbench.ui.health import report
from workbench.ui.lines import gone

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# Where answers come from: a stream by session, or by call, whose session is then named after it.
HEALTH = "/healthz"
STREAM, CALL = "/gradio_api/queue/data", "/gradio_api/call/"


class Guard:
    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["path"] == HEALTH:
            await JSONResponse(await to_thread(report))(scope, receive, send)
            return
        session = streamed_session(scope)
        try:
            await self.app(scope, receive, send)
        finally:
            if session:
                gone(session)


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
    yield
