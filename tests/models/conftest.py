"""The tiny generators, made once, and registered in PINGALA_MODELS for every test here."""

import pytest

from tests.models import folders
from workbench.semantics import judges as judging


@pytest.fixture(scope="session")
def tiny_models(tmp_path_factory):
    made = tmp_path_factory.mktemp("models")
    system = "tvaM kaviH asi."
    return folders.register(
        made / "models.toml",
        embedded={"where": folders.embedded(made / "embedded")},
        nllb={"where": folders.nllb(made / "nllb")},
        phi4={"where": folders.phi(made / "phi4"), "eight_bit": False},
        phi8={"kind": "instruction", "where": made / "phi4", "script": "slp1", "eight_bit": True, "allow_cpu": True,
              "system": system, "prompt": "gadyam: {prose} SlokaH:"},
        plain={"kind": "instruction", "where": folders.phi(made / "plain", chat=False), "script": "slp1",
               "system": system, "prompt": "gadyam: {prose} SlokaH:"},
    )  # fmt: skip


@pytest.fixture(autouse=True)
def registered(tiny_models, monkeypatch, tmp_path):
    monkeypatch.setenv("PINGALA_MODELS", str(tiny_models))
    # The judges of meaning have tests of their own; here there are none, whatever checkpoints/ holds.
    monkeypatch.setattr(judging, "HOME", tmp_path)
    monkeypatch.setattr(judging, "_judges", judging.Judges())
