"""What leaves a study: complete, readable by other programs, and harmless whatever was typed."""

import csv
import io
import json

import pytest
import yaml
from datasets import load_dataset

from tests.ratings import made
from workbench.ratings import export, items, quick, schema, studies
from workbench.ratings.texts import RatingError

EVIL = ['=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", "＝1", "<script>alert(1)</script>", 'a,"b"\nc']


@pytest.fixture
def rated(engine):
    """A study in which everything that can be typed was meant to do harm."""
    study = studies.create(engine, '=cmd|" /C calc"!A0 <b>', made.ALL, overlap=1, repeats=0).study
    made_items = [
        items.Item(text[:50], text, made.VERSE, text[:50], {"note": text}, text, {"bi": -0.5}) for text in EVIL
    ]
    items.add(engine, study, made_items)
    who = made.rater(engine, study, "=rater")
    while shown := made.proceed(engine, who):
        said = {"coherence": 4, "comment": shown.prose, "marks": [{"word": 1, "mark": "ungrammatical"}]}
        made.submit(engine, who, shown.position, said, made.key(shown.position))
    return engine, study


def test_csv_has_everything_and_no_formula(rated):
    rows = export.records(*rated)
    read = list(csv.DictReader(io.StringIO(export.to_csv(rows), newline="")))
    assert len(read) == len(EVIL)
    for row, kept in zip(read, rows, strict=True):
        assert all(not value.startswith(export.FORMULA) or name == "score_bi" for name, value in row.items())
        assert row["comment"].lstrip("'") == kept["comment"] == kept["en"]
        assert json.loads(row["marks"]) == [{"word": 1, "mark": "ungrammatical"}]
        assert row["score_bi"] == "-0.5" and row["coherence"] == "4" and row["rater"] == "'=rater"
    assert export.to_csv([]) == ""


def test_json_lines_are_as_typed(rated):
    rows = [json.loads(line) for line in export.to_jsonl(export.records(*rated)).split("\n") if line]
    assert sorted(row["comment"] for row in rows) == sorted(EVIL)
    assert {row["system"] for row in rows} == set(EVIL) and rows[0]["repeat"] is False


def parse_mqm(text):
    """As mqm_viewer does: lines, ten fields by tabs, a header, the last field an object of JSON."""
    header, *lines = [line.split("\t") for line in text.split("\n") if line.strip()]
    assert header[:2] == ["system", "doc"] and all(len(line) == 10 for line in lines)
    return [dict(zip(header, line, strict=True)) | {"metadata": json.loads(line[9])} for line in lines]


def test_mqm_viewer_gets_its_ten_columns_and_no_markup_but_its_own(rated):
    rows = parse_mqm(export.to_mqm(*rated))
    assert len(rows) == len(EVIL)
    for row in rows:
        assert row["target"].startswith("Darmakzetre <v>kurukzetre</v> samavetA yuyutsavaH .")
        assert (row["category"], row["severity"]) == ("Fluency/Grammar", "Major")
        assert row["metadata"]["segment"]["metrics"] == {"coherence": 4, "bi": -0.5}
        assert (row["doc"], row["rater"]) == ("=cmd|&quot; /C calc&quot;!A0 &lt;b&gt;", "=rater")
        assert row["metadata"]["note"] == row["source"] and row["metadata"]["ratings"]["coherence"] == 4
        for field in ("system", "doc", "rater", "source"):
            assert "<" not in row[field]
        assert "<" not in row["metadata"]["note"]
    assert sorted(int(row["docSegId"]) for row in rows) == list(range(1, len(EVIL) + 1))


def test_mqm_has_a_line_for_each_mark_and_leaves_repeats_out(file_engine):
    study = made.study(file_engine, 10, ("marks",), repeats=0.1, distance=1)
    who = made.rater(file_engine, study)
    made.rate_all(file_engine, who)
    marks = [{"word": 0, "mark": "wrong word"}, {"word": 7, "mark": "missing"}]
    made.submit(file_engine, who, 1, {"marks": marks}, made.key("edit"))
    rows = parse_mqm(export.to_mqm(file_engine, study))
    assert len(export.records(file_engine, study)) == 11 and len(rows) == 11  # ten first showings, one with two marks
    assert [row["category"] for row in rows[:3]] == ["Accuracy/Mistranslation", "Accuracy/Omission", "no-error"]
    assert rows[1]["target"].endswith("kimakurvata <v>saYjaya</v> ..") and "<v>" not in rows[2]["target"]


def test_a_dataset_folder_loads_and_names_no_rater(rated, tmp_path):
    folder = tmp_path / "dataset"
    files = export.to_dataset(*rated, folder)
    assert [file.relative_to(folder).as_posix() for file in files] == ["README.md", "data/ratings.jsonl"]
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert yaml.safe_load(card.split("---")[1])["pretty_name"] == rated[1].name
    assert "<b>" not in card.split("---", 2)[2] and "All statements are there" in card
    loaded = load_dataset(str(folder), "ratings", cache_dir=str(tmp_path / "cache"))["train"]
    assert len(loaded) == len(EVIL) and set(loaded["rater"]) == {"R1"} and set(loaded["coherence"]) == {4}
    with pytest.raises(RatingError, match="Expected a new or empty folder"):
        export.to_dataset(*rated, folder)


def test_quick_ratings_stand_apart_and_count_once(engine):
    study = made.study(engine)
    for _ in range(2):
        quick.rate(engine, "Prose.", made.VERSE, {"beta": 1}, {"coherence": 4, "comment": "=1"}, made.key("visitor"))
    with pytest.raises(RatingError, match="“Semantic coherence: .* has no answer yet"):
        quick.rate(engine, "Prose.", made.VERSE, {}, {"comment": "x"}, made.key("other"))
    (row,) = quick.records(engine)
    assert (row["en"], row["coherence"], row["origin"]) == ("Prose.", 4, {"beta": 1})
    assert "'=1" in export.to_csv([row])
    assert export.records(engine, study) == []
    with schema.reading(engine) as connection:
        assert connection.execute(schema.entries.select()).all() == []
