"""Candidates by metre, then by meaning, then by probability; draws beside the beams; and what happens without a judge."""

import json

import pytest

from tests.training import small
from workbench import composer
from workbench.evaluation import evaluate
from workbench.evaluation.measures import Example, Outcome
from workbench.paths import HOME
from workbench.semantics import judges as judging

PROSE = next(iter(small.VERSES))
RANKER = composer.ranker().name
QUICK = composer.HOUSE.but(beams=4, returned=4, no_repeat_ngram=0)


class Fake:
    """Likes the last letter of a verse, the later in the alphabet the better."""

    ranked_by, identity, calibration_fault = "fake#1", "fake#1 and another", "The curve is bad."

    def __init__(self, calibrated):
        self.calibrated, self.asked = calibrated, []

    def weigh(self, prose, verses):
        self.asked.append((list(prose), list(verses)))
        raw = [ord(verse.plain[-1]) / 256 for verse in verses]
        return [{RANKER: score, **({"calibrated": 1 + 4 * score} if self.calibrated else {})} for score in raw]

    def score(self, prose, verses, names=None):
        return [{**said, "bi": 0.5} for said in self.weigh(prose, verses)]


@pytest.fixture(params=[False, True], ids=["raw", "calibrated"])
def judge(request, monkeypatch):
    fake = Fake(request.param)
    monkeypatch.setattr(judging, "_judges", fake)
    return fake


def composed(settings=QUICK, rank="meaning"):
    composing = composer.compose(PROSE, settings.but(rank=rank))
    return list(composing), composing.composition


def test_meaning_orders_the_full_ones_and_says_so(judge):
    events, composition = composed()
    assert events[-1]["sentence"] == f"Weighing what {len(composition.ranked)} verses say."
    (prose, verses), *more = judge.asked
    assert not more and prose == [PROSE] * len(verses)  # all in one batch
    orders = [each.order for each in composition.ranked]
    assert orders == sorted(orders, reverse=True) and len(set(orders)) == len(orders) > 1
    assert " | fake#1 | " in composition.signature
    assert "The curve is bad." in composition.notes  # a bad calibration is told, and costs no verse
    first = composition.as_json()["candidates"][0]
    assert first["meaning"][RANKER] == composition.ranked[0].scores[RANKER]
    assert ("of 5." in first["why"]) == judge.calibrated and ("uncalibrated" in first["why"]) != judge.calibrated


@pytest.mark.parametrize(
    ("scores", "order"),
    [
        # By the judge's own number, log-probability where it ties; on a flat part of the scale it still counts.
        ([{RANKER: 0.2}, {RANKER: 0.9}, {RANKER: 0.5}], [1, 2, 0]),
        ([{RANKER: 0.5}, {RANKER: 0.5}, {RANKER: 0.9}], [2, 0, 1]),
        ([{RANKER: 0.4, "calibrated": 2.0}, {RANKER: 0.9, "calibrated": 4.0}, {RANKER: 0.5, "calibrated": 2.0}],
         [1, 2, 0]),
        ([{"cross": 0.9, RANKER: 0.1}, {"cross": 0.1, RANKER: 0.3}, {"cross": 0.5, RANKER: 0.2}], [1, 2, 0]),
    ],
    ids=["raw", "ties", "calibrated", "only the ranker's"],
)  # fmt: skip
def test_fixed_scores_give_a_fixed_order(scores, order, monkeypatch):
    monkeypatch.setattr(judging, "_judges", fixed := Fake(False))
    monkeypatch.setattr(fixed, "weigh", lambda prose, verses: scores[: len(verses)])
    _, found = composed(QUICK.but(beams=8, returned=3), rank="model")
    by_model = found.candidates
    assert (
        len(by_model) == 3 and by_model[0].log_probability > by_model[1].log_probability > by_model[2].log_probability
    )
    _, found = composed(QUICK.but(beams=8, returned=3))
    assert [candidate.text for candidate in found.candidates] == [by_model[at].text for at in order]


