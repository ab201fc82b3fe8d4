"""Rows of JSON lines or of a data set on the Hub, and the signature of a figure: which data, which versions."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import workbench
from workbench.damage import said, sha256
from workbench.refusal import Refusal

# What the columns are called, in our files, in Chandomitra's and in Itihāsa's.
PROSE_COLUMNS = ("en", "english", "English", "prose", "source")
VERSE_COLUMNS = ("slp1", "sa", "sn", "sanskrit", "Sanskrit", "verse", "target")


class CorpusError(Refusal):
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


def full_rows(path: str | Path) -> list[dict[str, Any]]:
    """Those that are full anuṣṭubh, or do not say what they are."""
    return [row for row in rows(path) if row.get("full_anustubh", True)]


def any_rows(source: str | Path, split: str = "train") -> Iterator[dict[str, Any]]:
    """The rows of a file, or of a data set on the Hub that a person has named, their prose as `en` and their verse,
    where they have one, as `verse`."""
    found: Any = rows(source) if Path(source).is_file() else _from_hub(str(source), split)
    for row in found:
        row = row.get("translation", row)
        prose = next((row[name] for name in PROSE_COLUMNS if name in row), None)
        verse = next((row[name] for name in VERSE_COLUMNS if name in row), None)
        if not isinstance(prose, str):
            raise CorpusError(f"Expected a column of prose ({', '.join(PROSE_COLUMNS)}); got {', '.join(row)}.")
        yield {**row, "en": prose, "verse": verse}


def _from_hub(name: str, split: str) -> Any:
    if name.count("/") != 1 or name.endswith((".gz", ".jsonl")):
        raise CorpusError(f"Expected a file of JSON lines or a data set's name on the Hub; found no {name}.")
    from datasets import load_dataset

    try:
        return load_dataset(name, split=split)
    except (OSError, ValueError, ImportError) as error:
        raise CorpusError(
            f"Expected the data set {name}, which is not on this machine; run `hf download --repo-type dataset {name}` "
            f"where there is a network, or name a file. ({said(error)[:200]})"
        ) from error


def _file(path: str | Path) -> Path:
    if not Path(path).is_file():
        raise CorpusError(f"Expected a file of JSON lines (.jsonl or .jsonl.gz); found none at {path}.")
    return Path(path)


def signature(*paths: str | Path, packages: tuple[str, ...] = ()) -> str:
    """The tail of every figure: data by hash, software by version."""
    data = [f"{Path(path).name}#{sha256(_file(path))[:12]}" for path in paths]
    software = [f"workbench {workbench.__version__}", *(f"{package} {version(package)}" for package in packages)]
    return " | ".join([*data, *software])
