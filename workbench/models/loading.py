"""Generators by name, loaded when first asked for and kept. One at a time loads; the embedded ones stay, of the large
ones only the last."""

from __future__ import annotations

import importlib
import threading
from typing import Any

from transformers.utils import logging

from workbench.models.entries import Entry, find_entry
from workbench.models.generator import Generator

_lock = threading.Lock()
_loaded: dict[Entry, Generator] = {}


def loaded_generator(name: str) -> Generator:
    """The generator of that name. ModelError says in a sentence why it cannot be had."""
    entry = find_entry(name)
    with _lock:
        if entry not in _loaded:
            if entry.kind != "embedded":
                for other in [known for known in _loaded if known.kind != "embedded"]:
                    del _loaded[other]
            bars: Any = logging
            bars.disable_progress_bar()  # the composer says that it loads; lines of its own would only disturb
            module: Any = importlib.import_module(f"workbench.models.{entry.kind}")
            _loaded[entry] = module.load(entry)
        return _loaded[entry]
