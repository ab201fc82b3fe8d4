"""`measure reader` and `measure graded` from end to end, with a reader that knows four verses by heart."""

import json

import pytest

from tests.semantics import small_judge, small_reader
from workbench.__main__ import main
from workbench.corpora import blind_readings
from workbench.semantics import judges as judging

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


@pytest.fixture
def judged(folder, monkeypatch, tmp_path):
    """A small judge that ranks, over the small reader, and no ratings; where the judge stands."""
    monkeypatch.setenv("PINGALA_READER", str(folder))
    monkeypatch.setenv("PINGALA_JUDGE", str(small_judge.make(folder, tmp_path / "judge")))
    monkeypatch.setenv("PINGALA_DATA", str(tmp_path))
    monkeypatch.setattr(judging, "_judges", judging.Judges())
    return tmp_path / "judge"


def test_a_judge_is_measured_on_graded_verses_and_its_scale_is_kept(corpus, judged, tmp_path, capsys):
    verses = tmp_path / "verses.jsonl"
    (wrong, _), *_ = small_reader.PAIRS.items()
    rows = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
    verses.write_text("".join(json.dumps({"id": row["id"], "verse": wrong}) + "\n" for row in rows), encoding="utf-8")
    assert main(["measure", "graded", str(corpus), "--choose", "--composed", str(verses)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["judge"] == "judge" and found["graded"]["rows"] == 10 and found["graded"]["spearman"] > 0.3
    assert found["composed"]["book_above"] == pytest.approx(0.75)  # for one row in four that verse is the book's own
    assert "judge judge#" in found["signature"] and " | calibration#" in found["signature"]
    # From now on the judge's number is on that scale, and says by what.
    assert judging.judges().scale_by == "graded verses" and "calibration#" in judging.judges().ranked_by
    (said,) = judging.judges().weigh([rows[0]["en"]], [judging.Verse.from_slp1(rows[0]["slp1"])])
    assert 1.0 <= said["calibrated"] <= 5.0


@pytest.mark.parametrize(
    ("name", "more", "sentence"),
    [
        ("test.jsonl", ["--choose"], "nothing is chosen on test"),
        ("dev.jsonl", ["--judge", "beauty"], "Expected a judge of heard, bi, judge; got beauty."),
    ],
)
def test_graded_is_refused_with_a_sentence(corpus, judged, capsys, name, more, sentence):
    corpus.rename(corpus.with_name(name))
    assert main(["measure", "graded", str(corpus.with_name(name)), *more]) != 0
    assert sentence in capsys.readouterr().err


def test_judges_are_held_against_careful_readers_and_one_is_put_on_their_scale(
    corpus, judged, tmp_path, capsys, monkeypatch
):
    verses = list(small_reader.PAIRS)
    lines = [
        {"id": f"r{at}", "of": "dev", "row": f"row {at}", "kind": "first", "meaning": [4.0, 4.5], "grammar": [4.0, 4.0],
         "verse": verses[at % 4]} if at % 2 else
        {"id": f"r{at}", "of": "dev", "row": f"row {at}", "kind": "crossed", "meaning": [1.0, 1.0],
         "grammar": [4.0, 4.0], "verse": verses[(at + 1) % 4]} for at in range(20)
    ]  # fmt: skip
    file = tmp_path / "readings.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    monkeypatch.setattr(blind_readings, "FILE", file)
    assert main(["measure", "blind", "--dev", str(corpus), "--judges", "heard", "judge", "--choose"]) == 0
    said = capsys.readouterr().out
    assert "two readers: verses 20.000, spearman 0." in said or "two readers: verses 20.000, spearman 1." in said
    assert said.count("on the scale from 1 to 5:") == 1  # of the one that ranks
    assert "reader model#" in said and " | judge judge#" in said and "20 verses of readings.jsonl#" in said
    kept = json.loads((judged / "scale.json").read_text(encoding="utf-8"))
    assert kept["by"] == "blind readings" and kept["rating"][-1] > 4 > 2 > kept["rating"][0]
    assert main(["measure", "blind", "--judges", "no-such"]) == 2
    assert "Expected judges among heard, bi, judge; got no-such." in capsys.readouterr().err
