"""Figures: what is drawn, and files that a browser really made."""

import pytest

from tests.evaluation import made
from workbench.__main__ import main
from workbench.evaluation import figures, tables


def test_the_curve_has_the_papers_points_and_ours(tmp_path):
    for beta in (0, 5):
        made.run(tmp_path / "beta" / "embedded" / f"beta-{beta:02}")
    drawn = {trace.name: trace for trace in figures.beta(tables.beta_table(tmp_path)).data}
    assert list(drawn["Full %, paper"].x) == ["0", "1", "3", "5", "7", "10"]
    assert list(drawn["Sim, ours"].x) == ["0", "5"] and drawn["Sim, ours"].y[0] == pytest.approx(55)
    assert list(drawn["Sim (bi), ours"].x) == ["0", "5"] and "Sim (bi), paper" not in drawn
    assert "chrF, times that with others' references, ours" in drawn


@pytest.mark.parametrize("ending", ["png", "svg", "html"])
def test_files_are_what_their_endings_say(ending, tmp_path, capsys):
    file = tmp_path / f"pipeline.{ending}"
    assert main(["figure", "pipeline", "--out", str(file)]) == 0, capsys.readouterr().err
    written = file.read_bytes()
    assert {"png": b"\x89PNG", "svg": b"<svg", "html": b"<html"}[ending] in written[:200]
    if ending != "png":
        assert b"automaton" in written


def test_another_ending_and_a_missing_folder_are_refused(tmp_path, capsys):
    assert main(["figure", "pipeline", "--out", str(tmp_path / "a.pdf")]) == 2
    assert "Expected a file that ends in .png, .svg, .html" in capsys.readouterr().err
    assert main(["figure", "pipeline", "--out", str(tmp_path / "none" / "a.png")]) == 2
    assert "Expected a folder to write in" in capsys.readouterr().err
