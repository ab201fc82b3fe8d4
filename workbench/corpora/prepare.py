"""A folder of corpora made into texts to learn from: read, given their metre, kept apart from dev and test, each once.

What comes of it is a folder of JSON lines, a file a source, and a table that says what was left out and why.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from workbench.corpora.alignment import aligned
from workbench.corpora.files import CorpusError, rows
from workbench.corpora.overlap import MeasuredTexts, SeenTexts
from workbench.corpora.sources import Source, present
from workbench.corpora.texts import Text, Unreadable, read_row
from workbench.damage import sha256
from workbench.prosody import sounds
from workbench.prosody.metres import ANUSTUBH
from workbench.prosody.verse import Verse

KEPT_WORDS, TABLE = "kept_words.json", "table.json"
CHUNK = 2000
# English words to a syllable, in pairs that a machine aligned. Of the epics' pairs 99 in 100 lie within.
RATIO = (0.2, 2.2)
WORDS_KEPT = 300  # on which glosses are measured
WORDS_SEEN = 10  # how often such a word occurs in verses, at least


@dataclass
class Row:
    """A line of the table."""

    source: Source
    hash: str
    rows: int = 0
    kept: int = 0
    metres: Counter[str] = field(default_factory=Counter)
    words: int = 0  # of Sanskrit
    english: int = 0  # words of English
    dropped: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        anustubh = self.metres[ANUSTUBH]
        return {
            "source": self.source.name, "file": self.source.file, "kind": self.source.kind, "rows": self.rows,
            "kept": self.kept, "anustubh": anustubh, "other_metres": self.metres.total() - anustubh,
            "prose": self.kept - self.metres.total(), "words": self.words, "english_words": self.english,
            "dropped": dict(self.dropped.most_common()), "licence": self.source.licence, "sha256": self.hash,
        }  # fmt: skip


def prepare(folder: Path, out: Path, tell: Callable[[str], None], workers: int = 2) -> list[Row]:
    """Read every source of a folder and write its texts to OUT."""
    out.mkdir(parents=True, exist_ok=True)
    measured, seen, table = MeasuredTexts(), SeenTexts(), []
    with get_context("spawn").Pool(workers) as pool:
        for source in present(folder):
            tell(f"reading {source.file}")
            row = Row(source, sha256(folder / source.file)[:12])
            held = list(_judged(source, folder / source.file, pool, measured, row))
            texts = [text for text, kept_out in held if not kept_out]
            for text, kept_out in held:
                if source.measured or kept_out:
                    measured.add(text)
            if not source.measured:
                texts = list(_apart(texts, measured, seen, row))
            _write(out / f"{source.name}.jsonl.gz", texts)
            if len(texts) < len(held) and source.kept_out:
                _write(out / f"{source.name}.kept_out.jsonl.gz", [text for text, kept_out in held if kept_out])
            _count(row, texts)
            table.append(row)
    _keep_words(out, table)
    _keep_aligned(out, table, tell)
    (out / TABLE).write_text(json.dumps([row.as_json() for row in table], indent=1, ensure_ascii=False) + "\n")
    return table


def _chunks(file: Path) -> Iterator[list[dict[str, Any]]]:
    chunk: list[dict[str, Any]] = []
    for row in rows(file):
        chunk.append(row)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    yield chunk


def _read_chunk(task: tuple[Source, list[dict[str, Any]]]) -> list[list[Text] | str]:
    source, chunk = task
    read: list[list[Text] | str] = []
    for row in chunk:
        try:
            read.append(read_row(row, source))
        except Unreadable as reason:
            read.append(str(reason))
        except (KeyError, TypeError) as error:
            sentence = f"Expected rows of {source.kind} in {source.file}; {error!r} in {str(row)[:80]}."
            raise CorpusError(sentence) from None
    return read


def _judged(source: Source, file: Path, pool: Any, measured: MeasuredTexts, row: Row) -> Iterator[tuple[Text, bool]]:
    """The texts that could be read, and whether they are of a work that is kept out."""
    for chunk in pool.imap(_read_chunk, ((source, chunk) for chunk in _chunks(file))):
        for read in chunk:
            row.rows += 1
            if isinstance(read, str):
                row.dropped[read] += 1
                continue
            for text in read:
                if text.work in source.kept_out:
                    row.dropped["kept out to measure lemmas"] += 1
                    yield text, True
                elif source.aligned == "machine" and not _fits(text):
                    row.dropped["length"] += 1
                else:
                    yield text, False


def _fits(text: Text) -> bool:
    low, high = RATIO
    syllables = sounds.vowels_in(text.slp1)
    return low <= len(text.english.split()) / max(1, syllables) <= high


def _apart(texts: Iterable[Text], measured: MeasuredTexts, seen: SeenTexts, row: Row) -> Iterator[Text]:
    for text in texts:
        shared = measured.shared(text) if row.source.kind != "words" else ""
        if shared:
            row.dropped[shared] += 1
        elif seen.before(text):
            row.dropped["twice"] += 1
        else:
            yield text


def _count(row: Row, texts: list[Text]) -> None:
    row.kept = len(texts)
    for text in texts:
        row.metres.update([text.metre] if text.metre else [])
        row.words += len(Verse.from_slp1(text.slp1).words)
        row.english += len(text.english.split())


def _write(file: Path, texts: Iterable[Text]) -> None:
    with gzip.open(file, "wt", encoding="utf-8", compresslevel=3) as lines:
        for text in texts:
            lines.write(json.dumps(text.as_json(), ensure_ascii=False) + "\n")


def texts(prepared: Path, source: str) -> list[Text]:
    """The texts of a source in a prepared folder; none where the folder it was made from had no such file."""
    file = prepared / f"{source}.jsonl.gz"
    if not file.is_file():
        return []
    return [Text(**{**row, "lemmas": tuple(row.get("lemmas", ()))}) for row in rows(file)]


def _keep_aligned(out: Path, table: list[Row], tell: Callable[[str], None]) -> None:
    """Of what a machine aligned, leave out what does not belong together by the words of all pairs."""
    machine = [row for row in table if row.source.aligned == "machine"]
    if not machine:
        return
    tell("counting which words translate which")
    learnt = [row for row in table if row.source.kind == "pairs" and not row.source.measured]
    pairs = [text for row in learnt for text in texts(out, row.source.name)]
    for row in machine:
        found = texts(out, row.source.name)
        kept = [text for text, fits in zip(found, aligned(found, pairs), strict=True) if fits]
        row.dropped["not aligned"] += len(found) - len(kept)
        row.words = row.english = 0
        row.metres.clear()
        _count(row, kept)
        _write(out / f"{row.source.name}.jsonl.gz", kept)


# ------------------------------------------------------------------------------------------ words kept out


def stem(word: str) -> str:
    """A dictionary's form cut down to what a lemma looks like: siMhaH and Palam give siMha and Pala."""
    return word[:-1] if word.endswith(("aH", "am", "iH", "uH")) else word


