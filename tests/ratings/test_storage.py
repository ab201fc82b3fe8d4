"""Where data lives, copies that come back in either database, and a Space's backup with a stand-in for the Hub's."""

import json
from pathlib import Path

import pytest

from tests.ratings import made
from tests.ratings.conftest import new_postgresql
from workbench.ratings import export, quick, saved, schema, storage, studies
from workbench.ratings.texts import RatingError


def test_the_environment_says_where(tmp_path, monkeypatch):
    assert storage.folder({}) == Path("data")
    assert storage.folder({"PINGALA_DATA": "elsewhere"}) == Path("elsewhere")
    monkeypatch.setattr(storage, "SPACE_DISK", tmp_path)
    assert storage.folder({"SPACE_ID": "someone/space"}) == tmp_path
    assert storage.folder({}) == Path("data")
    monkeypatch.setattr(storage, "SPACE_DISK", tmp_path / "none")
    assert storage.folder({"SPACE_ID": "someone/space"}) == Path("data")


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_is_reached_by_the_driver_we_have(scheme):
    assert storage.address({"DATABASE_URL": f"{scheme}://u:p@h/d"}) == "postgresql+psycopg://u:p@h/d"


def test_sqlite_is_a_file_in_the_folder(tmp_path):
    environment = {"PINGALA_DATA": str(tmp_path / "new" / "folder")}
    storage.connect(environment).dispose()
    assert (tmp_path / "new" / "folder" / "ratings.db").is_file()


@pytest.fixture
def filled(engine):
    study = made.study(engine, 4, gold=1, logins=True)
    who = made.rater(engine, study, "गार्गी")
    made.rate_all(engine, who, limit=3)
    made.undo(engine, who, made.key("undo"))
    made.skip(engine, who, made.proceed(engine, who).position, made.key("skip"))
    made.enter_as(engine, study.id, "login")
    quick.rate(engine, "P.", made.VERSE, {}, {"coherence": 2}, made.key("quick"))
    assert saved.keep(engine, "P.", made.VERSE, "hidden-system", {"beta": 5}, "signature", {"cross": 0.5})
    return engine, study, who


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_dump_comes_back_and_work_goes_on(filled, target, tmp_path, request):
    engine, study, who = filled
    storage.dump(engine, tmp_path / "dump")
    url = f"sqlite:///{tmp_path / 'back.db'}"
    if target == "postgresql":
        url = new_postgresql(request.getfixturevalue("postgres"))
    back = schema.connect(url)
    assert storage.restore(back, tmp_path / "dump") == 1 + 4 + 2 + 1 + 3 + 5 + 1 + 1
    assert export.records(back, study) == export.records(engine, study)
    assert quick.records(back) == quick.records(engine)
    assert saved.listed(back) == saved.listed(engine)
    assert made.progress(back, who) == made.progress(engine, who)
    made.rate_all(back, who)  # new rows get new numbers
    made.rater(back, study, "another")
    quick.rate(back, "P.", made.VERSE, {}, {"coherence": 2}, made.key("second"))
    assert not saved.keep(back, "P.", made.VERSE, "hidden-system", {"beta": 5}, "signature", {"cross": 0.5})
    assert saved.keep(back, "Q.", made.VERSE, "hidden-system", {}, "signature", {})
    studies.create(back, "Another")
    with pytest.raises(RatingError, match="Expected an empty database"):
        storage.restore(back, tmp_path / "dump")
    back.dispose()


def test_a_dump_leaves_alone_what_has_not_changed(filled, tmp_path):
    engine, study, _ = filled
    files = storage.dump(engine, tmp_path / "dump")
    before = {file.name: file.stat().st_mtime_ns for file in files}
    made.rater(engine, study, "new")
    storage.dump(engine, tmp_path / "dump")
    assert {file.name for file in files if file.stat().st_mtime_ns != before[file.name]} == {"raters.jsonl"}
    assert sorted(file.name for file in (tmp_path / "dump").iterdir()) == sorted(file.name for file in files)


