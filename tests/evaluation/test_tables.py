"""The paper's tables over runs made by hand, and over the results that ship."""

import csv
import io
import json
import re

import pytest

from tests.evaluation import made
from tests.verses import VERSES
from workbench.__main__ import main
from workbench.evaluation import report, tables
from workbench.evaluation.certainty import Interval
from workbench.evaluation.layout import FORMATS, render
from workbench.evaluation.runs import Run
from workbench.paths import RESULTS
from workbench.prosody.metres import find
from workbench.prosody.verse import Verse


def ours(table):
    return [row.cells for row in table.rows if row.note]


def test_main_counts_what_the_runs_say(tmp_path):
    made.run(tmp_path / "main" / "embedded" / "pingala")
    made.run(tmp_path / "main" / "embedded" / "free", syllables=(32, 32, 30, 40), full=(True, False, False, False))
    table = tables.main_table(tmp_path)
    assert len(table.rows) == 11 + 2
    free, pingala = ours(table)
    assert free[:3] == ("embedded", True, "no constraint") and pingala[2] == "Pingala, our settings"
    assert [free[3].value, free[4].value, pingala[3].value] == [25.0, 50.0, 100.0]
    assert pingala[5].value == pytest.approx(55) and pingala[6].value == pytest.approx(50)
    assert pingala[8].value == pytest.approx(2.15) and pingala[9] is None and free[9] == 1.0
    assert ("NLLB-dist-1.3B", True, "Pingala", 100.0, 100.0, 78.89) in [row.cells[:6] for row in table.rows]


def test_a_run_without_judges_shows_dashes_and_is_compared_by_chrf(tmp_path):
    made.run(tmp_path / "main" / "embedded" / "pingala", judge=(None,) * 4)
    made.run(tmp_path / "main" / "embedded" / "cd", judge=(None,) * 4, syllables=(32, 32, 32, 31))
    cd, pingala = ours(tables.main_table(tmp_path))
    assert cd[5] is None and pingala[6] is None and cd[9] == 1.0 and isinstance(cd[7], Interval)
    assert ours(tables.semantic_bins_table(tmp_path)) == []


def test_a_run_that_a_former_judge_measured_still_reads_and_has_no_sim(tmp_path):
    """Stored before the judge: Sim is the judge's, so that of the cross-encoder's scores none is shown as one."""
    made.run(tmp_path / "main" / "embedded" / "pingala", named="cross")
    made.run(tmp_path / "main" / "embedded" / "cd")
    cd, pingala = ours(tables.main_table(tmp_path))
    assert pingala[5] is None and pingala[6].value == pytest.approx(50) and cd[5].value == pytest.approx(55)
    assert [row[:2] for row in ours(tables.semantic_bins_table(tmp_path))] == [("embedded", "CD")]
    (stored, _) = (run.measures() for _, plan, run in sorted(
        tables.planned_runs("main", tmp_path), key=lambda each: each[1].folder != "pingala"))  # fmt: skip
    assert [each.scores["cross"] for each in stored] == [0.9, 0.7, 0.5, 0.1]


def test_bins_are_the_papers(tmp_path):
    made.run(tmp_path / "main" / "embedded" / "free", (32, 28, 40, 60), (0.8, 0.79, 0.2, 0.0))
    (meaning,) = ours(tables.semantic_bins_table(tmp_path))
    assert meaning == ("embedded", "no constraint", 1, 1, 0, 1, 1)
    (syllables,) = ours(tables.syllable_bins_table(tmp_path))
    assert syllables == ("embedded", "no constraint", 1, 1, 1, 1)
    papers = tables.semantic_bins_table(tmp_path).rows
    assert sum(papers[0].cells[2:]) == sum(papers[1].cells[2:]) == sum(papers[2].cells[2:]) == 1421


