"""Trains the embedded generator: English prose to a verse in SLP1, on the cores at hand, as long as one likes.

The rate rises, stays, and falls to nothing in the last part of the hours given. What stands when it begins to fall is
kept, the trunk: given more hours later, training goes on from there. Figures on dev are of the averaged weights, which
are also what is written out. A run can be stopped at any moment and resumed from its folder.
"""

from __future__ import annotations

import json
import math
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch.nn.functional import cross_entropy
from transformers import EncoderDecoderModel, MBartConfig, MBartForCausalLM, PreTrainedTokenizerFast

from workbench.training import prose_encoder
from workbench.training.batches import IGNORED, Batch, plan_batches, targets
from workbench.training.card import write_card
from workbench.training.pairs import Pair
from workbench.training.recipes import LOG, Recipe, keep_history
from workbench.training.verse_tokenizer import OTHER, VERSE, learn_tokenizer

STATE, TRUNK, STATES, PIECES = "state.pt", "trunk.pt", "states.npy", "pieces"
LONGEST_VERSE = 160  # target tokens
LIVE = ".encoder.layer."  # the part of the encoder that may be trained


@dataclass
class Progress:
    step: int = 0
    seconds: float = 0.0
    tokens: int = 0
    epoch: int = 0
    at: int = 0  # batches of this epoch that are done
    cooling_since: float | None = None  # seconds when the rate began to fall
    warm_since: int = (
        0  # the step at which the rate began to rise: later than 0 where a finished model was gone on from
    )


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
        )
    )


class Corpus:
    """Every text as tokens: the pairs to learn from, the verses without prose, the dev pairs."""

    def __init__(
        self, train: list[Pair], lone: list[Pair], dev: list[Pair], tokenizer: PreTrainedTokenizerFast, prose: Any
    ) -> None:
        everything = [*train, *lone, *dev]
        begin = {True: tokenizer.convert_tokens_to_ids(VERSE), False: tokenizer.convert_tokens_to_ids(OTHER)}
        ids: Any = tokenizer([pair.verse for pair in everything], add_special_tokens=False)["input_ids"]
        self.targets = [
            [begin[pair.whole], *tokens, tokenizer.eos_token_id] for pair, tokens in zip(everything, ids, strict=True)
        ]
        self.prose = [
            *prose_encoder.tokens(prose, [pair.prose for pair in everything]),
            prose_encoder.tokens(prose, [""])[0],
        ]
        self.nothing = len(everything)  # the number of the empty prose
        self.lengths = [(len(t) - 1, len(p)) for t, p in zip(self.targets, self.prose, strict=False)]
        short = [number for number in range(len(everything)) if self.lengths[number][0] <= LONGEST_VERSE]
        self.whole = [number for number in short if number < len(train) and train[number].whole]
        self.other = [number for number in short if number < len(train) and not train[number].whole]
        self.lone = [number for number in short if len(train) <= number < len(train) + len(lone)]
        self.dev = [number for number in short if number >= len(train) + len(lone)]


