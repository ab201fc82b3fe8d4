"""`ratings` from the command line: a study from its making to its results, and what is refused."""

import csv
import gzip
import io
import json

import pytest

from tests.ratings import made
from tests.verses import IN_EVERY_SCRIPT
from workbench import composer
from workbench.__main__ import main
from workbench.ratings import items, quick, saved, schema, storage, studies, tokens

SLP1 = "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya .."


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PINGALA_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    return tmp_path


@pytest.fixture
def run(capsys):
    def run(*arguments, code=0):
        assert main(["ratings", *map(str, arguments)]) == code
        return capsys.readouterr()

    return run


@pytest.fixture
def engine():
    connected = storage.connect()
    yield connected
    connected.dispose()


@pytest.fixture
def study(run):
    return json.loads(run("create", "A study", "--ask", "comment", "marks", "--repeats", 0, "--json").out)["study"]


def test_a_study_from_its_making_to_its_results(run, engine, folder):
    told = json.loads(run("create", "A study", "--overlap", 2, "--repeats", 0, "--json").out)
    number = told["study"]
    assert studies.own(engine, number, told["token"], tokens.Limiter(), "here").overlap == 2
    rows = [{"id": at, "en": f"Prose {at}.", "verse": text, "system": "pingala", "score_cross": at / 10}
            for at, text in enumerate([IN_EVERY_SCRIPT["devanagari"], IN_EVERY_SCRIPT["iast"], "стих"])]  # fmt: skip
    upload = folder / "items.jsonl"
    upload.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    seen = run("import", number, upload, "--preview", code=2)
    assert f"0\tpingala\tProse 0.\t{SLP1}\n1\tpingala\tProse 1.\t{SLP1}\n2 items, 0 of them new; 1 rows" in seen.out
    assert seen.err.startswith("Row 3: Expected ")
    assert "2 items, 2 of them new" in run("import", number, upload, code=2).out
    assert json.loads(run("import", number, upload, "--json", code=2).out)["new"] == 0
    invited = [json.loads(line) for line in run("invite", number, "Gārgī", "Maitreyī", "--json").out.splitlines()]
    for each, value in zip(invited, (2, 4), strict=True):
        who = made.enter(engine, number, each["token"], tokens.Limiter(), "here")
        made.rate_all(engine, made.consent(engine, who, {}), value)
    said = run("summary", number).out
    assert "A study: coherence, 4 ratings of 2 items, 2 of them by all the raters they need" in said
    assert "rater Gārgī: 2 rated, 0 skipped, mean 2.00 (2.00 to 2.00)" in said
    assert "system pingala: 2 items, 4 ratings, mean 3.00" in said
    assert said.count("Correlation needs 10 rated items") == 1 and said.count("No item comes twice.") == 2
    assert json.loads(run("summary", number, "--json").out)["raters"][1]["mean"]["value"] == 4
    assert "Expected a question among coherence" in run("summary", number, "--question", "metre", code=2).err
    written = list(csv.DictReader(io.StringIO(run("export", number).out)))
    assert [row["rater"] for row in written] == ["Gārgī"] * 2 + ["Maitreyī"] * 2
    assert len(run("export", number, "--format", "jsonl").out.splitlines()) == 4
    run("export", number, "--format", "mqm", "--out", folder / "study.tsv")
    assert (folder / "study.tsv").read_text(encoding="utf-8").startswith("system\tdoc\t")
    assert "README.md" in run("export", number, "--format", "dataset", "--out", folder / "dataset").out
    assert run("revoke", number, "Gārgī").out == "Gārgī's link is closed.\n"
    with pytest.raises(tokens.NoEntry):
        made.enter(engine, number, invited[0]["token"], tokens.Limiter(), "here")


def test_a_study_stands_beside_the_papers_annotators(engine, capsys):
    study = made.study(engine, 12, ask=())
    for name, more in (("Gārgī", 1), ("Maitreyī", 2)):
        made.rate_all(engine, made.rater(engine, study, name), lambda shown, up=more: int(shown.prose[6:-1]) // 4 + up)
    told = {}
    for table in ("annotators", "correlation"):
        assert main(["table", table, "--study", study.id, "--json"]) == 0
        told[table] = json.loads(capsys.readouterr().out)["rows"]
    ours = [row for row in told["annotators"] if row["source"] == "ours"]
    assert [(row["annotator"], row["ratings"]) for row in ours] == [
        ("Gārgī", 12), ("Maitreyī", 12), ("Krippendorff's α", 24),
    ]  # fmt: skip
    assert ours[0]["semantic coherence"]["value"] == pytest.approx(2) and ours[2]["semantic coherence"] < 1
    assert f"study {study.id} | coherence | 24 ratings of 12 items" in ours[0]["signature"]
    (cross,) = [row for row in told["correlation"] if row["source"] == "ours"]
    assert cross["judge"] == "cross" and cross["items"] == 12 and cross["Pearson"] > 0.9
    assert main(["table", "annotators", "--study", "none"]) == 2
    assert "Expected the id of a study" in capsys.readouterr().err


def test_tokens_are_printed_once_and_kept_nowhere(run, folder):
    created = run("create", "A study").out.split()
    number, token = created[1], created[4]
    invited = run("invite", number, "one").out.split()[0]
    run("backup", folder / "backup")
    run("summary", number, "--json")
    kept = b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())
    assert len(token) == len(invited) == 32
    assert token.encode() not in kept and invited.encode() not in kept


