"""`evaluate` and `sweep`: figures that follow from known verses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.training import small
from workbench.__main__ import main
from workbench.experiments import evaluation
from workbench.experiments.evaluation import Example, Outcome

VERSES = list(small.VERSES.values())
EXAMPLES = [Example(str(number), prose, verse) for number, (prose, verse) in enumerate(small.VERSES.items())]


def outcome(number, verse, full=True, syllables=32):
    return Outcome(str(number), verse, full, syllables, 0.5)


def test_chrf_of_the_references_themselves_is_perfect():
    found = evaluation.chrf(VERSES, VERSES)
    assert found["own"] == pytest.approx(100) and found["shuffled"] < 30
    assert found["ratio"] == pytest.approx(found["own"] / found["shuffled"])


def test_one_verse_for_all_says_nothing():
    found = evaluation.chrf([VERSES[0]] * len(VERSES), VERSES)
    assert found["ratio"] == pytest.approx(1.0, abs=0.01)


def test_figures_count_what_they_say():
    half = "yadA yadA hi Darmasya glAnirBavati BArata"
    made = [
        outcome(0, VERSES[0]),
        outcome(1, VERSES[0]),
        outcome(2, f"{half}. nUnaM kim.."),
        outcome(3, f"{half}.", False, 16),
    ]
    made += [outcome(4, VERSES[4]), outcome(5, "", False, 0)]
    found = evaluation.figures(EXAMPLES, made, {"yadA", "hi"})
    assert found["verses"] == 6 and found["full_percent"] == pytest.approx(400 / 6)
    assert found["partial_percent"] == pytest.approx(400 / 6)
    assert found["distinct_verses"] == 5
    assert found["most_frequent_half"] == {"text": half, "times": 3}
    said = [word for each in made for word in evaluation.words(each.verse)]
    assert found["words"]["composed"] == len(said)
    assert found["words"]["composed_known_percent"] == pytest.approx(100 * 9 / len(said))


def test_evaluate_prints_what_the_issue_names(tmp_path, capsys):
    corpus = small.write_rows(tmp_path / "rows.jsonl.gz", small.ROWS)
    arguments = ["evaluate", str(corpus), "--beams", "3", "--words", str(corpus), "--perplexity", str(corpus)]
    assert main([*arguments, "--unconstrained", "--keep", str(tmp_path / "kept.jsonl"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    exact, free = report["constrained"], report["unconstrained"]
    assert exact["full_percent"] == exact["partial_percent"] == 100
    assert exact["chrf"]["own"] > 90 and exact["chrf"]["ratio"] > 2
    assert exact["words"]["references_known_percent"] == 100
    assert free["verses"] == 6 and "mode=free" in free["signature"]
    assert "embedded#" in exact["signature"] and "rows.jsonl.gz#" in exact["signature"]
    assert report["perplexity"]["nats_a_verse"] < 10 and report["perplexity"]["verses"] == 6
    assert main([*arguments]) == 0
    assert "100.00 %  full, 100.00 % partial, by skrutable" in capsys.readouterr().out


def test_what_is_kept_is_not_made_again(tmp_path, monkeypatch):
    kept = tmp_path / "kept.jsonl"
    kept.write_text(json.dumps(outcome(1, "kept..").__dict__) + "\n")
    made = []
    monkeypatch.setattr(evaluation, "_outcome", lambda task: made.append(task[0].id) or outcome(task[0].id, "new.."))
    settings = evaluation.composer.HOUSE
    found = list(evaluation.outcomes(EXAMPLES[:3], settings, "embedded", kept=kept))
    assert [each.verse for each in found] == ["new..", "kept..", "new.."] and made == ["0", "2"]
    assert len(kept.read_text().splitlines()) == 3
    assert list(evaluation.outcomes(EXAMPLES[:3], settings, "embedded", kept=kept)) == found and len(made) == 2


def test_settings_are_never_chosen_on_test(tmp_path, capsys):
    corpus = small.write_rows(tmp_path / "itihasa.test1421.jsonl.gz", small.ROWS)
    assert main(["sweep", str(corpus)]) == 2
    assert "settings are never chosen on test" in capsys.readouterr().err


def test_sweep_makes_a_table(tmp_path, capsys):
    corpus = small.write_rows(tmp_path / "dev.jsonl.gz", small.ROWS)
    table = tmp_path / "table.tsv"
    names = ["base: β 0, whole vocabulary", "β 5", "guidance 0.5"]
    assert main(["sweep", str(corpus), "--limit", "2", "--only", *names, "--table", str(table)]) == 0
    lines = table.read_text(encoding="utf-8").splitlines()
    assert [line.split("\t")[0] for line in lines[1:4]] == names
    assert all(line.split("\t")[1] == "100.00" for line in lines[1:4]) and "dev.jsonl.gz#" in lines[4]
    assert main(["sweep", str(corpus), "--only", "β 99"]) == 2
    assert "Expected variants among" in capsys.readouterr().err


@pytest.mark.parametrize("how", ["workers", "accelerate"])
def test_the_work_can_be_spread(how, tmp_path):
    corpus = small.write_rows(tmp_path / "rows.jsonl.gz", small.ROWS)
    command = ["workbench", "evaluate", str(corpus), "--beams", "2", "--json"]
    if how == "workers":
        started = [sys.executable, "-m", *command, "--workers", "2"]
    else:
        launch = ["-m", "accelerate.commands.launch", "--cpu", "--num_processes", "2", "--num_machines", "1"]
        launch += ["--mixed_precision", "no", "--dynamo_backend", "no", "--main_process_port", "0", "-m"]
        started = [sys.executable, *launch, *command]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        started, capture_output=True, text=True, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}
    )
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["constrained"]["verses"] == 6
    assert json.loads(line)["constrained"]["full_percent"] == 100
