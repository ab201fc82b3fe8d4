"""How the page and its endpoints refuse: a refusal's own sentence, and for everything else one that gives nothing away.

Knows no tab. Programs get a refusal as an error of Gradio's, people as a sentence where the result would stand.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

import gradio as gr

from workbench.refusal import Refusal
from workbench.ui import strings

log = logging.getLogger(__name__)


def sentence_for(error: Exception, doing: str, unexpected: str = strings.UNEXPECTED) -> str:
    """What a person is told of an error. What is no refusal is a fault of ours: the log gets its traceback."""
    if isinstance(error, Refusal):
        return str(error)
    log.error("%s failed", doing, exc_info=error)
    return unexpected


def for_programs(call: Callable[..., Any]) -> Callable[..., Any]:
    """An endpoint, of the API and of MCP, whose refusals are sentences for whoever called."""

    @wraps(call)
    def careful(*given: Any, **named: Any) -> Any:
        try:
            return call(*given, **named)
        except Refusal as refusal:
            raise gr.Error(str(refusal), print_exception=False) from refusal

    return careful
