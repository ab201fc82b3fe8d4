"""What a study has found, for its owner: figures as lines and tables, exports, and the calibration it would make.

Everything is for whoever holds the study's token, which every call brings along (`owner`). Knows no page.
"""

from __future__ import annotations

import base64
import io
import tempfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench import composer
from workbench.ratings import assignment, export
from workbench.ratings.studies import Study
from workbench.ratings.texts import RatingError, shown
from workbench.ui import admin
from workbench.ui import rating_strings as strings
from workbench.ui.database import LIMITER, engine
from workbench.ui.findings import NO_FINDINGS, table
from workbench.ui.owner import Owner, readable
from workbench.ui.strings import OF_FIVE

if TYPE_CHECKING:
    from workbench.ratings.agreement import Figure
    from workbench.ratings.summary import Mean, RaterLine, Summary

QUESTION = "coherence"  # what a calibration is fitted on
TYPES = {"csv": "text/csv", "jsonl": "application/jsonl", "mqm": "text/tab-separated-values",
         "dataset": "application/zip"}  # fmt: skip
ENDINGS = {"csv": "csv", "jsonl": "jsonl", "mqm": "tsv", "dataset": "zip"}


def summarise(owner: Owner, question: str) -> tuple[Study, Summary]:
    study = owner.open()
    from workbench.ratings import summary  # brings scikit-learn, which the page does not wait for

    return study, summary.summarise(engine(), study, question if question in study.scales else study.scales[0])


def findings(study: Study, found: Summary) -> dict[str, Any]:
    """The figures as lines and tables; what is undefined says why, once for all that it is said of."""
    from workbench.ratings import metrics

    title = strings.RESULTS_TITLE.format(study=found.study, question=found.question)
    if not any(line.rated for line in found.raters):
        return {**NO_FINDINGS, "title": title, "empty": "", "lines": [strings.RESULTS_NONE]}
    repeats = assignment.repeats_come(study, found.items + found.gold_items)
    count = strings.RESULTS_COUNT.format(
        ratings=found.ratings, items=found.items, covered=found.covered, overlap=study.overlap, gold=found.gold_items
    )
    people = [_rater(line, repeats, bool(found.gold_items)) for line in found.raters]
    systems = [(line.name, line.items, line.ratings, mean(line.mean)) for line in found.systems]
    kappas = [(f"{each.one} · {each.other}", each.figure) for each in found.kappas]
    defined = [(pair, figure(value)) for pair, value in kappas if value.value is not None]
    scores = [
        (metric.name, metric.items, said, figure(pair.pearson), figure(pair.spearman))
        for metric in found.metrics
        if metric.raw.pearson.value is not None
        for name, said in strings.METRIC_ROWS
        for pair in (getattr(metric, name),)
    ]
    without = metrics.without(found.metrics) if found.metrics else [strings.METRIC_NONE]
    return {
        **NO_FINDINGS,
        "title": title,
        "empty": "",
        "lines": [
            count,
            strings.ALPHA.format(figure=figure(found.alpha)),
            strings.ON_REPEATS if repeats else strings.PLAN_NO_REPEATS,
            *([strings.ON_GOLD] if found.gold_items else []),
        ],
        "tables": [
            table(strings.PROGRESS_TABLE, strings.PROGRESS_HEAD, people),
            table(strings.SYSTEM_TABLE, strings.SYSTEM_HEAD, systems),
            table(strings.KAPPA_TABLE, strings.KAPPA_HEAD, defined, _without_kappa(kappas)),
            table(strings.METRIC_TABLE, strings.METRIC_HEAD, scores, without),
        ],
    }


def _without_kappa(kappas: list[tuple[str, Figure]]) -> list[str]:
    """Why pairs of raters have no κ: of one pair by its names, of several once."""
    pairs = {value.reason: pair for pair, value in kappas if value.value is None}
    counts = Counter(value.reason for _, value in kappas if value.value is None)
    return [
        f"{pairs[reason]}: {reason}" if count == 1 else strings.KAPPA_PAIRS.format(count=count, reason=reason)
        for reason, count in counts.items()
    ]


def _rater(line: RaterLine, repeats: bool, gold: bool) -> tuple[Any, ...]:
    said = "; ".join(f"{name}: {value}" for name, value in line.background.items() if value)
    link = strings.LINK_OPEN if line.open_link else strings.LINK_CLOSED
    # Above the table stands that there are no repeats, or no gold.
    on_repeats = figure(line.itself) if repeats or line.itself.value is not None else "–"
    on_gold = figure(line.gold) if gold else "–"
    return (
        line.name, link, line.shown, line.rated, line.skipped, mean(line.mean), on_repeats, on_gold, said,
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


# ------------------------------------------------------------------------------------------------------ calibration


def calibration(owner: Owner) -> tuple[dict[str, Any], str]:
    """What a calibration by this study would change, for people; and the mark of the ratings it was looked at with."""
    study = owner.open()
    admin.check(owner.admin, owner.where, LIMITER)
    would, now, judge = composer.would_calibrate(_rated(study)), composer.calibrated_now(), composer.ranker()
    rows = [
        (
            f"{each['score']:.3f}",
            f"{each['score']:.2f}" if each["now"] is None else OF_FIVE.format(score=each["now"]),
            OF_FIVE.format(score=each["then"]),
        )
        for each in would["changes"]
    ]
    shown_now = strings.CALIBRATE_NOW[now["by"]].format(**now) if now else strings.CALIBRATE_NOW_NONE
    columns = [name.format(judge=judge.title) for name in strings.CALIBRATE_HEAD]
    return {
        **NO_FINDINGS,
        "title": "",
        "empty": "",
        "lines": [shown_now, strings.CALIBRATE_THEN.format(**would), strings.CALIBRATE_ORDER.format(**would)],
        "tables": [table(strings.CALIBRATE_TABLE, columns, rows)],
    }, would["data"]


def calibrate(owner: Owner, looked_at: str) -> str:
    """Fit and keep the calibration, for everyone, by the ratings that were looked at; a sentence about it."""
    study = owner.open()
    admin.check(owner.admin, owner.where, LIMITER)
    rated = _rated(study)
    if composer.would_calibrate(rated)["data"] != looked_at:
        raise RatingError(strings.CALIBRATE_STALE)
    return strings.CALIBRATED.format(**composer.calibrate(rated))


def forget(owner: Owner) -> str:
    """Take the calibration away, for everyone; a sentence about it."""
    owner.open()
    admin.check(owner.admin, owner.where, LIMITER)
    return strings.CALIBRATION_FORGOTTEN if composer.forget_calibration() else strings.NO_CALIBRATION


def _rated(study: Study) -> list[composer.RatedVerse]:
    from workbench.ratings import summary

    return summary.rated_verses(engine(), study, QUESTION)
