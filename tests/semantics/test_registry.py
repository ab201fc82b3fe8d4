"""The register of judges: what it says of those that ship, and that a new one is an entry and a class."""

import json
import sys
from types import ModuleType

import pytest

from tests.evaluation import made
from tests.verses import VERSES
from workbench import composer
from workbench.evaluation import evaluate, report, tables
from workbench.evaluation.measures import Example, Outcome
from workbench.evaluation.runs import Measure
from workbench.semantics import JudgeError, registry
from workbench.semantics import judges as judging

GITA = VERSES["anuṣṭubh"][1]
PAIR = ("What did they do, Sanjaya?", GITA)


def test_those_that_ship_have_the_names_that_are_stored():
    assert list(registry.known_entries()) == ["heard", "bi", "cross", "judge"] and registry.ranker().name == "judge"
    assert list(registry.judge_entries()) == ["heard", "bi", "judge"] and registry.sim_judge() == registry.ranker()
    assert [entry.label for entry in registry.by_sim()] == ["Sim", "Sim (bi)"]
    assert {entry.variable for entry in registry.known_entries().values()} == {
        "PINGALA_READER", "PINGALA_BI_ENCODER", "PINGALA_CROSS_ENCODER", "PINGALA_JUDGE",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("scores", "meaning", "told"),
    [
        ({"judge": 0.25}, (0.25, 0.25), {"heard": None, "bi": None, "cross": None, "judge": 0.25, "calibrated": None}),
        ({"judge": 0.25, "heard": 0.75, "cross": 0.5, "calibrated": 3.5}, (0.25, 3.5),
         {"heard": 0.75, "bi": None, "cross": 0.5, "judge": 0.25, "calibrated": 3.5}),
    ],
)  # fmt: skip
def test_scores_are_a_mapping_and_the_rankers_is_what_counts(scores, meaning, told):
    assert (registry.meaning(scores), registry.shown(scores)) == meaning
    assert registry.as_json(scores) == told
    assert list(registry.as_json(scores)) == ["heard", "bi", "cross", "judge", "calibrated"]


def test_rows_are_kept_under_the_names_they_always_had():
    scores = {"heard": 0.2, "bi": 0.7, "cross": 0.9}
    row = {"id": "R.1", "words": 7, "known": 6, "chrf": 30.1, "chrf_other": 16.2, **scores, "judge": 0.4}
    assert Measure.from_row(dict(row)).scores == {**scores, "judge": 0.4}
    assert json.dumps(Measure.from_row(dict(row)).as_row()) == json.dumps(row)
    before = {name: value for name, value in row.items() if name != "judge"}  # as they were kept when it was not there
    assert Measure.from_row(dict(before)).scores == scores
    assert json.dumps(Measure.from_row(dict(before)).as_row()) == json.dumps({**before, "judge": None})
    unjudged = {**row, **dict.fromkeys([*scores, "judge"])}
    assert Measure.from_row(dict(unjudged)).scores == {} and Measure.from_row(dict(unjudged)).as_row() == unjudged
    outcome = {"id": "R.1", "verse": GITA, "full": True, "syllables": 32, "seconds": 0.5}
    assert Outcome(**outcome).as_row() == outcome
    kept = {**outcome, "scores": {"cross": 0.123456789}}
    assert Outcome(**kept).as_row() == kept


class Long:
    """A judge that likes long verses."""

    spelling = "slp1"

    def __init__(self, folder):
        self.folder = folder

    def score(self, proses, verses):
        return [len(verse.plain) / 1000 + len(prose) / 100000 for prose, verse in zip(proses, verses, strict=True)]


class Even(Long):
    def score(self, proses, verses):
        return [0.5] * len(verses)


@pytest.fixture
def three(tmp_path, monkeypatch):
    """Those that ship, here by a class that finds all alike, and an entry and a class beside them."""
    text = registry.FILE.read_text(encoding="utf-8")
    for kind in ("support", "biencoder", "crossencoder", "weighing"):
        text = text.replace(f'kind = "{kind}"', 'kind = "even"')
    text += '\n[long]\nkind = "long"\ntitle = "long-judge"\nfolder = "checkpoints/long"\nlabel = "Sim (long)"\n'
    (tmp_path / "judges.toml").write_text(text, encoding="utf-8")
    for name, judge in (("even", Even), ("long", Long)):
        module = ModuleType(f"workbench.semantics.{name}")
        module.load = judge
        monkeypatch.setitem(sys.modules, module.__name__, module)
    for folder in ("reader", "bi-encoder", "judge", "long"):
        (tmp_path / "checkpoints" / folder).mkdir(parents=True)
    monkeypatch.setattr(registry, "FILE", tmp_path / "judges.toml")
    monkeypatch.setattr(judging, "HOME", tmp_path)
    monkeypatch.setattr(judging, "_judges", judging.Judges())
    registry._table.cache_clear()
    yield tmp_path
    registry._table.cache_clear()


