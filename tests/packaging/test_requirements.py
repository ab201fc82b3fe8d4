"""Pins, locks, ranges and licences agree with each other."""

import pytest

from tests.packaging import licences
from tests.packaging.requirements import locked, pinned, ranges
from workbench.commands.errors import EXTRAS

APP, DEV = "requirements.txt", "requirements-dev.txt"


@pytest.mark.parametrize(("pins", "lock"), [(APP, "requirements.lock"), (DEV, "requirements-dev.lock")])
def test_a_lock_has_a_hash_for_every_pin(pins, lock):
    wanted = {name: version for name, version in pinned(pins).items() if name != "torch"}  # see the Makefile
    found = locked(lock)
    assert {name: version for name, (version, _) in found.items()} == wanted, "`make lock` writes it anew"
    assert all(hashes for _, hashes in found.values())


def test_no_package_is_pinned_in_both_files():
    assert not set(pinned(APP)) & set(pinned(DEV))


@pytest.mark.parametrize(
    ("extras", "files"), [((), [APP]), (("train", "hub"), [APP]), (("dev", "postgres", "ray"), [APP, DEV])]
)
def test_every_range_holds_what_is_pinned(extras, files):
    pins = {name: version for file in files for name, version in pinned(file).items()}
    for asked in ranges(*extras):
        assert asked.specifier.contains(pins[asked.name.lower()]), asked


def test_postgres_and_ray_are_for_those_who_ask():
    assert not {"psycopg", "psycopg-binary", "ray", "krippendorff"} & set(pinned(APP))


def test_a_missing_package_is_sought_in_the_extra_that_has_it():
    for package, extra in EXTRAS.items():
        assert package in {asked.name for asked in ranges(extra)} - {asked.name for asked in ranges()}


def test_nothing_required_is_copyleft():
    stated = licences.required()
    assert "not installed" not in stated.values() and licences.copyleft(stated) == []


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ("GPL-3.0-or-later", True),
        ("GNU Lesser General Public License v3 (LGPLv3)", True),
        ("AGPL-3.0", True),
        ("CC BY-SA 4.0", True),
        ("not stated", True),
        ("MIT", False),
        ("MPL-2.0 AND MIT", False),
    ],
)
def test_copyleft_is_known_by_its_names(said, refused):
    assert licences.copyleft({"new": said}) == ["new"] * refused


def test_everything_installed_is_listed_and_a_new_copyleft_one_is_refused():
    stated = licences.installed()
    assert {"gradio", "torch", "psycopg", "pytest"} <= set(stated)
    assert licences.copyleft(stated, licences.AGREED | licences.BESIDE) == []
    assert licences.copyleft({**stated, "new": "AGPL-3.0"}, licences.AGREED | licences.BESIDE) == ["new"]
    assert set(licences.copyleft(stated)) <= licences.BESIDE


def test_licences_are_read_from_what_is_installed():
    assert licences.copyleft({"psycopg": licences.licence("psycopg")}) == ["psycopg"]
    assert licences.licence("hypothesis") == "MPL-2.0"
