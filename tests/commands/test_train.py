"""`python -m workbench train`: what it refuses, a short run from the corpora to a model that composes, and its resumption."""

import hashlib
import json

import pytest

from tests.models import folders
from tests.training import small
from workbench.__main__ import main
from workbench.training import prose_encoder


@pytest.fixture
def encoder(tmp_path, monkeypatch):
    folder = small.encoder(tmp_path / "encoder")
    monkeypatch.setattr(
        prose_encoder, "SHA256", hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    )
    return folder


def generator(tmp_path, *more):
    return main(
        ["train", "generator", "--data", str(small.prepared(tmp_path / "data")), "--out", str(tmp_path / "run"), *more]
    )


def test_a_run_is_begun_resumed_and_composes(tmp_path, encoder, capsys, monkeypatch):
    begun = ["--encoder", str(encoder), "--hours", "1"]
    recipe = {"width": 32, "heads": 2, "inner": 64, "pieces": 150, "layers": 1, "batch_tokens": 200}
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "recipe.json").write_text(json.dumps(recipe))
    assert generator(tmp_path, *begun, "--steps", "3", "--resume") == 0
    assert generator(tmp_path, *begun, "--steps", "5") == 2
    assert "--resume to go on" in capsys.readouterr().err
    assert generator(tmp_path, *begun, "--steps", "5", "--resume", "--dropout", "0.2") == 0
    runs = [json.loads(line) for line in (tmp_path / "run" / "runs.jsonl").read_text().splitlines()]
    assert len(runs) == 2 and all("itihasa.jsonl.gz#" in run["data"] and run["commit"] for run in runs)
    card = (tmp_path / "run" / "model" / "README.md").read_text(encoding="utf-8")
    assert "5 steps" in card and '"dropout": 0.2' in card and runs[0]["commit"] in card
    assert generator(tmp_path, *begun, "--layers", "2", "--resume") == 2
    assert "Expected the run's own layers" in capsys.readouterr().err
    register = folders.register(tmp_path / "own.toml", embedded={"where": tmp_path / "run" / "model"})
    monkeypatch.setenv("PINGALA_MODELS", str(register))
    assert main(["compose", "A king spoke.", "--beams", "2"]) == 0
    assert "anuṣṭubh · full" in capsys.readouterr().out


def test_what_cannot_be_trained_is_refused(tmp_path, encoder, capsys):
    small.prepared(tmp_path / "data")
    cases = {
        ("--hours", "0"): "Expected --hours above 0; got 0.",
        ("--hours", "1", "--resume"): "Expected a run to go on with",
        ("--hours", "1", "--dropout", "1"): "Expected dropout to be a number of at least 0 and under 1; got 1.0.",
        ("--hours", "1", "--text", "0"): "Expected --text above 0 and at most 1; got 0.",
        ("--hours", "1", "--layers", "0"): "Expected layers to be a whole number from 1 to 48; got 0.",
        ("--hours", "1", "--encoder", str(tmp_path)): "Expected all-MiniLM-L6-v2's model.safetensors",
    }
    for arguments, sentence in cases.items():
        assert generator(tmp_path, "--encoder", str(encoder), *arguments) == 2
        assert sentence in capsys.readouterr().err
    nowhere = ["train", "generator", "--data", str(tmp_path / "no"), "--out", str(tmp_path / "run"), "--hours", "1"]
    assert main([*nowhere, "--encoder", str(encoder)]) == 2
    assert "Expected a folder that `corpus FOLDER --out no` made" in capsys.readouterr().err


def test_tuning_says_how_to_use_what_came_of_it(tmp_path, capsys, monkeypatch):
    model = folders.nllb(tmp_path / "nllb")
    monkeypatch.setenv("PINGALA_MODELS", str(folders.register(tmp_path / "own.toml", nllb={"where": model})))
    data = small.write_rows(tmp_path / "rows.jsonl.gz", small.ROWS)
    assert (
        main(["train", "tune", "nllb", "--data", str(data), "--out", str(tmp_path / "out"), "--steps", "1", "--lora"])
        == 0
    )
    out = capsys.readouterr().out
    assert "[nllb]" in out and f'adapter = "{tmp_path / "out" / "adapter"}"' in out
    refused = {
        ("embedded", str(data)): "embedded is trained by `train generator`",
        ("nllb", "no.jsonl"): "Expected a file of JSON lines or a data set's name on the Hub; found no no.jsonl.",
        ("nllb", "nobody/no-such-data"): "run `hf download --repo-type dataset nobody/no-such-data`",
    }
    for (name, rows), sentence in refused.items():
        assert main(["train", "tune", name, "--data", rows, "--out", str(tmp_path / "out")]) == 2
        assert sentence in capsys.readouterr().err
    strange = small.write_rows(tmp_path / "strange.jsonl.gz", [{"a": "b"}])
    assert main(["train", "tune", "nllb", "--data", str(strange), "--out", str(tmp_path / "out")]) == 2
    assert "Expected a column of prose" in capsys.readouterr().err
