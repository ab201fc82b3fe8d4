"""`doctor`: looks an installation through: files whole, models load, database writable and current, fonts, Chromium for
pictures. Says what to do about whatever is wrong; exit code 1 if anything is that the app needs.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from workbench import composer, paths
from workbench.commands.errors import no_database
from workbench.refusal import Refusal

GOOD, BAD, OPTIONAL = "good", "bad", "without"
FONTS = ("tiro-devanagari-sanskrit-devanagari-400-normal.woff2", "tiro-devanagari-sanskrit-latin-400-normal.woff2")
PROSE = "A king spoke."


@dataclass(frozen=True)
class Finding:
    what: str
    state: str  # good, bad, or without: what the app does without
    said: str


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("doctor", help="is this installation whole, and what to do", description=__doc__)
    parser.add_argument("--json", action="store_true", help="the findings as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    found = list(findings())
    if options.json:
        print(json.dumps([asdict(each) for each in found], ensure_ascii=False))
    else:
        for each in found:
            print(f"{each.state:<8}{each.what}: {each.said}")
    return int(any(each.state == BAD for each in found))


def findings() -> Iterator[Finding]:
    """What was looked at, one after the other."""
    yield _finding("page", _assets)
    yield _finding("generator", _generator)
    yield _finding("judges", _judges, without=True)
    yield _finding("reader", _reader, without=True)
    yield _finding("results", _results, without=True)
    yield _finding("calibration", _calibration, without=True)
    yield _finding("folder for data", _folder)
    yield _finding("database", _database)
    yield _finding("Chromium", _chromium, without=True)


def _finding(what: str, look: Callable[[], str], without: bool = False) -> Finding:
    try:
        return Finding(what, GOOD, look())
    except Refusal as refusal:
        return Finding(what, OPTIONAL if without else BAD, str(refusal))
    except Exception as error:  # a fault of ours is a finding too; its own words may hold an address
        return Finding(what, BAD, f"Expected it to be looked at; got {type(error).__name__}.")


def _assets() -> str:
    wanted = [paths.ASSETS / "workbench.css", paths.ASSETS / "rating.js", *(paths.ASSETS / "fonts" / f for f in FONTS)]
    if missing := [file.name for file in wanted if not file.is_file() or not file.stat().st_size]:
        raise Refusal(f"Expected {', '.join(missing)} in assets; got none. Fetch the checkout anew.")
    return "style sheet, scripts and fonts are there."


def _generator() -> str:
    folder = paths.at_home(composer.find_entry("embedded").where)
    for file in sorted(each for each in folder.rglob("*") if each.is_file()):
        with file.open("rb") as stream:
            if stream.read(40).startswith(b"version https://git-lfs"):
                raise Refusal(f"Expected {file.name} itself; got Git LFS's pointer to it. Run `git lfs pull`.")
    composing = composer.compose(PROSE, composer.HOUSE.but(beams=2, returned=2, rank="model"), watch=False)
    for _ in composing:
        pass
    return f"{composer.identity()} composes."


def _judges() -> str:
    for entry in composer.judge_entries().values():
        composer.score([(PROSE, composer.Verse.from_slp1("rAjovAca vaco DImAn"))], names=[entry.name])
    return f"{composer.judges_identity()} score."


def _reader() -> str:
    composer.lemmas(["rAjovAca"])
    return f"{composer.reader().identity} is there, {composer.words_identity()} finds words."


def _results() -> str:
    if composer.beta_curve() is None or not composer.results():
        raise Refusal("Expected the results that ship; got none. The About tab does without them.")
    return "figures and their page are there."


def _calibration() -> str:
    from workbench.semantics.judges import Judges

    return "is there." if Judges().calibration else "none yet: scores are probabilities."


def _folder() -> str:
    from workbench.ratings import storage

    folder = storage.folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Refusal(
            f"Expected a folder that can be written; got {error.strerror}. Set PINGALA_DATA to one that can."
        ) from error
    free = shutil.disk_usage(folder).free / 2**20
    if free < 100:
        raise Refusal(f"Expected 100 MB of free disk for ratings; got {free:.0f}. Make room, or move PINGALA_DATA.")
    return f"can be written, {free:,.0f} MB free."


def _database() -> str:
    from sqlalchemy.exc import SQLAlchemyError

    from workbench.ratings import migrations, storage

    try:
        engine = storage.connect()  # which brings it up to date, or refuses one of a newer workbench
        try:
            with engine.begin() as connection:  # writers wait for nothing else
                connection.exec_driver_sql("SELECT 1")
        finally:
            engine.dispose()
    except SQLAlchemyError as error:
        raise Refusal(f"{no_database(error)} Is the server up, and may this user write?") from error
    return f"{engine.dialect.name}, version {len(migrations.MIGRATIONS)}, can be written."


def _chromium() -> str:
    if not (found := shutil.which("chromium")):
        raise Refusal("Expected chromium for pictures and browser tests; got none. The app does without it.")
    return f"{Path(found).name} is there."
