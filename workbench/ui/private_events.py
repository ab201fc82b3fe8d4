"""How the page's own events are wired: apart from the API, without Gradio's veil over what they write to, and with what
a script of the page sends along.

With every message of any event, Gradio's page looks through each component that it has ever shown progress on, with all
that the component holds: for tabs or a table of verses that takes a browser as long as composing does. So progress is
said to be shown on something small.
"""

from __future__ import annotations

from typing import Any

from gradio.components import Component
from gradio.events import EventData


def private_event(on: Component, **more: Any) -> dict[str, Any]:
    """An event's settings; `on` is a button or the like."""
    return {"api_visibility": "private", "show_progress": "hidden", "show_progress_on": on, **more}


def sent(event: EventData) -> dict[str, Any]:
    """What a script of the page sent with an event. Gradio gives single values of it by name, and no door to all."""
    return dict(event._data)
