"""`evaluate`, `reproduce` and `sweep`: figures that follow from known verses; runs that are killed and go on."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.counted import counted
from tests.training import small
from workbench import composer
from workbench.__main__ import main
from workbench.commands.evaluate import show
from workbench.corpora import CorpusError
from workbench.evaluation import evaluate, measures
from workbench.evaluation.measures import Example, Outcome
from workbench.evaluation.runs import Measure, Run
from workbench.prosody import text_reading
from workbench.prosody.metres import find
from workbench.prosody.verse import Verse

VERSES = list(small.VERSES.values())
READ = [Verse.from_slp1(verse) for verse in VERSES]
EXAMPLES = [Example(str(number), prose, verse) for number, (prose, verse) in enumerate(small.VERSES.items())]


def outcome(number, verse, full=True, syllables=32):
    return Outcome(str(number), verse, full, syllables, 0.5)


def test_chrf_of_the_references_themselves_is_perfect():
    assert measures.figures(EXAMPLES, [outcome(n, v) for n, v in enumerate(VERSES)], None, find("anuṣṭubh"))[
        "bleu"
    ] == pytest.approx(100)
    found = measures.likeness(READ, READ).mean()
    assert found["own"] == pytest.approx(100) and found["shuffled"] < 30
    assert found["ratio"] == pytest.approx(found["own"] / found["shuffled"])


def test_one_verse_for_all_says_nothing():
    found = measures.likeness([READ[0]] * len(READ), READ).mean()
    assert found["ratio"] == pytest.approx(1.0, abs=0.01)


def test_chrf_of_a_verse_is_computed_once_however_often_it_is_told(monkeypatch):
    asked = []
    real = measures.CHRF.sentence_score
    monkeypatch.setattr(measures.CHRF, "sentence_score", lambda *given: asked.append(given[1:]) or real(*given))
    measures.chrf.cache_clear()
    made = [outcome(number, verse) for number, verse in enumerate(VERSES[1:] + VERSES[:1])]
    rows, _ = evaluate.measured(EXAMPLES, made)
    once = len(asked)
    assert once <= len(VERSES) * len(VERSES)
    found = measures.figures(EXAMPLES, made, None, find("anuṣṭubh"))
    assert len(asked) == once and [round(each.chrf, 2) for each in rows]
    assert found["chrf"]["own"] == pytest.approx(sum(each.chrf for each in rows) / len(rows), abs=1e-4)


def test_words_of_the_prose_that_are_heard_are_counted(monkeypatch):
    """The poets' verses say more of their own prose than of another's."""
    own, _ = evaluate.measured(EXAMPLES, [outcome(number, verse) for number, verse in enumerate(VERSES)])
    moved = [outcome(number, verse) for number, verse in enumerate(VERSES[1:] + VERSES[:1])]
    others, _ = evaluate.measured(EXAMPLES, moved)
    assert [each.content_words for each in own] == [each.content_words for each in others]
    heard, crossed = (measures.heard_percent(each.listened for each in found) for found in (own, others))
    assert heard > 2 * crossed > 0
    assert Measure.from_row(own[0].as_row()) == own[0]
    monkeypatch.setenv("PINGALA_READER", "none")
    unheard, _ = evaluate.measured(EXAMPLES, moved)
    assert (
        measures.heard_percent(each.listened for each in unheard) is None and "words_heard" not in unheard[0].as_row()
    )


def test_a_verse_is_not_read_again_to_be_measured_and_what_is_none_says_nothing(monkeypatch):
    readings = counted(monkeypatch, text_reading.read_text)
    written = "nobody's verse, 1"
    made = [outcome(0, VERSES[0]), outcome(1, written, False, 0), outcome(2, "", False, 0)]
    (verse, *others), _ = evaluate.measured(EXAMPLES[:3], made)
    assert {text for text, *_ in readings} == {written, ""}
    assert verse.content_words and verse.words_heard and all(verse.scores.values())
    assert not any(each.content_words or any(each.scores.values()) for each in others)


def test_figures_count_what_they_say():
    half = "yadA yadA hi Darmasya glAnirBavati BArata"
    made = [
        outcome(0, VERSES[0]),
        outcome(1, VERSES[0]),
        outcome(2, f"{half}. nUnaM kim.."),
        outcome(3, f"{half}.", False, 16),
    ]
    made += [outcome(4, VERSES[4]), outcome(5, "", False, 0)]
    found = measures.figures(EXAMPLES, made, {"yadA", "hi"}, find("anuṣṭubh"))
    assert found["verses"] == 6 and found["full_percent"] == pytest.approx(400 / 6)
    assert found["partial_percent"] == pytest.approx(400 / 6)
    assert found["distinct_verses"] == 5
    assert found["most_frequent_half"] == {"text": half, "times": 3}
    # yadA yadA in three of them; of the references yuge yuge as well, which none of these has.
    assert found["repeating_percent"] == pytest.approx({"composed": 50, "references": 100 * 2 / 6})
    said = [word for each in made for word in each.composed.words]
    assert found["words"]["composed"] == len(said)
    assert found["words"]["composed_known_percent"] == pytest.approx(100 * 9 / len(said))


def test_evaluate_prints_what_the_issue_names(tmp_path, capsys):
    corpus = small.write_rows(tmp_path / "rows.jsonl.gz", small.ROWS)
    arguments = ["evaluate", str(corpus), "--beams", "3", "--beta", "0", "--guidance", "0", "--repetition", "0"]
    arguments += ["--words", str(corpus), "--perplexity", str(corpus)]
    assert main([*arguments, "--unconstrained", "--json"]) == 0
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


def test_a_stored_run_is_composed_anew_and_what_differs_is_shown(tmp_path, capsys):
    corpus = small.write_rows(tmp_path / "rows.jsonl.gz", small.ROWS)
    run = tmp_path / "run"
    assert main(["evaluate", str(corpus), "--beams", "3", "--batch", "2", "--rank", "model", "--out", str(run)]) == 0
    capsys.readouterr()
    assert main(["verify", "stored", str(run), str(corpus), "--limit", "3"]) == 0
    assert "4 of 4 verses are the same to the letter" in capsys.readouterr().out
    lines = (run / "verses.jsonl").read_text(encoding="utf-8").splitlines()
    stored = json.loads(lines[0])
    lines[0] = json.dumps({**stored, "verse": "another.."})
    (run / "verses.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["verify", "stored", str(run), str(corpus)]) == 1
    said = capsys.readouterr().out
    assert "5 of 6 verses are the same" in said and "before: another.." in said and stored["verse"] in said
    other = small.write_rows(tmp_path / "other.jsonl.gz", small.ROWS[::-1])
    assert main(["verify", "stored", str(run), str(other)]) == 2
    assert "Expected the run's own data" in capsys.readouterr().err


@pytest.mark.parametrize("metre", ["vasantatilaka", "āryā"])
def test_every_metre_is_measured_by_its_own_length(metre, tmp_path, capsys):
    corpus = small.write_rows(tmp_path / "rows.jsonl.gz", small.ROWS[:2])
    assert main(["evaluate", str(corpus), "--beams", "2", "--metre", metre]) == 0
    said = capsys.readouterr().out
    assert "100.00 %  full, 100.00 % partial, by skrutable" in said and "do not have" not in said


def test_what_is_too_short_is_told_in_the_metres_own_unit():
    made = [outcome(0, VERSES[0]), outcome(1, f"{VERSES[0].split('.')[0]}.", False, 16)]
    for name, line in [("anuṣṭubh", "1  verses do not have 32 syllables: 1 of 16"),
                       ("āryā", "2  verses do not have 57 morae: 1 of 27, 1 of 51"),
                       ("upajāti (miśra)", "2  verses do not have 44 to 48 syllables: 1 of 16, 1 of 32")]:  # fmt: skip
        figures = measures.figures(EXAMPLES[:2], made, None, find(name))
        assert line in show("constrained", {**figures, "signature": "s"}, find(name))


def begun(folder, chosen, batch=2):
    told = evaluate.describe_run(
        "rows.jsonl", len(chosen), evaluate.composer.HOUSE.but(rank="model"), "embedded", batch
    )
    return Run.begin(folder, told, resume=folder.is_dir())


def test_what_a_run_has_is_not_made_again(tmp_path, monkeypatch):
    run = begun(tmp_path / "run", EXAMPLES[:5])
    run.add([outcome(0, "kept.."), outcome(1, "kept.."), outcome(2, "kept..")])
    made = []

    def compose(task):
        made.append([example.id for example in task[0]])
        return [outcome(example.id, "new..") for example in task[0]]

    monkeypatch.setattr(evaluate, "compose_batch", compose)
    settings = evaluate.composer.HOUSE
    found = list(evaluate.outcomes(EXAMPLES[:5], settings, "embedded", run=run, batch=2))
    # The batch of 2 and 3 is made whole, as it would have been, but 2 stays as it was.
    assert made == [["2", "3"], ["4"]]
    assert [each.verse for each in evaluate.in_order(EXAMPLES[:5], found)] == ["kept.."] * 3 + ["new.."] * 2
    assert run.outcomes() == {each.id: each for each in found}
    assert list(evaluate.outcomes(EXAMPLES[:5], settings, "embedded", run=run, batch=2)) == found and len(made) == 2


def test_a_run_ranked_by_other_judges_is_another_run(tmp_path, monkeypatch):
    def told(rank):
        return evaluate.describe_run("rows.jsonl", 1, evaluate.composer.HOUSE.but(rank=rank), "embedded")

    assert told("meaning")["ranked_by"] is None, "there are no judges here"
    Run.begin(tmp_path / "meaning", told("meaning"), resume=False)
    Run.begin(tmp_path / "model", told("model"), resume=False)
    monkeypatch.setattr(evaluate.composer, "ranker_identity", lambda: "judges#1")
    Run.begin(tmp_path / "model", told("model"), resume=True)
    with pytest.raises(CorpusError, match="its ranked_by was None, and is judges#1 now"):
        Run.begin(tmp_path / "meaning", told("meaning"), resume=True)


def test_prose_that_is_none_gets_no_verse_and_the_others_do(tmp_path):
    rows = [{**small.ROWS[0], "id": "good"}, {**small.ROWS[1], "id": "bad", "en": "   "}]
    corpus = small.write_rows(tmp_path / "rows.jsonl.gz", rows)
    assert main(["evaluate", str(corpus), "--beams", "2", "--out", str(tmp_path / "run")]) == 0
    found = Run.load(tmp_path / "run").outcomes()
    assert found["good"].full and not found["bad"].full and found["bad"].verse == ""


def test_a_run_is_resumed_only_as_itself(tmp_path, capsys):
    corpus = small.write_rows(tmp_path / "rows.jsonl.gz", small.ROWS)
    arguments = ["evaluate", str(corpus), "--beams", "2", "--limit", "2"]
    assert main([*arguments, "--out", str(tmp_path / "run")]) == 0
    assert main([*arguments, "--out", str(tmp_path / "run")]) == 2
    assert "--resume goes on with it" in capsys.readouterr().err
    assert main([*arguments, "--out", str(tmp_path / "run"), "--resume", "--beta", "1"]) == 2
    assert "its beta was" in capsys.readouterr().err
    assert main([*arguments, "--resume"]) == 2
    assert "Expected --out" in capsys.readouterr().err
    assert main([*arguments, "--unconstrained", "--out", str(tmp_path / "two")]) == 2
    assert "--mode free with an --out of its own" in capsys.readouterr().err


JUDGES = [entry.variable for entry in composer.judge_entries().values()]
MANY = [{**row, "id": f"{row['id']}.{copy}"} for copy in range(3) for row in small.ROWS]


def started(*arguments):
    """A process without judges, as the tests here are."""
    root = Path(__file__).resolve().parents[2]
    without = {"PYTHONPATH": str(root), **dict.fromkeys(JUDGES, "none")}
    return subprocess.Popen(
        [sys.executable, "-m", "workbench", *arguments], cwd=root, env={**os.environ, **without},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def until_rows(process, file, number):
    """Wait until so many rows are there; the test's own time limit ends it when they never come."""
    while not file.is_file() or len(file.read_bytes().splitlines()) < number:
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.005)