def test_rows_of_evaluate_with_their_corpus(run, study, folder):
    outcomes = folder / "kept.jsonl"
    rows = [{"id": f"R.{at}", "verse": SLP1, "full": True, "syllables": 32, "seconds": 1.0} for at in (1, 2)]
    outcomes.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    corpus = folder / "corpus.jsonl.gz"
    with gzip.open(corpus, "wt", encoding="utf-8") as file:
        file.write(json.dumps({"id": "R.1", "en": "On the field.", "slp1": SLP1}) + "\n")
    seen = run("import", study, outcomes, "--corpus", corpus, "--system", "nllb", "--preview", "--json", code=2)
    told = json.loads(seen.out)
    assert told["errors"] == [{"row": 2, "sentence": "Expected an English prose (en); got nothing."}]
    assert told["preview"][0]["prose"] == "On the field." and told["preview"][0]["settings"]["syllables"] == 32
    assert "Expected a file of JSON lines" in run("import", study, outcomes, "--corpus", "none", code=2).err


def scores(engine, study):
    with schema.reading(engine) as connection:
        return {item.id: dict(item.scores) for _, item in items.stored(connection, studies.find(engine, study))}


def test_saved_compositions_are_imported(run, engine, study):
    assert "0 items, 0 of them new" in run("import", study, "--saved").out
    saved.keep(engine, "A king spoke.", SLP1, "embedded", {"beta": 5}, "sig", {"cross": 0.5})
    (item,) = saved.listed(engine)
    seen = run("import", study, "--saved", "--preview").out
    assert seen == f"{item.id}\tembedded\tA king spoke.\t{SLP1}\n1 items, 0 of them new; 0 rows with errors\n"
    assert json.loads(run("import", study, "--saved", "--json").out)["new"] == 1
    assert scores(engine, study) == {item.id: {"cross": 0.5}}
    assert "Expected a PATH or --saved; got neither." in run("import", study, code=2).err
    assert "Expected a PATH or --saved; got both." in run("import", study, "items.csv", "--saved", code=2).err
    assert "Expected --system for a PATH" in run("import", study, "--saved", "--system", "x", code=2).err


def test_what_comes_without_scores_is_scored(run, engine, study, folder, monkeypatch):
    upload = folder / "items.jsonl"
    rows = [{"id": str(at), "en": f"Prose {at}.", "verse": SLP1, "system": "s"} for at in range(3)]
    upload.write_text(
        "".join(json.dumps(row) + "\n" for row in [*rows, {**rows[0], "id": "3", "score_judge": 0.1}]), "utf-8"
    )
    monkeypatch.setenv("PINGALA_READER", "none")
    seen = run("import", study, upload, "--score")
    assert seen.out == "4 items, 4 of them new; 0 rows with errors\n"
    assert seen.err.startswith(
        "Expected a judge to score the items; none was scored. Expected a reader; PINGALA_READER is none"
    )
    said = [{"bi": 0.5, "judge": 0.75, "calibrated": None}, "Expected a verse.", *[{"bi": 0.25, "judge": 0.25}] * 2]
    monkeypatch.setattr(composer, "score", lambda pairs, script: said[: len(pairs)])
    seen = run("import", study, upload, "--score")
    assert seen.out == "4 items, 0 of them new; 0 rows with errors; 3 got scores\n"
    assert seen.err == "s/1 was not scored: Expected a verse.\n"
    assert scores(engine, study) == {
        "0": {"bi": 0.5, "judge": 0.75}, "1": {}, "2": {"bi": 0.25, "judge": 0.25}, "3": {"judge": 0.1, "bi": 0.25},
    }  # fmt: skip
    assert json.loads(run("import", study, upload, "--json").out)["new"] == 0


