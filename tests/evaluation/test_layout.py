"""One table in five formats."""

import csv
import io
import json

import pytest

from workbench.evaluation.certainty import Interval
from workbench.evaluation.layout import FORMATS, Row, Table, render

TABLE = Table(
    "toy",
    "β & others",
    ("model", "FT", "Full %", "Sim"),
    (
        Row(("NLLB_1", True, 82.97, None)),
        Row(("ours", False, Interval(100.0, 99.5, 100.0), 70.754), "embedded#1 | β=5"),
        Row(("ours", False, Interval(90.0, 88.0, 92.0), 60.0), "embedded#2 | β=0"),
        Row(("again", False, Interval(90.0, 88.0, 92.0), 60.0), "embedded#1 | β=5"),
    ),
    ("A remark.",),
)


def test_text_is_aligned_and_marks_what_was_measured_here():
    lines = render(TABLE, "text").splitlines()
    assert lines[0] == "β & others" and lines[2].split() == ["model", "FT", "Full", "%", "Sim"]
    body = lines[4:8]
    assert body[0].endswith("paper") and [line[-3:] for line in body[1:]] == ["[1]", "[2]", "[1]"]
    assert {line.index("yes") if "yes" in line else line.index("no") for line in body} == {body[0].index("yes")}
    assert "100.00 [99.50, 100.00]" in body[1] and "–" in body[0] and "70.75" in body[1]
    assert lines[-3:] == ["A remark.", "[1] embedded#1 | β=5", "[2] embedded#2 | β=0"]


def test_markdown_keeps_its_columns_whatever_stands_in_a_cell():
    odd = Table("t", "t", ("a|b",), (Row(("x|y",)),))
    lines = render(odd, "markdown").splitlines()
    assert all(line.count("|") == 3 for line in lines[2:5])


def test_latex_escapes_what_would_act():
    found = render(TABLE, "latex")
    assert r"NLLB\_1" in found and r"$\beta$ \& others" in found and r"Full \%" in found
    assert found.count(r"\\") >= 5 and found.startswith(r"\begin{table}") and found.endswith(r"\end{table}")
    assert "embedded\\#1" in found and r"\label{tab:toy}" in found


def test_json_and_csv_carry_numbers_and_signatures():
    told = json.loads(render(TABLE, "json"))
    assert [row["source"] for row in told["rows"]] == ["paper", "ours", "ours", "ours"]
    assert told["rows"][1]["Full %"] == {"value": 100.0, "low": 99.5, "high": 100.0}
    assert told["rows"][1]["signature"] == "embedded#1 | β=5" and "signature" not in told["rows"][0]
    rows = list(csv.DictReader(io.StringIO(render(TABLE, "csv"))))
    assert rows[0]["Full %"] == "82.97" and rows[0]["Full % low"] == "" and rows[0]["Sim"] == ""
    assert rows[1]["Full % high"] == "100.0" and rows[1]["source"] == "ours"


def test_what_is_small_is_not_shown_as_nothing():
    small = Table("t", "t", ("p",), (Row((0.0002,), "s"), Row((0.0,), "s"), Row((0.006,), "s")))
    assert [line.split()[0] for line in render(small, "text").splitlines()[4:7]] == ["0.0002", "0.00", "0.01"]


def test_another_format_is_refused():
    assert len(FORMATS) == 5
    with pytest.raises(ValueError, match="Expected a format among"):
        render(TABLE, "pdf")
