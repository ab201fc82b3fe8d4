"""Which generators strangers may ask for, and that one which loads holds up no other."""

import sys
import threading

import pytest

from workbench import composer
from workbench.models import entries, loading
from workbench.ui.choices import Choices, from_link
from workbench.ui.compose_tab import _models

OWN = """
[mine]
kind = "translation"
where = "somebody/somewhere"
script = "devanagari"
from = "eng_Latn"
to = "san_Deva"
"""


@pytest.fixture(autouse=True)
def no_hub(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.delenv(entries.VARIABLE, raising=False)


def test_only_what_is_on_disk_is_offered_at_the_page_and_accepted_from_programs():
    assert {"embedded"} < set(composer.entries()) and set(composer.offered_entries()) == {"embedded"}
    assert [name for _, name in _models()] == ["embedded"]
    with pytest.raises(composer.SettingsError, match=r"Expected model to be one of embedded; got 'nllb'"):
        Choices().but({"model": "nllb"})
    assert from_link({"model": "nllb"})[1] == ["Expected model in the link to be one of embedded; got 'nllb'."]


def test_what_the_owner_lists_is_offered(monkeypatch, tmp_path):
    (tmp_path / "own.toml").write_text(OWN, encoding="utf-8")
    monkeypatch.setenv(entries.VARIABLE, str(tmp_path / "own.toml"))
    assert set(composer.offered_entries()) == {"embedded", "mine"}
    assert Choices().but({"model": "mine"}).model == "mine"


def test_what_was_fetched_before_is_on_disk(tmp_path):
    where = composer.entries()["nllb"].where
    kept = tmp_path / f"models--{where.replace('/', '--')}" / "snapshots" / "1"
    kept.mkdir(parents=True)
    (kept / "config.json").write_text("{}")
    assert set(composer.offered_entries()) == {"embedded", "nllb"}


def test_a_generator_that_loads_holds_up_no_other(monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    class Slow:
        @staticmethod
        def load(entry):
            begun.set()
            assert go_on.wait(60)
            return f"slow {entry.name}"

    class Quick:
        @staticmethod
        def load(entry):
            return f"quick {entry.name}"

    monkeypatch.setattr(loading, "_loaded", {})
    monkeypatch.setitem(sys.modules, "workbench.models.translation", Slow)
    monkeypatch.setitem(sys.modules, "workbench.models.embedded", Quick)
    got = []
    slow = threading.Thread(target=lambda: got.append(loading.loaded_generator("nllb")))
    slow.start()
    assert begun.wait(60)
    quick = threading.Thread(target=lambda: got.append(loading.loaded_generator("embedded")), daemon=True)
    quick.start()
    quick.join(20)
    held_up = quick.is_alive()
    go_on.set()
    slow.join(60)
    quick.join(60)
    assert not held_up and got == ["quick embedded", "slow nllb"]


def test_two_who_ask_for_the_same_load_it_once(monkeypatch):
    loads, together = [], threading.Barrier(2)

    class Kind:
        @staticmethod
        def load(entry):
            loads.append(entry.name)
            return entry.name

    monkeypatch.setattr(loading, "_loaded", {})
    monkeypatch.setitem(sys.modules, "workbench.models.embedded", Kind)

    def ask():
        together.wait(60)
        loading.loaded_generator("embedded")

    asking = [threading.Thread(target=ask) for _ in range(2)]
    for each in asking:
        each.start()
    for each in asking:
        each.join(60)
    assert loads == ["embedded"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("prompt = 5", "Expected prompt of the generator mine to be text; got 5."),
        ("where = ['a']", "Expected where of the generator mine to be text; got ['a']."),
        ("eight_bit = 'yes'", "Expected eight_bit of the generator mine to be true or false; got 'yes'."),
    ],
)
def test_what_is_no_text_in_a_list_of_generators_is_a_sentence(monkeypatch, tmp_path, line, sentence):
    lines = [each for each in OWN.splitlines() if each.split(" ")[0] != line.split(" ")[0]]
    (tmp_path / "own.toml").write_text("\n".join([*lines, line]), encoding="utf-8")
    monkeypatch.setenv(entries.VARIABLE, str(tmp_path / "own.toml"))
    with pytest.raises(composer.ModelError) as refusal:
        composer.entries()
    assert str(refusal.value) == sentence
