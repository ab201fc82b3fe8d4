"""Trains a model from the Hub (InfoXLM), all of it, as a cross-encoder, as the paper does: easy negatives first, then
hard ones, positives weighted, the checkpoint chosen on dev by the gap between what true and crossed pairs get.

sentence-transformers' trainer does the work; the run is saved as it goes and resumes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from datasets import Dataset
from sentence_transformers import CrossEncoder
from sentence_transformers.cross_encoder import CrossEncoderTrainer, CrossEncoderTrainingArguments
from sentence_transformers.cross_encoder.losses import BinaryCrossEntropyLoss
from transformers import TrainerCallback

from workbench.prosody.verse import Verse
from workbench.semantics.biencoder import BiEncoder
from workbench.semantics.verse_spelling import note_spelling, spell
from workbench.training.grouping import GroupedBatches
from workbench.training.judge_cards import write_cross_card
from workbench.training.negatives import Labelled, as_many, easy, enough, hard, nearest
from workbench.training.pairs import Pair
from workbench.training.recipes import CrossRecipe, logged_figures
from workbench.training.trainer_runs import log_figures, steps_in, trainer_arguments, where_it_stopped

BEST = "best.pt"
DEV_ROWS = 1200


def rows_of(labelled: Sequence[Labelled], spelling: str) -> Any:
    return Dataset.from_dict(
        {
            "prose": [row.prose for row in labelled],
            "verse": [spell(Verse.from_slp1(row.verse), spelling) for row in labelled],
            "label": [float(row.label) for row in labelled],
        }
    )


def gap(model: Any, rows: Any) -> dict[str, float]:
    """Mean probability of true pairs, of crossed ones, and G, the gap."""
    pairs = list(zip(rows["prose"], rows["verse"], strict=True))
    scores, labels = np.asarray(model.predict(pairs, show_progress_bar=False)), np.asarray(rows["label"])
    true, crossed = float(scores[labels == 1].mean()), float(scores[labels == 0].mean())
    return {"true": true, "crossed": crossed, "gap": true - crossed}


class KeepBestCallback(TrainerCallback):
    """Measures the gap whenever the run is saved, and keeps the best weights."""

    def __init__(self, out: Path, stage: str, model: Any, dev: Any, tell: Callable[[str], None]) -> None:
        self._out, self._stage, self._model, self._dev, self._tell = out, stage, model, dev, tell

    def on_step_end(self, args: Any, state: Any, control: Any, **others: Any) -> None:
        if state.global_step % 20 == 0:
            self._tell(f"{self._stage}, step {state.global_step:,} of {state.max_steps:,}")

    def on_save(self, args: Any, state: Any, control: Any, **others: Any) -> None:
        figures = gap(self._model, self._dev)
        best = max((entry["gap"] for entry in logged_figures(self._out)), default=-1.0)
        log_figures(self._out, {"stage": self._stage, "step": state.global_step, **figures})
        self._tell(f"dev: true {figures['true']:.3f}, crossed {figures['crossed']:.3f}, gap {figures['gap']:.3f}")
        if figures["gap"] > best:
            torch.save(self._model.state_dict(), self._out / BEST)


def train_crossencoder(
    out: Path,
    recipe: CrossRecipe,
    train: list[Pair],
    dev: list[Pair],
    where: str,
    finder: BiEncoder,
    composed: dict[str, list[str]],
    hours: float,
    resume: bool,
    tell: Callable[[str], None],
) -> dict[str, float]:
    """Train, and write the chosen checkpoint to OUT/model. Returns its figures on dev."""
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    model = CrossEncoder(where, num_labels=1)
    loss = BinaryCrossEntropyLoss(model, pos_weight=torch.tensor(recipe.positive_weight))
    chance = random.Random(recipe.seed)
    simple = easy(train, chance)
    sample = rows_of(simple[: recipe.batch], recipe.script)
    columns, labels = [list(sample["prose"]), list(sample["verse"])], torch.tensor(sample["label"])
    total = steps_in(hours, out, model, lambda: loss(columns, labels), recipe, tell)
    steps = {"easy": max(1, int(recipe.easy_share * total))}
    steps["hard"] = max(1, total - steps["easy"])
    # What is near is looked for only among as many pairs as there is time for: the finder has to read them all.
    wanted = steps["hard"] * recipe.batch
    some, held = as_many(train, wanted, composed, chance), as_many(dev, DEV_ROWS, {}, random.Random(0))
    near, near_held = (
        _near(finder, pairs, out / f"near-{name}.npy", tell) for name, pairs in (("train", some), ("dev", held))
    )
    dev_rows = rows_of(hard(held, near_held, {}, random.Random(0), recipe.changed_share), recipe.script)
    found = hard(some, near, composed, chance, recipe.changed_share)
    stages = {"easy": simple, "hard": enough(found, wanted, composed, chance)}
    for stage, labelled in stages.items():
        done = out / f"{stage}.done"
        if done.is_file():
            model.load_state_dict(torch.load(done, weights_only=True))
            continue
        folder = out / stage
        trainer = CrossEncoderTrainer(
            model=model,
            args=CrossEncoderTrainingArguments(
                lr_scheduler_type="linear",
                batch_sampler=GroupedBatches,
                **trainer_arguments(folder, steps[stage], 5, recipe),
            ),
            train_dataset=rows_of(labelled, recipe.script),
            loss=loss,
            callbacks=[KeepBestCallback(out, stage, model, dev_rows, tell)],
        )
        trainer.train(resume_from_checkpoint=where_it_stopped(folder, resume))
        torch.save(model.state_dict(), done)
    if (out / BEST).is_file():
        model.load_state_dict(torch.load(out / BEST, weights_only=True))
    figures = gap(model, dev_rows)
    model.half().save_pretrained(str(out / "model"), create_model_card=False)
    model.float()
    note_spelling(out / "model", recipe.script)
    write_cross_card(out / "model", out, recipe, where, len(train), total, figures)
    return figures


def _near(finder: BiEncoder, pairs: Sequence[Pair], file: Path, tell: Callable[[str], None]) -> Any:
    if not file.is_file():
        tell(f"reading {len(pairs):,} pairs with the bi-encoder")
        prose = finder.prose([pair.prose for pair in pairs]).numpy()
        verses = finder.verses([Verse.from_slp1(pair.verse) for pair in pairs]).numpy()
        np.save(file, nearest(prose, verses, tell))
    return np.load(file)
