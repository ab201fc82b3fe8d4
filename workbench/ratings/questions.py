"""The questions of a study: their rubrics with examples, and whether answers fit them. Knows no raters, no tables; what
differs between kinds of questions is in `kinds`.

A study keeps its questions as they were when it was made, so that a later change of wording here changes no study.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from workbench.ratings import kinds
from workbench.ratings.kinds import SCALE
from workbench.ratings.texts import RatingError, shown

Answers = Mapping[str, Any]  # by question; None takes an answer back


@dataclass(frozen=True)
class Example:
    """A real verse beside a prose that it says well or badly."""

    prose: str
    verse: str  # SLP1
    source: str
    why: str


@dataclass(frozen=True)
class Point:
    value: int
    rubric: str
    example: Example | None = None


@dataclass(frozen=True)
class Question:
    name: str
    label: str
    kind: str  # a name in kinds.KINDS
    required: bool = False
    points: tuple[Point, ...] = ()


def _points(*rubrics: str) -> tuple[Point, ...]:
    return tuple(Point(value, rubric) for value, rubric in zip(SCALE, rubrics, strict=True))


COHERENCE = Question(
    "coherence",
    "Semantic coherence: does the verse say what the English says?",
    "scale",
    True,
    (
        Point(
            1,
            "Nothing of the English is in the verse, or the verse says nothing at all.",
            Example(
                "The traders unloaded salt and cloth at the harbour and had sold everything by evening.",
                "Darmakzetre kurukzetre samavetA yuyutsavaH. mAmakAH pARqavAScEva kimakurvata saYjaya..",
                "Bhagavadgītā 1.1",
                "A good verse, but no word of it is about traders, goods or a harbour.",
            ),
        ),
        Point(
            2,
            "A word or a theme of the English is there; who does what to whom is lost or another.",
            Example(
                "The old king wept for the son who had fallen in battle.",
                "aSocyAnanvaSocastvaM prajYAvAdAMSca BAzase. gatAsUnagatAsUMSca nAnuSocanti paRqitAH..",
                "Bhagavadgītā 2.11",
                "Grief and the dead are there; no king, no son, and it says that the wise do not grieve.",
            ),
        ),
        Point(
            3,
            "The main statement is there; a whole clause is missing, added or wrong.",
            Example(
                "Your part is the work, never its fruits. Whoever lives so finds peace, and all the world praises him.",
                "karmaRyevADikAraste mA Palezu kadAcana. mA karmaPalaheturBUrmA te saNgo'stvakarmaRi..",
                "Bhagavadgītā 2.47",
                "The first sentence is said; of peace and praise there is nothing, and a warning is there instead.",
            ),
        ),
        Point(
            4,
            "All statements are there; a detail is missing, added or not quite right.",
            Example(
                "Whenever right declines and wrong arises, Arjuna, I come forth in a human body.",
                "yadA yadA hi Darmasya glAnirBavati BArata. aByutTAnamaDarmasya tadAtmAnaM sfjAmyaham..",
                "Bhagavadgītā 4.7",
                "All is said but the human body; Arjuna is addressed by another of his names, which is no fault.",
            ),
        ),
        Point(
            5,
            "The verse says all of the English and nothing against it; what it adds is only a poet's filling.",
            Example(
                "Death is certain for one who is born, and birth for one who has died; do not grieve for what must be.",
                "jAtasya hi Druvo mftyurDruvaM janma mftasya ca. tasmAdaparihArye'rTe na tvaM Socitumarhasi..",
                "Bhagavadgītā 2.27",
                "Each statement has its words in the verse, and the verse has no other.",
            ),
        ),
    ),
)
GRAMMAR = Question(
    "grammar",
    "Grammar: are forms, sandhi and syntax right?",
    "scale",
    points=_points(
        "Hardly a form is right; it cannot be construed.",
        "Several errors; the construction has to be guessed.",
        "Some errors; the construction is clear all the same.",
        "One slip, in a form or a sandhi.",
        "Without fault, licences of the epics included.",
    ),
)
POETRY = Question(
    "poetry",
    "Poetic quality: is it a verse that one would keep?",
    "scale",
    points=_points(
        "Words to a count of syllables, and no more.",
        "Stock phrases strung together.",
        "A plain verse, as there are many in the epics.",
        "Well put: choice of words or order of thought please.",
        "A poet's: sound, image or turn of thought stays with the reader.",
    ),
)
RECITABILITY = Question(
    "recitability",
    "Recitability: how does it go over the tongue?",
    "scale",
    points=_points(
        "Cannot be recited: sounds or pauses stop the voice.",
        "Stumbles in most pādas.",
        "Stumbles in a place or two, or its caesuras split words.",
        "Flows, with one hard place.",
        "Flows from beginning to end.",
    ),
)
REMARKS = Question("comment", "Anything else?", "comment")
WORD_MARKS = Question("marks", "Which words are at fault?", "marks")
OPTIONAL = {question.name: question for question in (GRAMMAR, POETRY, RECITABILITY, REMARKS, WORD_MARKS)}


def chosen(names: Sequence[str] = ("comment",)) -> tuple[Question, ...]:
    """Semantic coherence, which is always asked, and of the optional questions those that are named."""
    for name in names:
        if name not in OPTIONAL:
            raise RatingError(f"Expected questions among {', '.join(OPTIONAL)}; got {shown(name)}.")
    return (COHERENCE, *(question for name, question in OPTIONAL.items() if name in names))


def to_json(questions: Sequence[Question]) -> list[dict[str, Any]]:
    return [asdict(question) for question in questions]


def from_json(rows: Sequence[Mapping[str, Any]]) -> tuple[Question, ...]:
    return tuple(Question(**{**row, "points": tuple(_point(point) for point in row["points"])}) for row in rows)


def _point(row: Mapping[str, Any]) -> Point:
    return Point(row["value"], row["rubric"], Example(**row["example"]) if row["example"] else None)


def check(questions: Sequence[Question], answers: object, verse: str) -> dict[str, Any]:
    """Answers as they are to be kept. Only questions that are named are looked at: a later row may answer one alone."""
    if not isinstance(answers, Mapping):
        raise RatingError(f"Expected an answer for each question; got {shown(answers)}.")
    known = {question.name: question for question in questions}
    for name in answers:
        if name not in known:
            raise RatingError(f"Expected answers to {', '.join(known)}; got one to {shown(name)}.")
    return {
        name: None if value is None else kinds.of(known[name]).check(known[name], value, verse)
        for name, value in answers.items()
    }


def complete(questions: Sequence[Question], answers: Answers) -> None:
    """Refuse a rating in which a required question has no answer."""
    for question in questions:
        if question.required and answers.get(question.name) is None:
            raise RatingError(f"“{question.label}” has no answer yet.")
