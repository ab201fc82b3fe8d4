"""`train bi-encoder`, `train cross-encoder`, `score` and `table`, from corpus to figures, on tiny models."""

import hashlib
import io
import json
import sys

import pytest
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Normalize, Transformer
from sentence_transformers.sentence_transformer.modules import Pooling

from tests.evaluation import made
from tests.models import folders
from tests.semantics import small_cross, small_judge, small_reader
from tests.training import small
from workbench import composer
from workbench.__main__ import main
from workbench.evaluation.measures import Outcome
from workbench.evaluation.runs import Measure, Run
from workbench.prosody.script import write
from workbench.semantics import biencoder
from workbench.semantics import judges as judging
from workbench.training import prose_encoder

PROSE, VERSE = next(iter(small.VERSES.items()))
ENGLISH = json.dumps({"en": "A king.", "sa": "The king went to the forest, didn't he?"}).encode()


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Both judges, trained by the commands for some steps, and a small reader with the judge that ranks over it."""
    there = tmp_path_factory.mktemp("judges")
    small_judge.make(small_reader.make(there / "reader"), there / "judge")
    data = small.corpus(there / "data")
    modules = [Transformer(str(small.encoder(there / "bert"))), Pooling(32, "mean"), Normalize()]
    SentenceTransformer(modules=modules, device="cpu").save_pretrained(str(there / "english"), create_model_card=False)
    folders.embedded(there / "generator", steps=20)
    hub = small_cross.make(there / "infoxlm")
    with pytest.MonkeyPatch.context() as patch:
        weights = (there / "english" / "model.safetensors").read_bytes()
        patch.setattr(prose_encoder, "SHA256", hashlib.sha256(weights).hexdigest())
        finder = there / "bi-encoder" / "model"
        for name, more in (
            ("bi-encoder", ["--encoder", str(there / "english"), "--width", "32", "--layers", "1", "--batch", "6"]),
            ("cross-encoder", ["--start", str(hub), "--finder", str(finder), "--batch", "6", "--script", "slp1"]),
        ):
            (there / name).mkdir()
            (there / name / "plan.json").write_text(json.dumps({"steps": 10}))
            arguments = ["train", name, "--data", str(data), "--out", str(there / name), "--hours", "1", "--resume"]
            assert main([*arguments, *more]) == 0
    return there


@pytest.fixture(autouse=True)
def at_hand(trained, monkeypatch):
    monkeypatch.setenv("PINGALA_READER", str(trained / "reader" / "model"))
    monkeypatch.setenv("PINGALA_JUDGE", str(trained / "judge"))
    monkeypatch.setenv("PINGALA_BI_ENCODER", str(trained / "bi-encoder" / "model"))
    monkeypatch.setenv("PINGALA_CROSS_ENCODER", str(trained / "cross-encoder" / "model"))
    monkeypatch.setattr(judging, "_judges", judging.Judges())


def score(monkeypatch, *lines):
    class Input:
        buffer = io.BytesIO(b"\n".join(lines))

    monkeypatch.setattr(sys, "stdin", Input)
    return main(["score"])


def test_score_is_the_same_for_every_script_with_or_without_dandas(monkeypatch, capsys):
    texts = [
        write(verse, script) for verse in (VERSE, VERSE.replace(".", "")) for script in ("devanagari", "iast", "slp1")
    ]
    assert score(monkeypatch, *(json.dumps({"en": PROSE, "sa": text}).encode() for text in texts)) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(found) == 6 and all(set(each) == {"heard", "bi", "cross", "judge", "calibrated"} for each in found)
    for each in found:
        for name in ("bi", "cross", "heard", "judge"):
            assert each[name] == pytest.approx(found[0][name], abs=1e-4)
        assert each["calibrated"] is None


def test_what_cannot_be_scored_gets_a_sentence_in_its_line(monkeypatch, capsys):
    good = json.dumps({"en": PROSE, "sa": VERSE}).encode()
    bad = [
        b"no json",
        b'{"en": "A king."}',
        b'{"en": "A king.", "sa": ""}',
        ENGLISH,
        b"\xff",
    ]
    assert score(monkeypatch, *bad, good) == 2
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert ["error" in line for line in lines] == [True] * 5 + [False] and "cross" in lines[-1]
    assert "Expected" in err
    assert score(monkeypatch, b"") == 2


def test_tables_print_the_papers_figures(tmp_path, capsys):
    rows = [{**row, "id": f"{row['id']}.{copy}"} for copy in range(3) for row in small.ROWS]
    corpus = small.write_rows(tmp_path / "rows.jsonl.gz", rows)
    wanted = {
        "spread": dict.fromkeys(("reader", "bi-encoder", "cross-encoder", "judge"), {"positive", "negative", "spread"}),
        "accuracy": dict.fromkeys(("reader", "bi-encoder", "cross-encoder", "judge"), {"4", "16", "all"}),
    }
    for table, keys in wanted.items():
        assert main(["table", table, str(corpus), "--json"]) == 0
        rows = json.loads(capsys.readouterr().out)["rows"]
        ours = {row["judge"].removesuffix(", SLP1"): row for row in rows if row["source"] == "ours"}
        assert set(ours) == set(keys) and all(set(ours[name]) >= keys[name] for name in keys)
        signed = ours["bi-encoder"]["signature"]
        assert "bi-encoder model#" in signed and "rows.jsonl.gz#" in signed
        assert {row["judge"] for row in rows if row["source"] == "paper"} == {"bge-m3", "cross-encoder"}
        assert main(["table", table, str(corpus)]) == 0
        assert "cross-encoder, SLP1" in capsys.readouterr().out
    assert main(["table", "changes", str(corpus), "--json"]) == 0
    heard = {row["change"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert heard["all"]["pairs"] > 0 and 0 <= heard["all"]["heard %"] <= 100 and "negation added" in heard
    results = tmp_path / "results"
    assert main(["reproduce", "judges", str(corpus), "--results", str(results)]) == 0
    capsys.readouterr()
    for table in ("spread", "slp1"):
        assert main(["table", table, "--results", str(results)]) == 0
        shown = capsys.readouterr().out
        assert main(["table", table, str(corpus)]) == 0
        assert capsys.readouterr().out == shown
    few = small.write_rows(tmp_path / "few.jsonl.gz", small.ROWS)
    assert main(["table", "spread", str(few)]) == 2
    assert "Expected at least 17 rows" in capsys.readouterr().err


def test_without_a_cross_encoder_the_tables_are_the_others(tmp_path, monkeypatch, capsys):
    rows = [{**row, "id": f"{row['id']}.{copy}"} for copy in range(3) for row in small.ROWS]
    corpus = small.write_rows(tmp_path / "rows.jsonl.gz", rows)
    monkeypatch.delenv("PINGALA_CROSS_ENCODER")
    told = {}
    for table in ("spread", "slp1", "changes"):
        assert main(["table", table, str(corpus), "--json"]) == 0
        told[table] = [row for row in json.loads(capsys.readouterr().out)["rows"] if row["source"] == "ours"]
    assert [row["judge"] for row in told["spread"]] == ["reader, SLP1", "bi-encoder, SLP1", "judge, SLP1"]
    assert "cross-encoder" not in told["spread"][0]["signature"]
    (of_script,), of_judge = told["slp1"], told["spread"][2]
    assert [of_script[key] for key in ("script", "positive", "spread")] == [
        "SLP1",
        of_judge["positive"],
        of_judge["spread"],
    ]
    assert told["changes"][-1]["pairs"] > 0


def test_a_stored_run_is_measured_anew_without_its_generator(tmp_path, monkeypatch, capsys):
    corpus = small.write_rows(tmp_path / "rows.jsonl.gz", small.ROWS)
    data = hashlib.sha256(corpus.read_bytes()).hexdigest()[:12]
    folder = tmp_path / "results" / "ood" / "gone" / "pingala"
    stored = Run.begin(folder, made.description(model="gone", data=data), resume=False)
    outcomes = [Outcome(f"bg.{at}", VERSE, True, 32, 0.5, {"judge": 0.123}) for at in (3, 0, 2)]
    before = [Measure(each.id, 7, 3, None, None, {"bi": 0.5, "cross": 0.9, "judge": 0.123}) for each in outcomes]
    stored.add(outcomes)
    stored.finish(outcomes, before, "former#1")
    asked = ["reproduce", "ood", str(corpus), "--model", "gone", "--again", "--results", str(tmp_path / "results")]
    monkeypatch.delenv("PINGALA_CROSS_ENCODER")
    assert main(asked) == 0
    capsys.readouterr()
    found = Run.load(folder)
    proses = {row["id"]: row["en"] for row in small.ROWS}
    said = composer.score([(proses[each.id], VERSE) for each in outcomes], "slp1", ["judge"])
    assert [each.scores["judge"] for each in found.measures()] == [
        pytest.approx(one["judge"], abs=1e-5) for one in said
    ]
    assert all(set(each.scores) == {"heard", "bi", "judge"} and each.known == 3 and each.content_words
               for each in found.measures())  # fmt: skip
    assert list(found.outcomes().values()) == outcomes and found.description["judges"] == composer.judges_identity()
    kept = (folder / "measures.jsonl").read_bytes()
    monkeypatch.setenv("PINGALA_BI_ENCODER", "none")
    monkeypatch.setattr(judging, "_judges", judging.Judges())
    assert main(asked) == 2 and "PINGALA_BI_ENCODER is none" in capsys.readouterr().err
    monkeypatch.delenv("PINGALA_BI_ENCODER")  # the one that ships
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PINGALA_JUDGE", str(tmp_path / "empty"))
    monkeypatch.setattr(judging, "_judges", judging.Judges())
    assert main(asked) == 2 and "Expected whole judges of meaning" in capsys.readouterr().err
    other = small.write_rows(tmp_path / "other.jsonl.gz", small.ROWS[:4])
    assert main([*asked[:2], str(other), *asked[3:]]) == 2
    assert f"Expected the run's own corpus, rows.jsonl#{data}; got one#" in capsys.readouterr().err
    assert (folder / "measures.jsonl").read_bytes() == kept


def test_candidates_are_chosen_by_meaning_and_counted(trained, tmp_path, monkeypatch, capsys):
    models = folders.register(tmp_path / "models.toml", embedded={"where": trained / "generator" / "model"})
    monkeypatch.setenv("PINGALA_MODELS", str(models))
    corpus = small.write_rows(tmp_path / "dev.jsonl.gz", small.ROWS)
    arguments = ["candidates", str(corpus), "--limit", "4", "--sizes", "8", "1", "3"]
    assert main([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["candidates"] for row in told["rows"]] == [1, 3, 8]
    meant = [row["judge"] for row in told["rows"]]
    assert meant == sorted(meant) and told["rows"][0]["gain_percent"] == 0 and told["rows"][0]["p"] == 1
    assert "samples=8" in told["signature"] and " | judge judge#" in told["signature"]
    assert main(arguments) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    assert main([*arguments, "--beside", "--beams", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert "beams=2, returned=2" in told["signature"] and "draws=6" in told["signature"]
    assert "samples=0" in told["signature"] and told["rows"][0]["gain_percent"] == 0
    assert main(["candidates", "itihasa.test1421.jsonl.gz"]) == 2
    assert "never chosen on test" in capsys.readouterr().err
    assert main(["candidates", str(corpus), "--sizes", "0"]) == 2
    assert "Expected --sizes of at least 1" in capsys.readouterr().err


def test_a_run_is_not_begun_twice(trained, capsys):
    arguments = ["train", "bi-encoder", "--data", str(trained / "data"), "--out", str(trained / "bi-encoder")]
    assert main([*arguments, "--hours", "1"]) == 2
    assert "--resume to go on; got" in capsys.readouterr().err
    assert main([*arguments, "--hours", "0"]) == 2
    assert "Expected --hours above 0" in capsys.readouterr().err


def test_a_generators_encoder_can_read_the_english(trained, tmp_path, capsys):
    out = tmp_path / "bi"
    out.mkdir()
    (out / "plan.json").write_text(json.dumps({"steps": 2}))
    arguments = ["train", "bi-encoder", "--data", str(trained / "data"), "--out", str(out), "--hours", "1", "--resume"]
    arguments += ["--width", "32", "--layers", "1", "--batch", "6", "--reader"]
    assert main([*arguments, str(trained / "generator" / "model")]) == 0
    card = (out / "model" / "README.md").read_text(encoding="utf-8")
    assert "the encoder of model#" in card
    assert biencoder.load(out / "model").prose([PROSE]).shape == (1, 64), "mean and greatest of 32"
    written = [file for file in (out / "model").rglob("*") if file.suffix in {".json", ".md"}]
    assert written and not any(str(tmp_path) in file.read_text(encoding="utf-8") for file in written)
    assert main([*arguments, str(trained / "english")]) == 2
    assert "Expected a generator's folder for --reader" in capsys.readouterr().err
