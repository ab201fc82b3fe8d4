"""Which files a corpus folder may have, from sources.toml: kind, licence, whether it is for measuring only."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from workbench.corpora.files import CorpusError

KINDS = ("pairs", "verses", "words")


@dataclass(frozen=True)
class Source:
    name: str
    file: str
    kind: str
    licence: str
    measured: bool = False
    aligned: str = "people"
    kept_out: tuple[str, ...] = ()


@cache
def sources() -> dict[str, Source]:
    """All of them, what is for measuring first: the others are compared with it."""
    table = tomllib.loads((files(__package__) / "sources.toml").read_text(encoding="utf-8"))
    found = [Source(name, **{**entry, "kept_out": tuple(entry.get("kept_out", ()))}) for name, entry in table.items()]
    return {source.name: source for source in sorted(found, key=lambda source: not source.measured)}


def present(folder: Path) -> list[Source]:
    """Those whose files are in a folder. Without what is for measuring nothing can be kept apart from it."""
    found = [source for source in sources().values() if (folder / source.file).is_file()]
    missing = [source.file for source in sources().values() if source.measured and source not in found]
    if missing:
        raise CorpusError(
            f"Expected {' and '.join(missing)} in {folder}; found none, and no text is learnt before it is compared "
            "with them."
        )
    return found
