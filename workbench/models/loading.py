"""Generators by name, loaded when first asked for and kept: the embedded ones for good, of large ones only the last.
Whoever asks for one that loads waits for it; nobody else does."""

from __future__ import annotations

import importlib
import threading
from contextlib import nullcontext
from typing import Any

from transformers.utils import logging

from workbench.models.entries import Entry, find_entry
from workbench.models.generator import Generator
from workbench.one_at_a_time import LOADING

_lock = threading.Lock()  # of the two tables below, held for no longer than it takes to look
_loading: dict[Entry, threading.Lock] = {}
_loaded: dict[Entry, Generator] = {}


def loaded_generator(name: str) -> Generator:
    """The generator of that name. ModelError says in a sentence why it cannot be had."""
    entry = find_entry(name)
    with _lock:
        loading = _loading.setdefault(entry, threading.Lock())
    with loading:
        with _lock:
            if entry in _loaded:
                return _loaded[entry]
            if entry.kind != "embedded":
                for other in [known for known in _loaded if known.kind != "embedded"]:
                    del _loaded[other]
        bars: Any = logging
        bars.disable_progress_bar()  # the composer says that it loads; lines of its own would only disturb
        with LOADING:  # transformers imports its parts when asked; of two threads that ask, one may find nothing there
            module: Any = importlib.import_module(f"workbench.models.{entry.kind}")
        # What comes in a folder takes seconds. What a Hub has may take an hour, and nobody is to wait for that.
        with LOADING if entry.kind == "embedded" else nullcontext():
            loaded: Generator = module.load(entry)
        with _lock:
            _loaded[entry] = loaded
        return loaded
