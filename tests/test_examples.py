"""The verses that an empty page shows: made by the generator that ships, and whole; shown without any model."""

import hashlib
import subprocess
import sys

import pytest

from workbench import composer, examples
from workbench.paths import HOME
from workbench.semantics.verse_spelling import fingerprint
from workbench.ui import example_verses

STORED = examples.stored()


def test_they_are_by_the_generator_that_ships_and_anew_by_a_command():
    weights = (HOME / "checkpoints" / "embedded" / "model.safetensors").read_bytes()
    expected = f"embedded#{hashlib.sha256(weights).hexdigest()[:12]}"
    anew = f"the generator has changed: `{STORED['made_by']}` makes the examples anew"
    assert STORED["generator"] == expected, anew
    assert all(each["signature"].startswith(expected) for each in STORED["examples"]), anew
    assert [each["prose"] for each in STORED["examples"]] == list(examples.PROSES), anew
    assert STORED["made_by"] == "python -m workbench examples"
    assert examples.STORED.read_text(encoding="utf-8") == examples.written(STORED)


def test_what_the_first_of_each_says_is_by_the_reader_that_ships():
    """All of them, or none: those of before the examples had readings."""
    readings = [each["candidates"][0].get("reading") for each in STORED["examples"]]
    if any(readings):
        anew = f"the reader or the lemmatizer has changed: `{STORED['made_by']}` makes the examples anew"
        ships = tuple({fingerprint(HOME / "checkpoints" / name)} for name in ("reader", "lemmatizer"))
        assert all(readings), anew
        assert ({each["reader"] for each in readings}, {each["lemmatizer"] for each in readings}) == ships, anew


@pytest.mark.parametrize("number", range(len(examples.PROSES)))
def test_each_is_full_in_its_metre_with_its_grid_and_its_score(number):
    kept = example_verses.example(number)
    shown = kept.verse(0, "devanagari")["verse"]
    assert shown["full"] and shown["grid"]["full"] and shown["grid"]["metre"] == shown["metre"]
    assert shown["example"] == f"An example: “{examples.PROSES[number]}”" and shown["seconds"] == ""
    assert kept.meaning(0)["figure"] and len(kept.table(0, "iast")["rows"]) == examples.CANDIDATES
    assert composer.Settings(**kept.settings) == composer.HOUSE


def test_nobody_loads_a_model_to_show_one():
    said = "import sys; from workbench.ui import example_verses; example_verses.example(3).verse(0, 'iast'); "
    said += "print('torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_a_file_that_is_not_whole_leaves_a_page_without_examples(monkeypatch, tmp_path, caplog):
    monkeypatch.setattr(examples, "STORED", tmp_path / "examples.json")
    for fresh in (examples.stored, example_verses.example):
        fresh.cache_clear()
    assert example_verses.example() is None and example_verses.proses() == []
    assert "python -m workbench examples" in caplog.text
    for fresh in (examples.stored, example_verses.example):
        fresh.cache_clear()
