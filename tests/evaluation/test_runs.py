"""A run in a folder: what was added is never lost, and another run is not mistaken for it."""

import pytest

from tests.evaluation import made
from workbench.corpora import CorpusError
from workbench.evaluation.measures import Outcome
from workbench.evaluation.runs import VERSES, Run, finished

ROWS = [Outcome(str(at), f"rAma {at}..", True, 32, 0.1) for at in range(3)]


def test_what_was_added_is_there_after_a_kill_and_a_torn_line_is_not(tmp_path):
    run = Run.begin(tmp_path / "run", made.description(), resume=False)
    run.add(ROWS[:2])
    file = tmp_path / "run" / VERSES
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"id": "2", "verse": "rAm')  # killed while it wrote
    again = Run.begin(tmp_path / "run", made.description(), resume=True)
    assert list(again.outcomes().values()) == ROWS[:2]
    again.add(ROWS[2:])
    assert list(again.outcomes().values()) == ROWS


def test_a_line_torn_at_once_leaves_nothing(tmp_path):
    run = Run.begin(tmp_path / "run", made.description(), resume=False)
    (run.folder / VERSES).write_bytes(b'{"id"')
    assert Run.begin(tmp_path / "run", made.description(), resume=True).outcomes() == {}


def test_a_folder_is_not_begun_twice_nor_gone_on_with_as_another_run(tmp_path):
    Run.begin(tmp_path / "run", made.description(), resume=False)
    with pytest.raises(CorpusError, match="--resume goes on with it"):
        Run.begin(tmp_path / "run", made.description(), resume=False)
    with pytest.raises(CorpusError, match="its rows was 4, and is 5 now"):
        Run.begin(tmp_path / "run", made.description(rows=5), resume=True)
    with pytest.raises(CorpusError, match="its beta was 5.0, and is 3.0 now"):
        Run.begin(tmp_path / "run", made.description(settings={**made.SETTINGS, "beta": 3.0}), resume=True)
    with pytest.raises(CorpusError, match="found no run.json"):
        Run.load(tmp_path)


def test_finished_runs_are_found_and_stopped_ones_are_not(tmp_path):
    made.run(tmp_path / "main" / "embedded" / "pingala")
    Run.begin(tmp_path / "main" / "embedded" / "cd", made.description(), resume=False)
    (only,) = finished(tmp_path)
    assert (
        only.folder.name == "pingala"
        and only.signature == "embedded#abc | pingala | ranked by the model | weighed by judges#1"
    )
    assert [each.scores["judge"] for each in only.measures()] == [0.9, 0.7, 0.5, 0.1]


def test_a_finished_run_stands_in_the_order_it_was_finished_in(tmp_path):
    run = Run.begin(tmp_path / "run", made.description(), resume=False)
    run.add(ROWS[::-1])
    run.finish(ROWS, [], None)
    assert list(run.outcomes().values()) == ROWS
