"""Items scored after they came in: who is asked, what is kept of the answers, and what a failing judge costs."""

import pytest

from tests.ratings import made
from workbench.ratings import items, schema, scoring, studies
from workbench.ratings.items import Item

NAMES = ("bi", "cross")


class Judge:
    """Gives the length of the prose as cross; what is called bad it cannot read."""

    def __init__(self, lasts=99):
        self.asked, self.lasts = [], lasts

    def __call__(self, pairs):
        if len(self.asked) == self.lasts:
            raise RuntimeError("no judge")
        self.asked.append(pairs)
        return ["Expected a verse; got bad." if prose == "bad" else
                {"bi": 0.5, "cross": float(len(prose)), "calibrated": None} for prose, _ in pairs]  # fmt: skip


@pytest.fixture
def study(engine):
    return studies.create(engine, "A study").study


def scores(engine, study):
    with schema.reading(engine) as connection:
        return {item.key: dict(item.scores) for _, item in items.stored(connection, study)}


def test_those_that_lack_a_score_get_what_they_lack(engine, study):
    brought = [
        Item("none", "one", made.VERSE, "s"), Item("bad", "bad", made.VERSE, "s"),
        Item("cross", "three", made.VERSE, "s", scores={"cross": 0.1, "chrf": 30}),
        Item("both", "four", made.VERSE, "s", scores={"cross": 0.1, "bi": 0.2}),
    ]  # fmt: skip
    items.add(engine, study, [*brought, Item("other", "five", made.VERSE, "s")])
    judge = Judge()
    found = scoring.score(engine, study, [item.key for item in brought], judge, NAMES)
    assert found == scoring.Scored(2, (("s/bad", "Expected a verse; got bad."),))
    assert judge.asked == [[("one", made.VERSE), ("bad", made.VERSE), ("three", made.VERSE)]]
    assert scores(engine, study) == {
        "s/none": {"bi": 0.5, "cross": 3.0}, "s/bad": {}, "s/cross": {"cross": 0.1, "chrf": 30, "bi": 0.5},
        "s/both": {"cross": 0.1, "bi": 0.2}, "s/other": {},
    }  # fmt: skip
    assert items.add(engine, study, brought) == 0  # the same items come again, unscored
    assert (
        scoring.score(engine, study, ["s/none", "s/cross", "s/both"], judge, NAMES).items == 0 and len(judge.asked) == 1
    )


def test_a_judge_that_fails_costs_nothing_but_its_scores(engine, study, monkeypatch):
    monkeypatch.setattr(scoring, "BATCH", 2)
    brought = [Item(str(at), "Prose.", made.VERSE, "s") for at in range(5)]
    items.add(engine, study, brought)
    keys = [item.key for item in brought]
    with pytest.raises(RuntimeError):
        scoring.score(engine, study, keys, Judge(lasts=1), NAMES)
    assert [bool(each) for each in scores(engine, study).values()] == [True, True, False, False, False]
    assert scoring.score(engine, study, keys, Judge(), NAMES).items == 3


def test_only_numbers_under_their_names_are_scores():
    said = {"id": "R.1", "words": 7, "bi": None, "cross": 0.25, "calibrated": 3.0}
    assert scoring.numbers(said, NAMES) == {"cross": 0.25}
    assert scoring.numbers({"bi": float("nan"), "cross": "high"}, NAMES) == scoring.numbers({}, NAMES) == {}
