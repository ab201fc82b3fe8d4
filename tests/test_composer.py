"""The door: verses in, plain data out."""

import json

import pytest

from tests.verses import VERSES
from workbench import composer


def test_a_scan_is_json_with_what_the_issue_names():
    (scan,) = composer.scan(VERSES["anuṣṭubh"][1])
    verse = json.loads(json.dumps(scan.as_json("iast")))
    assert verse["slp1"] == "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya .."
    assert (verse["metre"], verse["full"], verse["script"], verse["problems"]) == ("anuṣṭubh", True, "slp1", [])
    assert verse["padas"][0] | {"reasons": []} == {
        "syllables": ["dha", "rma", "kṣe", "tre", "ku", "ru", "kṣe", "tre"],
        "weights": "gggglggg",
        "form": "pathyā",
        "reasons": [],
    }
    assert verse["padas"][0]["reasons"][0] == "guru: the conjunct rm follows"
    assert verse["padas"][3]["reasons"][7].endswith("The pāda ends here, so either weight will do.")
    assert verse["skrutable"] == {"label": "anuṣṭubh (1,2: pathyā; 3,4: pathyā)", "score": 9}


def test_a_fault_is_told_at_its_syllable():
    (scan,) = composer.scan(VERSES["anuṣṭubh"][1].replace("yuyutsavaH", "yudDArTinaH"))
    verse = scan.as_json()
    assert verse["padas"][1]["reasons"][4] == (
        "guru: the conjunct ddh follows. Pāda 2, syllable 5 (yu) is guru; it should be laghu."
    )


def test_a_pada_end_that_is_not_free_is_not_called_free():
    (scan,) = composer.scan(VERSES["udgatā"][1])
    assert "either weight" not in scan.as_json()["padas"][0]["reasons"][-1]


def test_a_metre_by_any_name_or_none():
    assert composer.find_metre("auto") is None
    assert composer.find_metre("") is None
    assert composer.find_metre("Śloka").name == "anuṣṭubh"
    with pytest.raises(composer.UnknownMetre):
        composer.scan(VERSES["anuṣṭubh"][1], metre="haiku")
