"""The ratings' database as the page uses it: opened once, when first asked for, with its backup on a Space.

Knows where a request comes from, which is what wrong tokens are counted by. Knows nothing of what is in the tables.
"""

from __future__ import annotations

import logging
import os
import threading
from typing import TYPE_CHECKING

from workbench.ratings import storage, tokens

if TYPE_CHECKING:
    import gradio as gr
    from sqlalchemy import Engine

log = logging.getLogger(__name__)

LIMITER = tokens.Limiter()
_lock = threading.Lock()
_open: dict[str, Engine] = {}


def engine() -> Engine:
    """The database of DATABASE_URL, or else the file in PINGALA_DATA."""
    with _lock:
        address = storage.address()
        if address not in _open:
            _open[address] = storage.connect()
            try:
                storage.schedule(_open[address])
            except Exception:  # ratings are taken all the same
                log.exception("no backup could be set up")
        return _open[address]


def place(request: gr.Request | None) -> str:
    """Where a request comes from. A Space's own proxy stands before every visitor; it writes who asked at the end of a
    header, of which all that stands before could be the visitor's invention. Elsewhere the server has believed the
    proxies that are named (see `admin`), and a header says nothing here."""
    if request is None:
        return "nowhere"
    forwarded = request.headers.get("x-forwarded-for", "") if os.environ.get("SPACE_ID") else ""
    client = request.client
    return forwarded.split(",")[-1].strip() or (client.host if client else "unknown")