@pytest.mark.parametrize(
    ("metre", "syllables", "bins"),
    [
        ("vasantatilakā", (56, 56, 52, 32), (2, 1, 0, 1)),
        ("upajāti (triṣṭubh-jagatī)", (44, 46, 48, 40), (3, 1, 0, 0)),
    ],
)
def test_partial_and_bins_are_the_metres_own(tmp_path, metre, syllables, bins):
    made.run(tmp_path / "main" / "embedded" / "pingala", syllables, metre=metre)
    (row,) = ours(tables.main_table(tmp_path))
    assert row[4].value == 100 * bins[0] / 4
    assert ours(tables.syllable_bins_table(tmp_path)) == [("embedded", "Pingala, our settings", *bins)]


def test_a_mora_metre_is_counted_in_morae(tmp_path):
    """The Nītiśataka's āryā has 57 morae; a word less, and without its end, it has not. What is no verse has none."""
    arya = VERSES["āryā"][1]
    verses = (arya, arya.replace("na Kalu ", "na "), arya.removesuffix("hetuH.."), "?")
    numbers = tuple(sum(map(len, Verse.from_slp1(text).weights)) for text in verses[:3])
    made.run(tmp_path / "main" / "embedded" / "pingala", (*numbers, 0), metre="āryā", verses=verses)
    (row,) = ours(tables.main_table(tmp_path))
    assert row[4].value == 25
    assert [
        outcome.off(find("āryā"))
        for outcome in Run.load(tmp_path / "main" / "embedded" / "pingala").outcomes().values()
    ] == [0, 2, 4, 57]


def test_beta_stands_in_the_order_of_its_weights(tmp_path):
    for beta in (10, 0, 5):
        made.run(tmp_path / "beta" / "embedded" / f"beta-{beta:02}")
    assert [cells[1] for cells in ours(tables.beta_table(tmp_path))] == [0, 5, 10]
    drawn = json.loads(report.curve(tmp_path))
    assert [point["beta"] for point in drawn["ours"]] == [0, 5, 10] and len(drawn["paper"]) == 6
    assert drawn["ours"][0]["full"] == 100 and drawn["paper"][3] == {"beta": 5, "full": 100.0, "sim": 78.89}


def test_judges_tables_stand_beside_the_papers(tmp_path):
    told = {
        "script": "SLP1", "signature": "judges#1",
        "spread": {"cross-encoder": {"positive": 91.0, "negative": 2.0, "spread": 89.0}},
        "accuracy": {"cross-encoder": {"4": 0.99, "16": 0.97, "all": 0.8}},
        "changes": {"pairs": 2, "heard": 0.5, "kinds": {"number": {"pairs": 2, "heard": 0.5}}},
    }  # fmt: skip
    (tmp_path / "judges").mkdir()
    (tmp_path / "judges" / "slp1.json").write_text(json.dumps(told))
    found = {name: ours(tables.from_results(name, tmp_path)) for name in tables.FROM_JUDGES}
    assert found["spread"] == [("cross-encoder, SLP1", 91.0, 2.0, 89.0)]
    assert found["accuracy"] == [("cross-encoder, SLP1", 80.0, 97.0, 99.0)]
    assert found["changes"] == [("number", 2, 50.0), ("all", 2, 50.0)]
    assert found["slp1"][0][:4] == ("SLP1", 91.0, 2.0, 89.0)
    told["spread"]["judge"] = {"positive": 60.0, "negative": 10.0, "spread": 50.0}
    told["accuracy"]["judge"] = {"4": 0.9, "16": 0.8, "all": 0.7}
    (tmp_path / "judges" / "slp1.json").write_text(json.dumps(told))
    assert ours(tables.from_results("slp1", tmp_path))[0][1] == 91.0, "a cross-encoder of one's own, where there is one"
    del told["spread"]["cross-encoder"], told["accuracy"]["cross-encoder"]
    (tmp_path / "judges" / "slp1.json").write_text(json.dumps(told))
    assert ours(tables.from_results("slp1", tmp_path))[0][:5] == ("SLP1", 60.0, 10.0, 50.0, 70.0)