def test_a_killed_run_goes_on_and_gives_the_same_tables(tmp_path, capsys):
    corpus = small.write_rows(tmp_path / "rows.jsonl.gz", MANY)
    plans = ["--only", "cd", "pingala"]
    arguments = [str(corpus), *plans, "--batch", "1", "--words", str(corpus)]
    assert main(["reproduce", "main", *arguments, "--results", str(tmp_path / "whole")]) == 0
    capsys.readouterr()
    broken = tmp_path / "broken"
    stopped = 0  # in the middle of a run, and not after its end
    for wanted, folder in ((3, "cd"), (9, "cd"), (5, "pingala")):
        process = started("reproduce", "main", *arguments, "--results", str(broken))
        with process:
            until_rows(process, broken / "main" / "embedded" / folder / "verses.jsonl", wanted)
            process.send_signal(signal.SIGKILL)
        stopped += not (broken / "main" / "embedded" / folder / "measures.jsonl").is_file()
    assert stopped
    assert main(["reproduce", "main", *arguments, "--results", str(broken)]) == 0
    capsys.readouterr()
    for table in ("main", "semantic-bins", "syllable-bins"):
        for how in ("text", "json", "csv"):
            said = []
            for results in ("whole", "broken"):
                assert main(["table", table, "--results", str(tmp_path / results), "--format", how]) == 0
                said.append(capsys.readouterr().out)
            assert said[0] == said[1] and said[0].count("embedded#") >= (0 if table == "semantic-bins" else 2)


