"""Trains the embedded bi-encoder: a small Sanskrit encoder whose vectors stand where the English ones stand, seen
through a matrix that is learnt too.

sentence-transformers' trainer does the work; the run is saved as it goes and resumes. What comes out is one
SentenceTransformer with two routes, English and Sanskrit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from datasets import Dataset
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)
from sentence_transformers.base.modules import Dense, Normalize, Router, Transformer
from sentence_transformers.sentence_transformer.modules import Pooling
from transformers import BertConfig, BertModel, TrainerCallback

from workbench.prosody.verse import Verse
from workbench.semantics.retrieval import accuracy
from workbench.semantics.verse_spelling import SLP1, note_spelling
from workbench.training import english
from workbench.training.contrast import Contrast
from workbench.training.english import Words
from workbench.training.grouping import LikeLengths
from workbench.training.judge_cards import write_bi_card
from workbench.training.pairs import Pair
from workbench.training.recipes import BiRecipe
from workbench.training.trainer_runs import log_figures, steps_in, trainer_arguments, where_it_stopped
from workbench.training.verse_tokenizer import learn_tokenizer

LEARNT = "english.pt"
WORDS = 0.05  # the size of a generator's word vectors here


def new_encoder(folder: Path, recipe: BiRecipe, verses: Sequence[str], generator: Words | None = None) -> None:
    """An untrained Sanskrit encoder with its tokenizer, in a folder. What a generator knows of words it knows too."""
    tokenizer = generator.tokenizer if generator else learn_tokenizer(verses, recipe.pieces)
    torch.manual_seed(recipe.seed)
    bert: Any = BertModel
    model = bert(
        BertConfig(
            vocab_size=len(tokenizer), hidden_size=recipe.width, num_hidden_layers=recipe.layers,
            num_attention_heads=recipe.heads, intermediate_size=4 * recipe.width, max_position_embeddings=128,
            hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.0, pad_token_id=tokenizer.pad_token_id,
        ),
        add_pooling_layer=True,
    )  # fmt: skip
    if generator:
        known = generator.vectors - generator.vectors.mean(dim=0)
        with torch.no_grad():  # beside places of the size that a new model gives them
            model.embeddings.word_embeddings.weight.copy_(known / known.std() * WORDS)
    model.save_pretrained(folder)
    tokenizer.model_max_length = recipe.longest
    tokenizer.save_pretrained(folder)


def dev_accuracy(model: Any, verses: Sequence[str], loss: Contrast, english: torch.Tensor) -> dict[str, float]:
    vectors = model.encode(list(verses), normalize_embeddings=True, show_progress_bar=False)
    with torch.inference_mode():
        seen = loss.english(english).numpy()
    similarity = seen @ vectors.T
    return {"among_4": accuracy(similarity, 4), "among_16": accuracy(similarity, 16), "among_all": accuracy(similarity)}


class DevAccuracyCallback(TrainerCallback):
    """Tells how it goes, keeps the figures on dev, and what the loss has learnt."""

    def __init__(
        self, out: Path, loss: Contrast, figures: Callable[[], dict[str, float]], tell: Callable[[str], None]
    ) -> None:
        self._out, self._loss, self._figures, self._tell = out, loss, figures, tell

    def on_step_end(self, args: Any, state: Any, control: Any, **others: Any) -> None:
        if state.global_step % 20 == 0:
            self._tell(f"step {state.global_step:,} of {state.max_steps:,}")

    def on_save(self, args: Any, state: Any, control: Any, **others: Any) -> None:
        torch.save(self._loss.learnt(), self._out / LEARNT)
        figures = self._figures()
        log_figures(self._out, {"step": state.global_step, **figures})
        said = ", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in figures.items())
        self._tell(f"dev: {said}")


def train_biencoder(
    out: Path,
    recipe: BiRecipe,
    train: list[Pair],
    dev: list[Pair],
    encoder: Path,
    hours: float,
    resume: bool,
    tell: Callable[[str], None],
) -> dict[str, float]:
    """Train, and write the two-route model to OUT/model. Returns its figures on dev."""
    out.mkdir(parents=True, exist_ok=True)
    start = out / "start"
    if not start.is_dir():
        new_encoder(start, recipe, [pair.verse for pair in train], english.words(encoder, recipe.width))
    dev = dev[:1000]
    reads = english.modules(encoder, out)
    raw = english.read(reads, [pair.prose for pair in [*train, *dev]], out / english.VECTORS, tell)
    level = english.Levelling.of(raw[: len(train)], min(recipe.directions, raw.shape[1]))
    vectors = level(raw)
    transformer = Transformer(str(start), max_seq_length=recipe.longest)
    modules = [
        transformer,
        Pooling(recipe.width, "mean"),
        Dense(recipe.width, vectors.shape[1], activation_function=None),
    ]
    model = SentenceTransformer(modules=modules, device="cpu")
    rows = Dataset.from_dict(
        {"verse": [Verse.from_slp1(pair.verse).plain for pair in train], "label": vectors[: len(train)].numpy()}
    )
    loss = Contrast(model, vectors[: len(train)], recipe.others, recipe.scale, recipe.seed)
    if resume and (out / LEARNT).is_file():
        loss.take_up(torch.load(out / LEARNT, weights_only=True))
    by_length = sorted(range(len(rows)), key=lambda row: len(train[row].verse))
    sample = rows.select(by_length[max(0, len(rows) - recipe.batch) // 2 :][: recipe.batch])  # of middling length
    labels = torch.tensor(np.asarray(sample["label"]))
    steps = steps_in(hours, out, model, lambda: loss([model.preprocess(sample["verse"])], labels), recipe, tell)
    dev_verses, dev_vectors = [Verse.from_slp1(pair.verse).plain for pair in dev], vectors[len(train) :]
    trainer = SentenceTransformerTrainer(
        model=model,
        args=SentenceTransformerTrainingArguments(
            lr_scheduler_type="cosine", batch_sampler=LikeLengths, **trainer_arguments(out / "run", steps, 10, recipe)
        ),
        train_dataset=rows,
        loss=loss,
        callbacks=[DevAccuracyCallback(out, loss, lambda: dev_accuracy(model, dev_verses, loss, dev_vectors), tell)],
    )
    trainer.train(resume_from_checkpoint=where_it_stopped(out / "run", resume))
    figures = dev_accuracy(model, dev_verses, loss, dev_vectors)
    export(model, [*reads, level.dense(loss.looks.weight.detach())], out / "model")
    write_bi_card(out / "model", out, recipe, len(train), steps, figures)
    return figures


def export(model: Any, reads: list[Any], folder: Path) -> None:
    """One model of two routes, English and Sanskrit, in half precision."""
    routes = Router.for_query_document(query_modules=reads, document_modules=list(model.children()))
    both = SentenceTransformer(modules=[routes, Normalize()], device="cpu")
    both.half().save_pretrained(str(folder), create_model_card=False)
    both.float()
    note_spelling(folder, SLP1)