def _keep_words(out: Path, table: list[Row]) -> None:
    """Choose words of the dictionaries that verses use often, and take every form of them out of what is learnt."""
    sources = [row for row in table if row.source.kind == "words"]
    entries = {row.source.name: texts(out, row.source.name) for row in sources}
    counted = Counter(lemma for text in texts(out, "dcs") for lemma in set(text.lemmas))
    meanings: dict[str, set[str]] = {}
    for text in (text for found in entries.values() for text in found):
        meanings.setdefault(stem(text.slp1), set()).add(text.english)
    often = sorted(word for word in meanings if counted[word] >= WORDS_SEEN and len(word) > 2)
    kept = set(random.Random(1).sample(often, min(WORDS_KEPT, len(often))))
    (out / KEPT_WORDS).write_text(
        json.dumps({word: sorted(meanings[word]) for word in sorted(kept)}, indent=1, ensure_ascii=False) + "\n"
    )
    for row in sources:
        left = [text for text in entries[row.source.name] if not _form_of(text.slp1, kept)]
        row.dropped["kept out to measure glosses"] += len(entries[row.source.name]) - len(left)
        row.words = row.english = 0
        _count(row, left)
        _write(out / f"{row.source.name}.jsonl.gz", left)


def _form_of(word: str, kept: set[str]) -> bool:
    """Whether a word is one of these with some ending."""
    return any(word[:end] in kept for end in range(max(1, len(word) - 3), len(word) + 1)) or (
        word[:-1] + "a" in kept or any(word[:-cut] + "a" in kept for cut in (2, 3, 4) if len(word) > cut + 2)
    )
