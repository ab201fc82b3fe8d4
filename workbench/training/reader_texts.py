"""What the reader learns from: questions (a text, a task) and answers (English, lemmas, a gloss), of prepared corpora.

Knows the sources and how much of each a round has; no tokens. A hundredth of every source is kept for dev, by the
letters of the verse, so that the same verse with another English is kept with it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from workbench.corpora.overlap import for_dev
from workbench.corpora.prepare import stem, texts
from workbench.corpora.texts import Text
from workbench.semantics.pieces import ENGLISH, GLOSS, NEW, OLD, WORDS

# Pairs: how much of a source a round reads, and the style of its English ("" where it has none of its own).
PAIRS = {
    "itihasa": (1.0, OLD),
    "ramayana_modern": (1.0, NEW),
    "sahitya": (1.0, NEW),
    "hitopadesha": (1.0, OLD),
    "saamayik": (0.7, NEW),
    "bible": (0.2, ""),  # every verse is there in five Englishes
    "mitra": (0.4, ""),
}
LEMMAS = 0.4
GLOSSES = {"words_glossed": 0.6, "words_english_sanskrit": 0.3}
ANVAYA = 0.25  # of the texts that have it are read in the order of prose
STYLED = 0.7  # of the texts say which English they want
GLOSS_WORDS = 6  # a gloss of more words is a sentence
HELD = ("sahitya", "saamayik")  # sources whose hundredth is reported on


@dataclass(frozen=True)
class Item:
    """A question and its answer. `others` are other ways to ask it: the text in the order of prose, a stem."""

    task: str
    source: str  # SLP1
    answer: str
    style: str = ""
    others: tuple[str, ...] = ()

    def source_text(self, chance: random.Random) -> str:
        return chance.choice(self.others) if self.others and chance.random() < ANVAYA else self.source


def pair(text: Text, style: str) -> Item:
    return Item(ENGLISH, text.slp1, text.english, style, (text.anvaya,) if text.anvaya else ())


def lemmas(text: Text) -> Item:
    return Item(WORDS, text.slp1, " ".join(text.lemmas))


def gloss(text: Text) -> Item | None:
    """A word and its meaning; none for what is no word or whose meaning is a sentence."""
    english = text.english.strip(" .,;")
    if not len(english) > 2 or len(english.split()) > GLOSS_WORDS or len(text.slp1.split()) > 2:
        return None
    short = stem(text.slp1)
    return Item(GLOSS, text.slp1, english, "", (short,) if short != text.slp1 else ())


@dataclass
class Material:
    """All questions, by source, and those that dev asks."""

    train: dict[str, list[Item]]
    dev: dict[str, list[Item]]

    def epoch_items(self, chance: random.Random, cooling: bool) -> list[Item]:
        """What one epoch reads. While the rate falls, nothing that a machine aligned."""
        found: list[Item] = []
        for source, items in self.train.items():
            share = 0.0 if cooling and source == "mitra" else self.share(source)
            found += items if share == 1 else chance.sample(items, int(share * len(items)))
        return found

    @staticmethod
    def share(source: str) -> float:
        return PAIRS[source][0] if source in PAIRS else GLOSSES.get(source, LEMMAS)


def material(prepared: Path) -> Material:
    """Everything there is in a prepared folder (`corpus FOLDER --out PREPARED`)."""
    train: dict[str, list[Item]] = {}
    dev: dict[str, list[Item]] = {"epics": [pair(text, OLD) for text in texts(prepared, "itihasa_dev") if text.metre]}
    for source, (_, style) in PAIRS.items():
        found = texts(prepared, source)
        train[source] = [pair(text, style) for text in found if not for_dev(text.slp1)]
        if source in HELD:
            dev[source] = [pair(text, style) for text in found if for_dev(text.slp1)]
    train["dcs"] = [lemmas(text) for text in _with_lemmas(texts(prepared, "dcs"))]
    dev["lemmas"] = [lemmas(text) for text in _with_lemmas(texts(prepared, "dcs.kept_out"))]
    for source in GLOSSES:
        train[source] = [item for text in texts(prepared, source) if (item := gloss(text))]
    return Material(train, dev)


def _with_lemmas(found: Iterable[Text]) -> list[Text]:
    return [text for text in found if text.lemmas]
