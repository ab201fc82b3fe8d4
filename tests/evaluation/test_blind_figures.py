"""How far readers agree, and how far a judge goes with them, on points made up so that the answers are known."""

import pytest

from workbench.corpora import CorpusError
from workbench.corpora.blind_readings import BlindReading
from workbench.evaluation import blind_figures


def read(of, row, kind, meaning, grammar=(3.0, 3.0)):
    return BlindReading(of, row, kind, f"prose of {row}", "naraH", meaning, grammar)


READ = [
    read("dev", "a", "first", (2.0, 2.0), (3.0, 4.0)),
    read("dev", "a", "other", (3.0, 3.5), (4.0, 4.0)),
    read("dev", "b", "first", (4.0, 4.0), (5.0, 5.0)),
    read("dev", "b", "other", (4.0, 4.0), (5.0, 5.0)),
    read("modern", "c", "first", (1.0, 1.5), (1.0, 1.0)),
    read("dev", "b", "reference", (5.0, 5.0), (5.0, 5.0)),
    read("dev", "b", "more", (3.0,), (2.0,)),
]


def test_two_readers_agree_as_far_as_their_points_do():
    told = blind_figures.agreement(READ)
    assert told["verses"] == 6 and told["within_half_a_point"] == 1.0
    assert told["spearman"] == pytest.approx(1.0) and 0.9 < told["grammar_spearman"] < 1.0
    assert blind_figures.agreement(READ[-1:]) == {}


def test_means_are_of_a_kind_of_verse_for_a_kind_of_prose():
    told = blind_figures.points(READ)
    assert set(told) == {"dev, composed", "dev, reference", "modern, composed"}
    assert told["dev, composed"] == {"verses": 5, "meaning": pytest.approx((2 + 3.25 + 4 + 4 + 3) / 5),
                                     "grammar": pytest.approx((3 + 4 + 4 + 4 + 5 * 4 + 2) / 9)}  # fmt: skip


def test_a_judge_that_says_what_readers_say_goes_with_them_all_the_way():
    points = [each.points for each in READ]
    told = blind_figures.beside(READ, points)
    assert told["composed"]["verses"] == 6 and told["everything"]["verses"] == 7
    assert told["composed"]["spearman"] == told["dev"]["spearman"] == pytest.approx(1.0)
    assert told["of two for one prose"] == {"pairs": 3, "right": 1.0}  # of b's two equal ones neither is better
    against = blind_figures.beside(READ, [-each for each in points])
    assert against["composed"]["spearman"] == pytest.approx(-1.0) and against["of two for one prose"]["right"] == 0.0
    nothing = blind_figures.beside(READ, [0.5] * len(READ))["composed"]
    assert nothing["spearman"] == nothing["low"] == nothing["high"] == 0.0
    assert told["composed"]["low"] <= told["composed"]["spearman"] <= told["composed"]["high"]


def test_the_scale_is_held_against_the_readers():
    told = blind_figures.on_the_scale(READ, [2.5] * len(READ))
    assert told["modern, composed"] == {"verses": 1, "readers": 1.25, "judge": 2.5, "apart": 1.25}
    (line,) = blind_figures.as_table({"modern": {"verses": 1234, "apart": 0.5}})
    assert line.split() == ["modern", "verses", "1,234", "apart", "0.500"]


def test_two_generators_are_compared_prose_by_prose():
    rows = [
        {"of": of, "row": row, "generator": name, "meaning": meaning, "grammar": 3}
        for name, all_points in (("z", (2, 3, 1)), ("a", (3, 3.5, 1.5)))
        for (of, row), meaning in zip((("dev", "1"), ("dev", "2"), ("modern", "1")), all_points, strict=True)
    ]
    found = blind_figures.between(rows)
    assert list(found) == [f"{of}, {asked}" for of in ("dev", "modern", "all") for asked in ("meaning", "grammar")]
    dev = found["dev, meaning"]
    assert (dev["proses"], dev["z"], dev["a"], dev["more"]) == (2, 2.5, 3.25, 0.75) and dev["from"] <= 0.75 <= dev["to"]
    assert found["all, meaning"]["more"] == pytest.approx(2 / 3) and found["all, grammar"]["more"] == 0.0
    with pytest.raises(CorpusError, match="Expected the verses of two generators; got those of 1"):
        blind_figures.between(rows[:3])
