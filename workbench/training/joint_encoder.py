"""Trains the cross-encoder: to grade pairs, over what the reader makes of them.

The dense signal, which word of a prose says which of a verse, is the reader's own training, on every aligned pair; this
is the paper's, with grades in place of yes and no: true pairs, easy negatives first, then hard ones (neighbours of the
verse in its own work, verses with some of their pādas another's, changed proses, a generator's verses for this prose
and for others, and such verses as careful readers gave points), a weighted cross-entropy, and the checkpoint whose gap
between true and crossed pairs of dev is widest. Beside it, verses of one prose are put in order by their grades.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, softplus

from workbench.semantics.graded import Graded, Padas, changed, clause_added
from workbench.semantics.joint_encoder import FrozenReader, JointEncoder
from workbench.training.joint_texts import JointMaterial, TruePair
from workbench.training.loop import Loop, Pace
from workbench.training.recipes import JointRecipe, keep_history

BEST = "best"
ROUND = 2_000  # pairs in an epoch: short, since what an epoch has depends on the hours that are done
DEV_PAIRS = 300
LETTERS_A_TOKEN = 3.6
NEIGHBOURS = 8  # verses before and after, in their own work
GRADED_ROWS = 6  # that a pair makes, about
COMPOSED_SHARE = 0.2  # of the pairs of an epoch: those for whose prose a generator's verses are there
COMPOSED_VERSES = 2  # of these at once


READ_TIMES = 3  # in an epoch, what careful readers gave points: few verses, and the ones that matter
READ_PROSES = 8  # of a batch of these


@dataclass(frozen=True)
class Batch:
    pairs: tuple[TruePair, ...]
    seed: int
    hard: bool
    read: tuple[list[Graded], ...] = ()  # in place of pairs: graded already, prose by prose


@dataclass
class GradedRows:
    """Rows of several proses, and which rows are of one."""

    rows: list[Graded] = field(default_factory=list)
    prose: list[int] = field(default_factory=list)

    def add(self, found: Sequence[Graded | None]) -> None:
        number = self.prose[-1] + 1 if self.prose else 0
        for each in found:
            if each:
                self.rows.append(each)
                self.prose.append(number)


class JointTraining(Loop):
    def __init__(
        self,
        out: Path,
        recipe: JointRecipe,
        material: JointMaterial,
        reader: Path,
        tell: Callable[[str], None],
        start: Path | None = None,
    ) -> None:
        self.recipe, self.material = recipe, material
        torch.manual_seed(recipe.seed)
        self.reader = FrozenReader.load(reader)
        self._cut = self.reader.pieces.with_dropout(recipe.piece_dropout)
        self._best = -1.0
        if (out / BEST / "figures.json").is_file():
            self._best = json.loads((out / BEST / "figures.json").read_text(encoding="utf-8"))["gap"]
        model = JointEncoder(self.reader.width, recipe.width, recipe.heads, recipe.layers)
        if start:
            model.load_state_dict(JointEncoder.load(start)[0].state_dict())
        super().__init__(out, model, Pace.of(recipe), tell)

    # -- batches ----------------------------------------------------------------------------------------------------

    @property
    def hard(self) -> bool:
        """Whether the hours with easy pairs are done."""
        return self.progress.seconds >= self.recipe.easy_hours * 3600

    def epoch(self, number: int, cooling: bool) -> list[Batch]:
        chance = random.Random(f"{self.recipe.seed} {number}")
        chosen = chance.sample(self.material.graded, min(ROUND, len(self.material.graded)))
        if self.hard and self.material.with_composed:
            chosen += chance.choices(self.material.with_composed, k=round(COMPOSED_SHARE * len(chosen)))
        share = GRADED_ROWS if self.hard else 2
        batches = [
            Batch(tuple(pairs), chance.randrange(1 << 30), self.hard)
            for pairs in _by_length(chosen, self.recipe.batch_tokens // share, chance)
        ]
        batches += self._read_batches(chance) if self.hard else []
        chance.shuffle(batches)
        return batches

    def _read_batches(self, chance: random.Random) -> list[Batch]:
        found = []
        for _ in range(READ_TIMES):
            proses = chance.sample(self.material.read, len(self.material.read))
            found += [Batch((), 0, True, tuple(proses[at : at + READ_PROSES]))
                      for at in range(0, len(proses), READ_PROSES)]  # fmt: skip
        return found

    # -- what a batch costs -----------------------------------------------------------------------------------------

    def loss(self, batch: Batch) -> tuple[torch.Tensor, int]:
        if batch.read:
            graded = GradedRows()
            for each in batch.read:
                graded.add(each)
            return self._grading_loss(graded)
        return self._grading_loss(self.graded_rows(batch.pairs, batch.hard, random.Random(batch.seed)))

    def graded_rows(self, pairs: Sequence[TruePair], hard: bool, chance: random.Random) -> GradedRows:
        """For every pair: true; another's verse; and where it is hard, a neighbour's, some pādas another's, the prose
        with something changed or added, and what a generator composed."""
        found = GradedRows()
        for pair in pairs:
            other = chance.choice(self.material.graded)
            made: list[Graded | None] = [
                Graded(pair.prose, pair.verse, 1.0, "true"),
                Graded(pair.prose, other.verse, 0.0, "easy"),
            ]
            if hard:
                near = self.material.neighbour(pair, chance, NEIGHBOURS)
                made.append(Graded(pair.prose, near.verse, 0.0, "neighbour") if near else None)
                made += self._mixed(pair, near or other, chance)
                made.append(changed(pair.prose, pair.verse, chance))
                made += self._composed(pair, chance)
                if chance.random() < 0.5:
                    made.append(clause_added(pair.prose, pair.verse, other.prose, chance))
            found.add(made)
        return found

    def _composed(self, pair: TruePair, chance: random.Random) -> list[Graded]:
        """A generator's verses for this prose, and one for another, so that a machine's hand alone tells no grade."""
        own = self.material.composed.get(pair.prose, [])
        if not own:
            return []
        chosen = chance.sample(own, min(COMPOSED_VERSES, len(own)))
        other = chance.choice(self.material.with_composed)
        theirs = chance.choice(self.material.composed[other.prose])
        found = [Graded(pair.prose, each.verse, each.grade, "composed") for each in chosen]
        return found if other == pair else [*found, Graded(pair.prose, theirs.verse, 0.0, "composed for another")]

    def _mixed(self, pair: TruePair, near: TruePair, chance: random.Random) -> list[Graded | None]:
        other = chance.choice(self.material.graded) if chance.random() < 0.7 else near
        own, theirs = Padas.of(pair.verse, pair.lengths), Padas.of(other.verse, other.lengths)
        if own is None or theirs is None or pair.lengths != other.lengths:
            return []
        kept = chance.sample((1, 2, 3), 2)
        return [Graded(pair.prose, own.mixed(theirs, k, chance).slp1, k / 4, f"{k} pādas") for k in kept]

    def _grading_loss(self, graded: GradedRows) -> tuple[torch.Tensor, int]:
        proses, verses = [row.prose for row in graded.rows], [row.verse for row in graded.rows]
        logits = self.model(self.reader.join(proses, verses, self._cut)).float()
        wanted = torch.tensor([row.grade for row in graded.rows])
        weight = 1 + (self.recipe.positive_weight - 1) * wanted  # the paper's α, by how far a pair is true
        cost = binary_cross_entropy_with_logits(logits, wanted, weight=weight, reduction="sum")
        prose = torch.tensor(graded.prose)
        better = (prose[:, None] == prose[None]) & (wanted[:, None] > wanted[None] + 0.1)
        if bool(better.any()):
            ordered = softplus(-(logits[:, None] - logits[None])[better])
            cost = cost + self.recipe.order_weight * ordered.mean() * len(wanted)
        return cost, len(wanted)

    # -- figures ----------------------------------------------------------------------------------------------------

    def figures(self) -> dict[str, float]:
        chance = random.Random(0)
        dev = chance.sample(self.material.dev, min(DEV_PAIRS, len(self.material.dev)))
        graded = self.graded_rows(dev, True, chance)
        scores = self._scores(graded.rows)
        by_kind: dict[str, list[float]] = {}
        for row, score in zip(graded.rows, scores, strict=True):
            by_kind.setdefault(row.kind, []).append(score)
        means = {kind: sum(values) / len(values) for kind, values in by_kind.items()}
        crossed = [s for row, s in zip(graded.rows, scores, strict=True) if row.grade == 0]
        gap = means["true"] - sum(crossed) / len(crossed)
        if gap > self._best:
            self._best = gap
            self.export(self.out / BEST)
            (self.out / BEST / "figures.json").write_text(json.dumps({"gap": gap, **means}) + "\n", encoding="utf-8")
        return {"gap": gap, **means}

    def _scores(self, graded: Sequence[Graded]) -> list[float]:
        said: list[float] = []
        for at in range(0, len(graded), 48):
            part = graded[at : at + 48]
            joined = self.reader.join([row.prose for row in part], [row.verse for row in part])
            said += self.model(joined).float().sigmoid().tolist()
        return said

    def export(self, folder: Path) -> None:
        self.model.save(folder, self.reader.identity)
        keep_history(self.out, folder)


def _by_length(pairs: Sequence[TruePair], size: int, chance: random.Random) -> list[list[TruePair]]:
    def letters(pair: TruePair) -> int:
        return len(pair.prose) + len(pair.verse)

    found: list[list[TruePair]] = []
    for pair in sorted(pairs, key=lambda pair: letters(pair) + chance.uniform(-8, 8)):
        long = letters(pair) / LETTERS_A_TOKEN
        if not found or long * (len(found[-1]) + 1) > size:
            found.append([])
        found[-1].append(pair)
    return found
