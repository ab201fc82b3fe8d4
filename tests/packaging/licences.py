"""The licence of everything that is installed, as each package states it: `make licences`. Fails on a copyleft one, and
on one that is not stated, unless it was agreed on here.

Whoever installs the workbench gets all of requirements.txt, so nothing in it may bind them to more than we do. What is
only for tests, or comes by an extra that somebody asks for, may be another's, and is named here one by one.
"""

import re
import sys
from importlib.metadata import PackageNotFoundError, distributions, metadata

from packaging.utils import canonicalize_name

from tests.packaging.requirements import OUR_NAME, pinned

UNSTATED = "not stated"
COPYLEFT = re.compile(rf"\b[AL]?GPL|General Public Licen[cs]e|\bBY-SA\b|ShareAlike|^{UNSTATED}$", re.IGNORECASE)
# skrutable's rule is what a full verse is, by the paper's metric; it is imported, and nothing of it is copied.
AGREED = {"skrutable"}
# For tests alone, or an extra for those who ask for it; vidyut's and axe-playwright-python's files say MIT, and their
# metadata nothing; in the latter is axe-core, under MPL 2.0, which no page of ours is served with.
BESIDE = {"axe-playwright-python", "krippendorff", "psycopg", "psycopg-binary", "vidyut"}


def licence(package: str) -> str:
    """What a package says of its licence, in a line: an SPDX expression, classifiers, or the licence's first words."""
    said = metadata(package)
    classifiers = [each.split(" :: ")[-1] for each in said.get_all("Classifier", []) if each.startswith("License")]
    words = " ".join((said.get("License") or "").split())
    return said.get("License-Expression") or "; ".join(classifiers) or words[:80] or UNSTATED


def required() -> dict[str, str]:
    """Every package that is required and installed, with its licence; another platform's are left out."""
    found = {}
    for package in pinned("requirements.txt"):
        try:
            found[package] = licence(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def installed() -> dict[str, str]:
    """Every package that is installed, whoever asked for it, with its licence."""
    names = sorted({canonicalize_name(each.metadata["Name"]) for each in distributions()} - {OUR_NAME})
    return {name: licence(name) for name in names}


def copyleft(licences: dict[str, str], agreed: set[str] = AGREED) -> list[str]:
    return [name for name, said in licences.items() if COPYLEFT.search(said) and name not in agreed]


if __name__ == "__main__":
    stated = installed()
    for name, said in stated.items():
        print(f"{name:<32}{said}")
    if refused := copyleft(required()):
        sys.exit(f"Expected no copyleft licence among what the app requires; got {', '.join(refused)}.")
    if refused := copyleft(stated, AGREED | BESIDE):
        sys.exit(f"Expected no new copyleft licence among what is installed; got {', '.join(refused)}.")