def test_a_dump_with_a_file_missing_is_refused(filled, tmp_path):
    files = storage.dump(filled[0], tmp_path)
    next(file for file in files if file.name == "places.jsonl").unlink()
    fresh = schema.connect(f"sqlite:///{tmp_path / 'fresh.db'}")
    with pytest.raises(RatingError, match="Expected places.jsonl in the dump; there is none."):
        storage.restore(fresh, tmp_path)
    with schema.reading(fresh) as connection:
        assert connection.execute(schema.studies.select()).all() == []
    fresh.dispose()


def test_a_dump_of_a_newer_workbench_is_refused(filled, tmp_path):
    file = next(file for file in storage.dump(filled[0], tmp_path) if file.name == "studies.jsonl")
    file.write_text(
        json.dumps({**json.loads(file.read_text(encoding="utf-8")), "deadline": 3}) + "\n", encoding="utf-8"
    )
    fresh = schema.connect(f"sqlite:///{tmp_path / 'fresh.db'}")
    with pytest.raises(RatingError, match="Expected studies.jsonl with id, name, .* alone; got deadline, which"):
        storage.restore(fresh, tmp_path)
    fresh.dispose()


def test_a_dump_from_before_anything_could_be_saved_comes_back(filled, tmp_path):
    next(file for file in storage.dump(filled[0], tmp_path) if file.name == "saved.jsonl").unlink()
    fresh = schema.connect(f"sqlite:///{tmp_path / 'fresh.db'}")
    assert storage.restore(fresh, tmp_path) == 1 + 4 + 2 + 1 + 3 + 5 + 1
    assert saved.listed(fresh) == []
    fresh.dispose()


class StandIn:
    """What huggingface_hub's CommitScheduler is given, and when it would push."""

    def __init__(self, **given):
        self.given, self.pushed = given, 0

    def push_to_hub(self):
        self.pushed += 1
        return sorted(file.name for file in self.given["folder_path"].glob("*.jsonl"))


def test_a_space_with_a_token_copies_everything_before_each_push(filled, tmp_path):
    environment = {"PINGALA_DATA": str(tmp_path), "PINGALA_BACKUP": "someone/ratings", "HF_TOKEN": "hf_secret"}
    backup = storage.schedule(filled[0], environment, StandIn)
    assert backup.given["repo_id"] == "someone/ratings" and backup.given["private"] is True
    assert backup.given["repo_type"] == "dataset" and backup.given["token"] == "hf_secret"
    assert backup.push_to_hub() == sorted(f"{table.name}.jsonl" for table in schema.TABLES)
    assert backup.pushed == 1
    rows = [json.loads(line) for line in (tmp_path / "backup" / "entries.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) == 5


@pytest.mark.parametrize("missing", ["PINGALA_BACKUP", "HF_TOKEN"])
def test_no_backup_where_it_is_not_set_up(file_engine, missing):
    environment = {"PINGALA_BACKUP": "someone/ratings", "HF_TOKEN": "hf_secret", missing: ""}
    assert storage.schedule(file_engine, environment, StandIn) is None


def test_the_real_scheduler_takes_what_it_is_given(file_engine, tmp_path, monkeypatch):
    """Its own class, with nothing sent: the Hub's answers and its thread are stood in for."""
    import huggingface_hub
    from huggingface_hub import CommitScheduler

    asked = {}
    monkeypatch.setattr(huggingface_hub.HfApi, "create_repo", lambda self, **given: asked.update(given) or Repo())
    monkeypatch.setattr(huggingface_hub.HfApi, "create_commit", lambda self, **given: asked.update(given))
    monkeypatch.setattr(CommitScheduler, "_run_scheduler", lambda self: None)
    monkeypatch.setattr("atexit.register", lambda *given: None)
    environment = {"PINGALA_DATA": str(tmp_path), "PINGALA_BACKUP": "someone/ratings", "HF_TOKEN": "hf_secret"}
    backup = storage.schedule(file_engine, environment)
    made.study(file_engine)
    backup.push_to_hub()
    assert asked["repo_id"] == "someone/ratings" and asked["private"] is True and asked["repo_type"] == "dataset"
    names = {operation.path_in_repo for operation in asked["operations"]}
    assert names == {f"{table.name}.jsonl" for table in schema.TABLES}


class Repo:
    repo_id = "someone/ratings"
