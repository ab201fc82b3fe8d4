"""`doctor`: a whole installation is told to be one, and what is damaged is named with what to do."""

import json
import shutil

import pytest

from tests.models import folders
from workbench import paths
from workbench.__main__ import main
from workbench.commands import doctor
from workbench.models import loading
from workbench.semantics import judges as judging


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder = folders.embedded(tmp_path / "embedded")
    monkeypatch.setenv("PINGALA_MODELS", str(folders.register(tmp_path / "models.toml", embedded={"where": folder})))
    monkeypatch.setenv("PINGALA_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("PINGALA_READER", raising=False)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(loading, "_loaded", {})
    monkeypatch.setattr(judging, "_judges", judging.Judges())
    return folder


def states(capsys, code):
    assert main(["doctor", "--json"]) == code
    return {each["what"]: (each["state"], each["said"]) for each in json.loads(capsys.readouterr().out)}


def test_a_whole_installation_is_told_to_be_one(folder, capsys):
    found = states(capsys, 0)
    assert {what for what, (state, _) in found.items() if state == doctor.GOOD} >= {
        "page", "generator", "judges", "reader", "results", "calibration", "folder for data", "database",
    }  # fmt: skip
    assert main(["doctor"]) == 0
    assert "good    database: sqlite, version 3, can be written." in capsys.readouterr().out


def test_what_is_damaged_is_named_with_what_to_do(folder, capsys, monkeypatch, tmp_path):
    weights = folder / "model.safetensors"
    weights.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    monkeypatch.setenv("DATABASE_URL", "mysql://user:secret@here/ratings")
    monkeypatch.setenv("PINGALA_CALIBRATION", str(tmp_path / "calibration.json"))
    (tmp_path / "calibration.json").write_text("{")
    assets = shutil.copytree(paths.ASSETS, tmp_path / "assets")
    (assets / "workbench.css").unlink()
    monkeypatch.setattr(paths, "ASSETS", assets)
    found = states(capsys, 1)
    assert found["generator"] == (
        "bad", "Expected model.safetensors itself; got Git LFS's pointer to it. Run `git lfs pull`.",
    )  # fmt: skip
    assert found["database"][0] == "bad" and "secret" not in str(found)
    assert found["page"] == ("bad", "Expected workbench.css in assets; got none. Fetch the checkout anew.")
    assert found["calibration"][0] == "without" and "Remove it" in found["calibration"][1]
