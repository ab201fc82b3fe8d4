"""Trains the reader: SLP1 to English, to lemmas, to glosses; an encoder-decoder from nothing, on the cores at hand.

Batches hold one task and rows of like length. Sanskrit is cut into pieces anew every time it is read, now and then in
another way. A share of the English is learnt with an empty source, so that the reader is a model of English as well.
Beside the decoder's loss, the encoder is taught which words its places mean, and a part of the answer so far is hidden:
both make the decoder look at its source, which it is slow to do by itself. Words begin with the vectors that a count of
who translates whom gives them (first_vectors.py), and the decoder begins by saying what its source names.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import MBartConfig, MBartForConditionalGeneration

from workbench.semantics.function_words import is_content
from workbench.semantics.pieces import END, ENGLISH, PAD, SIGNS, UNKNOWN, WORDS, Pieces, learn_pieces
from workbench.training.alignment_loss import alignment_loss
from workbench.training.batches import padded
from workbench.training.card import write_reader_card
from workbench.training.first_vectors import first_vectors, hand_on
from workbench.training.loop import STATE, Loop, Pace
from workbench.training.output_loss import output_loss
from workbench.training.reader_texts import STYLED, Item, Material
from workbench.training.recipes import ReaderRecipe, keep_history

PIECES = "pieces"
LONGEST = 200  # tokens on either side; longer rows are left out
DEV_ROWS = 300
OTHER_WORDS = 1200  # that the words of an answer are told from, beside those of other answers


def new_model(recipe: ReaderRecipe, pieces: Pieces) -> Any:
    config: Any = MBartConfig
    model: Any = MBartForConditionalGeneration
    made = model(
        config(
            vocab_size=len(pieces),
            d_model=recipe.width,
            encoder_layers=recipe.encoder_layers,
            decoder_layers=recipe.decoder_layers,
            encoder_attention_heads=recipe.heads,
            decoder_attention_heads=recipe.heads,
            encoder_ffn_dim=recipe.inner,
            decoder_ffn_dim=recipe.inner,
            dropout=0.0,
            attention_dropout=0.0,
            activation_function="gelu",
            max_position_embeddings=256,
            scale_embedding=True,
            pad_token_id=pieces.sign(PAD),
            bos_token_id=None,
            eos_token_id=pieces.sign(END),
            decoder_start_token_id=pieces.sign(ENGLISH),
            forced_eos_token_id=None,
            attn_implementation="eager",  # for lines of forty tokens twice as fast as the fused one, on a CPU
        )
    )
    # Small, because they are also what the answer is compared with: otherwise every token begins by foreseeing itself.
    torch.nn.init.normal_(made.model.shared.weight, std=0.01)
    return made


@dataclass(frozen=True)
class Batch:
    items: tuple[Item, ...]
    with_source: bool
    seed: int
    cooling: bool = False


def answer_ids(pieces: Pieces, items: Sequence[Item]) -> list[list[int]]:
    """Answers with the task's sign before and the end after them. In English's slice the end is its first number."""
    words = items[0].task == WORDS
    read = pieces.read_slp1 if words else pieces.read_english
    end = pieces.sign(END) if words else pieces.offset
    begin = pieces.sign(items[0].task)
    return [[begin, *ids, end] for ids in read([item.answer for item in items])]


def source_ids(pieces: Pieces, texts: Sequence[str], styles: Sequence[str]) -> list[list[int]]:
    found = pieces.read_slp1(texts)
    return [
        [*([pieces.sign(style)] if style else []), *ids, pieces.sign(END)]
        for ids, style in zip(found, styles, strict=True)
    ]


def among(
    words: Sequence[Sequence[int]], size: int, chance: torch.Generator | None
) -> tuple[torch.Tensor, list[list[int]]]:
    """Some of a vocabulary: all the words that are wanted and others by chance, and where among these the wanted are.
    To tell a word from two thousand teaches nearly as much as from ten thousand, in a fifth of the time."""
    others = torch.randperm(size, generator=chance)[:OTHER_WORDS]
    columns = torch.unique(torch.cat([others, torch.tensor([word for row in words for word in row], dtype=torch.long)]))
    return columns, [torch.searchsorted(columns, torch.tensor(row, dtype=torch.long)).tolist() for row in words]


def function_pieces(pieces: Pieces) -> set[int]:
    """Pieces of English that are marks, or words that say nothing by themselves."""
    texts = ((number, pieces.write_english([number])) for number in range(pieces.offset + 1, len(pieces)))
    return {number for number, text in texts if not is_content(text)}


class ReaderTraining(Loop):
    def __init__(
        self,
        out: Path,
        recipe: ReaderRecipe,
        material: Material,
        tell: Callable[[str], None],
        start: Path | None = None,
    ) -> None:
        self.recipe, self.material = recipe, material
        torch.manual_seed(recipe.seed)
        self.pieces = self._find_pieces(out, start, tell)
        self._cut = self.pieces.with_dropout(recipe.piece_dropout)
        model = new_model(recipe, self.pieces)
        if start:
            model = type(model).from_pretrained(start, dtype=torch.float32)
        elif not (out / STATE).is_file():
            tell("counting which words translate which")
            self._begin_with_dictionary(model)
        super().__init__(out, model, Pace.of(recipe), tell)
        self._lengths: dict[Item, tuple[int, int]] = {}
        self._function_pieces = {self.pieces.sign(END), self.pieces.offset, *function_pieces(self.pieces)}
        self._dev = {name: self._sample(items) for name, items in material.dev.items()}

    def _find_pieces(self, out: Path, start: Path | None, tell: Callable[[str], None]) -> Pieces:
        """The run's own; those of the model it begins with, which it keeps: they are what its words are numbered by."""
        folder = out / PIECES
        if start:
            Pieces.load(start).save(folder)
        elif not (folder / "english.json").is_file():
            tell("learning the pieces of words")
            items = [item for found in self.material.train.values() for item in found]
            english = (item.answer for item in items if item.task != WORDS)
            sanskrit = (text for item in items for text in (item.source, item.answer if item.task == WORDS else ""))
            learn_pieces(sanskrit, english, (self.recipe.slp1_pieces, self.recipe.english_pieces)).save(folder)
        return Pieces.load(folder)

    @torch.no_grad()
    def _begin_with_dictionary(self, model: Any) -> None:
        items = [item for found in self.material.train.values() for item in found if item.task != WORDS]
        offset = self.pieces.offset
        sources = self.pieces.read_slp1([item.source for item in items])
        answers = [[n - offset for n in ids] for ids in self.pieces.read_english([item.answer for item in items])]
        sizes = (offset, len(self.pieces) - offset)
        model.model.shared.weight.copy_(torch.cat(first_vectors(sources, answers, sizes, self.recipe.width)))
        hand_on([layer.encoder_attn for layer in model.model.decoder.layers])

    def _sample(self, items: list[Item]) -> list[Item]:
        return random.Random(0).sample(items, min(DEV_ROWS, len(items)))

    # -- batches ----------------------------------------------------------------------------------------------------

    def _measure(self, items: Sequence[Item]) -> None:
        """How long questions and answers are, for batches of like length."""
        new = [item for item in items if item not in self._lengths]
        for task in {item.task for item in new}:
            these = [item for item in new if item.task == task]
            answers = answer_ids(self.pieces, these) if these else []
            sources = self.pieces.read_slp1([item.source for item in these])
            for item, answer, source in zip(these, answers, sources, strict=True):
                self._lengths[item] = (len(answer), len(source) + 2)

    def epoch(self, number: int, cooling: bool) -> list[Batch]:
        chance = random.Random(f"{self.recipe.seed} {number}")
        items = self.material.epoch_items(chance, cooling)
        self._measure(items)
        batches = []
        for task in sorted({item.task for item in items}):
            these = [item for item in items if item.task == task and max(self._lengths[item]) <= LONGEST]
            for rows in self._by_length(these, chance):
                bare = task == ENGLISH and chance.random() < self.recipe.no_source
                batches.append(Batch(tuple(rows), not bare, chance.randrange(1 << 30), cooling))
        chance.shuffle(batches)
        return batches

    def _by_length(self, items: list[Item], chance: random.Random, size: int | None = None) -> list[list[Item]]:
        # Lengths are blurred, or the same rows would meet in every epoch.
        def blurred(item: Item) -> tuple[int, float]:
            answer, source = self._lengths[item]
            return round((answer + chance.uniform(-1.5, 1.5)) / 2), source + chance.uniform(-3, 3)

        found: list[list[Item]] = []
        longest = 0
        for item in sorted(items, key=blurred):
            long = max(longest, *self._lengths[item])  # a short answer to a long question costs too
            if not found or long * (len(found[-1]) + 1) > (size or self.recipe.batch_tokens):
                found.append([])
                long = max(self._lengths[item])
            longest = long
            found[-1].append(item)
        return found

    # -- what a batch costs -----------------------------------------------------------------------------------------

    def loss(self, batch: Batch) -> tuple[torch.Tensor, int]:
        chance = random.Random(batch.seed)
        texts = [item.source_text(chance) if batch.with_source else "" for item in batch.items]
        styles = [item.style if chance.random() < STYLED else "" for item in batch.items]
        hide = self.recipe.hidden_answer if batch.with_source and not batch.cooling else 0.0
        align = self.recipe.align_weight if batch.with_source else 0.0
        chosen = torch.Generator().manual_seed(chance.randrange(1 << 30))
        return self._cost(batch.items, source_ids(self._cut, texts, styles), align, hide, chosen)

    def _cost(
        self,
        items: Sequence[Item],
        sources: Sequence[Sequence[int]],
        align: float = 0.0,
        hide: float = 0.0,
        chance: torch.Generator | None = None,
    ) -> tuple[torch.Tensor, int]:
        padding = self.pieces.sign(PAD)
        source, answers = padded(sources, padding), padded(answer_ids(self.pieces, items), padding)
        seen = answers[:, :-1]
        if hide:
            secret = (torch.rand(seen.shape, generator=chance) < hide) & (seen >= len(SIGNS))
            seen = seen.masked_fill(secret, self.pieces.sign(UNKNOWN))
        found = self.model.model(
            input_ids=source, attention_mask=source != padding, decoder_input_ids=seen, use_cache=False
        )
        first, last = self.pieces.slice(items[0].task)
        there = answers[:, 1:] != padding
        vectors = self.model.model.shared.weight[first:last]
        wanted = answers[:, 1:][there] - first
        loss = output_loss(found.last_hidden_state[there], vectors, wanted, self._bf16)
        if align:
            words = [self._content(row, first, padding) for row in answers[:, 1:].tolist()]
            columns, places = among(words, last - first, chance)
            states = found.encoder_last_hidden_state
            loss = loss + align * alignment_loss(states, vectors[columns], source != padding, places, self._bf16)
        return loss, int(there.sum())

    def _content(self, row: Sequence[int], first: int, padding: int) -> list[int]:
        """Of an answer's pieces those that say something by themselves, each once, counted from the slice's first."""
        return sorted({number - first for number in row if number != padding and number not in self._function_pieces})

    # -- figures ----------------------------------------------------------------------------------------------------

    def figures(self) -> dict[str, float]:
        found = {}
        for name, items in self._dev.items():
            if items:
                found[name] = self.nats_per_answer(items)
        if self._dev.get("epics"):
            found["english alone"] = self.nats_per_answer(self._dev["epics"], with_source=False)
        return found

    def nats_per_answer(self, items: Sequence[Item], with_source: bool = True) -> float:
        """What an answer costs on the average."""
        self._measure(items)
        total = 0.0
        for rows in self._by_length(list(items), random.Random(0), 4096):
            texts = [item.source if with_source else "" for item in rows]
            styles = [item.style for item in rows]
            total += float(self._cost(rows, source_ids(self.pieces, texts, styles))[0])
        return total / len(items)

    def export(self, folder: Path) -> None:
        """Averaged weights in half precision, the pieces, what is known of the run, the card."""
        names = {name for name, _ in self.model.named_parameters()}  # what is tied is named once
        weights = {name: value.detach().half() for name, value in self.model.state_dict().items() if name in names}
        self.model.save_pretrained(folder, state_dict=weights)
        self.pieces.save(folder)
        keep_history(self.out, folder)
        texts = {name: len(items) for name, items in self.material.train.items()}
        write_reader_card(folder, self.out, self.recipe, self.progress, texts)
