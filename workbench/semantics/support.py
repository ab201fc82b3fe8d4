"""The reader as a judge: how much of a prose is heard in a verse, from -1 to 1.

Of every word that says something, how much likelier the verse makes it, at most MOST nats, as a share of that most;
below 0 where it makes it less likely, which tells bad verses apart. The reader owes nothing to the generator: a verse
is believed when another model than the one that wrote it reads the prose out of it. Knows the reader and spellings;
ranking is judges.py's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.prosody.verse import Verse
from workbench.semantics.reader import Reader, Support, loaded
from workbench.semantics.verse_spelling import HALVES, as_read

MOST = 4.0  # nats of one word: a name said well does not make up for what is not said


class SupportJudge:
    spelling = HALVES

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def score(self, proses: Sequence[str], verses: Sequence[Verse]) -> list[float]:
        """One number for each pair."""
        return [share_heard(words) for words in self.supports(proses, verses)]

    def supports(self, proses: Sequence[str], verses: Sequence[Verse]) -> list[Sequence[Support]]:
        """Of each pair, what is heard of the prose word by word. Verses of the same prose are read together."""
        found: list[Sequence[Support]] = [()] * len(proses)
        places: dict[str, list[int]] = {}
        for at, prose in enumerate(proses):
            places.setdefault(prose, []).append(at)
        for prose, these in places.items():
            texts = [as_read(verses[at]) for at in these]
            for at, words in zip(these, self.reader.support(prose, texts), strict=True):
                found[at] = words
        return found


def share_heard(words: Sequence[Support]) -> float:
    """Of a prose without any word that says something, every word counts."""
    said = [word for word in words if word.content] or list(words)
    if not said:
        return 0.0
    return sum(max(-MOST, min(word.nats, MOST)) for word in said) / (MOST * len(said))


def load(folder: str | Path) -> SupportJudge:
    return SupportJudge(loaded(Path(folder)))
