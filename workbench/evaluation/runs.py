"""A run on disk: what was asked (run.json), the verses as they came (verses.jsonl), and what was measured of each
(measures.jsonl). Knows files, no models: tables are made from here, without the corpora.

Verses are added row by row, so that a killed run has lost nothing but the row it was at. Neither prose nor references
are kept: they are the corpus's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from workbench.corpora import CorpusError, rows
from workbench.damage import read_json
from workbench.evaluation.measures import Listened, Outcome
from workbench.semantics.registry import Scores, known_entries

ANEW = "Remove the folder, and `evaluate --out` makes the run anew."
RUN, VERSES, MEASURES = "run.json", "verses.jsonl", "measures.jsonl"


@dataclass(frozen=True)
class Measure:
    """What is known of one verse besides its metre; None where there was nothing to measure with."""

    id: str
    words: int
    known: int | None = None
    chrf: float | None = None
    chrf_other: float | None = None
    scores: Scores = field(default_factory=dict)  # of the judges of meaning, by name
    content_words: int | None = None  # of the prose, those that say something; and of these, what the reader hears
    words_heard: int | None = None

    @property
    def listened(self) -> Listened:
        return self.content_words, self.words_heard

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Measure:
        """As it is kept: scores stand beside the rest, each under its judge's name."""
        own = {each.name: row.pop(each.name) for each in fields(cls) if each.name in row}
        return cls(**own, scores={name: score for name, score in row.items() if score is not None})

    def as_row(self) -> dict[str, Any]:
        row = asdict(self)
        scores = row.pop("scores")
        if self.content_words is None:
            row = {name: value for name, value in row.items() if name not in ("content_words", "words_heard")}
        return {**row, **{name: scores.get(name) for name in known_entries()}, **scores}


class Run:
    """A folder, and what it is a run of: `description` has the model, the settings, the corpus and the signature."""

    def __init__(self, folder: Path, description: dict[str, Any]) -> None:
        self.folder, self.description = folder, description

    @classmethod
    def begin(cls, folder: Path, description: dict[str, Any], resume: bool) -> Run:
        """A new run, or with `resume` the one that is there, which has to be the same."""
        file = folder / RUN
        if file.is_file():
            before = read_json(file, CorpusError, ANEW, f" of {folder.name}")
            if not resume:
                raise CorpusError(f"Expected a new folder; {folder.name} has a run, and --resume goes on with it.")
            if difference := _difference(before, description):
                raise CorpusError(f"Expected to go on with the same run in {folder.name}; {difference}.")
        else:
            folder.mkdir(parents=True, exist_ok=True)
            _write(file, json.dumps(description, ensure_ascii=False, indent=1) + "\n")
        run = cls(folder, description)
        run._drop_what_was_torn()
        return run

    @classmethod
    def load(cls, folder: Path) -> Run:
        file = folder / RUN
        if not file.is_file():
            raise CorpusError(f"Expected a run in {folder.name}, as `evaluate --out` makes one; found no {RUN}.")
        return cls(folder, read_json(file, CorpusError, ANEW, f" of {folder.name}"))

    def _drop_what_was_torn(self) -> None:
        """A line without its end is a row that was being written when the run was killed."""
        file = self.folder / VERSES
        if file.is_file() and not (text := file.read_bytes()).endswith(b"\n"):
            with file.open("r+b") as stream:
                stream.truncate(text.rfind(b"\n") + 1)

    def outcomes(self) -> dict[str, Outcome]:
        file = self.folder / VERSES
        if not file.is_file():
            return {}
        whole, _, _ = file.read_text(encoding="utf-8", errors="replace").rpartition("\n")
        found = (self._outcome(number, line) for number, line in enumerate(whole.split("\n"), start=1) if line)
        return {outcome.id: outcome for outcome in found}

    def _outcome(self, number: int, line: str) -> Outcome:
        try:
            return Outcome(**json.loads(line))
        except (ValueError, TypeError) as error:
            raise CorpusError(
                f"Expected a verse in row {number} of {VERSES} of {self.folder.name}; got {line[:40]!r}. Remove that "
                "row, and `evaluate --resume` makes its verse anew."
            ) from error

    def add(self, made: Iterable[Outcome]) -> None:
        lines = "".join(json.dumps(outcome.as_row(), ensure_ascii=False) + "\n" for outcome in made)
        with (self.folder / VERSES).open("a", encoding="utf-8") as file:
            file.write(lines)

    def finish(self, made: Sequence[Outcome], measures: Sequence[Measure], judges: str | None) -> None:
        """All verses in the corpus's order, whoever made them first, and what was measured."""
        self.description["judges"] = judges
        _write(self.folder / RUN, json.dumps(self.description, ensure_ascii=False, indent=1) + "\n")
        for name, every in ((VERSES, made), (MEASURES, measures)):
            lines = (json.dumps(each.as_row(), ensure_ascii=False) + "\n" for each in every)
            _write(self.folder / name, "".join(lines))

    def measures(self) -> list[Measure]:
        """Empty as long as the run is not finished."""
        file = self.folder / MEASURES
        return [Measure.from_row(row) for row in rows(file)] if file.is_file() else []

    @property
    def signature(self) -> str:
        judges = self.description.get("judges")
        ranked = f"ranked by {self.description.get('ranked_by') or 'the model'}"
        return f"{self.description['signature']} | {ranked}{f' | weighed by {judges}' if judges else ''}"


def _difference(before: dict[str, Any], description: dict[str, Any]) -> str:
    """The first thing in which two runs differ, judges aside: they come after the verses."""
    for name in sorted({*before, *description} - {"judges", "signature", "settings"}):
        if before.get(name) != description.get(name):
            return f"its {name} was {before.get(name)}, and is {description.get(name)} now"
    one, other = before["settings"], description["settings"]
    for name in sorted({*one, *other}):
        if one.get(name) != other.get(name):
            return f"its {name} was {one.get(name)}, and is {other.get(name)} now"
    return ""


def _write(file: Path, text: str) -> None:
    """Whole or not at all."""
    waiting = file.with_suffix(".new")
    waiting.write_text(text, encoding="utf-8")
    waiting.replace(file)


def finished(folder: Path) -> list[Run]:
    """The finished runs below a folder, in the order of their paths."""
    return [Run.load(file.parent) for file in sorted(folder.rglob(RUN)) if (file.parent / MEASURES).is_file()]
