"""`ratings`: studies by hand: create, invite, renew, revoke, import, export, summary, backup and restore.

Works on the database of DATABASE_URL, or else on the file in PINGALA_DATA. Whoever may do that owns every study in it,
so that no token is asked for; tokens are printed once, when they are made, and kept nowhere.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench import composer
from workbench.commands.errors import complain
from workbench.corpora import rows
from workbench.ratings.questions import OPTIONAL

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from workbench.ratings.agreement import Figure
    from workbench.ratings.items import Item, Preview
    from workbench.ratings.studies import Study
    from workbench.ratings.summary import Mean, Summary

FORMATS = ("csv", "jsonl", "mqm", "dataset")


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("ratings", help="studies in which people rate verses", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(name: str, run: Callable[[argparse.Namespace, Engine], int], said: str) -> argparse.ArgumentParser:
        added = actions.add_parser(name, help=said, description=said)
        added.set_defaults(run=_run, do=run)
        return added

    create = action("create", _create, "a new study; prints its id and its owner's token")
    create.add_argument("name")
    asked = f"beside semantic coherence: {' '.join(OPTIONAL)} (comment)"
    create.add_argument("--ask", nargs="*", default=["comment"], metavar="QUESTION", help=asked)
    create.add_argument("--overlap", type=int, default=5, help="raters an item (5)")
    create.add_argument("--repeats", type=float, default=0.1, help="share of items that come silently again (0.1)")
    create.add_argument("--distance", type=int, default=10, help="showings between the two (10)")
    create.add_argument("--seed", type=int, default=0, help="of the raters' orders (0)")
    create.add_argument("--logins", action="store_true", help="anyone logged in at Hugging Face may rate, on a Space")
    invite = action("invite", _invite, "raters to be; prints a token for each")
    invite.add_argument("study")
    invite.add_argument("names", nargs="+", metavar="name")
    renew = action("renew", _renew, "another token for a rater; the one before opens nothing any more")
    renew.add_argument("study")
    renew.add_argument("name")
    revoke = action("revoke", _revoke, "close the link of a rater, whose ratings stay")
    revoke.add_argument("study")
    revoke.add_argument("name")
    bring = action(
        "import", _import, "items from CSV, JSON lines, the verses.jsonl of `evaluate --out`, or the Compose tab"
    )
    bring.add_argument("study")
    beside = "with the scores of the measures.jsonl beside it, if it is a verses.jsonl"
    bring.add_argument("path", type=Path, nargs="?", help=beside)
    bring.add_argument("--saved", action="store_true", help="instead of a file, what visitors saved in the Compose tab")
    bring.add_argument("--score", action="store_true", help="let the judges of meaning score what comes without scores")
    bring.add_argument("--corpus", type=Path, help="where the English of `evaluate`'s rows is, by id: id, en")
    bring.add_argument("--system", default="", help="the system's name, for rows that have none")
    bring.add_argument("--signature", default="", help="likewise")
    bring.add_argument("--script", choices=["auto", *composer.SCRIPTS], help="of the verses (auto; slp1 with --corpus)")
    bring.add_argument("--preview", action="store_true", help="only say what would be imported")
    export = action("export", _export, "the ratings for other programs")
    export.add_argument("study", help="or `quick`, for what visitors said of verses just composed")
    export.add_argument("--format", choices=FORMATS, default="csv", help="(csv)")
    export.add_argument("--out", type=Path, help="a file, or for a dataset a new folder; otherwise standard output")
    summary = action("summary", _summary, "progress, means, agreement, correlation with scores")
    summary.add_argument("study")
    summary.add_argument("--question", default="coherence", help="(coherence)")
    backup = action("backup", _backup, "all tables as JSON lines in a folder")
    backup.add_argument("folder", type=Path)
    restore = action("restore", _restore, "an empty database filled from such a folder")
    restore.add_argument("folder", type=Path)
    for each in (create, invite, renew, bring, summary):
        each.add_argument("--json", action="store_true", help="the same as JSON")


def _run(options: argparse.Namespace) -> int:
    from workbench.ratings import storage

    engine = storage.connect()
    try:
        return int(options.do(options, engine))
    finally:
        engine.dispose()


def _create(options: argparse.Namespace, engine: Engine) -> int:
    from workbench.ratings import studies

    created = studies.create(
        engine, options.name, options.ask, options.overlap, options.repeats, options.distance, options.seed,
        options.logins,
    )  # fmt: skip
    study, token = created.study.id, created.token
    said = f"study {study}\nowner's token {token}\nIt is shown this once: keep it."
    _tell(options, {"study": study, "token": token}, said)
    return 0


def _invite(options: argparse.Namespace, engine: Engine) -> int:
    from workbench.ratings import raters, studies

    study = studies.find(engine, options.study)
    for name in options.names:
        document = {"rater": name, "token": raters.invite(engine, study, name).token}
        _tell(options, document, f"{document['token']}  {name}")
    return 0


def _renew(options: argparse.Namespace, engine: Engine) -> int:
    from workbench.ratings import raters, studies

    made = raters.renew(engine, studies.find(engine, options.study), options.name)
    _tell(options, {"rater": made.rater.name, "token": made.token}, f"{made.token}  {made.rater.name}")
    return 0


def _revoke(options: argparse.Namespace, engine: Engine) -> int:
    from workbench.ratings import raters, studies

    raters.revoke(engine, studies.find(engine, options.study), options.name)
    print(f"{options.name}'s link is closed.")
    return 0


def _import(options: argparse.Namespace, engine: Engine) -> int:
    from workbench.ratings import items, studies

    study = studies.find(engine, options.study)
    found = _found(options, engine, study)
    for error in found.errors:
        complain(f"Row {error.row}: {error.sentence}")
    measured = _measured(options.path)
    scores = {item.key: measured[item.id] for item in found.items if item.id in measured}
    number = 0 if options.preview else items.add(engine, study, found.items)
    scored = 0 if options.preview else items.fill(engine, study, scores)
    if options.score and not options.preview:
        scored += _score(engine, study, found.items)
    document = {"items": len(found.items), "new": number, "scored": scored,
            "errors": [asdict(error) for error in found.errors]}  # fmt: skip
    if options.preview:
        document["preview"] = [asdict(replace(item, scores={**scores.get(item.key, {}), **item.scores}))
                           for item in found.items]  # fmt: skip
        for item in () if options.json else found.items:
            print(f"{item.id}\t{item.system}\t{item.prose}\t{item.verse}")
    said = f"{len(found.items):,} items, {number:,} of them new; {len(found.errors):,} rows with errors"
    _tell(options, document, f"{said}; {scored:,} got scores" if scored else said)
    return 2 if found.errors else 0


def _found(options: argparse.Namespace, engine: Engine, study: Study) -> Preview:
    """What would be imported: a file's items, or the saved compositions."""
    from workbench.ratings import items, saved
    from workbench.ratings.texts import RatingError

    if options.saved == bool(options.path):
        raise RatingError(f"Expected a PATH or --saved; got {'both' if options.saved else 'neither'}.")
    if options.saved:
        for name in ("corpus", "system", "signature", "script"):
            if getattr(options, name):
                raise RatingError(f"Expected --{name} for a PATH; got it with --saved, which brings its own.")
        return saved.preview(engine, study)
    script = options.script or ("slp1" if options.corpus else "auto")
    return items.preview(
        study,
        _read(options.path),
        {str(row["id"]): row["en"] for row in rows(options.corpus)} if options.corpus else None,
        options.system,
        options.signature,
        str if script == "slp1" else lambda verse: composer.read_verse(verse, script),
    )


