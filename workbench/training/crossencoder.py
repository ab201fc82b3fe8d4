"""Trains the cross-encoder as the paper does: easy negatives first, then hard ones, positives weighted, the checkpoint
chosen on dev by the gap between what true and crossed pairs get.

It starts from a generator's folder, whose reading of both languages it keeps, or from a model on the Hub (InfoXLM).
sentence-transformers' trainer does the work; the run is saved as it goes and resumes.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from datasets import Dataset
from sentence_transformers import CrossEncoder
from sentence_transformers.cross_encoder import CrossEncoderTrainer, CrossEncoderTrainingArguments
from sentence_transformers.cross_encoder.losses import BinaryCrossEntropyLoss
from transformers import TrainerCallback

from workbench.semantics.biencoder import BiEncoder
from workbench.semantics.spelling import DEVANAGARI, HALVES, note_spelling, spell
from workbench.semantics.together import from_generator
from workbench.training.biencoder import words
from workbench.training.negatives import Labelled, easy, hard, nearest
from workbench.training.pairs import Pair

PLAN, BEST, LOG = "plan.json", "best", "log.jsonl"


@dataclass(frozen=True)
class CrossRecipe:
    seed: int = 1
    batch: int = 32
    rate: float = 1e-4
    easy_share: float = 0.2  # of the steps
    positive_weight: float = 2.0  # the paper's α
    script: str = "devanagari"  # for models from the Hub; the embedded one reads SLP1


def start(where: str | Path, recipe: CrossRecipe) -> tuple[Any, str]:
    """The untrained judge, and how it wants its verses."""
    if (Path(where) / "prose").is_dir():
        return CrossEncoder(modules=[from_generator(where)], num_labels=1, device="cpu"), HALVES
    return CrossEncoder(str(where), num_labels=1), DEVANAGARI if recipe.script == "devanagari" else recipe.script


def rows_of(labelled: Sequence[Labelled], spelling: str) -> Any:
    return Dataset.from_dict(
        {
            "prose": [row.prose for row in labelled],
            "verse": [spell(words(row.verse), spelling) for row in labelled],
            "label": [float(row.label) for row in labelled],
        }
    )


def gap(model: Any, rows: Any) -> dict[str, float]:
    """Mean probability of true pairs, of crossed ones, and G, the gap."""
    pairs = list(zip(rows["prose"], rows["verse"], strict=True))
    scores, labels = np.asarray(model.predict(pairs, show_progress_bar=False)), np.asarray(rows["label"])
    true, crossed = float(scores[labels == 1].mean()), float(scores[labels == 0].mean())
    return {"true": true, "crossed": crossed, "gap": true - crossed}


class KeepBest(TrainerCallback):
    """Measures the gap whenever the run is saved, and keeps the best weights."""

    def __init__(self, out: Path, stage: str, model: Any, dev: Any, tell: Callable[[str], None]) -> None:
        self._out, self._stage, self._model, self._dev, self._tell = out, stage, model, dev, tell

    def on_step_end(self, args: Any, state: Any, control: Any, **others: Any) -> None:
        if state.global_step % 20 == 0:
            self._tell(f"{self._stage}, step {state.global_step:,} of {state.max_steps:,}")

    def on_save(self, args: Any, state: Any, control: Any, **others: Any) -> None:
        figures = gap(self._model, self._dev)
        entries = log(self._out)
        best = max((entry["gap"] for entry in entries), default=-1.0)
        with (self._out / LOG).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"stage": self._stage, "step": state.global_step, **figures}) + "\n")
        self._tell(f"dev: true {figures['true']:.3f}, crossed {figures['crossed']:.3f}, gap {figures['gap']:.3f}")
        if figures["gap"] > best:
            torch.save(self._model.state_dict(), self._out / f"{BEST}.pt")


def log(out: Path) -> list[dict[str, Any]]:
    file = out / LOG
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.is_file() else []


def train_crossencoder(
    out: Path,
    recipe: CrossRecipe,
    train: list[Pair],
    dev: list[Pair],
    where: str | Path,
    finder: BiEncoder,
    composed: dict[str, str],
    hours: float,
    resume: bool,
    tell: Callable[[str], None],
) -> dict[str, float]:
    """Train, and write the chosen checkpoint to OUT/model. Returns its figures on dev."""
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    model, spelling = start(where, recipe)
    near, near_dev = (
        _near(finder, pairs, out / f"near-{name}.npy", tell) for name, pairs in (("train", train), ("dev", dev))
    )
    dev_rows = rows_of(hard(dev[:500], near_dev, {}, random.Random(0)), spelling)
    chance = random.Random(recipe.seed)
    stages = {"easy": easy(train, chance), "hard": hard(train, near, composed, chance)}
    total = _steps(out, model, rows_of(stages["hard"][: recipe.batch], spelling), recipe, hours, tell)
    steps = {"easy": max(1, int(recipe.easy_share * total))}
    steps["hard"] = max(1, total - steps["easy"])
    for stage, labelled in stages.items():
        done = out / f"{stage}.done"
        if done.is_file():
            model.load_state_dict(torch.load(done, weights_only=True))
            continue
        folder = out / stage
        trainer = CrossEncoderTrainer(
            model=model,
            args=CrossEncoderTrainingArguments(
                output_dir=str(folder),
                max_steps=steps[stage],
                per_device_train_batch_size=recipe.batch,
                learning_rate=recipe.rate,
                warmup_steps=min(100, steps[stage] // 10),
                lr_scheduler_type="linear",
                save_steps=max(1, min(500, steps[stage] // 5)),
                save_total_limit=1,
                logging_strategy="no",
                disable_tqdm=True,
                seed=recipe.seed,
                report_to="none",
                dataloader_pin_memory=False,
            ),
            train_dataset=rows_of(labelled, spelling),
            loss=BinaryCrossEntropyLoss(model, pos_weight=torch.tensor(recipe.positive_weight)),
            callbacks=[KeepBest(out, stage, model, dev_rows, tell)],
        )
        going_on = resume and folder.is_dir() and any(folder.glob("checkpoint-*"))
        trainer.train(resume_from_checkpoint=going_on or None)
        torch.save(model.state_dict(), done)
    if (out / f"{BEST}.pt").is_file():
        model.load_state_dict(torch.load(out / f"{BEST}.pt", weights_only=True))
    figures = gap(model, dev_rows)
    model.half().save_pretrained(str(out / "model"), create_model_card=False)
    model.float()
    note_spelling(out / "model", spelling)
    return figures


def _near(finder: BiEncoder, pairs: Sequence[Pair], file: Path, tell: Callable[[str], None]) -> Any:
    if not file.is_file():
        tell(f"reading {len(pairs):,} pairs with the bi-encoder")
        prose = finder.prose([pair.prose for pair in pairs]).numpy()
        verses = finder.verses([words(pair.verse) for pair in pairs]).numpy()
        np.save(file, nearest(prose, verses, tell))
    return np.load(file)


def _steps(out: Path, model: Any, rows: Any, recipe: CrossRecipe, hours: float, tell: Callable[[str], None]) -> int:
    """How many steps fit into the hours, measured once and kept, so that a resumed run comes to the same end."""
    file = out / PLAN
    if file.is_file():
        return int(json.loads(file.read_text())["steps"])
    loss = BinaryCrossEntropyLoss(model)
    began, tried = time.monotonic(), 3
    for _ in range(tried):
        mean: Any = loss([list(rows["prose"]), list(rows["verse"])], torch.tensor(rows["label"]))
        mean.backward()
    model.zero_grad()
    steps = max(2, int(hours * 3600 / ((time.monotonic() - began) / tried)))
    file.write_text(json.dumps({"steps": steps, "hours": hours, "recipe": asdict(recipe)}))
    tell(f"{steps:,} steps fit into {hours:g} hours")
    return steps
