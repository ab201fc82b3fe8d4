"""The training loop that every model trained from nothing shares: hours, rates, averaging, saving, going on.

The rate rises, stays, and falls to nothing in the last part of the hours given. What stands when it begins to fall is
kept, the trunk: given more hours later, training goes on from there. Figures are of the averaged weights, which are
also what is written out. A run can be stopped at any moment and resumed from its folder. Matrices are trained by Muon,
everything else by AdamW. Knows no text and no task: a model's own module says what a batch is and what it costs.
"""

from __future__ import annotations

import json
import math
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import FrameType
from typing import Any

import torch

from workbench.training.memory import keep_freed_memory
from workbench.training.muon import STEPS, Muon
from workbench.training.narrow_copy import NarrowCopy
from workbench.training.precision import has_half_precision
from workbench.training.recipes import LOG

STATE, TRUNK, COOLING = "state.pt", "trunk.pt", "cooling.json"
AVERAGED_EVERY = 10  # steps: an average of every step would cost as much as the optimizer
CLIPPED = 1.0
OTHERS_RATE = 0.5


@dataclass
class Progress:
    step: int = 0
    seconds: float = 0.0
    tokens: int = 0
    epoch: int = 0
    at: int = 0  # batches of this epoch that are done
    cooling_since: float | None = None  # seconds when the rate began to fall
    warm_since: int = 0  # the step at which the rate began to rise: later than 0 where weights were gone on from


@dataclass(frozen=True)
class Pace:
    """What the loop itself is told."""

    peak: float  # the highest rate
    warm_up: int  # steps
    cooling: float  # the last share of the hours
    averaging: float  # how much of the average a step keeps
    weight_decay: float

    @classmethod
    def of(cls, recipe: Any) -> Pace:
        """What every recipe of a model trained from nothing says by these names."""
        return cls(*(getattr(recipe, field.name) for field in fields(cls)))