def test_what_the_judge_said_of_the_chosen_verse_is_kept(judge):
    """Measuring a run asks the judge that ranked nothing it has answered: its score went along with the verse."""
    chosen = [Example(str(at), prose, verse) for at, (prose, verse) in enumerate(list(small.VERSES.items())[:3])]
    made = evaluate.compose_batch((tuple(chosen), QUICK.but(rank="meaning"), "embedded"))
    asked = len(judge.asked)
    assert asked == 3 and all(set(outcome.scores) == {RANKER} for outcome in made)
    again = [Outcome(**json.loads(json.dumps(outcome.as_row()))) for outcome in made]  # a run that was stopped
    rows, _ = evaluate.measured(chosen, again)
    others = len(composer.judge_entries()) - 1
    assert [verses for _, verses in judge.asked[asked:]] == [[each.composed for each in made]] * others
    assert [row.scores[RANKER] for row in rows] == [round(outcome.scores[RANKER], 5) for outcome in made]
    assert {row.scores["bi"] for row in rows} == {0.5}


def test_the_models_own_order_stays_to_be_had(judge):
    _, by_model = composed(rank="model")
    assert judge.asked == [] and by_model.as_json()["candidates"][0]["meaning"] is None
    scores = [candidate.score for candidate in by_model.candidates]
    assert scores == sorted(scores, reverse=True)
    _, by_meaning = composed()
    assert {c.text for c in by_model.candidates} == {c.text for c in by_meaning.candidates}


def test_draws_come_beside_the_beams(judge):
    events, composition = composed(QUICK.but(draws=6, temperature=2.0))
    assert {event["search"] for event in events if event["kind"] == "step"} == {"beams", "draws"}
    _, beams = composed(QUICK)
    _, draws = composed(QUICK.but(samples=6, temperature=2.0))
    both = {c.text for c in composition.candidates}
    assert both == {c.text for c in beams.candidates} | {c.text for c in draws.candidates}
    assert len(composition.trace["draws"]["steps"]) > 0 and composition.chosen.full
    assert sum(c.copies for c in composition.candidates) == 4 + 6


def test_without_a_judge_it_says_so_and_keeps_the_models_order():
    _, composition = composed()
    assert any("No judge of meaning is at hand" in note for note in composition.notes)
    _, by_model = composed(rank="model")
    assert [c.text for c in composition.candidates] == [c.text for c in by_model.candidates]
    with pytest.raises(composer.JudgeError, match="`python -m workbench train reader` makes one"):
        composer.score([(PROSE, small.ROWS[0]["slp1"])])


def test_a_judge_can_be_done_without(monkeypatch):
    monkeypatch.setenv("PINGALA_JUDGE", "none")
    with pytest.raises(composer.JudgeError, match="PINGALA_JUDGE is none, so none is asked"):
        composer.ranker_identity()
    assert any("No judge of meaning is at hand" in note for note in composed()[1].notes)


def test_the_judge_that_ships_does_not_judge_without_its_reader(monkeypatch):
    monkeypatch.setenv("PINGALA_JUDGE", str(HOME / composer.ranker().folder))
    monkeypatch.setenv("PINGALA_READER", "none")
    with pytest.raises(composer.JudgeError, match="PINGALA_READER is none, so none is asked"):
        composer.score([(PROSE, small.ROWS[0]["slp1"])], names=[RANKER])
    assert any("No judge of meaning is at hand" in note for note in composed()[1].notes)


def test_an_unknown_order_is_refused():
    with pytest.raises(composer.SettingsError, match="Expected rank to be one of meaning, model; got 'beauty'"):
        composer.HOUSE.but(rank="beauty")


def test_scores_of_pairs_in_any_script_and_a_sentence_where_there_is_none(judge):
    verse = small.ROWS[0]["slp1"]
    found = composer.score([(PROSE, verse), (PROSE, ""), ("", verse), (PROSE, "धर्मक्षेत्रे कुरुक्षेत्रे")])
    assert found[0]["bi"] == 0.5 and found[0][RANKER] == ord("a") / 256
    assert found[1].startswith("Expected") and found[2].startswith("Expected")
    assert judge.asked[0][1][1].plain == "Darmakzetre kurukzetre"
