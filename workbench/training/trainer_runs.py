"""Hours turned into steps for sentence-transformers' trainers, and what their runs here have in common."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from transformers.trainer_utils import get_last_checkpoint

from workbench.training.recipes import LOG

PLAN = "plan.json"
TRIED = 3


def steps_in(
    hours: float, out: Path, model: Any, loss: Callable[[], torch.Tensor], recipe: Any, tell: Callable[[str], None]
) -> int:
    """How many steps fit into the hours, measured once and kept, so that a resumed run comes to the same end."""
    file = out / PLAN
    if file.is_file():
        return int(json.loads(file.read_text(encoding="utf-8"))["steps"])
    began = time.monotonic()
    for _ in range(TRIED):
        tried: Any = loss()
        tried.backward()
    model.zero_grad()
    steps = max(2, int(hours * 3600 / ((time.monotonic() - began) / TRIED)))
    file.write_text(json.dumps({"steps": steps, "hours": hours, "recipe": asdict(recipe)}) + "\n", encoding="utf-8")
    tell(f"{steps:,} steps fit into {hours:g} hours")
    return steps


def trainer_arguments(folder: Path, steps: int, saves: int, recipe: Any) -> dict[str, Any]:
    """Arguments of every trainer here: steps instead of epochs, a few saves, silence."""
    return {
        "output_dir": str(folder),
        "max_steps": steps,
        "per_device_train_batch_size": recipe.batch,
        "learning_rate": recipe.rate,
        "warmup_steps": min(100, steps // 10),
        "save_steps": max(1, min(500, steps // saves)),
        "save_total_limit": 1,
        "logging_strategy": "no",
        "disable_tqdm": True,
        "seed": recipe.seed,
        "report_to": "none",
        "dataloader_pin_memory": False,
    }


def where_it_stopped(folder: Path, resume: bool) -> str | None:
    """The last checkpoint of a run to go on from; None when there is none yet, or none is wanted."""
    last: Any = get_last_checkpoint
    return last(str(folder)) if resume and folder.is_dir() else None


def log_figures(out: Path, figures: dict[str, Any]) -> None:
    with (out / LOG).open("a", encoding="utf-8") as log:
        log.write(json.dumps(figures) + "\n")
