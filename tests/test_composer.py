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


def test_lines_that_nothing_but_their_ends_divides():
    indravajra = VERSES["indravajrā"][1]
    padas = "lokABirAmaM raRaraNgaDIraM\nrAjIvanetraM raGuvaMSanATam\nkAruRyarUpaM karuRAkaraM taM\nSrIrAmacandraM SaraRaM prapadye"
    assert [scan.verdict.metre.name for scan in composer.scan(padas)] == ["indravajrā"]
    faulty = composer.scan(padas.replace("SaraRaM", "SAraRaM"))
    assert [(scan.verdict.metre.name, len(scan.verdict.problems)) for scan in faulty] == [("indravajrā", 1)]
    # Two verses with single daṇḍas only, as the epics are often printed.
    gita = VERSES["anuṣṭubh"][1].replace("..", ".")
    assert [scan.verdict.full for scan in composer.scan(f"{gita} {gita}")] == [True, True]
    one_and_a_half = composer.scan(f"{gita} {gita} {gita.split('.')[0]}")
    assert [len(scan.verdict.padas) for scan in one_and_a_half] == [4, 6]
    assert len(composer.scan(f"{indravajra} {gita}")) == 2
