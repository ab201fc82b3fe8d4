"""The register of generators: what each is, where it comes from, how large it is and what it needs. Loads none.

The built-in ones stand in models.toml beside this file; those a person adds, in a file of the same form that the
environment variable PINGALA_MODELS names, which may also give a built-in one another folder or an adapter.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from workbench.paths import at_home
from workbench.refusal import Refusal

BUILT_IN = Path(__file__).with_name("models.toml")
VARIABLE = "PINGALA_MODELS"
KINDS = ("embedded", "translation", "instruction")
SCRIPTS = ("slp1", "devanagari")


class ModelError(Refusal):
    """A generator cannot be had; the message says what was expected and what to run."""


@dataclass(frozen=True)
class Entry:
    """One generator. `from` and `to` of the TOML table are `source` and `target` here."""

    name: str
    kind: str
    where: str  # a folder, or a name on the Hub
    script: str  # that it writes
    adapter: str = ""  # a folder with a LoRA adapter, or a name on the Hub
    eight_bit: bool = False
    allow_cpu: bool = False  # in 8 bits also without a GPU, however slow
    source: str = ""  # language codes
    target: str = ""
    system: str = ""
    prompt: str = ""
    says: str = ""
    size: str = ""
    needs: str = ""

    def __post_init__(self) -> None:
        for each in fields(self):
            value, wanted = getattr(self, each.name), bool if each.name in ("eight_bit", "allow_cpu") else str
            if not isinstance(value, wanted):
                written = {"source": "from", "target": "to"}.get(each.name, each.name)
                kind = "text" if wanted is str else "true or false"
                raise ModelError(f"Expected {written} of the generator {self.name} to be {kind}; got {value!r}.")
        for field, allowed in (("kind", KINDS), ("script", SCRIPTS)):
            if getattr(self, field) not in allowed:
                raise ModelError(
                    f"Expected {field} of the generator {self.name} to be one of {', '.join(allowed)}; "
                    f"got {getattr(self, field)!r}."
                )
        if not self.where:
            raise ModelError(f"Expected `where` of the generator {self.name}: a folder or a name on the Hub; got none.")
        if self.kind == "translation" and not (self.source and self.target):
            raise ModelError(f"Expected `from` and `to`, two language codes, for the generator {self.name}; got fewer.")
        if self.kind == "instruction" and "{prose}" not in self.prompt:
            raise ModelError(f"Expected {{prose}} in the prompt of the generator {self.name}; got {self.prompt!r}.")


_FIELDS = {field.name for field in fields(Entry)} - {"name", "source", "target"} | {"from", "to"}


def _entry(name: str, table: Any, known: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise ModelError(f"Expected a table [{name}] for a generator; got {table!r}.")
    unknown = sorted(set(table) - _FIELDS)
    if unknown:
        raise ModelError(
            f"Expected of the generator {name} only {', '.join(sorted(_FIELDS))}; got {', '.join(unknown)}."
        )
    return {**known, **table}


def _tables(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ModelError(f"Expected a TOML file of generators in {VARIABLE}; {error}.") from error


def entries() -> dict[str, Entry]:
    """Every generator by name, the person's own included."""
    tables: dict[str, dict[str, Any]] = {}
    for file in [BUILT_IN, *([Path(os.environ[VARIABLE])] if os.environ.get(VARIABLE) else [])]:
        for name, table in _tables(file).items():
            tables[name] = _entry(name, table, tables.get(name, {}))
    renamed = {"from": "source", "to": "target"}
    made = {}
    for name, table in tables.items():
        values = {renamed.get(key, key): value for key, value in table.items()}
        missing = {"kind", "where", "script"} - set(values)
        if missing:
            raise ModelError(f"Expected {', '.join(sorted(missing))} of the generator {name}; got none.")
        made[name] = Entry(name=name, **values)
    return made


def offered_entries() -> dict[str, Entry]:
    """What strangers may ask for: what is on this machine, and what its owner lists in PINGALA_MODELS. Anything else
    would make the machine fetch gigabytes for whoever names it."""
    listed = set(_tables(Path(os.environ[VARIABLE]))) if os.environ.get(VARIABLE) else set()
    return {name: entry for name, entry in entries().items() if name in listed or _on_disk(entry.where)}


def _on_disk(where: str) -> bool:
    """Whether a folder is there, or what the Hub calls by that name was fetched before."""
    if at_home(where).is_dir():
        return True
    home = os.environ.get("HF_HOME") or "~/.cache/huggingface"
    cache = Path(os.environ.get("HF_HUB_CACHE") or f"{home}/hub").expanduser()
    return any(cache.glob(f"models--{where.replace('/', '--')}/snapshots/*/config.json"))


def find_entry(name: str) -> Entry:
    known = entries()
    if name not in known:
        raise ModelError(f"Expected one of the generators {', '.join(known)}; got {name!r}.")
    return known[name]
