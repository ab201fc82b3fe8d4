"""A study for its owner, as data: what it has found, its exports, its items and raters, and new studies.

Everything but a new study is for whoever holds the study's token, which every call brings along. Knows no page.
"""

from __future__ import annotations

import base64
import io
import tempfile
import zipfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from workbench import composer
from workbench.ratings import export, items, raters, saved, scoring, studies
from workbench.ratings.studies import NewStudy, Study
from workbench.ratings.texts import RatingError, shown, text
from workbench.ui import admin
from workbench.ui import rating_strings as strings
from workbench.ui.database import LIMITER, engine

if TYPE_CHECKING:
    from workbench.ratings.agreement import Figure
    from workbench.ratings.summary import Mean, RaterLine, Summary

LONGEST = 200  # characters of a study's number or a token
PREVIEWED = 20  # rows, and as many errors
QUESTION = "coherence"  # what a calibration is fitted on
TYPES = {"csv": "text/csv", "jsonl": "application/jsonl", "mqm": "text/tab-separated-values",
         "dataset": "application/zip"}  # fmt: skip
NUMERIC = "0123456789−–"  # what a number begins with, or stands for one that is not there
ENDINGS = {"csv": "csv", "jsonl": "jsonl", "mqm": "tsv", "dataset": "zip"}
NO_FINDINGS: dict[str, Any] = {"title": "", "empty": strings.RESULTS_EMPTY, "lines": [], "tables": []}


@dataclass(frozen=True, repr=False)  # a repr would bring the token into logs
class Owner:
    """Who asks: a study's number, its owner's token, and the place they come from."""

    study: str
    token: str
    where: str
    admin: str = ""  # the administrator's token, for what is more than one study's

    def open(self) -> Study:
        """The study, if the token is its owner's; otherwise NoEntry."""
        number = text(self.study, "a study's number", LONGEST)
        return studies.own(engine(), number, text(self.token, "a token", LONGEST), LIMITER, self.where)


def summarise(owner: Owner, question: str) -> tuple[Study, Summary]:
    study = owner.open()
    from workbench.ratings import summary  # brings scikit-learn, which the page does not wait for

    return study, summary.summarise(engine(), study, question if question in study.scales else study.scales[0])


def findings(study: Study, found: Summary) -> dict[str, Any]:
    """The figures as lines and tables; what is undefined says why."""
    count = strings.RESULTS_COUNT.format(
        ratings=found.ratings, items=found.items, covered=found.covered, overlap=study.overlap, gold=found.gold_items
    )
    systems = [(line.name, line.items, line.ratings, mean(line.mean)) for line in found.systems]
    kappas = [(f"{kappa.one} · {kappa.other}", figure(kappa.figure)) for kappa in found.kappas]
    metrics = [
        (metric.name, metric.items, said, figure(pair.pearson), figure(pair.spearman))
        for metric in found.metrics
        for name, said in strings.METRIC_ROWS
        for pair in (getattr(metric, name),)
    ]
    return {
        "title": strings.RESULTS_TITLE.format(study=found.study, question=found.question),
        "empty": "",
        "lines": [count, strings.ALPHA.format(figure=figure(found.alpha)), strings.WITHIN_ONE],
        "tables": [
            table(
                strings.PROGRESS_TABLE, strings.PROGRESS_HEAD, [_rater(line, found.gold_items) for line in found.raters]
            ),
            table(strings.SYSTEM_TABLE, strings.SYSTEM_HEAD, systems),
            table(strings.KAPPA_TABLE, strings.KAPPA_HEAD, kappas),
            table(strings.METRIC_TABLE, strings.METRIC_HEAD, metrics),
        ],
    }


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """A table as the template draws it; the first cell of a row names the row."""
    kinds = [_kind([row[at] for row in rows]) for at in range(1, len(head))]
    return {
        "title": title,
        "head": [{"name": name, "kind": kind} for name, kind in zip(head, ["", *kinds], strict=True)],
        "kinds": kinds,
        "rows": [{"name": str(first), "cells": [str(cell) for cell in rest]} for first, *rest in rows],
        "none": "" if rows else strings.NONE_YET,
    }


def _kind(cells: Sequence[Any]) -> str:
    """A column of numbers stands to the right; a reason instead of a number may stand among them."""
    numbers = sum(str(cell)[:1] in NUMERIC for cell in cells if str(cell))
    return "number" if 2 * numbers > len(cells) else ""


def _rater(line: RaterLine, gold_items: int) -> tuple[Any, ...]:
    said = "; ".join(f"{name}: {value}" for name, value in line.background.items() if value)
    link = strings.LINK_OPEN if line.open_link else strings.LINK_CLOSED
    gold = figure(line.gold) if gold_items else "–"  # above the table stands that there are none
    return (
        line.name, link, line.shown, line.rated, line.skipped, mean(line.mean), figure(line.itself), gold, said,
    )  # fmt: skip


def figure(found: Figure) -> str:
    return found.reason if found.value is None else f"{found.value:.3f}".replace("-", "−")


def mean(found: Mean | None) -> str:
    return (
        f"{found.value:.2f} ({found.low:.2f}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{found.high:.2f})"
        if found
        else strings.NONE_YET
    )


