"""An English prose for verses that have none, drawn by the reader: food for the generator.

A line is written for every verse, in their order, with the reader's own score; a run that was stopped goes on after the
last whole line. Knows the reader and files; what is learnt from the lines is the generator's business.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from workbench.corpora.files import rows
from workbench.corpora.texts import Unreadable, canonical
from workbench.networks.answering import sample_answers
from workbench.semantics.pieces import ENGLISH, NEW
from workbench.semantics.reader import Reader

CHUNK = 4096  # verses that are sorted by length together
BATCH_TOKENS = 6000  # of sources, padding included
TOP = 12  # likeliest tokens among which the next is drawn


def verses(files: Iterable[Path], wanted: Callable[[dict[str, Any]], bool]) -> Iterator[dict[str, Any]]:
    """Rows with `slp1`, or with `sa` in any script, that are wanted."""
    for file in files:
        for row in rows(file):
            if "slp1" not in row:
                try:
                    row["slp1"] = canonical(row["sa"])
                except Unreadable:
                    continue
            if wanted(row):
                yield row


def done(out: Path) -> int:
    """How many whole lines there are; a torn one at the end, of a run that was killed, is cut off."""
    if not out.is_file():
        return 0
    with out.open("rb+") as lines:
        whole = number = 0
        for line in lines:
            if not line.endswith(b"\n"):
                break
            whole, number = whole + len(line), number + 1
        lines.truncate(whole)
    return number


def back_translate(
    reader: Reader,
    found: Iterable[dict[str, Any]],
    out: Path,
    tell: Callable[[str], None],
    temperature: float = 0.9,
    seed: int = 1,
    most: int | None = None,
) -> int:
    """Write a line for every verse: id, slp1, metre, english, score (mean log-probability of a token)."""
    number = done(out)
    remaining = islice(found, number, most)
    with out.open("a", encoding="utf-8") as lines:
        while chunk := list(islice(remaining, CHUNK)):
            for row, (english, score) in zip(
                chunk, _translate(reader, chunk, temperature, seed + number, tell), strict=True
            ):
                verse = {"id": row["id"], "slp1": row["slp1"], "metre": row.get("metre", "")}
                lines.write(
                    json.dumps({**verse, "english": english, "score": round(score, 3)}, ensure_ascii=False) + "\n"
                )
            lines.flush()
            os.fsync(lines.fileno())
            number += len(chunk)
            tell(f"{number:,} verses translated")
    return number


def _translate(
    reader: Reader, chunk: Sequence[dict[str, Any]], temperature: float, seed: int, tell: Callable[[str], None]
) -> list[tuple[str, float]]:
    chance = torch.Generator().manual_seed(seed)
    order = sorted(range(len(chunk)), key=lambda at: len(chunk[at]["slp1"]))
    found: dict[int, tuple[str, float]] = {}
    while order:
        longest = len(chunk[order[-1]]["slp1"]) // 3 + 2  # about three letters a piece
        size = max(1, BATCH_TOKENS // longest)
        these, order = order[-size:], order[:-size]
        with torch.inference_mode():
            source = reader.encode([chunk[at]["slp1"] for at in these], NEW)
            answers = sample_answers(
                reader.decoder, source, len(these), reader.answer_form(ENGLISH), temperature, TOP, chance
            )
        for at, answer in zip(these, answers, strict=True):
            found[at] = reader.pieces.write_english(answer.tokens), answer.score(1.0)
        tell(f"{len(found):,} of this {len(chunk):,}")
    return [found[at] for at in range(len(chunk))]
