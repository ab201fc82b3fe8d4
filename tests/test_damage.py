"""Files that were cut off, or written over with nonsense: a sentence names each and says what to do, and the page starts
without what only decorates it."""

import asyncio
import hashlib
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.models import folders
from tests.semantics import small_reader
from workbench import composer, paths
from workbench.damage import first_line, said, sha256
from workbench.evaluation import runs, tables
from workbench.models import loading
from workbench.refusal import Refusal
from workbench.semantics import calibration, registry, weighing
from workbench.semantics import judges as judging
from workbench.ui import reading_card
from workbench.ui.page import build

ROOT = Path(__file__).resolve().parents[1]
PROSE = "You have a right to your work alone"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return folders.embedded(tmp_path_factory.mktemp("whole") / "embedded")


@pytest.fixture
def generator(whole, tmp_path, monkeypatch):
    """A folder with a small generator, to be damaged."""
    folder = shutil.copytree(whole, tmp_path / "embedded")
    monkeypatch.setenv("PINGALA_MODELS", str(folders.register(tmp_path / "models.toml", embedded={"where": folder})))
    monkeypatch.setattr(loading, "_loaded", {})
    monkeypatch.setattr(judging, "HOME", tmp_path)
    monkeypatch.setattr(judging, "_judges", judging.Judges())
    monkeypatch.setenv("PINGALA_CALIBRATION", str(tmp_path / "calibration.json"))
    return folder


def cut(file):
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def composed():
    composing = composer.compose(PROSE, composer.HOUSE.but(beams=3, returned=3), watch=False)
    list(composing)
    return composing.composition


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json", "prose/tokenizer.json"])
@pytest.mark.parametrize("damage", ["cut", "nonsense"])
def test_a_damaged_generator_is_a_sentence_that_names_its_folder(generator, name, damage):
    if damage == "cut":
        cut(generator / name)
    else:
        (generator / name).write_bytes(b"\xff\x00 nonsense")
    with pytest.raises(composer.ModelError, match=r"Expected a whole generator embedded in embedded/; .*doctor"):
        composed()


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b'{"raw": [0.1', b"[]", b'{"raw": [], "rating": []}',
                                    b'{"raw": [0, 1], "rating": [1], "scorer": "", "ratings": 9, "data": ""}',
                                    b'{"raw": [NaN], "rating": [1], "scorer": "", "ratings": 9, "data": ""}'])  # fmt: skip
def test_a_damaged_calibration_is_named_and_verses_are_ranked_without(generator, monkeypatch, damage, caplog):
    file = judging.calibration_file()
    file.write_bytes(damage)
    with pytest.raises(calibration.CalibrationError, match=r"Expected a calibration in calibration.json; .* Remove it"):
        calibration.load(file)

    class Even:
        spelling = "halves"

        def score(self, proses, verses):
            return [0.5 for _ in verses]

    monkeypatch.setenv(registry.ranker().variable, str(generator))  # whose files are hashed for the signature
    made = judging.Judges()
    made._loaded = dict.fromkeys(registry.judge_entries(), Even())
    (scores,) = made.weigh([PROSE], ["a verse"])
    assert scores == {registry.ranker().name: 0.5}
    assert caplog.text.count("Expected a calibration in calibration.json") == 1
    assert made.calibration_fault.startswith("Expected a calibration") and "calibration#" not in made.ranked_by


@pytest.mark.parametrize("name", [registry.ranker().name, weighing.READER])
def test_a_damaged_judge_leaves_the_generators_order_and_says_so(generator, tmp_path, name):
    """The one that ranks, or the reader that it listens with."""
    for each in (registry.ranker(), registry.judge_entries()[weighing.READER]):
        shutil.copytree(paths.HOME / each.folder, tmp_path / each.folder)
    entry = registry.judge_entries()[name]
    folder = tmp_path / entry.folder
    for file in folder.rglob("*.safetensors"):
        cut(file)
    made = composed()
    assert made.candidates and composer.NO_JUDGE in made.notes
    assert any(note.startswith(f"Expected a whole {entry.title} in {folder.name}/") for note in made.notes)


def test_a_damaged_reader_takes_no_verse_away(tmp_path, monkeypatch):
    folder = small_reader.make(tmp_path / "reader")
    cut(folder / "model.safetensors")
    monkeypatch.setenv("PINGALA_READER", str(folder))
    *_, last = reading_card.readings("rājā uvāca", "iast", "iast")
    assert last["error"].startswith("Expected a whole reader in model/; ")


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "a run"
    folder.mkdir()
    (folder / runs.RUN).write_text(json.dumps({"model": "m", "settings": {}, "signature": "s"}))
    row = {"id": "1", "verse": "", "full": True, "syllables": 32, "seconds": 1.0}
    (folder / runs.VERSES).write_text("".join(json.dumps({**row, "id": str(at)}) + "\n" for at in range(3)))
    return folder


def test_a_hash_is_of_all_that_is_in_files_and_what_an_error_said_is_its_first_line(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"first ")
    other.write_bytes(b"second")
    assert sha256(one, other) == hashlib.sha256(b"first second").hexdigest() != sha256(other, one)
    fault = OSError("no such file: /somewhere/else/model.bin.\nand more")
    assert (said(fault), said(KeyError())) == ("no such file: /somewhere/else/model.bin.", "KeyError")
    assert (first_line(fault), first_line(KeyError())) == ("no such file: model.bin", "KeyError")


def test_a_damaged_run_is_a_sentence(run):
    cut(run / runs.RUN)
    for call in (lambda: runs.Run.load(run), lambda: runs.Run.begin(run, {}, resume=True)):
        with pytest.raises(Refusal, match=r"Expected JSON in run.json of a run; .*evaluate"):
            call()


def test_a_torn_middle_row_is_a_sentence_that_names_it(run):
    lines = (run / runs.VERSES).read_text().splitlines()
    (run / runs.VERSES).write_text("\n".join([lines[0], lines[1][:9], lines[2]]) + "\n")
    with pytest.raises(Refusal, match=r"Expected a verse in row 2 of verses.jsonl of a run; .*--resume"):
        runs.Run.load(run).outcomes()


def test_damaged_results_are_a_sentence(tmp_path):
    (tmp_path / tables.JUDGES).mkdir()
    (tmp_path / tables.JUDGES / "one.json").write_text('{"a": ')
    with pytest.raises(Refusal, match=r"Expected JSON in one.json; "):
        tables.judged(tmp_path)


def page():
    async def built():
        return build()

    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(lambda: asyncio.run(built())).result()


def test_the_page_starts_without_what_only_decorates_it(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(paths, "RESULTS", tmp_path)
    monkeypatch.setattr(paths, "RESULTS_PAGE", tmp_path / "RESULTS.md")
    (tmp_path / "beta.json").write_text('{"ours": [')
    (tmp_path / "RESULTS.md").write_bytes(b"\xff\xfe\xff")
    assert page().blocks
    assert "beta.json" in caplog.text and "RESULTS.md" in caplog.text
    (tmp_path / "beta.json").write_text('{"ours": [1]}')
    assert page().blocks


def test_an_app_that_cannot_start_says_why_in_a_sentence(tmp_path):
    (tmp_path / "own.toml").write_text("[mine")
    environment = {**os.environ, "PINGALA_MODELS": str(tmp_path / "own.toml"), "PINGALA_DATA": str(tmp_path)}
    ended = subprocess.run([sys.executable, "app.py"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ended.returncode == 1 and "Traceback" not in ended.stderr
    assert "Expected a TOML file of generators in PINGALA_MODELS" in ended.stderr
