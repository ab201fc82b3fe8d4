"""The wheel, built without a network: what is in it, and that installed into an empty environment it finds its things
and composes far from any checkout. What it requires is borrowed from the environment that runs the tests."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from tests.packaging.requirements import ROOT
from workbench.prosody.verse import Verse

# Where a checkout's folder is in the wheel.
PLACES = {
    "workbench/": "workbench/",
    "checkpoints/": "workbench/checkpoints/",
    "assets/": "workbench/assets/",
    "docs/results/": "workbench/docs/results/",
    "docs/RESULTS.md": "workbench/docs/RESULTS.md",
}
LOOK_AROUND = """
import json, sys
import workbench
from workbench import composer, find_metre, paths, scan
from workbench.models.entries import find_entry

# Bhagavadgītā 1.1
verse = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः । मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"
print(json.dumps({
    "home": str(paths.HOME),
    "torch": "torch" in sys.modules,
    "weights": (paths.at_home(find_entry("embedded").where) / "model.safetensors").stat().st_size,
    "judges": composer.judges_at_hand(),
    "cards": sorted(composer.cards()),
    "curve": composer.beta_curve() is not None,
    "results": composer.results()[:9],
    "assets": (paths.ASSETS / "workbench.css").is_file(),
    "full": scan(verse)[0].verdict.full,
    "metre": find_metre("vasantatilaka").name,
}))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    subprocess.run([*command, "--disable-pip-version-check", "--wheel-dir", folder], cwd=ROOT, check=True)
    (file,) = folder.iterdir()
    return file


@pytest.fixture
def wheel(built):
    with zipfile.ZipFile(built) as archive:
        yield archive


@pytest.fixture(scope="module")
def empty(built, tmp_path_factory):
    """A new environment with the wheel in it, and beside it only a pointer to where the requirements are installed."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home)
    command = [sys.executable, "-m", "pip", "--python", home / "bin/python", "install", "--no-deps", "--no-index"]
    subprocess.run([*command, "--quiet", "--disable-pip-version-check", built], check=True)
    (packages,) = home.glob("lib/python*/site-packages")
    (packages / "requirements.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return home


def run_in(environment: Path, folder: Path, name: str, *arguments: str) -> str:
    """What a program of an environment prints, started in a folder that is nothing to it."""
    folder.mkdir()
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PINGALA_", "PYTHON"))}
    done = subprocess.run(
        [environment / "bin" / name, *arguments], cwd=folder, env=variables, capture_output=True, text=True, check=True
    )
    return done.stdout


def tracked() -> list[str]:
    return subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\n")


def test_it_holds_what_the_workbench_needs_and_nothing_else(wheel):
    names = set(wheel.namelist())
    wanted = {
        place + name.removeprefix(top) for name in tracked() for top, place in PLACES.items() if name.startswith(top)
    }
    assert len(wanted) > 250 and wanted <= names
    assert {
        "workbench/py.typed",
        "workbench/prosody/metres.toml",
        "workbench/checkpoints/embedded/model.safetensors",
    } <= names
    beside = {name for name in names - wanted if ".dist-info/" not in name}
    assert all(name.startswith("workbench/") and not name.startswith("workbench/tests/") for name in beside)
    assert not any("__pycache__" in name for name in names)


def test_it_says_what_it_is(wheel):
    (said,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    metadata = Parser().parsestr(wheel.read(said).decode())
    assert metadata["Name"] == "pingala-workbench" and metadata["License-Expression"] == "Apache-2.0"
    assert metadata.get_all("Provides-Extra") == ["dev", "hub", "postgres", "ray", "train"]
    assert metadata["Project-URL"] is None
    (entry,) = [name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt")]
    assert "pingala = workbench.__main__:main" in wheel.read(entry).decode().splitlines()


def test_it_finds_its_things_far_from_a_checkout(empty, tmp_path):
    (installed,) = empty.glob("lib/python*/site-packages/workbench")
    assert json.loads(run_in(empty, tmp_path / "elsewhere", "python", "-c", LOOK_AROUND)) == {
        "home": str(installed),
        "torch": False,
        "weights": (ROOT / "checkpoints/embedded/model.safetensors").stat().st_size,
        "judges": True,
        "cards": ["bi-encoder", "embedded", "judge", "lemmatizer", "reader"],
        "curve": True,
        "results": "# Results",
        "assets": True,
        "full": True,
        "metre": "vasantatilakā",
    }


def test_it_composes_far_from_a_checkout(empty, tmp_path):
    """By the command that it installs, and read and weighed by the models that came with it."""
    prose = "The king went to the forest."
    told = json.loads(run_in(empty, tmp_path / "elsewhere", "pingala", "compose", prose, "--beams=4", "--json"))
    first = told["candidates"][0]
    assert told["prose"] == prose and first["full"] and Verse.from_slp1(first["slp1"]).verdict.full
    assert first["meaning"]["judge"] is not None