def exported(owner: Owner, kind: str) -> dict[str, str]:
    """An export as a file for the owner's browser: nothing of it stays on the server."""
    study = owner.open()
    if kind not in ENDINGS:
        raise RatingError(f"Expected a format among {', '.join(ENDINGS)}; got {shown(kind)}.")
    if kind == "dataset":
        content = _zipped(study)
    elif kind == "mqm":
        content = export.to_mqm(engine(), study).encode()
    else:
        rows = export.records(engine(), study)
        if kind == "csv":  # which people open in a spreadsheet; the verse as it is kept stands beside it
            rows = [{**row, "devanagari": readable(row["verse"])} for row in rows]
        content = (export.to_csv(rows) if kind == "csv" else export.to_jsonl(rows)).encode()
    name = f"pingala-study-{study.id}.{ENDINGS[kind]}"
    return {"name": name, "type": TYPES[kind], "data": base64.b64encode(content).decode()}


def _zipped(study: Study) -> bytes:
    with tempfile.TemporaryDirectory(prefix="pingala-") as folder:
        base = Path(folder) / "dataset"
        files = export.to_dataset(engine(), study, base)
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                archive.write(file, file.relative_to(base))
        return written.getvalue()


def calibrate(owner: Owner) -> str:
    """Fit and keep the calibration, for everyone; a sentence about it."""
    study = owner.open()
    admin.check(owner.admin, owner.where, LIMITER)
    from workbench.ratings import summary

    return strings.CALIBRATED.format(**composer.calibrate(summary.rated_verses(engine(), study, QUESTION)))


# ------------------------------------------------------------------------------------------- studies, items, raters


def create(
    token: str,
    where: str,
    name: str,
    ask: Sequence[str],
    overlap: object,
    repeats: object,
    distance: object,
    seed: object,
    logins: bool,
) -> NewStudy:
    """A new study: by anyone at their own machine; elsewhere by the administrator."""
    admin.check(token, where, LIMITER)
    if not isinstance(repeats, int | float):
        raise RatingError(f"Expected a number as share of repeats; got {shown(repeats)}.")
    whole = [_whole(value, what) for value, what in (
        (overlap, strings.NEW_OVERLAP), (distance, strings.NEW_DISTANCE), (seed, strings.NEW_SEED))]  # fmt: skip
    return studies.create(engine(), name, ask, whole[0], float(repeats), whole[1], whole[2], bool(logins))


def _whole(value: object, what: str) -> int:
    if not isinstance(value, int | float) or value != int(value) or not 0 <= value < 2**31:
        raise RatingError(f"Expected a whole number as “{what}”; got {shown(value)}.")
    return int(value)


def looked_through(owner: Owner, file: str | None, system: str, script: str) -> items.Preview:
    """What an upload would bring. Its name means nothing here; its size is looked at before its content."""
    study = owner.open()
    if not file:
        raise RatingError(strings.ITEMS_NONE)
    items.allow(Path(file).stat().st_size)
    return items.preview(
        study, Path(file).read_bytes(), system=text(system, "a system's name", items.SYSTEM),
        read_verse=lambda verse: composer.read_verse(verse, script),
    )  # fmt: skip


def brought(owner: Owner) -> items.Preview:
    """The saved compositions that a study has not got yet. They are visitors' prose, and not every owner's to read."""
    study = owner.open()
    admin.check(owner.admin, owner.where, LIMITER)
    found = saved.preview(engine(), study)
    if not found.items:
        raise RatingError(strings.ITEMS_SAVED_NONE)
    return found


def readable(slp1: str) -> str:
    """A stored verse for people to read."""
    return composer.Verse.from_slp1(slp1).text("devanagari")


def previewed(found: items.Preview) -> dict[str, Any]:
    rows = [(item.id, item.system, item.prose, readable(item.verse)) for item in found.items[:PREVIEWED]]
    told = [strings.ITEMS_ROW.format(row=each.row, sentence=each.sentence) for each in found.errors[:PREVIEWED]]
    more = len(found.errors) - PREVIEWED
    count = strings.ITEMS_PREVIEW.format(items=len(found.items), errors=len(found.errors))
    return {
        "title": "",
        "empty": "",
        "lines": [count, *told, *([strings.ITEMS_MORE.format(count=more)] if more > 0 else [])],
        "tables": [table("", strings.ITEMS_HEAD, rows)] if rows else [],
    }


def add(owner: Owner, found: items.Preview | None) -> str:
    study = owner.open()
    if found is None or not found.items:
        raise RatingError(strings.ITEMS_NONE)
    new = items.add(engine(), study, found.items)
    return strings.ITEMS_ADDED.format(new=new, known=len(found.items) - new)


def score(owner: Owner, keys: Collection[str]) -> str:
    """Have items scored that lack scores; a sentence about it. That there is no judge is no fault of the items'."""
    study = owner.open()
    try:
        judges = list(composer.judge_entries())
        found = scoring.score(engine(), study, keys, lambda pairs: composer.score(pairs, "slp1"), judges)
    except composer.JudgeError as error:
        return strings.ITEMS_UNSCORED.format(reason=error)
    said = [strings.ITEMS_SCORED.format(count=found.items)]
    if found.unread:
        key, sentence = found.unread[0]
        said.append(strings.ITEMS_UNREAD.format(count=len(found.unread), key=key, sentence=sentence))
    return " ".join(said)


def invite(owner: Owner, name: str, address: str) -> str:
    """A rater's link, which is told this once."""
    study = owner.open()
    token = raters.invite(engine(), study, name).token
    # What stands after # is never sent to a server, nor to any proxy's log.
    return f"{address}?{urlencode({'study': study.id})}#{urlencode({'invite': token})}"


def revoke(owner: Owner, name: str) -> str:
    raters.revoke(engine(), owner.open(), name)
    return strings.REVOKED.format(name=name.strip())