@pytest.fixture(scope="module")
def shipped():
    """Every table that needs results alone, made once: bootstrap intervals take seconds."""
    return {name: tables.from_results(name, RESULTS) for name in (*tables.FROM_RUNS, *tables.FROM_JUDGES)}


@pytest.mark.parametrize("name", [*tables.FROM_RUNS, *tables.FROM_JUDGES])
def test_every_format_has_all_rows_and_all_figures(name, shipped):
    table = shipped[name]
    assert len(table.rows) > 1 and any(row.note for row in table.rows)
    told = {how: render(table, how) for how in FORMATS}
    as_json = json.loads(told["json"])
    assert len(as_json["rows"]) == len(table.rows) == len(list(csv.reader(io.StringIO(told["csv"])))) - 1
    for row in table.rows:
        for word in (cell for cell in row.cells if isinstance(cell, str)):
            assert all(word in told[how] for how in ("text", "markdown", "csv"))
        for figure in (cell for cell in row.cells if isinstance(cell, Interval)):
            assert all(f"{figure.value:.{table.digits}f}" in told[how] for how in ("text", "markdown", "latex"))


@pytest.mark.parametrize("how", FORMATS)
def test_the_command_prints_the_table_in_the_format_asked_for(how, shipped, capsys):
    assert main(["table", "ood", "--format", how]) == 0
    assert capsys.readouterr().out == render(shipped["ood"], how) + "\n"


@pytest.mark.parametrize(
    ("name", "figures"), [("correlation", ["0.6767", "0.7175"]), ("annotators", ["3.080", "0.059"])]
)
def test_tables_of_ratings_have_the_papers_rows_before_anybody_rated(name, figures, capsys):
    assert main(["table", name]) == 0
    shown = capsys.readouterr().out
    assert all(figure in shown for figure in figures) and "No study was named" in shown


def test_what_does_not_belong_together_is_refused(tmp_path, capsys):
    assert main(["table", "mean"]) == 2
    assert "Expected a table among main, ood, beta," in capsys.readouterr().err
    assert main(["table", "main", "rows.jsonl"]) == 2
    assert "Expected no corpus for the table main" in capsys.readouterr().err
    assert main(["table", "main", "--study", "s"]) == 2
    assert "Expected --study only for correlation and annotators" in capsys.readouterr().err
    assert main(["table", "main", "--results", str(tmp_path / "none")]) == 2
    assert "Expected a folder of results" in capsys.readouterr().err


def test_the_document_is_what_the_shipped_results_say(capsys):
    """Fails when docs/RESULTS.md or the β curve is stale: `python -m workbench results` mends it."""
    assert main(["results", "--check"]) == 0, capsys.readouterr().err


def test_a_stale_document_is_told(tmp_path, capsys):
    results = tmp_path / "results"
    made.run(results / "beta" / "embedded" / "beta-05")
    assert main(["results", "--results", str(results), "--check"]) == 2
    assert "they are stale" in capsys.readouterr().err
    assert main(["results", "--results", str(results)]) == 0
    assert main(["results", "--results", str(results), "--check"]) == 0
    text = (tmp_path / "RESULTS.md").read_text(encoding="utf-8")
    assert "## beta" in text and "embedded#abc | beta-05" in text and "## ood" not in text
    (tmp_path / "RESULTS.md").write_text(text.replace("100.00", "99.00"), encoding="utf-8")
    assert main(["results", "--results", str(results), "--check"]) == 2


def test_shipped_results_hold_no_prose():
    """The corpora are not part of the project: verses of ours, ids and figures are all that ships."""
    for file in RESULTS.rglob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            assert set(row) <= {"id", "verse", "full", "syllables", "seconds", "words", "known", "chrf", "chrf_other",
                                "content_words", "words_heard", "heard", "bi", "cross", "judge", "scores"}  # fmt: skip
            assert not re.search(r"\b(?:the|and|of)\b", row.get("verse", ""))
