"""Many at once, and killed in the middle: what was acknowledged is there, once, in order. On both databases."""

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import func, select

from tests.ratings import made, worker
from workbench.ratings import migrations, schema

ROOT = Path(__file__).resolve().parents[2]


def start(url, who, acknowledged, last):
    command = [sys.executable, "-m", "tests.ratings.worker", url, str(who.id), ",".join(acknowledged), last]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def rate_with_kills(url, who, kills):
    """A rater whose server process is killed, each time anew: after so many acknowledgements, wherever it is then, or
    when it has entered a key and not yet acknowledged it. What it acknowledged."""
    acknowledged = []
    for kill in kills:
        process = start(url, who, acknowledged, kill if isinstance(kill, str) else "")
        with process.stdout as lines:
            for count, line in enumerate(lines, start=1):
                acknowledged.append(line.strip())
                if count == kill:
                    process.kill()  # lines that are in the pipe already are acknowledgements too
        # One that is killed from here may have been quicker, and be through with it all.
        assert process.wait() in ((-signal.SIGKILL,) if isinstance(kill, str) else (-signal.SIGKILL, 0))
    process = start(url, who, acknowledged, "")
    acknowledged += process.communicate()[0].split()
    assert process.returncode == 0
    return acknowledged


def test_every_acknowledged_rating_is_there_once_whoever_is_killed(engine, url):
    study = made.study(engine, worker.ITEMS, overlap=100)
    people = [made.rater(engine, study, f"rater {number}") for number in range(4)]
    kills = [(), (3, "edit-0006"), (1, "undo-0004", 6), ("rate-0001", "last-0012")]
    with ThreadPoolExecutor(len(people)) as pool:
        said = list(pool.map(lambda each: rate_with_kills(url, *each), zip(people, kills, strict=True)))
    expected = list(worker.actions())
    table = schema.entries
    with schema.reading(engine) as connection:
        for who, acknowledged in zip(people, said, strict=True):
            log = connection.execute(select(table).where(table.c.rater == who.id).order_by(table.c.id)).all()
            assert [row.key for row in log] == [key for key, *_ in expected]
            assert set(acknowledged) <= {row.key for row in log}
            assert [row.kind for row in log] == [what for _, what, *_ in expected]
    last = {position: rating for _, what, position, rating in expected if what == "rate"}
    for who in people:
        shown = [made.show(engine, who, position) for position in range(1, worker.ITEMS + 1)]
        assert {each.position: each.answers["coherence"] for each in shown} == last
        assert len({each.prose for each in shown}) == worker.ITEMS


def test_threads_of_one_server_do_not_lose_or_double(engine):
    study = made.study(engine, 6, overlap=2, repeats=0)
    people = [made.rater(engine, study, f"rater {number}") for number in range(4)]
    with ThreadPoolExecutor(8) as pool:
        # Each rater sits at two devices that send the same keys.
        seen = list(pool.map(lambda who: made.rate_all(engine, who), people * 2))
    with schema.reading(engine) as connection:
        places = connection.execute(select(schema.places)).all()
        entries = connection.execute(select(schema.entries)).all()
    assert sum(map(len, seen)) >= 12
    assert len(places) == len(entries) == 12  # 6 items, 2 raters each
    assert len({(row.rater, row.item) for row in places}) == 12


def test_processes_that_open_a_new_database_at_once_all_find_it_ready(url):
    code = "import sys; from workbench.ratings import schema; schema.connect(sys.argv[1]).dispose()"
    started = [subprocess.Popen([sys.executable, "-c", code, url], cwd=ROOT) for _ in range(4)]
    assert [process.wait() for process in started] == [0] * 4
    engine = schema.connect(url)
    with schema.reading(engine) as connection:
        assert connection.scalars(select(migrations.versions.c.version)).all() == [
            *range(1, len(migrations.MIGRATIONS) + 1)
        ]
    engine.dispose()


def test_a_reader_sees_one_moment_while_others_write(engine):
    who = made.rater(engine, made.study(engine, 2))
    with schema.reading(engine) as connection:
        count = select(func.count()).select_from(schema.places)
        assert connection.scalar(count) == 0
        made.rate_all(engine, who)
        assert connection.scalar(count) == 0
    with schema.reading(engine) as connection:
        assert connection.scalar(count) == 2


def test_a_reader_does_not_wait_for_a_writer(file_engine):
    """A page that shows a verse must not stand still while someone writes."""
    who = made.rater(file_engine, made.study(file_engine, 2))
    made.proceed(file_engine, who)
    with file_engine.begin():  # holds SQLite's one lock for writers
        assert made.show(file_engine, who, 1).position == 1
        assert made.progress(file_engine, who).total == 2