def test_reproduce_makes_the_beta_table_and_the_modern_one(tmp_path, capsys):
    corpus = small.write_rows(tmp_path / "rows.jsonl.gz", small.ROWS)
    results = ["--results", str(tmp_path / "results"), "--limit", "3"]
    assert main(["reproduce", "beta", str(corpus), *results, "--only", "beta-00", "beta-05"]) == 0
    rows = re.findall(r"embedded +[05] +(\S+ \[\S+ \S+\])", capsys.readouterr().out)
    assert rows == ["100.00 [100.00, 100.00]"] * 2  # Full is the first column
    assert main(["reproduce", "ood", *results]) == 0
    assert "3 rows of modern.jsonl#" in capsys.readouterr().out
    assert main(["reproduce", "main", *results]) == 2
    assert "Expected a corpus for main" in capsys.readouterr().err
    assert main(["reproduce", "beta", str(corpus), *results, "--only", "beta-99"]) == 2
    assert "Expected --only among beta-00" in capsys.readouterr().err


def ray_workers(process):
    found = []
    for child in psutil.Process(process.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if "ray::compose_batch" in " ".join(child.cmdline()):
                found.append(child)
    return found


def test_a_lost_ray_workers_rows_are_done_again(tmp_path):
    rows = [{**row, "id": f"{row['id']}.{copy}"} for copy in range(10) for row in small.ROWS]
    corpus = small.write_rows(tmp_path / "rows.jsonl.gz", rows)
    out = tmp_path / "run"
    arguments = ["evaluate", str(corpus), "--beams", "3", "--batch", "1", "--ray", "local", "--out", str(out), "--json"]
    with started(*arguments) as process:
        until_rows(process, out / "verses.jsonl", 1)
        while not (workers := ray_workers(process)):  # between two tasks a worker is called idle
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.01)
        for worker in workers:
            worker.kill()
        said, complaints = process.communicate()
    assert process.returncode == 0, complaints
    report = json.loads(said.splitlines()[-1])["constrained"]
    assert report["verses"] == len(rows) and report["full_percent"] == 100
    here = tmp_path / "here"
    assert main(["evaluate", str(corpus), "--beams", "3", "--batch", "1", "--out", str(here)]) == 0
    assert [each.verse for each in Run.load(out).outcomes().values()] == [
        each.verse for each in Run.load(here).outcomes().values()
    ]
    assert Run.load(out).signature == Run.load(here).signature


def test_fifty_modern_sentences_ship():
    from workbench.evaluation.reproduction import MODERN

    chosen = evaluate.examples(MODERN)
    assert len({example.prose for example in chosen}) == 50 and all(not example.reference for example in chosen)


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
    heard = lines[0].split("\t").index("heard %")
    assert all(0 <= float(line.split("\t")[heard]) <= 100 for line in lines[1:4]) and "reader#" in lines[4]
    modern = small.write_rows(tmp_path / "modern.jsonl.gz", [{"id": row["id"], "en": row["en"]} for row in small.ROWS])
    assert main(["sweep", str(modern), "--limit", "2", "--only", "β 5", "--table", str(table)]) == 0
    assert table.read_text(encoding="utf-8").splitlines()[1].split("\t")[2:5] == ["–"] * 3  # not 0: not measured
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