def test_the_scores_of_evaluate_are_taken_and_not_made_again(run, engine, study, folder, monkeypatch):
    monkeypatch.setattr(composer, "score", lambda pairs, script: [{"bi": 0.0, "judge": 0.0}] * len(pairs))
    rows = [{"id": f"R.{at}", "en": "On the field.", "verse": SLP1} for at in (1, 2, 3)]
    measures = [
        {"id": "R.1", "words": 7, "bi": 0.5, "judge": 0.75},
        {"id": "R.2", "words": 7, "bi": None, "judge": None},
    ]
    for name, lines in (("verses", rows), ("measures", measures)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    what = ("import", study, folder / "verses.jsonl", "--system", "nllb", "--script", "slp1", "--json")
    told = json.loads(run(*what, "--preview").out)
    assert [each["scores"] for each in told["preview"]] == [{"bi": 0.5, "judge": 0.75}, {}, {}] and told["scored"] == 0
    assert json.loads(run(*what).out)["scored"] == 1
    assert scores(engine, study) == {"R.1": {"bi": 0.5, "judge": 0.75}, "R.2": {}, "R.3": {}}
    told = json.loads(run(*what, "--score").out)
    assert (told["new"], told["scored"]) == (0, 2)
    assert scores(engine, study)["R.1"] == {"bi": 0.5, "judge": 0.75} and scores(engine, study)["R.3"]["judge"] == 0.0
    measures[0]["judge"] = 0.8  # measured anew by another judge: what the study has stays
    (folder / "measures.jsonl").write_text("".join(json.dumps(line) + "\n" for line in measures), encoding="utf-8")
    assert json.loads(run(*what).out)["new"] == 0 and scores(engine, study)["R.1"]["judge"] == 0.75


def test_a_backup_comes_back(run, study, folder, monkeypatch):
    assert "studies.jsonl" in run("backup", folder / "backup").out
    monkeypatch.setenv("PINGALA_DATA", str(folder / "second"))
    assert run("restore", folder / "backup").out == "1 rows restored\n"
    assert "Expected an empty database" in run("restore", folder / "backup", code=2).err
    assert run("summary", study).out.startswith("A study: coherence, 0 ratings")


def test_quick_ratings_are_exported_too(run, engine):
    quick.rate(engine, "P.", SLP1, {"beta": 5}, {"coherence": 3, "comment": "=1"}, "visitor-1")
    assert "'=1" in run("export", "quick").out
    assert json.loads(run("export", "quick", "--format", "jsonl").out)["coherence"] == 3
    assert "Expected csv or jsonl" in run("export", "quick", "--format", "mqm", code=2).err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["summary", "../../etc/passwd"], "Expected the id of a study; there is none called '../../etc/passwd'."),
        (["create", ""], "Expected a study's name; got nothing."),
        (["create", "x", "--overlap", "0"], "Expected at least one rater an item; got 0."),
        (["create", "x", "--ask", "metre"], "Expected questions among grammar"),
        (["restore", "none"], "Expected studies.jsonl in the dump; there is none."),
    ],
)
def test_what_cannot_be_done_gets_a_sentence(run, arguments, sentence):
    assert sentence in run(*arguments, code=2).err


def test_files_that_cannot_be_read_or_are_too_large(run, study, folder):
    assert "No such file or directory" in run("import", study, folder / "none.csv", code=2).err
    large = folder / "large.csv"
    with large.open("wb") as file:
        file.truncate(50_000_000)
    assert "Expected an upload of at most 5 MB; got 50.0 MB." in run("import", study, large, code=2).err
    assert "Expected --out FOLDER for a dataset" in run("export", study, "--format", "dataset", code=2).err


def test_a_server_that_is_not_there_is_told_without_its_password(run, monkeypatch, capsys):
    monkeypatch.setenv("DATABASE_URL", "postgresql://user:secret@127.0.0.1:1/none")
    said = run("summary", "x", code=2).err
    assert said == "Expected a database at DATABASE_URL or in PINGALA_DATA; got OperationalError.\n"
    assert main(["table", "annotators", "--study", "x"]) == 2
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    "url", ["mysql://user:secret@here/ratings", "oracle+x://user:secret@here", "secret", "://secret"]
)
def test_another_database_is_a_sentence_without_its_address(run, monkeypatch, url):
    monkeypatch.setenv("DATABASE_URL", url)
    said = run("summary", "x", code=2).err
    assert said.startswith("Expected DATABASE_URL to begin with postgresql:// ") and "secret" not in said


@pytest.mark.parametrize(
    "row",
    [b'{"id": "0', b"[1]", b"5", b'{"id": "a"}', b"\xff\xfe",
     b'{"id":"a","name":"x","plan":{},"owner":"o","at":"yesterday"}',
     b'{"id":"a","name":"x","plan":{},"owner":"o","at":7}'],
)  # fmt: skip
def test_a_torn_dump_is_a_sentence_that_names_its_row_and_enters_nothing(run, folder, monkeypatch, row):
    run("create", "A study")
    run("backup", folder / "dump")
    with (folder / "dump" / "studies.jsonl").open("ab") as file:
        file.write(row + b"\n")
    monkeypatch.setenv("PINGALA_DATA", str(folder / "other"))
    said = run("restore", folder / "dump", code=2).err
    assert said.startswith("Expected ") and "studies.jsonl" in said and "Traceback" not in said
    engine = storage.connect()
    with schema.reading(engine) as connection:
        assert connection.execute(schema.studies.select()).all() == []
    engine.dispose()
