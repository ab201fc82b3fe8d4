"""Findings as their template draws them: a title, lines, tables with notes under them. Knows no studies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.ui import rating_strings as strings

NUMERIC = "0123456789−–"  # what a number begins with, or stands for one that is not there
NO_FINDINGS: dict[str, Any] = {"title": "", "empty": strings.RESULTS_EMPTY, "lines": [], "tables": []}
NOTHING: dict[str, Any] = {**NO_FINDINGS, "empty": ""}


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[Any]], notes: Sequence[str] = ()) -> dict[str, Any]:
    """A table as the template draws it; the first cell of a row names the row. Notes say what has no row, and why."""
    kinds = [_kind([row[at] for row in rows]) for at in range(1, len(head))]
    return {
        "title": title,
        "head": [{"name": name, "kind": kind} for name, kind in zip(head, ["", *kinds], strict=True)],
        "kinds": kinds,
        "rows": [{"name": str(first), "cells": [str(cell) for cell in rest]} for first, *rest in rows],
        "notes": list(notes) if rows or notes else [strings.NONE_YET],
    }


def _kind(cells: Sequence[Any]) -> str:
    """A column of numbers stands to the right; a reason instead of a number may stand among them."""
    numbers = sum(str(cell)[:1] in NUMERIC for cell in cells if str(cell))
    return "number" if 2 * numbers > len(cells) else ""