def test_a_new_judge_is_an_entry_and_a_class(three, monkeypatch):
    (said,) = composer.score([PAIR])
    words = len(composer.Verse.from_slp1(GITA).plain)
    even = dict.fromkeys(["heard", "bi", "judge"], 0.5)
    assert said == {**even, "cross": None, "long": words / 1000 + len(PAIR[0]) / 100000, "calibrated": None}
    assert composer.score([PAIR], names=["long"]) == [{**said, **dict.fromkeys(even)}]
    assert composer.judges_identity().split(" | ")[-1].startswith("long-judge long#") and composer.judges_at_hand()
    chosen = [Example(str(at), PAIR[0], GITA) for at in range(2)]
    rows, judges = evaluate.measured(chosen, [Outcome(str(at), GITA, True, 32, 0.1) for at in range(2)])
    assert "long-judge" in judges and rows[0].as_row()["long"] == pytest.approx(said["long"], abs=1e-5)
    monkeypatch.setenv("PINGALA_LONG_JUDGE", "none")
    assert not composer.judges_at_hand()


def test_tables_have_a_column_for_it_and_stored_runs_still_read(three, tmp_path):
    made.run(tmp_path / "results" / "beta" / "embedded" / "beta-05")
    table = tables.beta_table(tmp_path / "results")
    assert table.columns == ("model", "β", "Full %", "Sim", "Sim (bi)", "Sim (long)", "chrF", "× others")
    (ours,) = (row.cells for row in table.rows if row.note)
    assert ours[3].value == pytest.approx(55) and ours[4].value == pytest.approx(50)
    assert ours[5] is None  # whom nobody asked when the run was made
    assert all(len(row.cells) == len(table.columns) for row in table.rows)
    (point,) = json.loads(report.curve(tmp_path / "results"))["ours"]
    assert (point["bi"], point["long"]) == (pytest.approx(50), None)


def test_one_that_does_not_ship_is_there_where_somebody_names_it(three, tmp_path, monkeypatch):
    names = set(registry.judge_entries())
    assert names == {"heard", "bi", "judge", "long"} == set(registry.known_entries()) - {"cross"}
    folder = tmp_path / "infoxlm"
    folder.mkdir()
    (folder / "README.md").write_text("# A card", encoding="utf-8")
    assert "cross-encoder" not in composer.cards()
    monkeypatch.setenv("PINGALA_CROSS_ENCODER", str(folder))
    monkeypatch.setattr(judging, "_judges", judging.Judges())
    assert set(registry.judge_entries()) == {*names, "cross"} and composer.judges_at_hand()
    assert composer.score([PAIR])[0]["cross"] == 0.5 and "cross-encoder infoxlm#" in composer.judges_identity()
    assert composer.cards()["cross-encoder"] == "# A card"
    for none in ("none", ""):
        monkeypatch.setenv("PINGALA_CROSS_ENCODER", none)
        assert set(registry.judge_entries()) == names and composer.judges_at_hand()


def test_who_ranks_is_a_name_in_the_register(three):
    text = registry.FILE.read_text(encoding="utf-8")
    registry.FILE.write_text(text.replace('ranker = "judge"', 'ranker = "long"'), encoding="utf-8")
    registry._table.cache_clear()
    verses = [composer.Verse.from_slp1(GITA), composer.Verse.from_slp1(f"{GITA} iti")]
    short, longer = judging.judges().weigh(["A"] * 2, verses)
    assert list(short) == ["long"] and registry.meaning(short) < registry.meaning(longer)
    assert composer.ranker_identity().startswith("long-judge long#")


def test_what_is_not_there_is_refused_with_what_to_run(three):
    (three / "checkpoints" / "long").rmdir()
    with pytest.raises(
        JudgeError, match="Expected a long-judge in checkpoints/long; found none. `python -m workbench t"
    ):
        composer.score([PAIR])
