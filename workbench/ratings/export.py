"""A study's ratings for other programs: CSV, JSON lines, TSV for Google's mqm_viewer, a Hugging Face dataset's folder.

For its owner only: here systems have names. Nothing that a person typed can act where it lands: formulas are made
harmless for spreadsheets, markup for mqm_viewer, which shows fields as HTML.
"""

from __future__ import annotations

import csv
import html
import io
import json
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, select

from workbench.ratings import items, kinds, schema, session
from workbench.ratings.studies import Study
from workbench.ratings.texts import RatingError

# What makes a spreadsheet take a cell for a formula, full-width forms included.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
MQM_COLUMNS = (
    "system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity", "metadata",
)  # fmt: skip
# Raters are not asked how grave an error is, so that all have the same severity.
MQM_SEVERITY, NO_FAULT = "Major", "no-error"


def records(engine: Engine, study: Study) -> list[dict[str, Any]]:
    """A row for every rating that counts, repeats and gold included and marked as such."""
    with schema.reading(engine) as connection:
        known = dict(items.stored(connection, study))
        table = schema.raters
        people = connection.execute(select(table.c.id, table.c.name).where(table.c.study == study.id))
        names = {row.id: row.name for row in people}
        rated = session.standing(connection, study.id)
    scores = sorted({name for item in known.values() for name in item.scores})
    rows = []
    for each in rated:
        item = known[each.place.item]
        rows.append(
            {
                "study": study.id,
                "rater": names[each.place.rater],
                "position": each.place.position,
                "repeat": each.place.repeat,
                "gold": bool(item.gold),
                "id": item.id,
                "en": item.prose,
                "verse": item.verse,
                "system": item.system,
                **{question.name: each.answers.get(question.name) for question in study.questions},
                **{f"{items.SCORE}{name}": item.scores.get(name) for name in scores},
                "settings": dict(item.settings),
                "signature": item.signature,
                "at": each.at.isoformat(),
            }
        )
    return rows


def to_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Records as CSV; what is a list or an object stands there as JSON."""
    written = io.StringIO(newline="")
    if rows:
        table = csv.writer(written)
        table.writerow(map(_cell, rows[0]))
        table.writerows([_cell(value) for value in row.values()] for row in rows)
    return written.getvalue()


def to_jsonl(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def to_mqm(engine: Engine, study: Study) -> str:
    """Ten columns, a line for every marked word, or one that says there is none. Repeats are left out: mqm_viewer would
    take them for more errors. Mean answers and scores are there as its metrics."""
    rows = [row for row in records(engine, study) if not row["repeat"]]
    segments = {number: at for at, number in enumerate(dict.fromkeys(row["id"] for row in rows), start=1)}
    given: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        for name, value in row.items():
            if value is not None and (name in study.scales or name.startswith(items.SCORE)):
                given[row["system"], row["id"]][name.removeprefix(items.SCORE)].append(value)
    lines = ["\t".join(MQM_COLUMNS)]
    for row in rows:
        metrics = {name: statistics.fmean(values) for name, values in given[row["system"], row["id"]].items()}
        asked = ((kinds.of(question), row[question.name]) for question in study.questions)
        said = [(kind, answer) for kind, answer in asked if answer is not None]
        notes = [note for kind, answer in said if (note := kind.note(answer))]
        faults: list[tuple[int | None, str]] = [fault for kind, answer in said for fault in kind.faults(answer)]
        metadata = {"note": _plain(" ".join(notes)), "segment": {"metrics": metrics},
                    "ratings": {name: row[name] for name in study.scales}}  # fmt: skip
        for word, category in faults or [(None, NO_FAULT)]:
            fields = (
                _plain(row["system"]), _plain(study.name), segments[row["id"]], segments[row["id"]],
                _plain(row["rater"]), _plain(row["en"]), _marked(row["verse"], word), category,
                NO_FAULT if word is None else MQM_SEVERITY, json.dumps(metadata, ensure_ascii=False),
            )  # fmt: skip
            lines.append("\t".join(map(str, fields)))
    return "\n".join(lines) + "\n"


def to_dataset(engine: Engine, study: Study, folder: Path) -> list[Path]:
    """A folder that the Hub takes for a dataset. Raters stand in it as R1, R2 and so on."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RatingError(f"Expected a new or empty folder for the dataset; {folder.name} is none.")
    rows = records(engine, study)
    known = {name: f"R{at}" for at, name in enumerate(dict.fromkeys(row["rater"] for row in rows), start=1)}
    flat = [{name: _flat(value) for name, value in {**row, "rater": known[row["rater"]]}.items()} for row in rows]
    (folder / "data").mkdir(parents=True, exist_ok=True)
    files = {"README.md": _card(study, len(flat), len(known)), "data/ratings.jsonl": to_jsonl(flat)}
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    return [folder / name for name in files]


def _cell(value: Any) -> Any:
    value = _flat(value)
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _flat(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def _plain(value: str) -> str:
    """One field of a line, and plain text to a browser."""
    return html.escape(" ".join(value.split()))


def _marked(verse: str, word: int | None) -> str:
    """The verse with the word at fault between <v> and </v>."""
    if word is None:
        return _plain(verse)
    start, end = list(kinds.WORDS.finditer(verse))[word].span()
    before, found, after = (html.escape(part) for part in (verse[:start], verse[start:end], verse[end:]))
    return " ".join(f"{before}<v>{found}</v>{after}".split())


def _card(study: Study, ratings: int, raters: int) -> str:
    front = {
        "pretty_name": study.name,
        "language": ["en", "sa"],
        "configs": [{"config_name": "ratings", "data_files": "data/ratings.jsonl"}],
    }
    asked = "\n".join(
        f"- `{question.name}`: {question.label}\n" + "".join(f"  - {p.value}: {p.rubric}\n" for p in question.points)
        for question in study.questions
    )
    # JSON is YAML too, and quotes whatever a study may be called.
    lines = "\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in front.items())
    return (
        f"---\n{lines}\n---\n\n# {html.escape(study.name)}\n\n{ratings:,} ratings by {raters} raters of Sanskrit "
        f"verses (SLP1) made from English prose. Every item was to be rated by {study.overlap} raters. `repeat` marks "
        f"an item's second, silent showing to the same rater, `gold` an item with a known answer.\n\n{asked}"
    )