class Loop(ABC):
    """A model under training. What is abstract is the model's own."""

    in_narrow_copy = False  # whether its loss can be told by a copy in bfloat16, where that is faster

    def __init__(self, out: Path, model: Any, pace: Pace, tell: Callable[[str], None]) -> None:
        self.out, self.model, self.pace, self._tell = out, model, pace, tell
        out.mkdir(parents=True, exist_ok=True)
        self.progress = Progress()
        self.parameters = {name: p for name, p in model.named_parameters() if p.requires_grad}
        self.average = {name: p.detach().clone() for name, p in self.parameters.items()}
        self._bf16 = has_half_precision()
        self._narrow = NarrowCopy(model) if self._bf16 and self.in_narrow_copy else None
        self._optimizers = self._make_optimizers()
        self._stop = False
        self._recent: list[float] = []

    @abstractmethod
    def epoch(self, number: int, cooling: bool) -> Sequence[Any]:
        """The batches of an epoch, in an order that its number decides."""

    @abstractmethod
    def loss(self, batch: Any) -> tuple[torch.Tensor, int]:
        """The sum of what the batch's tokens cost, and how many they are."""

    @abstractmethod
    def figures(self) -> dict[str, float]:
        """What the log tells, of the weights as they stand."""

    @abstractmethod
    def export(self, folder: Path) -> None:
        """Write what ships, of the weights as they stand."""

    def is_matrix(self, name: str, parameter: torch.Tensor) -> bool:
        """Whether Muon trains it: the matrices inside layers, but no embeddings."""
        return parameter.ndim == 2 and "embed" not in name and "shared" not in name

    def rate_share(self, name: str) -> float:
        """Of what is no matrix, as a share of the matrices' rate."""
        return OTHERS_RATE

    def _make_optimizers(self) -> list[torch.optim.Optimizer]:
        matrices = [p for name, p in self.parameters.items() if self.is_matrix(name, p)]
        others = {name: p for name, p in self.parameters.items() if not self.is_matrix(name, p)}
        shares = sorted({self.rate_share(name) for name in others}, reverse=True)
        groups = [{"params": [p for name, p in others.items() if self.rate_share(name) == s]} for s in shares]
        self._shares = [[1.0], shares]
        rate, decay = self.pace.peak, self.pace.weight_decay
        return [
            Muon(
                matrices,
                lr=rate,
                weight_decay=decay,
                adjust_lr_fn="match_rms_adamw",
                ns_steps=STEPS,
                half_precision=self._bf16,
            ),
            torch.optim.AdamW(groups, lr=rate, weight_decay=0.0, betas=(0.9, 0.98), fused=True),
        ]

    # -- running ----------------------------------------------------------------------------------------------------

    def run(self, hours: float, every: float = 600.0, steps: float = math.inf) -> None:
        """Train until `hours` are spent, those of earlier runs of this folder included, until step `steps` is done, or
        until told to stop."""
        keep_freed_memory()
        budget = hours * 3600
        if (self.out / STATE).is_file():
            self._take_up(budget)
        elif (self.out / LOG).is_file():
            self._count_on()
        with self._listening():
            self._train(budget, hours, every, steps)
        self.save()
        self._report()
        with self.averaged():
            self.export(self.out / "model")

    def _take_up(self, budget: float) -> None:
        self.load(STATE)
        if self.progress.cooling_since is None:
            return
        cooled_for = json.loads((self.out / COOLING).read_text())["budget"] if (self.out / COOLING).is_file() else 0.0
        if cooled_for != budget and (self.out / TRUNK).is_file():
            self.load(TRUNK)
            self.progress.cooling_since = None

    def _count_on(self) -> None:
        """Where a finished model is gone on from: its hours and steps are told on, and the rate rises anew."""
        last = json.loads((self.out / LOG).read_text(encoding="utf-8").splitlines()[-1])
        self.progress = Progress(
            last["step"], last["hours"] * 3600, last["tokens"], last["epoch"] + 1, warm_since=last["step"]
        )

    def _train(self, budget: float, hours: float, every: float, steps: float) -> None:
        progress = self.progress
        batches = self.epoch(progress.epoch, progress.cooling_since is not None)
        last = time.monotonic()
        self.model.train()
        while progress.seconds < budget and progress.step < steps and not self._stop:
            if progress.cooling_since is None and progress.seconds >= budget * (1 - self.pace.cooling):
                self.save(TRUNK)
                (self.out / COOLING).write_text(json.dumps({"budget": budget}))
                progress.cooling_since, progress.at = progress.seconds, len(batches)
            if progress.at >= len(batches):
                progress.epoch, progress.at = progress.epoch + 1, 0
                batches = self.epoch(progress.epoch, progress.cooling_since is not None)
            began = time.monotonic()
            loss, tokens = self._step(batches[progress.at], budget)
            self._recent = [*self._recent[-199:], loss]
            progress.step, progress.at, progress.tokens = progress.step + 1, progress.at + 1, progress.tokens + tokens
            taken = time.monotonic() - began
            progress.seconds += min(20.0, taken)  # a run that was paused has not worked
            if progress.step % 20 == 0:
                self._tell(
                    f"{progress.seconds / 3600:.2f} of {hours:g} h, step {progress.step:,}, epoch {progress.epoch} "
                    f"({progress.at:,} of {len(batches):,}), loss {self.recent_loss:.3f}, "
                    f"{tokens / taken:,.0f} tokens/s"
                )
            if time.monotonic() - last > every:
                self.save()
                self._report()
                last = time.monotonic()

    @property
    def recent_loss(self) -> float:
        return sum(self._recent) / len(self._recent) if self._recent else math.nan

    def _rate(self, budget: float) -> float:
        progress, pace = self.progress, self.pace
        rate = pace.peak * min(1.0, (progress.step - progress.warm_since + 1) / pace.warm_up)
        if progress.cooling_since is not None:
            left = (budget - progress.seconds) / max(1.0, budget - progress.cooling_since)
            rate *= min(1.0, max(0.0, left))
        return rate

    def forward_mode(self) -> Any:
        """In which products of matrices are as fast as this machine can."""
        return torch.autocast("cpu", dtype=torch.bfloat16, enabled=self._bf16)

    @contextmanager
    def _working(self) -> Iterator[None]:
        """While this lasts, the model is the one that a step is computed in."""
        if self._narrow is None:
            with self.forward_mode():
                yield
            return
        wide = self.model
        self._narrow.take()
        self.model = self._narrow.model
        try:
            yield
        finally:
            self.model = wide

    def _step(self, batch: Any, budget: float) -> tuple[float, int]:
        rate = self._rate(budget)
        for optimizer, shares in zip(self._optimizers, self._shares, strict=True):
            for group, share in zip(optimizer.param_groups, shares, strict=True):
                group["lr"] = rate * share
        with self._working():
            loss, tokens = self.loss(batch)
        mean: Any = loss / tokens
        mean.backward()
        if self._narrow:
            self._narrow.hand_back()
        torch.nn.utils.clip_grad_norm_(self.parameters.values(), CLIPPED)
        for optimizer in self._optimizers:
            optimizer.step()
            optimizer.zero_grad()
        if self.progress.step % AVERAGED_EVERY == 0:
            self._average()
        return float(loss.detach()) / tokens, tokens

    @torch.no_grad()
    def _average(self) -> None:
        done = self.progress.step // AVERAGED_EVERY
        keep = min(self.pace.averaging**AVERAGED_EVERY, (1 + done) / (10 + done))
        torch._foreach_lerp_(list(self.average.values()), [p.detach() for p in self.parameters.values()], 1 - keep)

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

    # -- keeping ----------------------------------------------------------------------------------------------------

    def save(self, name: str = STATE) -> None:
        """Whole or not at all: a run that is killed while it saves has its former state."""
        state = {
            "model": self.model.state_dict(),
            "average": self.average,
            "optimizers": [optimizer.state_dict() for optimizer in self._optimizers],
            "progress": asdict(self.progress),
        }
        partial = self.out / f"{name}.part"
        torch.save(state, partial)
        partial.replace(self.out / name)

    def load(self, name: str = STATE) -> None:
        state = torch.load(self.out / name, weights_only=True)
        self.model.load_state_dict(state["model"])
        for key, value in state["average"].items():
            self.average[key].copy_(value)
        for optimizer, kept in zip(self._optimizers, state["optimizers"], strict=True):
            # Its moments are taken up; what it is told (decay, steps) is this run's, not the former's.
            optimizer.load_state_dict({**optimizer.state_dict(), "state": kept["state"]})
        self.progress = Progress(**state["progress"])

    def _report(self) -> None:
        self.model.eval()
        with self.averaged(), torch.inference_mode(), self.forward_mode():
            figures = self.figures()
        self.model.train()
        entry = {
            **{name: getattr(self.progress, name) for name in ("step", "epoch", "tokens")},
            "hours": round(self.progress.seconds / 3600, 3),
            "loss": None if math.isnan(self.recent_loss) else round(self.recent_loss, 4),
            **{name: round(value, 3) for name, value in figures.items()},
            "cooling": self.progress.cooling_since is not None,
        }
        with (self.out / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(entry) + "\n")
        self._tell("dev: " + ", ".join(f"{name} {value:.2f}" for name, value in figures.items()))

    @contextmanager
    def averaged(self) -> Iterator[None]:
        """A context in which the averaged weights stand in for those being trained."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    @torch.no_grad()
    def _swap(self) -> None:
        for name, parameter in self.parameters.items():
            parameter.data, self.average[name] = self.average[name], parameter.data
