"""Thirty tasks of an avadhāna and what comes of them, one verse each, none left out: for docs, as Markdown.

The tasks stand in avadhana.toml. Whether a verse keeps its wishes is asked of the wishes themselves, on the text. Knows
compositions through the composer's door.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench import composer

FILE = Path(__file__).with_name("avadhana.toml")
ARTS = {"samasya": "Samasyā", "dattapadi": "Dattapadī", "nisiddhakshari": "Niṣiddhākṣarī"}


@dataclass(frozen=True)
class Task:
    art: str
    prose: str
    wishes: tuple[composer.Wish, ...]
    source: str = ""  # of a line that is given


def tasks() -> list[Task]:
    known = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return [
        Task(ARTS[art], task["prose"], composer.read_wishes(task["wishes"]), task.get("source", ""))
        for art in ARTS
        for task in known[art]
    ]


def printed(settings: composer.Settings, model: str) -> Iterator[str]:
    """Each task with its verse, the reading where a reader is at hand, and what the judge gives it."""
    art = ""
    for number, task in enumerate(tasks(), 1):
        if task.art != art:
            art = task.art
            yield f"\n## {art}\n"
        composing = composer.compose(task.prose, settings, model, watch=False, wishes=task.wishes)
        for _ in composing:
            pass
        yield f"{number}. {task.prose} {_asked(task)}"
        yield from (f"   {line}" for line in _told(task, composing.composition))


def _asked(task: Task) -> str:
    said = "; ".join(f"`{wish.line}`" for wish in task.wishes)
    return f"({said}{', ' + task.source if task.source else ''})"


def _told(task: Task, made: composer.Composition) -> Iterator[str]:
    if not made.chosen:
        yield "- no verse was found"
        return
    verse, (first, *_) = made.chosen.verse, made.ranked
    kept = all(wish.kept(verse) for wish in task.wishes)
    yield f"- **{verse.text('iast')}**"
    full = "full" if made.chosen.full else "not full"
    yield f"- {full} {made.settings.found_metre().name}, {'wishes kept' if kept else 'NOT as wished'}; {first.why}"
    if composer.reader_at_hand():
        (read,) = composer.read(verse.slp1, "slp1")
        yield f"- read as: {read.reading.english}"
