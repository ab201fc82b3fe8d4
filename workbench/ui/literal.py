"""What goes into a template of gr.HTML, made harmless: Gradio reads the filled template as a template literal.

Handlebars escapes markup and back-ticks, but `${...}` in a text would be run by the browser, and `\\u003c`
would become a `<` after the escaping. What people typed or uploaded goes through here, and is shown as they typed it.
"""

from __future__ import annotations

from typing import Any


def literal(value: Any) -> Any:
    """The same data, with every text such that a template literal gives it back unchanged."""
    if isinstance(value, str):
        return value.replace("\\", "\\\\").replace("$", "\\$")
    if isinstance(value, dict):
        return {name: literal(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [literal(each) for each in value]
    return value
