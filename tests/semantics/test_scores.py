"""Spelling, retrieval figures and calibration: the parts of the semantic score that need no model."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from workbench.prosody.detection import ReadingError
from workbench.prosody.script import write
from workbench.prosody.verse import Verse
from workbench.semantics import calibration
from workbench.semantics.biencoder import angular
from workbench.semantics.retrieval import accuracy, spread
from workbench.semantics.verse_spelling import HALVES, spell

VERSE = "Darmakzetre kurukzetre samavetA yuyutsavaH. mAmakAH pARqavAScEva kimakurvata saYjaya.."
WORDS = "Darmakzetre kurukzetre samavetA yuyutsavaH mAmakAH pARqavAScEva kimakurvata saYjaya"


@pytest.mark.parametrize("script", ["devanagari", "iast", "slp1", "telugu"])
@pytest.mark.parametrize("dandas", [True, False])
def test_a_verse_is_the_same_in_every_script_with_or_without_dandas(script, dandas):
    text = write(VERSE if dandas else WORDS, script)
    assert Verse.read(text).plain == WORDS


@pytest.mark.parametrize("text", ["", "   ", "12345", "!?", "The king went to the forest, didn't he?"])
def test_what_is_no_verse_is_refused(text):
    with pytest.raises(ReadingError):
        Verse.read(text)


def test_models_from_the_hub_read_devanagari():
    verse = Verse.from_slp1(VERSE)
    assert spell(verse, "devanagari").startswith("धर्मक्षेत्रे") and spell(verse, "slp1") == WORDS


def test_halves_are_found_again():
    for text in (WORDS, VERSE):
        assert spell(Verse.from_slp1(text), HALVES) == VERSE.removesuffix("..").replace(". ", " . ")
    for text in ("kftam", "kftaM vacanam"):
        assert spell(Verse.from_slp1(text), HALVES) == text


def test_the_angle_is_a_share_of_the_half_circle():
    import torch

    found = angular(torch.tensor([1.0, 0.0, -1.0, 0.5, 1.0000001]))
    assert found.tolist() == pytest.approx([1.0, 0.5, 0.0, 2 / 3, 1.0])


def test_accuracy_by_hand():
    similarity = np.array([[3.0, 1, 2], [0, 1, 2], [0, 0, 0]])
    assert accuracy(similarity) == pytest.approx(1 / 3)  # the second is beaten, the third ties
    assert accuracy(np.eye(5), 2) == 1.0
    with pytest.raises(ValueError, match="Expected as many verses as prose; got 2 and 3"):
        accuracy(np.zeros((2, 3)))


@given(st.integers(2, 12), st.integers(0, 5))
def test_finding_one_among_fewer_is_easier(size, seed):
    similarity = np.random.default_rng(seed).normal(size=(size, size)) + np.eye(size)
    assert accuracy(similarity, size) == accuracy(similarity) <= accuracy(similarity, 2, seed)


def test_spread_is_in_points():
    assert spread([0.9, 1.0], [0.1, 0.0]) == pytest.approx({"positive": 95.0, "negative": 5.0, "spread": 90.0})


def test_calibration_is_scikit_learns_isotonic(tmp_path):
    chance = np.random.default_rng(0)
    raw = chance.uniform(size=60)
    ratings = np.clip(np.round(1 + 4 * raw + chance.normal(scale=0.7, size=60)), 1, 5)
    made = calibration.fit(raw, ratings, "cross#1")
    made.save(tmp_path / "calibration.json")
    kept = calibration.load(tmp_path / "calibration.json")
    assert kept == made and kept.ratings == 60 and len(kept.data) == 12
    theirs = IsotonicRegression(y_min=1, y_max=5, out_of_bounds="clip").fit(raw, ratings)
    probes = np.linspace(-0.5, 1.5, 101)
    assert [kept.apply(score) for score in probes] == pytest.approx(theirs.predict(probes).tolist())


def test_before_any_ratings_there_is_no_calibration(tmp_path):
    assert calibration.load(tmp_path / "calibration.json") is None
    with pytest.raises(calibration.CalibrationError, match="Expected at least 10 rated verses"):
        calibration.fit([0.1], [1], "x")
    with pytest.raises(calibration.CalibrationError, match="ratings from 1 to 5"):
        calibration.fit([0.1] * 10, [0] * 10, "x")
    (tmp_path / "broken.json").write_text(json.dumps({"raw": [1]}))
    with pytest.raises(calibration.CalibrationError, match="Expected a calibration in broken.json"):
        calibration.load(tmp_path / "broken.json")


CURVE = {"raw": [0.1, 0.9], "rating": [1.0, 4.0], "scorer": "cross#1", "ratings": 12, "data": "d"}


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"raw": [0.9, 0.1]}, "falls somewhere"), ({"rating": [4.0, 1.0]}, "falls somewhere"),
     ({"rating": [0.5, 4.0]}, "leaves the scale from 1 to 5"), ({"rating": [1.0, 5.1]}, "leaves the scale"),
     ({"raw": [0.1, 1e999]}, "not two numbers for each"), ({"raw": [0.1]}, "not two numbers for each"),
     ({"ratings": 1e999}, "infinity"), ({"scorer": "cross#2"}, "it is of cross#2, and verses are judged by cross#1")],
)  # fmt: skip
def test_a_curve_that_is_none_or_another_judges_is_refused(tmp_path, change, reason):
    file = tmp_path / "calibration.json"
    file.write_text(json.dumps(CURVE))
    assert calibration.load(file, "cross#1").apply(0.5) == pytest.approx(2.5)
    file.write_text(json.dumps(CURVE | change))
    with pytest.raises(calibration.CalibrationError, match=f"Expected a calibration in calibration.json; .*{reason}"):
        calibration.load(file, "cross#1")


def test_a_calibration_is_saved_whole_or_not_at_all(tmp_path, monkeypatch):
    file = tmp_path / "data" / "calibration.json"
    kept = calibration.Calibration((0.1, 0.9), (1.0, 4.0), "cross#1", 12, "d")
    kept.save(file)

    def full_disk(handle):
        raise OSError("No space left on device")

    monkeypatch.setattr(calibration.os, "fsync", full_disk)
    other = calibration.Calibration((0.2,), (3.0,), "cross#1", 12, "e")
    with pytest.raises(OSError, match="No space left"):
        other.save(file)
    assert calibration.load(file) == kept and [each.name for each in file.parent.iterdir()] == [file.name]
    assert other.identity != kept.identity
