"""How the reader spells: Sanskrit as pieces of SLP1, English as pieces of plain English, both in one row of numbers.

The first numbers are signs (which task, which style, the end), then come Sanskrit's pieces, then English's. What the
decoder may say is one of the two languages, never both, so that a task asks for a slice of the numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from workbench.prosody import sounds

PAD, UNKNOWN, END = "<pad>", "<unk>", "</s>"
ENGLISH, WORDS, GLOSS = "<en>", "<words>", "<gloss>"  # what is asked for: the decoder's first token
OLD, NEW = "<old>", "<new>"  # the English of the nineteenth century, or of today: the source's first token, if any
SIGNS = (PAD, UNKNOWN, END, ENGLISH, WORDS, GLOSS, OLD, NEW)
HALF = "."

_SAME = str.maketrans({**dict(zip("“”‘’–—ıłø", "\"\"''--ilo", strict=True)), "…": "..."})
_NOT_PLAIN = re.compile(r"[^\x20-\x7e]")
_NOT_SANSKRIT = re.compile(f"[^{re.escape(sounds.LETTERS)}. ]")


def plain(english: str) -> str:
    """English in the letters of a typewriter: names lose their accents, quotation marks their curls."""
    folded = unicodedata.normalize("NFKD", english.translate(_SAME))
    kept = "".join(c for c in folded if not unicodedata.combining(c))
    return " ".join(_NOT_PLAIN.sub(" ", kept).split())


def sanskrit(slp1: str) -> str:
    return " ".join(_NOT_SANSKRIT.sub(" ", slp1).split())


@dataclass(frozen=True)
class Pieces:
    """Both tokenizers. Numbers of English pieces begin at `offset`."""

    slp1: Tokenizer
    english: Tokenizer

    @property
    def offset(self) -> int:
        return int(self.slp1.get_vocab_size())

    def __len__(self) -> int:
        return self.offset + int(self.english.get_vocab_size())

    def sign(self, sign: str) -> int:
        return SIGNS.index(sign)

    def slice(self, task: str) -> tuple[int, int]:
        """The numbers that an answer to a task is made of. English's first number is its end."""
        return (0, self.offset) if task == WORDS else (self.offset, len(self))

    def read_slp1(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self.slp1.encode_batch([sanskrit(text) for text in texts])]

    def read_english(self, texts: Sequence[str]) -> list[list[int]]:
        found = self.english.encode_batch([plain(text) for text in texts])
        return [[self.offset + number for number in encoding.ids] for encoding in found]

    def write_english(self, numbers: Iterable[int]) -> str:
        return str(self.english.decode([n - self.offset for n in numbers if n > self.offset])).strip()

    def write_slp1(self, numbers: Iterable[int]) -> str:
        return str(self.slp1.decode([n for n in numbers if len(SIGNS) <= n < self.offset])).strip()

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.slp1.save(str(folder / "sanskrit.json"))
        self.english.save(str(folder / "english.json"))

    @classmethod
    def load(cls, folder: Path) -> Pieces:
        return cls(*(Tokenizer.from_file(str(folder / name)) for name in ("sanskrit.json", "english.json")))

    def with_dropout(self, share: float) -> Pieces:
        """The same, where a Sanskrit word is now and then cut into other pieces: so that the reader does not depend on
        where words happen to be divided."""
        copy: Any = Tokenizer.from_str(self.slp1.to_str())
        copy.model.dropout = share
        return Pieces(copy, self.english)


def learn_pieces(slp1: Iterable[str], english: Iterable[str], sizes: tuple[int, int]) -> Pieces:
    """Pieces of both languages from texts, `sizes` of them."""
    trainer: Any = trainers.BpeTrainer
    first: Any = Tokenizer(models.BPE(unk_token=UNKNOWN))
    first.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    first.decoder = decoders.Metaspace(prepend_scheme="always")
    letters = sorted({*sounds.LETTERS, HALF, "▁"})
    first.train_from_iterator(
        map(sanskrit, slp1),
        trainer(vocab_size=sizes[0], special_tokens=list(SIGNS), initial_alphabet=letters, show_progress=False),
    )
    second: Any = Tokenizer(models.BPE())
    second.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    second.decoder = decoders.ByteLevel()
    # Number 0 of English is the end of an answer, so that a task's slice has one.
    second.train_from_iterator(
        map(plain, english),
        trainer(
            vocab_size=sizes[1],
            special_tokens=[END],
            initial_alphabet=[c for c in pre_tokenizers.ByteLevel.alphabet() if c.isascii() or c == "Ġ"],
            show_progress=False,
        ),
    )
    return Pieces(first, second)
