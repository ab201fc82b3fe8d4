"""`measure reader` from end to end, with a reader that knows four verses by heart."""

import json

import pytest

from tests.semantics import small_reader
from workbench.__main__ import main

SIGNED = "rows of dev.jsonl#"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return small_reader.make(tmp_path_factory.mktemp("reader"))


@pytest.fixture
def corpus(tmp_path):
    file = tmp_path / "dev.jsonl"
    pairs = list(small_reader.PAIRS.items()) * 5
    rows = [{"id": f"row {at}", "en": english, "slp1": verse} for at, (verse, english) in enumerate(pairs)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def measured(capsys, *arguments):
    code = main(["measure", "reader", *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_figures_come_with_their_signature_and_thresholds_are_kept(corpus, folder, tmp_path, capsys):
    file = tmp_path / "figures.json"
    asked = ("--reader", folder, "--figures", "readings", "support", "--choose", "--out", file)
    code, out, _ = measured(capsys, corpus, *asked)
    found = json.loads(out)
    assert code == 0 and found == json.loads(file.read_text(encoding="utf-8"))
    assert SIGNED in found["signature"] and found["readings"]["bleu"] > 2 * found["readings"]["bleu_of_others"]
    assert found["support"]["own"]["heard"] > found["support"]["crossed"]["heard"]
    kept = json.loads((folder / "support.json").read_text(encoding="utf-8"))
    assert kept["chosen_on"].startswith("20 rows of dev.jsonl#") and kept["heard"] == found["thresholds"]["heard"]


def test_the_first_verses_are_printed_with_the_book_and_the_reader(corpus, folder, capsys):
    code, out, _ = measured(capsys, corpus, "--reader", folder, "--first", 2)
    assert code == 0 and out.count("- the book: ") == out.count("- the reader: ") == 2
    assert "**row 0** dharmakṣetre kurukṣetre" in out and "row 2" not in out


@pytest.mark.parametrize(
    ("name", "rows", "more", "sentence"),
    [
        ("test.jsonl", 20, ["--choose"], "Expected the dev corpus: nothing is chosen on test; got"),
        ("dev.jsonl", 16, [], "Expected at least 17 rows; got 16."),
    ],
)
def test_refused_with_a_sentence(corpus, folder, capsys, name, rows, more, sentence):
    file = corpus.with_name(name)
    file.write_text("".join(corpus.read_text(encoding="utf-8").splitlines(keepends=True)[:rows]), encoding="utf-8")
    code, out, err = measured(capsys, file, "--reader", folder, *more)
    assert code != 0 and out == "" and sentence in err
