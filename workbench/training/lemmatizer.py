"""Trains the lemmatizer: a text's letters to what they become in its lemmas, on texts whose lemmas people wrote down.

Now and then the spaces of a text are taken out, since a verse may be printed without them. The hundredth that is kept
for dev is the reader's.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy

from workbench.corpora.overlap import for_dev
from workbench.corpora.prepare import texts
from workbench.semantics.lemmatizer import LONGEST, Lemmatizer, LetterTagger, as_numbers, spelled, written
from workbench.training.batches import IGNORED
from workbench.training.card import write_lemmatizer_card
from workbench.training.lemma_alignment import align
from workbench.training.loop import Loop, Pace
from workbench.training.recipes import LemmatizerRecipe, keep_history

RULES = "rules.txt"
TOGETHER = 256  # texts that are aligned at once
DEV_ROWS = 500


@dataclass(frozen=True, slots=True)
class Tagged:
    """A text and what each of its letters becomes."""

    text: str
    rules: tuple[str, ...]

    def joined(self, chance: random.Random) -> Tagged:
        """With half of its spaces taken out: what they become falls to the letter before."""
        letters: list[str] = []
        rules: list[str] = []
        for letter, rule in zip(self.text, self.rules, strict=True):
            if letter == " " and letters and chance.random() < 0.5:
                rules[-1] += rule
            else:
                letters.append(letter)
                rules.append(rule)
        return Tagged("".join(letters), tuple(rules))


def tagged(found: Sequence[tuple[str, Sequence[str]]]) -> list[Tagged]:
    """Texts with their lemmas, aligned; what is too long to be read at once is left out."""
    pairs = sorted(((spelled(text), lemmas) for text, lemmas in found), key=lambda pair: len(pair[0]))
    pairs = [(text, lemmas) for text, lemmas in pairs if 0 < len(text) <= LONGEST]
    made = []
    for at in range(0, len(pairs), TOGETHER):
        these = pairs[at : at + TOGETHER]
        rules = align([text for text, _ in these], [lemmas for _, lemmas in these])
        made += [Tagged(text, tuple(each)) for (text, _), each in zip(these, rules, strict=True)]
    return made


@dataclass
class LemmaMaterial:
    train: list[Tagged]
    dev: list[Tagged]
    known: frozenset[str] = frozenset()  # the lemmas of what is learnt from


def material(prepared: Path, source: str = "dcs") -> LemmaMaterial:
    found = [text for text in texts(prepared, source) if text.lemmas]
    train, dev = ([text for text in found if for_dev(text.slp1) == held] for held in (False, True))
    to_learn, to_ask = (tagged([(text.slp1, text.lemmas) for text in part]) for part in (train, dev))
    return LemmaMaterial(to_learn, to_ask, frozenset(lemma for text in train for lemma in text.lemmas))


class LemmatizerTraining(Loop):
    def __init__(
        self,
        out: Path,
        recipe: LemmatizerRecipe,
        material: LemmaMaterial,
        tell: Callable[[str], None],
        start: Path | None = None,
    ) -> None:
        self.recipe, self.material = recipe, material
        torch.manual_seed(recipe.seed)
        begun = Lemmatizer.load(start) if start else None
        self.rules = begun.rules if begun else self._rules(out)
        self._numbers = {rule: number for number, rule in enumerate(self.rules)}
        model = LetterTagger(recipe.width, recipe.heads, recipe.layers, len(self.rules))
        if begun:
            model.load_state_dict(begun.model.state_dict())
        self._dev = random.Random(0).sample(material.dev, min(DEV_ROWS, len(material.dev)))
        super().__init__(out, model, Pace.of(recipe), tell)

    def _rules(self, out: Path) -> list[str]:
        """What letters become, commonest first; the run's own where it has begun. What is rarer is not learnt."""
        file = out / RULES
        if not file.is_file():
            counts = Counter(rule for each in self.material.train for rule in each.rules)
            out.mkdir(parents=True, exist_ok=True)
            kept = [rule for rule, number in counts.most_common() if number >= self.recipe.least]
            file.write_text("\n".join(kept), encoding="utf-8")
        return file.read_text(encoding="utf-8").split("\n")

    def _lemmatizer(self) -> Lemmatizer:
        return Lemmatizer(self.model, self.rules, "", self.material.known)

    def is_matrix(self, name: str, parameter: torch.Tensor) -> bool:
        return super().is_matrix(name, parameter) and not name.startswith("rules")

    def epoch(self, number: int, cooling: bool) -> list[list[Tagged]]:
        chance = random.Random(f"{self.recipe.seed} {number}")
        items = [each.joined(chance) if chance.random() < self.recipe.joined else each for each in self.material.train]
        batches = self._batches(sorted(items, key=lambda each: len(each.text) + chance.uniform(-3, 3)))
        chance.shuffle(batches)
        return batches

    def _batches(self, items: Sequence[Tagged]) -> list[list[Tagged]]:
        found: list[list[Tagged]] = []
        for item in items:
            if not found or (len(found[-1]) + 1) * len(item.text) > self.recipe.batch_tokens:
                found.append([])
            found[-1].append(item)
        return found

    def loss(self, batch: list[Tagged]) -> tuple[torch.Tensor, int]:
        letters = as_numbers([each.text for each in batch])
        rows = [[self._numbers.get(rule, IGNORED) for rule in each.rules] for each in batch]
        wanted = torch.tensor([[*row, *[IGNORED] * (letters.shape[1] - len(row))] for row in rows])
        known = wanted != IGNORED
        said = self.model(letters)[known].float()
        return cross_entropy(said, wanted[known], reduction="sum"), int(known.sum())

    def figures(self) -> dict[str, float]:
        if not self._dev:
            return {}
        right = said = true = 0
        lost = letters = 0.0
        found = self._lemmatizer().lemmas([each.text for each in self._dev])
        for lemmas, each in zip(found, self._dev, strict=True):
            own = written(each.rules)
            right += (Counter(lemmas) & Counter(own)).total()
            said, true = said + len(lemmas), true + len(own)
        for batch in self._batches(sorted(self._dev, key=lambda each: len(each.text))):
            loss, number = self.loss(batch)
            lost, letters = lost + float(loss), letters + number
        return {"f1": 200 * right / max(1, said + true), "nats a hundred letters": 100 * lost / max(1.0, letters)}

    def export(self, folder: Path) -> None:
        recipe = self.recipe
        config = {"width": recipe.width, "heads": recipe.heads, "layers": recipe.layers}
        self._lemmatizer().save(folder, config)
        keep_history(self.out, folder)
        write_lemmatizer_card(
            folder, self.out, recipe, self.progress, {"dcs": len(self.material.train)}, len(self._dev)
        )
