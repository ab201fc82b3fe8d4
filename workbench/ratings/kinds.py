"""The kinds of questions: how each checks an answer, what it needs on a screen, and how it leaves in an export.

Knows no raters, no tables and no page: what a screen needs is said as plain data, the name of a control with what the
control has to know. A new kind is a class here and its entry in KINDS.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from workbench.ratings.texts import COMMENT, RatingError, shown, text

if TYPE_CHECKING:
    from workbench.ratings.questions import Question

SCALE = (1, 2, 3, 4, 5)
# What is at fault with a word, and what mqm_viewer calls it.
MARKS = {"wrong word": "Accuracy/Mistranslation", "missing": "Accuracy/Omission", "ungrammatical": "Fluency/Grammar"}
WORDS = re.compile(r"[^\s.|।॥]+")


def words(verse: str) -> list[str]:
    """The words of a verse that can be marked, daṇḍas left out."""
    return WORDS.findall(verse)


class Kind(ABC):
    """One kind of question. Answers are what JSON can hold, and never None: that is no answer."""

    control: ClassVar[str]  # points, text or words: what a rater answers with
    measured: ClassVar[bool] = False  # whether answers are of SCALE, with means and agreement

    @abstractmethod
    def check(self, question: Question, value: object, verse: str) -> Any:
        """An answer as it is to be kept; None where nothing was said after all; RatingError where it is no answer."""

    def screen(self) -> dict[str, Any]:
        """What a screen must know to ask such a question, beside its label and points."""
        return {"control": self.control}

    def note(self, answer: Any) -> str:
        """What an export for people should have read out."""
        return ""

    def faults(self, answer: Any) -> list[tuple[int, str]]:
        """Words of the verse that the answer finds fault with, by place, each with mqm_viewer's category."""
        return []


class Scale(Kind):
    control, measured = "points", True

    def check(self, question: Question, value: object, verse: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value not in SCALE:
            raise RatingError(f"Expected a number from 1 to 5 for {question.name}; got {shown(value)}.")
        return value


class Comment(Kind):
    control = "text"

    def check(self, question: Question, value: object, verse: str) -> str | None:
        return text(value, "a comment", COMMENT) or None

    def note(self, answer: Any) -> str:
        return str(answer)


class Marks(Kind):
    control = "words"

    def check(self, question: Question, value: object, verse: str) -> list[dict[str, Any]]:
        """Marks in the order of the words, each once: {word: its place from 0, mark}."""
        if not isinstance(value, list | tuple):
            raise RatingError(f"Expected a list of marks; got {shown(value)}.")
        number = len(words(verse))
        found = set()
        for each in value:
            place, mark = (each.get("word"), each.get("mark")) if isinstance(each, Mapping) else (None, None)
            if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < number:
                raise RatingError(f"Expected a word from 0 to {number - 1} of the verse; got {shown(place)}.")
            if not isinstance(mark, str) or mark not in MARKS:
                raise RatingError(f"Expected a mark among {', '.join(MARKS)}; got {shown(mark)}.")
            found.add((place, mark))
        return [{"word": place, "mark": mark} for place, mark in sorted(found)]

    def screen(self) -> dict[str, Any]:
        return {**super().screen(), "marks": list(MARKS)}

    def faults(self, answer: Any) -> list[tuple[int, str]]:
        return [(mark["word"], MARKS[mark["mark"]]) for mark in answer]


KINDS: dict[str, Kind] = {"scale": Scale(), "comment": Comment(), "marks": Marks()}


def of(question: Question) -> Kind:
    """What a question's kind does; the database of a newer workbench may name one that is not here."""
    if question.kind not in KINDS:
        raise RatingError(f"Expected a question's kind among {', '.join(KINDS)}; got {shown(question.kind)}.")
    return KINDS[question.kind]
