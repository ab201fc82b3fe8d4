"""`verify` and `bench` on a corpus small enough to be written here: they must find what is wrong when it is."""

import gzip
import json
import os
import random
import re

import pytest

from tests.verses import VERSES, VIPULAS
from workbench.__main__ import main
from workbench.prosody.metres import find
from workbench.prosody.verse import Verse
from workbench.prosody.wishes import Akshara, Given, Without
from workbench.verification.agreement import Compared, compare, half_verses, put_danda
from workbench.verification.wishes import look_again

KRAMA = "kasyESvaryaM samAnaM ca BUtEH ko vApi krIqate. kasya tulyabalA deva gaRAScESvaryadarpitAH.."
MISPRINT = "tacCiraMH prApatad BUmO SyenAhatamivAmizam. tato'sya kAyo vasuDAM paScAt prApatadacyuta.."


@pytest.fixture
def corpus(tmp_path):
    texts = {
        "gita": (VERSES["anuṣṭubh"][1], True),
        "krama": (KRAMA, True),
        "misprint": (MISPRINT, True),
        "short": ("rAmo vanaM jagAma. sItA ca..", False),
        **{form: (text, True) for form, text in VIPULAS.items()},
    }
    path = tmp_path / "corpus.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as rows:
        for name, (slp1, full) in texts.items():
            rows.write(json.dumps({"id": name, "slp1": slp1, "full_anustubh": full}) + "\n")
    return path


def test_disagreements_are_counted_and_listed_with_a_reason(corpus, tmp_path, capsys):
    table = tmp_path / "table.tsv"
    assert main(["verify", "corpus", str(corpus), "--table", str(table)]) == 0
    said = capsys.readouterr().out
    assert "8  verses" in said
    assert "7  full by skrutable" in said
    assert "5  accepted by the automaton" in said
    assert "2  disagreements\n" in said
    assert "0  disagreements without a reason" in said
    assert "skrutable 2.9.3" in said and "corpus.jsonl.gz#" in said
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
    assert [row[0] for row in rows] == ["id", "krama", "misprint"]
    assert rows[1][2].startswith("kramasaṃyoga")
    assert rows[2][2] == "misprint: “MH” is not Sanskrit spelling"


def test_a_disagreement_without_a_reason_is_none_of_ours():
    strange = Compared("x", True, True, False, True, True, "")
    assert not strange.agrees
    assert compare({"id": "x", "slp1": VERSES["anuṣṭubh"][1], "full_anustubh": True}).agrees


def test_a_lost_danda_is_put_back_after_sixteen_syllables():
    first, second = half_verses(VERSES["anuṣṭubh"][1])
    assert put_danda([f"{first} {second}"]) == [first, second]
    assert put_danda([first, second]) == [first, second]
    assert put_danda(["rAmo vanam"]) == ["rAmo vanam"]


def test_walks_and_automata(capsys):
    assert main(["verify", "walks", "--number", "5", "--metre", "anuṣṭubh", "--metre", "paṅkti"]) == 0
    said = capsys.readouterr().out
    assert said.count("5 of 5 perfect by skrutable, 5 by us\n") == 2
    assert said.count("0 of 5 perfect by skrutable, 5 by us  (its pattern has a gaṇa b that does not exist") == 2


def test_wishes_by_chance(capsys):
    assert main(["verify", "wishes", "--number", "6", "--small", "6", "--workers", "1"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith("states, all reach an end") and " of 6 sets of wishes can be kept" in said[0]
    full, keep = re.fullmatch(r"([0-9]+) of \1 verses full by skrutable, ([0-9]+) keep every wish", said[1]).groups()
    assert full == keep != "0"
    assert said[3].startswith("6 of 6 sets") and said[4] == "of 14,400 in a small world"


def test_a_refusal_that_is_wrong_would_be_found():
    """Two wishes that go together, as if they had been refused: a verse that keeps both is found."""
    anustubh = find("anuṣṭubh")
    wishes = [Akshara("ka", 1, 1), Without("J")]
    certain, found = look_again(anustubh, wishes, random.Random(1))
    assert not certain and all(wish.kept(Verse.from_slp1(found), anustubh) for wish in wishes)
    assert look_again(anustubh, [Akshara("ka", 1, 1), Akshara("ta", 1, 1)], random.Random(1)) == (True, "")
    assert look_again(anustubh, [Given("pArvatI", "4")], random.Random(1)) == (True, "")


def test_labelled_verses(tmp_path, capsys):
    path = tmp_path / "meters.jsonl"
    verses = [
        ("धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः । मामकाः पाण्डवाश्चैव किमकुर्वत संजय ॥", "anuṣṭubh"),
        ("लोकाभिरामं रणरङ्गधीरं राजीवनेत्रं रघुवंशनाथम् । कारुण्यरूपं करुणाकरं तं श्रीरामचन्द्रं शरणं प्रपद्ये ॥", "vaṃśastha"),
    ]
    rows = [{"verse": verse, "meter": label, "label_kind": "curated"} for verse, label in verses]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert main(["verify", "metres", str(path)]) == 0
    said = capsys.readouterr().out
    assert "1  curated: identified" in said
    assert "labelled vaṃśastha, found indravajrā full" in said


def test_bench_measures_all_three(corpus, capsys):
    cores = os.sched_getaffinity(0)
    assert main(["bench", "scansion", str(corpus), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert set(figures["verses_per_second"]) == {"ours", "vidyut", "skrutable"}
    assert all(rate > 0 for rate in figures["verses_per_second"].values())
    assert figures["identified"] >= 6
    assert os.sched_getaffinity(0) == cores  # it measures on one core and gives the others back


@pytest.mark.parametrize("command", [["verify", "corpus"], ["verify", "metres"], ["bench", "scansion"]])
def test_a_missing_or_broken_file_gets_a_sentence(command, tmp_path, capsys):
    assert main([*command, str(tmp_path / "none.jsonl.gz")]) == 2
    assert "none.jsonl.gz" in capsys.readouterr().err
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{\n", encoding="utf-8")
    assert main([*command, str(broken)]) == 2
    assert "Expected JSON in line 1 of broken.jsonl" in capsys.readouterr().err
