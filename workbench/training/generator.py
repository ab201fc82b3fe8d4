"""Trains the embedded generator: English prose to a verse in SLP1, told its form, on the cores at hand.

MiniLM reads the prose and is trained along, gently; the decoder is new. A verse is cut into pieces anew every time it
is read, now and then in another way, and its prose said otherwise (prose_variants.py). A share of the batches goes
without its prose, so that the decoder can be asked alone, which guidance does; of the others, a part of the verse so
far is hidden. Pieces of verses begin with the vectors
that a count of who translates whom gives them, and the decoder by saying what the prose names (first_vectors.py).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import EncoderDecoderModel, MBartConfig, MBartForCausalLM, PreTrainedTokenizerFast

from workbench.training import prose_encoder
from workbench.training.batches import padded
from workbench.training.card import write_card
from workbench.training.first_vectors import first_vectors, hand_on, linear_reading
from workbench.training.generator_texts import Item, Material
from workbench.training.growing import grow, grown_tokenizer
from workbench.training.loop import STATE, Loop, Pace
from workbench.training.output_loss import output_loss
from workbench.training.prose_variants import vary
from workbench.training.recipes import Recipe, keep_history
from workbench.training.verse_tokenizer import learn_tokenizer

PIECES = "pieces"
LIVE = "encoder.encoder.layer."  # the part of the prose's encoder that is trained: its words it knows
LONGEST_VERSE = 400  # letters
DEV_ROWS = 300
READ_FIRST = 3000  # proses from which it is found out what the encoder's states name


def new_decoder(recipe: Recipe, tokenizer: PreTrainedTokenizerFast) -> Any:
    decoder: Any = MBartForCausalLM
    config: Any = MBartConfig
    return decoder(
        config(
            vocab_size=len(tokenizer),
            d_model=recipe.width,
            decoder_layers=recipe.layers,
            decoder_attention_heads=recipe.heads,
            decoder_ffn_dim=recipe.inner,
            encoder_layers=0,
            dropout=recipe.dropout,
            attention_dropout=0.0,
            activation_function="relu",
            max_position_embeddings=256,
            is_decoder=True,
            add_cross_attention=True,
            tie_word_embeddings=True,
            forced_eos_token_id=None,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
            attn_implementation="eager",  # for lines of forty tokens twice as fast as the fused one, on a CPU
        )
    )


@dataclass(frozen=True)
class Batch:
    items: tuple[Item, ...]
    with_source: bool
    seed: int
    cooling: bool


class GeneratorTraining(Loop):
    in_narrow_copy = True

    def __init__(
        self,
        out: Path,
        recipe: Recipe,
        material: Material,
        encoder: Path,
        tell: Callable[[str], None],
        start: Path | None = None,
        grow_from: Path | None = None,
    ) -> None:
        self.recipe, self.material = recipe, material
        torch.manual_seed(recipe.seed)
        self.tokenizer = self._find_pieces(out, start, grow_from, tell)
        self._cut = self._with_dropout(recipe.piece_dropout)
        reads, self.prose_tokenizer = prose_encoder.load(encoder)
        self._made, self._less = self.prose_tokenizer.convert_tokens_to_ids([prose_encoder.MADE, prose_encoder.LESS])
        both: Any = EncoderDecoderModel
        model = both(encoder=reads, decoder=new_decoder(recipe, self.tokenizer))
        if start:
            model.load_state_dict(both.from_pretrained(start, dtype=torch.float32).state_dict())
        elif not (out / STATE).is_file() and grow_from:
            grow(model, both.from_pretrained(grow_from, dtype=torch.float32))
        elif not (out / STATE).is_file():
            tell("counting which words translate which")
            self._begin_with_dictionary(model)
        for name, parameter in model.encoder.named_parameters(prefix="encoder"):
            parameter.requires_grad_(recipe.encoder_rate > 0 and LIVE in name)
        self._dev = {
            name: random.Random(0).sample(items, min(DEV_ROWS, len(items))) for name, items in material.dev.items()
        }
        super().__init__(out, model, Pace.of(recipe), tell)

    def _find_pieces(
        self, out: Path, start: Path | None, grow_from: Path | None, tell: Callable[[str], None]
    ) -> PreTrainedTokenizerFast:
        fast: Any = PreTrainedTokenizerFast
        kept = out / PIECES
        if start:
            fast.from_pretrained(start).save_pretrained(kept)
        elif not kept.is_dir() and grow_from:
            grown_tokenizer(fast.from_pretrained(grow_from)).save_pretrained(kept)
        elif not kept.is_dir():
            tell("learning the pieces of words")
            learn_tokenizer(self.material.verses, self.recipe.pieces).save_pretrained(kept)
        tokenizer: PreTrainedTokenizerFast = fast.from_pretrained(kept)
        return tokenizer

    @torch.no_grad()
    def _begin_with_dictionary(self, model: Any) -> None:
        items = [item for found in self.material.train.values() for item in found if item.prose and not item.made]
        proses = prose_encoder.tokens(self.prose_tokenizer, [item.prose for item in items])
        encoded = self.tokenizer.backend_tokenizer.encode_batch([item.verse for item in items])
        sizes = (len(self.prose_tokenizer), len(self.tokenizer))
        named, written = first_vectors(proses, [each.ids for each in encoded], sizes, self.recipe.width)
        decoder = model.decoder.model.decoder
        decoder.embed_tokens.weight.copy_(written)
        # What MiniLM's states must become for the decoder to hear their words in them.
        some = random.Random(0).sample(proses, min(READ_FIRST, len(proses)))
        parts = (prose_encoder.pad(some[at : at + 100]) for at in range(0, len(some), 100))
        states = torch.cat([model.encoder(ids, mask).last_hidden_state[mask.bool()] for ids, mask in parts])
        words = torch.tensor([word for row in some for word in row])
        hand_on([layer.encoder_attn for layer in decoder.layers], linear_reading(states, named[words]))

    def _with_dropout(self, share: float) -> Any:
        copy: Any = type(self.tokenizer.backend_tokenizer).from_str(self.tokenizer.backend_tokenizer.to_str())
        copy.model.dropout = share or None
        return copy

    def is_matrix(self, name: str, parameter: torch.Tensor) -> bool:
        return name.startswith("decoder.") and super().is_matrix(name, parameter) and "lm_head" not in name

    def rate_share(self, name: str) -> float:
        return self.recipe.encoder_rate if name.startswith("encoder.") else super().rate_share(name)

    # -- batches ----------------------------------------------------------------------------------------------------

    def epoch(self, number: int, cooling: bool) -> list[Batch]:
        chance = random.Random(f"{self.recipe.seed} {number}")
        items = [item for item in self.material.epoch_items(chance, cooling) if len(item.verse) <= LONGEST_VERSE]
        batches = [
            Batch(tuple(rows), chance.random() >= self.recipe.drop_source, chance.randrange(1 << 30), cooling)
            for rows in self._batches(items, self.recipe.batch_tokens, chance)
        ]
        chance.shuffle(batches)
        return batches

    def _batches(self, items: Sequence[Item], size: int, chance: random.Random) -> list[list[Item]]:
        """By their true lengths: guessed from letters, a quarter of a batch was padding."""
        verses = self.tokenizer.backend_tokenizer.encode_batch([item.verse for item in items], add_special_tokens=False)
        proses = prose_encoder.tokens(self.prose_tokenizer, [item.prose for item in items])
        lengths = [(len(verse.ids) + 2, len(prose)) for verse, prose in zip(verses, proses, strict=True)]
        return [[items[row] for row in rows] for rows in by_length(lengths, size, chance)]

    # -- what a batch costs -----------------------------------------------------------------------------------------

    def loss(self, batch: Batch) -> tuple[torch.Tensor, int]:
        chance = random.Random(batch.seed)
        if not batch.with_source:
            return self._cost(batch.items, self._sources([""] * len(batch.items)), self._cut)
        sources = self._sources(*zip(*(self._vary(item, chance) for item in batch.items), strict=True))
        sources = [self._hide_words(row, chance) for row in sources]
        hide = 0.0 if batch.cooling else self.recipe.hidden_verse
        return self._cost(batch.items, sources, self._cut, hide, chance.randrange(1 << 30))

    def _hide_words(self, row: list[int], chance: random.Random) -> list[int]:
        share, hidden = self.recipe.hidden_words, self.prose_tokenizer.mask_token_id
        if not share or hidden is None:
            return row
        return [row[0], *(hidden if chance.random() < share else token for token in row[1:-1]), row[-1]]

    def _vary(self, item: Item, chance: random.Random) -> tuple[str, list[int]]:
        """A prose as a batch has it, and its marks: what the reader made and what leaves something out are marked as
        such, so that people's prose, unmarked, gets what it says and not more."""
        if item.made:
            return item.prose, [self._made]
        prose, less = vary(item.prose, chance)
        return prose, [self._less] * less

    def _sources(self, proses: Sequence[str], marks: Sequence[list[int]] = ()) -> list[list[int]]:
        """Prose as MiniLM's tokens, with its marks."""
        found = prose_encoder.tokens(self.prose_tokenizer, proses)
        return [[row[0], *mark, *row[1:]] for row, mark in zip(found, marks or [[]] * len(found), strict=True)]

    def _cost(
        self, items: Sequence[Item], sources: Sequence[Sequence[int]], cut: Any, hide: float = 0.0, seed: int = 0
    ) -> tuple[torch.Tensor, int]:
        ids, mask = prose_encoder.pad(sources)
        start, end = self.tokenizer.convert_tokens_to_ids, self.tokenizer.eos_token_id
        found = cut.encode_batch([item.verse for item in items], add_special_tokens=False)
        rows = [[start(item.start), *verse.ids, end] for item, verse in zip(items, found, strict=True)]
        padding = self.tokenizer.pad_token_id
        answers = padded(rows, padding)
        so_far = answers[:, :-1]
        if hide:
            drawn = torch.rand(so_far.shape, generator=torch.Generator().manual_seed(seed))
            drawn[:, 0] = 1.0  # the form stays
            so_far = so_far.masked_fill((drawn < hide) & (so_far != padding), self.tokenizer.unk_token_id)
        states = self.model.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        decoder = self.model.decoder.model.decoder
        hidden = decoder(
            input_ids=so_far, encoder_hidden_states=states, encoder_attention_mask=mask, use_cache=False
        ).last_hidden_state
        there = answers[:, 1:] != padding
        vectors = decoder.embed_tokens.weight
        return output_loss(hidden[there], vectors, answers[:, 1:][there], self._bf16), int(there.sum())

    # -- figures ----------------------------------------------------------------------------------------------------

    def figures(self) -> dict[str, float]:
        found = {name: self.nats_per_verse(items) for name, items in self._dev.items()}
        return {**found, "epics without prose": self.nats_per_verse(self._dev["epics"], with_source=False)}

    def nats_per_verse(self, items: Sequence[Item], with_source: bool = True) -> float:
        total = 0.0
        for rows in self._batches(items, 4096, random.Random(0)):
            sources = self._sources([item.prose if with_source else "" for item in rows])
            total += float(self._cost(rows, sources, self.tokenizer.backend_tokenizer)[0])
        return total / len(items)

    @torch.inference_mode()
    def card_figures(self) -> dict[str, Any]:
        """What the card tells of the weights as they stand: over all of dev."""
        dev = self.material.dev
        return {
            "pieces": len(self.tokenizer),
            "texts": {name: len(items) for name, items in self.material.train.items()},
            "dev": {name: (len(items), self.nats_per_verse(items)) for name, items in dev.items()},
            "without_prose": self.nats_per_verse(dev["epics"], with_source=False),
        }

    def export(self, folder: Path) -> None:
        """Write what from_pretrained loads: the weights in half precision, both tokenizers, the card."""
        for config in (self.model.config, self.model.generation_config):
            config.decoder_start_token_id = self.tokenizer.bos_token_id
            config.bos_token_id = self.tokenizer.bos_token_id
            config.eos_token_id = self.tokenizer.eos_token_id
            config.pad_token_id = self.tokenizer.pad_token_id
        weights = {name: value.detach().half() for name, value in self.model.state_dict().items()}
        self.model.save_pretrained(folder, state_dict=weights)
        self.tokenizer.save_pretrained(folder)
        self.prose_tokenizer.save_pretrained(folder / "prose")
        keep_history(self.out, folder)
        self.model.eval()
        write_card(folder, self.out, self.recipe, self.progress, self.card_figures())


def by_length(lengths: Sequence[tuple[int, int]], size: int, chance: random.Random) -> list[list[int]]:
    """Batches, as numbers of rows of which verse and prose have so many tokens: rows of like length together, about
    `size` tokens of the longer side in each, padding included."""

    # Lengths are blurred a little, or the same rows would meet in every epoch.
    def blurred(row: int) -> tuple[int, float]:
        verse, prose = lengths[row]
        return round((verse + chance.uniform(-1, 1)) / 2), prose + chance.uniform(-1.5, 1.5)

    found: list[list[int]] = []
    longest = 0
    for row in sorted(range(len(lengths)), key=blurred):
        longest = max(longest, *lengths[row])
        if not found or longest * (len(found[-1]) + 1) > size:
            found.append([])
            longest = max(lengths[row])
        found[-1].append(row)
    return found
