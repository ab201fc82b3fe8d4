"""What the generator learns from: a prose, a verse and its form, of prepared corpora and of the reader's proses.

Knows the sources and how much of each a round has; no tokens. The hundredth that is kept for dev is the reader's, so
that no model has read what another is measured on.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from workbench.corpora.files import CorpusError, rows
from workbench.corpora.overlap import for_dev
from workbench.corpora.prepare import texts
from workbench.corpora.texts import NO_ENDING, Text, as_halves
from workbench.models.embedded import spell
from workbench.models.forms import VERSE, WORD, start_token
from workbench.prosody.verse import DANDA, Verse

# How much of a source a round reads.
PAIRS = {
    "itihasa": 1.0, "ramayana_modern": 1.0, "sahitya": 1.0, "hitopadesha": 1.0, "saamayik": 0.7,
    "bible": 0.2,  # every verse is there in five Englishes
    "mitra": 0.4,
}  # fmt: skip
WORDS = {"words_glossed": 0.5, "words_english_sanskrit": 0.2}
# Verses without a prose: for words, grammar and metres that no pair has, and because guidance asks the decoder alone.
ALONE = {"anustubh": 0.1, "dcs": 0.2, "sahitya_verses": 0.3, "subhashita": 0.5, "dharmanexus": 0.04}
MADE = "made"  # proses by the reader
MADE_SHARE = 0.5
SHARES = {**PAIRS, **WORDS, **ALONE, MADE: MADE_SHARE}
COOLING = {"itihasa": 1.0, "ramayana_modern": 1.0, "sahitya": 1.0, "hitopadesha": 1.0, "saamayik": 0.3, MADE: 0.25,
           "sahitya_verses": 0.05, "subhashita": 0.1}  # fmt: skip
WORD_LETTERS = 40
LINES = ("sahitya_verses", "subhashita")  # where dev has verses in other metres, without prose


@dataclass(frozen=True, slots=True)
class Item:
    prose: str  # empty: a verse by itself
    verse: str  # as the generator spells it
    start: str  # the start token that tells its form
    made: bool = False  # the prose is the reader's


@dataclass
class Material:
    """Everything to learn from, by source, and what dev asks."""

    train: dict[str, list[Item]]
    dev: dict[str, list[Item]] = field(default_factory=dict)

    def epoch_items(self, chance: random.Random, cooling: bool) -> list[Item]:
        """What one epoch reads. While the rate falls: whole verses, and prose, of people rather than machines."""
        found: list[Item] = []
        for source, items in self.train.items():
            share = COOLING.get(source, 0.0) if cooling else SHARES[source]
            found += items if share == 1 else chance.sample(items, int(share * len(items)))
        return found

    @property
    def verses(self) -> Iterator[str]:
        return (item.verse for items in self.train.values() for item in items)


def verse(text: Text) -> str:
    """As the generator is to write it: a verse in a metre as two halves, whatever lines it was printed in."""
    halves = as_halves(Verse.from_slp1(text.slp1).halves) if text.metre else None
    return spell(DANDA.join(halves) if halves else text.slp1)


def pair(text: Text) -> Item:
    return Item(text.english, verse(text), start_token(text.metre))


def without_prose(text: Text) -> Item:
    return Item("", verse(text), start_token(text.metre))


def material(prepared: Path, made: Iterable[Path] = (), share: float = 1.0, least: float = -9.0) -> Material:
    """A prepared folder, and files of `train back-translate` with a score of at least `least` nats a token. A share of
    the text takes part of every source, a smaller share a part of a larger one's."""
    train: dict[str, list[Item]] = {}
    dev = {"epics": [pair(text) for text in texts(prepared, "itihasa_dev") if start_token(text.metre) == VERSE]}
    if not dev["epics"]:
        raise CorpusError(f"Expected a folder that `corpus FOLDER --out {prepared.name}` made; found no dev verses.")
    for source in PAIRS:
        found = [text for text in texts(prepared, source) if not NO_ENDING.search(text.slp1)]
        train[source] = [pair(text) for text in found if not for_dev(text.slp1) and _within(text.id, share)]
        held = [text for text in found if for_dev(text.slp1)]
        if source == "sahitya":
            dev["other verse"] = [pair(text) for text in held if text.metre]
        if source == "saamayik":
            dev["modern prose"] = [pair(text) for text in held]
    for source in WORDS:
        train[source] = [
            Item(text.english, spell(text.slp1), WORD)
            for text in texts(prepared, source)
            if len(text.slp1) <= WORD_LETTERS and _within(text.id, share)
        ]
    train[MADE] = list(_made(made, share, least))
    lone = {source: [text for text in texts(prepared, source) if text.metre] for source in ALONE}
    for source, found in lone.items():
        train[source] = [without_prose(text) for text in found if not for_dev(text.slp1) and _within(text.id, share)]
    dev["other metres alone"] = [
        without_prose(text)
        for source in LINES
        for text in lone[source]
        if start_token(text.metre) != VERSE and for_dev(text.slp1)
    ]
    return Material({name: items for name, items in train.items() if items}, {k: v for k, v in dev.items() if v})


def _made(files: Iterable[Path], share: float, least: float) -> Iterator[Item]:
    for file in files:
        for row in rows(file):
            try:
                text = Text(row["id"], MADE, MADE, row["slp1"], row["english"], row["metre"])
                wanted = row["score"] >= least
            except KeyError as missing:
                raise CorpusError(
                    f"Expected rows of `train back-translate` in {file.name}; {missing} is missing."
                ) from None
            if wanted and text.english and not for_dev(text.slp1) and _within(text.id, share):
                yield Item(text.english, verse(text), start_token(text.metre), made=True)


def _within(name: str, share: float) -> bool:
    return share >= 1 or int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") < share * 2**32