def _measured(path: Path | None) -> dict[str, dict[str, float]]:
    """What the judges said when `evaluate` was run, by id: its folder has it beside the verses."""
    from workbench.evaluation.runs import MEASURES, VERSES
    from workbench.ratings import scoring

    if path is None or path.name != VERSES or not (path.parent / MEASURES).is_file():
        return {}
    return {str(row["id"]): scoring.numbers(row, composer.judge_entries()) for row in rows(path.parent / MEASURES)}


def _score(engine: Engine, study: Study, brought: Sequence[Item]) -> int:
    """How many items got scores. Without a judge they are in the study all the same, and a note says so."""
    from workbench.ratings import scoring

    keys = [item.key for item in brought]
    try:
        judges = list(composer.judge_entries())
        found = scoring.score(engine, study, keys, lambda pairs: composer.score(pairs, "slp1"), judges)
    except composer.JudgeError as error:
        complain(f"Expected a judge to score the items; none was scored. {error}")
        return 0
    for key, sentence in found.unread:
        complain(f"{key} was not scored: {sentence}")
    return found.items


def _export(options: argparse.Namespace, engine: Engine) -> int:
    from workbench.ratings import export, quick, studies
    from workbench.ratings.texts import RatingError

    visitors = options.study == "quick"
    if visitors and options.format not in ("csv", "jsonl"):
        raise RatingError(f"Expected csv or jsonl as the format of quick ratings; got {options.format}.")
    if options.format == "dataset":
        if not options.out:
            raise RatingError("Expected --out FOLDER for a dataset; got none.")
        for file in export.to_dataset(engine, studies.find(engine, options.study), options.out):
            print(file)
        return 0
    if options.format == "mqm":
        content = export.to_mqm(engine, studies.find(engine, options.study))
    else:
        records = quick.records(engine) if visitors else export.records(engine, studies.find(engine, options.study))
        content = export.to_csv(records) if options.format == "csv" else export.to_jsonl(records)
    if options.out:
        options.out.write_bytes(content.encode())
    else:
        sys.stdout.buffer.write(content.encode())
        sys.stdout.flush()
    return 0


