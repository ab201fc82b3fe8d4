"""A kind of question is one class and one entry: from there on it is asked, checked, shown and exported."""

import json
from dataclasses import replace

import pytest

from tests.ratings import made
from workbench import composer
from workbench.ratings import export, kinds, questions, studies
from workbench.ratings.questions import Point, Question
from workbench.ratings.texts import RatingError
from workbench.ui import rating, rating_strings
from workbench.ui.templates import template


class Choice(kinds.Kind):
    """One of a question's points, by its value, which may be anything; the last of them is a fault of the first word."""

    control = "points"

    def check(self, question, value, verse):
        if value not in (known := [point.value for point in question.points]):
            raise RatingError(f"Expected one of {', '.join(known)} for {question.name}; got {value!r}.")
        return value

    def note(self, answer):
        return f"seen as {answer}"

    def faults(self, answer):
        return [(0, "Style")] if answer == "epic" else []


STYLE = Question(
    "style", "Whose style is it?", "choice", points=(Point("kāvya", "A poet's."), Point("epic", "A bard's."))
)


@pytest.fixture
def study(file_engine, monkeypatch):
    monkeypatch.setitem(kinds.KINDS, "choice", Choice())
    monkeypatch.setitem(questions.OPTIONAL, "style", STYLE)
    return made.study(file_engine, 2, ("style", "comment"), overlap=1)


def test_a_new_kind_is_asked_checked_shown_and_exported(file_engine, study):
    assert studies.find(file_engine, study.id).questions[-1] == STYLE
    assert study.scales == ["coherence"]
    asked = next(one for one in rating._questions(study.questions, "iast") if one["name"] == "style")
    assert asked["control"] == "points" and asked["controls"] == {"points": True}
    assert [point["value"] for point in asked["points"]] == ["kāvya", "epic"]
    who = made.rater(file_engine, study)
    made.rate_all(file_engine, who)
    with pytest.raises(RatingError, match="Expected one of kāvya, epic for style; got 'vedic'."):
        made.submit(file_engine, who, 1, {"style": "vedic"}, made.key("wrong"))
    made.submit(file_engine, who, 1, {"style": "epic", "comment": "Good."}, made.key("right"))
    assert [row["style"] for row in export.records(file_engine, study)] == ["epic", None]
    assert ",epic," in export.to_csv(export.records(file_engine, study))
    _, first, second = (line.split("\t") for line in export.to_mqm(file_engine, study).splitlines())
    assert first[6].startswith("<v>Darmakzetre</v> kurukzetre") and first[7:9] == ["Style", "Major"]
    assert json.loads(first[9])["note"] == "Good. seen as epic"
    assert second[7:9] == ["no-error", "no-error"] and json.loads(second[9])["note"] == ""


def test_every_kind_names_a_control_that_the_page_has():
    """The template is filled in a browser, where other tests look; here, that it knows the names."""
    screen = template("rating", strings=rating_strings, scripts=composer.SCRIPTS.values())
    for name, kind in kinds.KINDS.items():
        assert f"{{{{#if controls.{kind.control}}}}}" in screen, name
        assert kind.screen()["control"] == kind.control
        assert json.loads(json.dumps(kind.screen())) == kind.screen()  # plain data


@pytest.mark.parametrize("name", ["coherence", *made.ALL])
def test_every_question_is_of_a_kind(name):
    [asked] = [one for one in questions.chosen(made.ALL) if one.name == name]
    kind = kinds.of(asked)
    assert bool(asked.points) == (kind.control == "points") and kind.measured == (asked.kind == "scale")
    assert ("marks" in kind.screen()) == (name == "marks")


def test_a_kind_nobody_here_knows_is_told(file_engine):
    with pytest.raises(RatingError, match="Expected a question's kind among scale, comment, marks; got 'choice'."):
        questions.check([STYLE], {"style": "epic"}, made.VERSE)
    with pytest.raises(RatingError, match="Expected a mark among wrong word, missing, ungrammatical; got"):
        marks = replace(STYLE, kind="marks")
        questions.check([marks], {"style": [{"word": 0, "mark": ["missing"]}]}, made.VERSE)
