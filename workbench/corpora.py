"""Rows of the corpora and the signature of a figure: which data, which versions. Knows file formats, no prosody."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import workbench


class CorpusError(ValueError):
    """A corpus cannot be read; the message says what was expected."""


def rows(path: str | Path) -> Iterator[dict[str, Any]]:
    """The rows of a JSON-lines file, gzipped or not."""
    path = _file(path)
    open_text = gzip.open if path.suffix == ".gz" else open
    try:
        with open_text(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    yield json.loads(line)
                except json.JSONDecodeError as error:
                    raise CorpusError(f"Expected JSON in line {number} of {path.name}; got {line[:40]!r}.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"Expected UTF-8 JSON lines, gzipped if so named, in {path.name}; {error}.") from error


def _file(path: str | Path) -> Path:
    if not Path(path).is_file():
        raise CorpusError(f"Expected a file of JSON lines (.jsonl or .jsonl.gz); found none at {path}.")
    return Path(path)


def signature(*paths: str | Path, packages: tuple[str, ...] = ()) -> str:
    """The tail of every figure: data by hash, software by version."""
    data = [f"{Path(path).name}#{hashlib.sha256(_file(path).read_bytes()).hexdigest()[:12]}" for path in paths]
    software = [f"workbench {workbench.__version__}", *(f"{package} {version(package)}" for package in packages)]
    return " | ".join([*data, *software])
