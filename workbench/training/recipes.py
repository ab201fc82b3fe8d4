"""What a run was told: the recipe, kept with the run, and every command that worked on it, with commit and data.

A resumed run keeps its recipe; only what does not change the weights' shape may be told anew.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from workbench.corpora import signature
from workbench.paths import PACKAGE
from workbench.refusal import Refusal

RECIPE, RUNS, LOG = "recipe.json", "runs.jsonl", "log.jsonl"
TOLD = "training"  # the folder inside a finished model that tells how it was made
Kind = TypeVar("Kind")
SHAPE = ("seed", "pieces", "layers", "width", "heads", "inner")  # what a run cannot change on its way


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what is learnt, but for the data."""

    seed: int = 1
    pieces: int = 8000
    layers: int = 4
    width: int = 384
    heads: int = 6
    inner: int = 1536
    batch_tokens: int = 1536
    peak: float = 1e-3
    warm_up: int = 300
    cooling: float = 0.2  # the last share of the hours, in which the rate falls and only whole verses are read
    dropout: float = 0.1
    smoothing: float = 0.1
    drop_source: float = 0.05  # of the batches that have one
    lone_share: float = 0.5  # of the verses without prose, read in each epoch
    averaging: float = 0.999
    live_encoder: bool = False
    encoder_rate: float = 0.1  # of the decoder's
    weight_decay: float = 0.01

    def __post_init__(self) -> None:
        for name in ("cooling", "dropout", "smoothing", "drop_source", "lone_share", "averaging"):
            if not 0 <= getattr(self, name) < 1:
                raise Refusal(f"Expected {name} to be at least 0 and under 1; got {getattr(self, name)!r}.")
        for name in ("pieces", "layers", "width", "heads", "inner", "batch_tokens", "warm_up"):
            if getattr(self, name) < 1:
                raise Refusal(f"Expected {name} to be at least 1; got {getattr(self, name)!r}.")


def recipe(out: Path, asked: dict[str, Any], kind: type[Kind], shape: Sequence[str]) -> Kind:
    """The recipe of the run in a folder, with the changes asked for; a new one where there is no run."""
    file = out / RECIPE
    if not file.is_file():
        return kind(**asked)
    known = kind(**json.loads(file.read_text(encoding="utf-8")))
    changed = [name for name in shape if name in asked and asked[name] != getattr(known, name)]
    if changed:
        raise Refusal(f"Expected the run's own {', '.join(changed)}: these cannot change on its way.")
    return replace(known, **asked)  # type: ignore[type-var]


def tell_how(out: Path, model: Path) -> None:
    """Put what is known of a run beside the model that came of it, so that another run can go on from the model."""
    told = model / TOLD
    told.mkdir(parents=True, exist_ok=True)
    for name in (RECIPE, RUNS, LOG):
        if (out / name).is_file():
            shutil.copyfile(out / name, told / name)


def go_on_from(model: Path, out: Path) -> None:
    """Begin a run where a finished model's run ended: its recipe, commands and figures come along."""
    told = model / TOLD
    if not (told / RECIPE).is_file() or not (told / LOG).is_file():
        raise Refusal(f"Expected a model that tells how it was made, in {told}; found nothing there.")
    out.mkdir(parents=True, exist_ok=True)
    for name in (RECIPE, RUNS, LOG):
        if (told / name).is_file():
            shutil.copyfile(told / name, out / name)


def note_run(out: Path, made: Any, command: str, data: Sequence[Path]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / RECIPE).write_text(json.dumps(asdict(made), indent=1) + "\n", encoding="utf-8")
    entry = {
        "command": command,
        "commit": commit(),
        "data": signature(*data, packages=("torch", "transformers", "tokenizers")),
    }
    with (out / RUNS).open("a", encoding="utf-8") as runs:
        runs.write(json.dumps(entry, ensure_ascii=False) + "\n")


def command(*folders: Path | None) -> str:
    """The command under way as a card tells it: folders by their names alone, for where they stood is nobody's
    business."""
    names = {str(path): path.name for path in folders if path}
    return shlex.join(["python", "-m", "workbench", *(names.get(word, word) for word in sys.argv[1:])])


def runs(out: Path) -> list[dict[str, str]]:
    file = out / RUNS
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.is_file() else []


def commit() -> str:
    """The commit of the code that trains, with a + when it was changed since; unknown outside a checkout."""

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=PACKAGE, capture_output=True, text=True, check=True
        ).stdout.strip()

    if not (PACKAGE.parent / ".git").exists():  # installed; a repository around that is somebody else's
        return "unknown"
    try:
        return git("rev-parse", "HEAD")[:12] + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
