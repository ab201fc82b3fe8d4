"""The pinned versions, their hashes and pyproject's ranges, read. Knows the files at the top, no package in them."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
OUR_NAME = "pingala-workbench"


def pinned(name: str) -> dict[str, str]:
    """A file's packages, each with its version; a line that pins none is an error."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    found = {}
    for line in lines:
        if line and not line.startswith("#"):
            package, version = re.fullmatch(r"([A-Za-z0-9_.\-]+)==([0-9][0-9A-Za-z.]*)", line).groups()
            assert canonicalize_name(package) not in found, f"{package} stands in {name} twice"
            found[canonicalize_name(package)] = version
    return found


def locked(name: str) -> dict[str, tuple[str, list[str]]]:
    """A lock's packages, each with its version and its hashes."""
    text = (ROOT / name).read_text(encoding="utf-8")
    entries = re.findall(r"^(\S+)==(\S+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", text, re.MULTILINE)
    return {canonicalize_name(package): (version, hashes.split("sha256:")[1:]) for package, version, hashes in entries}


def ranges(*extras: str) -> list[Requirement]:
    """What pyproject asks for, with these extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    return [asked for asked in map(Requirement, lines) if asked.name != OUR_NAME]
