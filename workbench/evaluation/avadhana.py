"""Thirty tasks of an avadhāna and what comes of them, one verse each, none left out: for docs, as Markdown.

The tasks stand in avadhana.toml. Whether a verse keeps its wishes is asked of the wishes themselves, on the text. Knows
compositions through the composer's door.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from workbench import composer
from workbench.prosody.verse import DANDA
from workbench.prosody.wishes import Given, Word
from workbench.semantics.registry import shown

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


def printed(settings: composer.Settings, model: str, say_wishes: bool = False) -> Iterator[str]:
    """Each task with its verse, the reading where a reader is at hand, and what the judge gives it; means in the end.
    With `say_wishes` the generator is told in English, after the prose, what is asked for: the verse is judged by the
    prose alone."""
    art, costs, points = "", [], []
    for number, task in enumerate(tasks(), 1):
        if task.art != art:
            art = task.art
            yield f"\n## {art}\n"
        prose = f"{task.prose} {_in_english(task)}".strip() if say_wishes else task.prose
        composing = composer.compose(prose, settings, model, watch=False, wishes=task.wishes)
        for _ in composing:
            pass
        made = composing.composition
        yield f"{number}. {task.prose} {_asked(task)}"
        if not made.chosen:
            yield "   - no verse was found"
            continue
        verse = made.chosen.verse
        costs.append(composer.negative_log_prob(task.prose, DANDA.join(verse.halves), model)[0])
        points.append(_points(task.prose, verse))
        yield from (f"   {line}" for line in _task_lines(task, made, points[-1]))
    known = [each for each in points if each is not None]
    said = f"; the judge gives {mean(known):.2f}" if known else ""
    yield f"\n{len(costs)} verses: {mean(costs):.1f} nats a verse given its prose{said}, in the mean."


def _in_english(task: Task) -> str:
    """What is given, as the reader reads it; of words, their first meaning."""
    given = [wish.text for wish in task.wishes if isinstance(wish, Given)]
    words = [wish.text for wish in task.wishes if isinstance(wish, Word)]
    lines = [read.reading.english for text in given for read in composer.read(text, "slp1")]
    meant = [meaning.split(",")[0] for meaning in composer.meanings(words)]
    return " ".join([*lines, f"{', '.join(meant)}." if any(meant) else ""]).strip()


def _points(prose: str, verse: composer.Verse) -> float | None:
    """As people are shown it: of five where a curve is known."""
    found = composer.weigh(prose, verse)
    return shown(found) if found else None


def _asked(task: Task) -> str:
    said = "; ".join(f"`{wish.line}`" for wish in task.wishes)
    return f"({said}{', ' + task.source if task.source else ''})"


def _task_lines(task: Task, made: composer.Composition, points: float | None) -> Iterator[str]:
    assert made.chosen
    verse = made.chosen.verse
    kept = all(wish.kept(verse) for wish in task.wishes)
    yield f"- **{verse.text('iast')}**"
    full = "full" if made.chosen.full else "not full"
    said = "" if points is None else f"; the judge gives {points:.2f}"
    yield f"- {full} {made.settings.found_metre().name}, {'wishes kept' if kept else 'NOT as wished'}{said}"
    if composer.reader_at_hand():
        (read,) = composer.read(verse.slp1, "slp1")
        yield f"- read as: {read.reading.english}"