class GeneratorTraining:
    def __init__(
        self,
        out: Path,
        recipe: Recipe,
        train: list[Pair],
        lone: list[Pair],
        dev: list[Pair],
        encoder: Path,
        tell: Callable[[str], None],
        start: Path | None = None,
    ) -> None:
        self.out, self.recipe, self._tell, self._start = out, recipe, tell, start
        out.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(recipe.seed)
        self.tokenizer = self._pieces([*train, *lone])
        self.encoder, self.prose_tokenizer = prose_encoder.load(encoder)
        self.decoder = new_decoder(recipe, self.tokenizer)
        self.corpus = Corpus(train, lone, dev, self.tokenizer, self.prose_tokenizer)
        self.progress = Progress()
        self._stop = False
        self._recent_loss = math.nan

    def _pieces(self, pairs: list[Pair]) -> PreTrainedTokenizerFast:
        folder = self._start or self.out / PIECES
        if not folder.is_dir():
            self._tell("learning the pieces of words")
            learn_tokenizer((pair.verse for pair in pairs), self.recipe.pieces).save_pretrained(folder)
        fast: Any = PreTrainedTokenizerFast
        tokenizer: PreTrainedTokenizerFast = fast.from_pretrained(folder)
        return tokenizer

    def _prepare(self) -> None:
        recipe = self.recipe
        groups = [{"params": list(self.decoder.parameters()), "share": 1.0}]
        self.encoder.requires_grad_(False)
        self._trained = dict(self.decoder.named_parameters(prefix="decoder"))
        if recipe.live_encoder:
            live = {
                name: parameter
                for name, parameter in self.encoder.named_parameters(prefix="encoder")
                if LIVE in name  # its words it knows; its pooler is not asked
            }
            for parameter in live.values():
                parameter.requires_grad_(True)
            groups.append({"params": list(live.values()), "share": recipe.encoder_rate})
            self._trained |= live
            self.states: prose_encoder.States = prose_encoder.LiveStates(self.encoder, self.corpus.prose)
        else:
            file = self.out / STATES
            if not file.is_file():
                prose_encoder.keep(self.encoder, self.corpus.prose, file, self._tell)
            self.states = prose_encoder.KeptStates(file, self.corpus.prose, self.encoder.config.hidden_size)
        self.optimizer = torch.optim.AdamW(
            groups, lr=recipe.peak, betas=(0.9, 0.98), weight_decay=recipe.weight_decay, fused=True
        )
        self.average = {name: parameter.detach().clone() for name, parameter in self._trained.items()}

    # -- the state on disk ------------------------------------------------------------------------------------------

    def save(self, name: str = STATE) -> None:
        part = self.out / f"{name}.part"
        torch.save(
            {
                "progress": asdict(self.progress),
                "weights": {name: value.detach() for name, value in self._trained.items()},
                "average": self.average,
                "moments": {
                    name: self.optimizer.state[value]
                    for name, value in self._trained.items()
                    if value in self.optimizer.state
                },
                "random": torch.get_rng_state(),
            },
            part,
        )
        part.rename(self.out / name)

    def resume(self, name: str = STATE) -> None:
        saved = torch.load(self.out / name, weights_only=True)
        self.progress = Progress(**saved["progress"])
        torch.set_rng_state(saved["random"])
        with torch.no_grad():
            for key, value in saved["weights"].items():
                self._trained[key].copy_(value)
        # An encoder that has come to life since begins with no moments, and its average where it stands.
        self.average |= saved["average"]
        for key, state in saved["moments"].items():
            self.optimizer.state[self._trained[key]] = state

    def _begin_from(self, model: Path) -> None:
        """Take a finished model's weights for a new run: its moments are gone, so the rate rises anew."""
        both: Any = EncoderDecoderModel
        weights = both.from_pretrained(model, dtype=torch.float32).state_dict()
        with torch.no_grad():
            for name, value in self._trained.items():
                value.copy_(weights[name])
                self.average[name].copy_(weights[name])
        last = json.loads((self.out / LOG).read_text(encoding="utf-8").splitlines()[-1])
        self.progress = Progress(
            last["step"], last["hours"] * 3600, last["tokens"], last["epoch"] + 1, warm_since=last["step"]
        )
        self.tokenizer.save_pretrained(self.out / PIECES)

    # -- learning ---------------------------------------------------------------------------------------------------

    def _epoch(self) -> list[Batch]:
        """The batches of the epoch under way. While the rate falls, only whole verses are read."""
        corpus, recipe = self.corpus, self.recipe
        chance = random.Random(f"{recipe.seed} {self.progress.epoch}")
        cooling = self.progress.cooling_since is not None
        lone = chance.sample(corpus.lone, int(len(corpus.lone) * recipe.lone_share * (0.5 if cooling else 1)))
        with_prose = [*corpus.whole, *([] if cooling else corpus.other)]
        batches = plan_batches(with_prose, corpus.lengths, recipe.batch_tokens, chance, recipe.drop_source)
        batches += plan_batches(lone, corpus.lengths, recipe.batch_tokens, chance, 0.0)
        chance.shuffle(batches)
        return batches

    def _rate(self, budget: float) -> float:
        progress, recipe = self.progress, self.recipe
        rate = recipe.peak * min(1.0, (progress.step - progress.warm_since + 1) / recipe.warm_up)
        if progress.cooling_since is not None:
            left = (budget - progress.seconds) / max(1.0, budget - progress.cooling_since)
            rate *= min(1.0, max(0.0, left))
        return rate

    def _loss(self, batch: Batch, smoothing: float) -> tuple[torch.Tensor, int]:
        rows = batch.rows if batch.with_source else (self.corpus.nothing,) * len(batch.rows)
        hidden, mask = self.states.batch(rows)
        given, wanted = targets([self.corpus.targets[row] for row in batch.rows], self.tokenizer.pad_token_id)
        logits = self.decoder(
            input_ids=given, encoder_hidden_states=hidden, encoder_attention_mask=mask, use_cache=False
        ).logits
        loss = cross_entropy(
            logits.flatten(0, 1), wanted.flatten(), ignore_index=IGNORED, label_smoothing=smoothing, reduction="sum"
        )
        return loss, int((wanted != IGNORED).sum())

    def _step(self, batch: Batch, budget: float) -> tuple[float, int]:
        rate = self._rate(budget)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["share"]
        loss, tokens = self._loss(batch, self.recipe.smoothing)
        mean: Any = loss / tokens
        mean.backward()
        torch.nn.utils.clip_grad_norm_(self._trained.values(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        with torch.no_grad():
            share = 1 - min(self.recipe.averaging, (1 + self.progress.step) / (10 + self.progress.step))
            torch._foreach_lerp_(list(self.average.values()), [p.detach() for p in self._trained.values()], share)
        return float(loss.detach()) / tokens, tokens

    def run(self, hours: float, every: float = 600.0, steps: float = math.inf) -> None:
        """Train until `hours` are spent, those of earlier runs of this folder included, until step `steps` is done, or
        until told to stop."""
        self._prepare()
        budget = hours * 3600
        state = self.out / STATE
        if state.is_file():
            cooled = torch.load(state, weights_only=True)["progress"]["cooling_since"] is not None
            finished = cooled and (self.out / TRUNK).is_file() and self._budget_of_cooling() != budget
            self.resume(TRUNK if finished else STATE)
            if finished:
                self.progress.cooling_since = None
        elif self._start:
            self._begin_from(self._start)
        with self._listening():
            self._train(budget, hours, every, steps)
        self.save()
        self._report(self._recent_loss)
        self.export(self.out / "model")

    def _train(self, budget: float, hours: float, every: float, steps: float) -> None:
        batches = self._epoch()
        last = time.monotonic()
        recent: list[float] = []
        while self.progress.seconds < budget and self.progress.step < steps and not self._stop:
            progress = self.progress
            if progress.cooling_since is None and progress.seconds >= budget * (1 - self.recipe.cooling):
                self.save(TRUNK)
                (self.out / "cooling.json").write_text(json.dumps({"budget": budget}))
                progress.cooling_since, progress.epoch, progress.at = progress.seconds, progress.epoch + 1, 0
                batches = self._epoch()
            if progress.at >= len(batches):
                progress.epoch, progress.at = progress.epoch + 1, 0
                batches = self._epoch()
            began = time.monotonic()
            self._train_mode(True)
            loss, tokens = self._step(batches[progress.at], budget)
            recent = [*recent[-99:], loss]
            self._recent_loss = sum(recent) / len(recent)
            progress.step, progress.at, progress.tokens = progress.step + 1, progress.at + 1, progress.tokens + tokens
            progress.seconds += min(10.0, time.monotonic() - began)  # a run that was paused has not worked
            if progress.step % 20 == 0:
                self._tell(
                    f"{progress.seconds / 3600:.2f} of {hours:g} h, step {progress.step:,}, epoch {progress.epoch}, "
                    f"loss {self._recent_loss:.3f}, {tokens / (time.monotonic() - began):,.0f} tokens/s"
                )
            if time.monotonic() - last > every:
                self.save()
                self._report(self._recent_loss)
                last = time.monotonic()

    def _budget_of_cooling(self) -> float:
        file = self.out / "cooling.json"
        return float(json.loads(file.read_text())["budget"]) if file.is_file() else 0.0

    @contextmanager
    def _listening(self) -> Iterator[None]:
        """While this lasts, an interruption only asks for the step under way to be the last."""

        def stop(number: int, frame: FrameType | None) -> None:
            self._stop = True
            self._tell("stopping after this step; --resume goes on")

        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _train_mode(self, on: bool) -> None:
        self.decoder.train(on)
        self.encoder.train(on and self.recipe.live_encoder)

    # -- figures ----------------------------------------------------------------------------------------------------

    @torch.inference_mode()
    def dev_nats(self, rows: list[int], with_source: bool = True) -> float:
        """Nats a verse on dev, of the weights as they stand."""
        self._train_mode(False)
        batches = plan_batches(rows, self.corpus.lengths, 4096, random.Random(0), 0.0)
        return sum(float(self._loss(Batch(b.rows, with_source), 0.0)[0]) for b in batches) / len(rows)

    def figures(self) -> dict[str, Any]:
        """What the card tells: over all of dev, with the averaged weights."""
        rows = self.corpus.dev
        with self._averaged():
            with_prose, without = self.dev_nats(rows), self.dev_nats(rows, False)
        tokens = sum(self.corpus.lengths[row][0] for row in rows)
        return {
            **asdict(self.progress),
            "whole_verses": len(self.corpus.whole),
            "other_rows": len(self.corpus.other),
            "lone_verses": len(self.corpus.lone),
            "dev_verses": len(rows),
            "dev_nats": with_prose,
            "dev_nats_without_prose": without,
            "dev_perplexity": math.exp(with_prose * len(rows) / tokens),
        }

    def _report(self, loss: float) -> None:
        rows = random.Random(0).sample(self.corpus.dev, min(600, len(self.corpus.dev)))
        with self._averaged():
            figures = {"dev_nats": self.dev_nats(rows), "dev_nats_without_prose": self.dev_nats(rows, False)}
        entry = {
            **{name: getattr(self.progress, name) for name in ("step", "epoch", "tokens")},
            "hours": round(self.progress.seconds / 3600, 3),
            "loss": None if math.isnan(loss) else round(loss, 4),
            **{name: round(value, 2) for name, value in figures.items()},
            "verses": len(rows),
            "cooling": self.progress.cooling_since is not None,
            "live_encoder": self.recipe.live_encoder,
            "dropout": self.recipe.dropout,
        }
        with (self.out / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(entry) + "\n")
        self._tell(
            f"dev {figures['dev_nats']:.1f} nats a verse, {figures['dev_nats_without_prose']:.1f} without the prose"
        )

    def _averaged(self) -> Any:
        """A context in which the averaged weights stand in for those being trained."""
        return _Swapped(self._trained, self.average)

    def export(self, folder: Path) -> None:
        """Write what from_pretrained loads: averaged weights in half precision, both tokenizers."""
        both: Any = EncoderDecoderModel
        with self._averaged():
            model = both(encoder=self.encoder, decoder=self.decoder)
            for config in (model.config, model.generation_config):
                config.decoder_start_token_id = self.tokenizer.bos_token_id
                config.bos_token_id = self.tokenizer.bos_token_id
                config.eos_token_id = self.tokenizer.eos_token_id
                config.pad_token_id = self.tokenizer.pad_token_id
            weights = {name: value.detach().half() for name, value in model.state_dict().items()}
            model.save_pretrained(folder, state_dict=weights)
        self.tokenizer.save_pretrained(folder)
        self.prose_tokenizer.save_pretrained(folder / "prose")
        keep_history(self.out, folder)
        write_card(folder, self.out, self.recipe, self.figures())


class _Swapped:
    def __init__(self, trained: dict[str, torch.nn.Parameter], average: dict[str, torch.Tensor]) -> None:
        self._trained, self._average = trained, average

    def _swap(self) -> None:
        with torch.no_grad():
            for name, parameter in self._trained.items():
                parameter.data, self._average[name] = self._average[name], parameter.data

    def __enter__(self) -> None:
        self._swap()

    def __exit__(self, *error: object) -> None:
        self._swap()
