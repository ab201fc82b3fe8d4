"""A tiny generator that knows a few verses, and a search by it, for pages that show one."""

import pytest

from tests.models import folders
from workbench.semantics import judges as judging


@pytest.fixture(scope="session")
def tiny_generator(tmp_path_factory):
    made = tmp_path_factory.mktemp("models")
    return folders.register(made / "models.toml", embedded={"where": folders.embedded(made / "embedded")})


@pytest.fixture
def registered(tiny_generator, monkeypatch, tmp_path):
    monkeypatch.setenv("PINGALA_MODELS", str(tiny_generator))
    monkeypatch.setattr(judging, "HOME", tmp_path)
    monkeypatch.setattr(judging, "_judges", judging.Judges())
