"""A table as data, and as text, Markdown, LaTeX, JSON and CSV. Knows nothing of what it is about.

A cell is a word, a number or a figure with its interval; a row that was measured here carries a mark, and the mark's
note is its signature.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workbench.evaluation.certainty import Interval

Value = str | int | float | bool | Interval | None
FORMATS = ("text", "markdown", "latex", "json", "csv")


@dataclass(frozen=True)
class Row:
    cells: tuple[Value, ...]
    note: str = ""  # the signature of what was measured here; the paper's rows have none


@dataclass(frozen=True)
class Table:
    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    remarks: tuple[str, ...] = ()
    digits: int = 2

    def notes(self) -> list[str]:
        """The signatures, each once, in the order of the rows."""
        return list(dict.fromkeys(row.note for row in self.rows if row.note))


def render(table: Table, how: str) -> str:
    if how not in FORMATS:
        raise ValueError(f"Expected a format among {', '.join(FORMATS)}; got {how!r}.")
    return {"text": _text, "markdown": _markdown, "latex": _latex, "json": _json, "csv": _csv}[how](table)


def _said(value: Value, digits: int) -> str:
    if value is None:
        return "–"
    if isinstance(value, Interval):
        return f"{value.value:.{digits}f} [{value.low:.{digits}f}, {value.high:.{digits}f}]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and 0 < abs(value) < 0.5 * 10**-digits:
        return f"{value:.1g}"  # small, and not nothing
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def _cells(table: Table) -> list[list[str]]:
    """Every row as words, with the mark of its note in a last column."""
    notes = table.notes()
    return [
        [*(_said(cell, table.digits) for cell in row.cells), f"[{notes.index(row.note) + 1}]" if row.note else "paper"]
        for row in table.rows
    ]


def _tail(table: Table) -> list[str]:
    return [*table.remarks, *(f"[{number}] {note}" for number, note in enumerate(table.notes(), start=1))]


def _text(table: Table) -> str:
    head = [*table.columns, ""]
    body = _cells(table)
    widths = [max(len(line[at]) for line in (head, *body)) for at in range(len(head))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
             for line in (head, *body)]  # fmt: skip
    return "\n".join([table.title, "", lines[0], "-" * sum(widths, 2 * (len(widths) - 1)), *lines[1:], "",
                      *_tail(table)]).rstrip()  # fmt: skip


def _markdown(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"

    head = [*table.columns, ""]
    tail = [f"{said}  " for said in _tail(table)]
    return "\n".join([f"**{table.title}**", "", line(head), line(["---"] * len(head)), *map(line, _cells(table)), "",
                      *tail]).rstrip()  # fmt: skip


LATEX = {"\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
         "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "$": r"\$", "β": r"$\beta$", "α": r"$\alpha$",
         "×": r"$\times$", "–": "--", "|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}"}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(LATEX.get(character, character) for character in text)


def _latex(table: Table) -> str:
    head = [*table.columns, ""]
    body = [" & ".join(map(_tex, line)) + r" \\" for line in _cells(table)]
    notes = [rf"\footnotesize {_tex(said)}\\" for said in _tail(table)]
    return "\n".join([
        r"\begin{table}[ht]", r"\centering", rf"\begin{{tabular}}{{{'l' * len(head)}}}", r"\toprule",
        " & ".join(rf"\textbf{{{_tex(name)}}}" if name else "" for name in head) + r" \\", r"\midrule",
        *body, r"\bottomrule", r"\end{tabular}", rf"\caption{{{_tex(table.title)}}}",
        rf"\label{{tab:{table.name}}}", *([r"\par\raggedright", *notes] if notes else []), r"\end{table}",
    ])  # fmt: skip


def _plain(value: Value) -> Any:
    if isinstance(value, Interval):
        return {"value": value.value, "low": value.low, "high": value.high}
    return value


def _json(table: Table) -> str:
    rows = [
        {**{name: _plain(cell) for name, cell in zip(table.columns, row.cells, strict=True)},
         "source": "ours" if row.note else "paper", **({"signature": row.note} if row.note else {})}
        for row in table.rows
    ]  # fmt: skip
    document = {"table": table.name, "title": table.title, "rows": rows, "remarks": list(table.remarks)}
    return json.dumps(document, ensure_ascii=False, indent=1)


def _csv(table: Table) -> str:
    """A figure with an interval takes three columns."""
    wide = [any(isinstance(row.cells[at], Interval) for row in table.rows) for at in range(len(table.columns))]
    head = [part for name, three in zip(table.columns, wide, strict=True)
            for part in ((name, f"{name} low", f"{name} high") if three else (name,))]  # fmt: skip
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*head, "source", "signature"])
    for row in table.rows:
        cells: list[Any] = []
        for value, three in zip(row.cells, wide, strict=True):
            if isinstance(value, Interval):
                cells += [value.value, value.low, value.high]
            else:
                cells += [value, None, None] if three else [value]
        writer.writerow([*cells, "ours" if row.note else "paper", row.note])
    return out.getvalue().rstrip("\n")