def _summary(options: argparse.Namespace, engine: Engine) -> int:
    from workbench.ratings import studies, summary

    found = summary.summarise(engine, studies.find(engine, options.study), options.question)
    _tell(options, found.as_json(), show(found))
    return 0


def _backup(options: argparse.Namespace, engine: Engine) -> int:
    from workbench.ratings import storage

    for file in storage.dump(engine, options.folder):
        print(file)
    return 0


def _restore(options: argparse.Namespace, engine: Engine) -> int:
    from workbench.ratings import storage

    print(f"{storage.restore(engine, options.folder):,} rows restored")
    return 0


def show(found: Summary) -> str:
    """The figures for people; what is undefined says why."""
    from workbench.ratings import metrics

    lines = [
        f"{found.study}: {found.question}, {found.ratings:,} ratings of {found.items:,} items, {found.covered:,} of "
        f"them by all the raters they need; {found.gold_items} gold items",
        f"Krippendorff's α  {_figure(found.alpha)}",
    ]
    for rater in found.raters:
        lines.append(f"rater {rater.name}: {rater.rated} rated, {rater.skipped} skipped, mean {_mean(rater.mean)}")
        lines.append(f"  on repeats {_figure(rater.itself)}  on gold {_figure(rater.gold)}")
    lines += [
        f"system {system.name}: {system.items} items, {system.ratings} ratings, mean {_mean(system.mean)}"
        for system in found.systems
    ]
    lines += [f"κ {kappa.one} and {kappa.other}: {_figure(kappa.figure)}" for kappa in found.kappas]
    lines += metrics.without(found.metrics)
    for metric in found.metrics:
        if metric.raw.pearson.value is None:
            continue
        lines.append(f"score {metric.name}, {metric.items} items")
        for what, pair in (("raw", metric.raw), ("calibrated", metric.calibrated), ("cross-validated", metric.crossed)):
            lines.append(f"  {what:<16} Pearson {_figure(pair.pearson)}  Spearman {_figure(pair.spearman)}")
    return "\n".join(lines)


def _figure(figure: Figure) -> str:
    return figure.reason if figure.value is None else f"{figure.value:.3f}"


def _mean(mean: Mean | None) -> str:
    return f"{mean.value:.2f} ({mean.low:.2f} to {mean.high:.2f})" if mean else "none yet"


def _tell(options: argparse.Namespace, document: dict[str, Any], said: str) -> None:
    print(json.dumps(document, ensure_ascii=False) if options.json else said)


def _read(path: Path) -> bytes:
    from workbench.ratings import items

    items.allow(path.stat().st_size)
    return path.read_bytes()
