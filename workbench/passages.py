"""A passage: prose of several sentences becomes several verses, one after the other, each as it is ready.

Divides the prose as asked, composes piece by piece, tells of each, and stops between two steps when it is told to; what
was whole by then stays. Every word of the prose goes into some piece. Knows no page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from workbench.composing import Composing
from workbench.composition import Composition
from workbench.decoding.settings import HOUSE, Settings
from workbench.decoding.wishing import Wish
from workbench.wording import ProseError, read_prose

MOST_PIECES = 60
WHOLE, SENTENCES, LINES = DIVISIONS = ("whole", "sentences", "lines")
# Words whose full stop ends no sentence.
_TITLES = ("mr", "mrs", "ms", "dr", "st", "prof", "rev", "no", "vol", "cf", "e.g", "i.e", "etc", "vs")
_SENTENCE_END = re.compile(r"""[.!?…]+["'”’)\]]*\s+(?=["'“‘(\[]*[^\W_a-z])""")
_WORD_BEFORE = re.compile(r"([\w.]+)\.$")


def divide_prose(text: str, division: str = SENTENCES) -> list[str]:
    """The pieces of a prose: all of it, a sentence each, or a line each. ProseError says why there are none."""
    if division not in DIVISIONS:
        raise ProseError(f"Expected a division among {', '.join(DIVISIONS)}; got {division[:40]!r}.")
    if division == LINES:
        pieces = [line for line in text.splitlines() if line.strip()]
    elif division == SENTENCES:
        pieces = _sentences(" ".join(text.split()))
    else:
        pieces = [text]
    if len(pieces) > MOST_PIECES:
        raise ProseError(f"Expected at most {MOST_PIECES} verses at once; got prose for {len(pieces):,}.")
    return pieces or [text]


def _sentences(text: str) -> list[str]:
    found, begun = [], 0
    for match in _SENTENCE_END.finditer(text):
        word = _WORD_BEFORE.search(text[begun : match.start() + 1])
        if word and (word[1].lower() in _TITLES or (len(word[1]) == 1 and word[1].isupper())):
            continue
        found.append(text[begun : match.end()].strip())
        begun = match.end()
    return [piece for piece in (*found, text[begun:].strip()) if piece]


class Passage:
    """Verses under way: iterate for the events of each search, with `piece` and `pieces` beside what Composing tells;
    after each verse comes {"kind": "verse", "piece": ...}. `compositions` has what is done."""

    def __init__(
        self,
        pieces: Sequence[str],
        settings: Settings = HOUSE,
        model: str = "embedded",
        watch: bool = True,
        wishes: Sequence[str | Wish] = (),
    ) -> None:
        for piece in pieces:
            read_prose(piece)  # what is no prose is refused before the first verse
        self.pieces = tuple(pieces)
        self._made = [Composing([piece], settings, model, watch, wishes) for piece in pieces]
        self.compositions: list[Composition] = []
        self.cancelled = False
        self._now: Composing | None = None

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for at, composing in enumerate(self._made):
            if self.cancelled:
                return
            self._now = composing
            place = {"piece": at, "pieces": len(self._made)}
            for event in composing:
                yield {**event, **place}
            if self.cancelled:  # a verse that was cut off in its making is none of the passage
                return
            self.compositions.append(composing.composition)
            yield {"kind": "verse", **place}

    @property
    def script(self) -> str:
        """That the generator writes."""
        return self._made[0].settings.script

    @property
    def model(self) -> str:
        return self._made[0].model.name

    def cancel(self) -> None:
        """Stop after the step under way."""
        self.cancelled = True
        if self._now:
            self._now.cancel()
