"""The page as a whole: how it is wired, by the account of it that Gradio gives to browsers."""

import json
import urllib.request
from collections import Counter

import pytest


@pytest.fixture
def config(app):
    with urllib.request.urlopen(f"{app}/config", timeout=20) as answer:
        return json.load(answer)


def test_no_two_things_have_one_id(config):
    ids = Counter(component["props"].get("elem_id") for component in config["components"])
    assert ids.pop(None) and len(ids) > 100
    assert [name for name, times in ids.items() if times > 1] == []


def test_progress_is_shown_on_small_things_only(config):
    """See workbench/ui/private_events.py: on tabs or a table, it costs a browser as much as a verse costs the generator."""
    kinds = {component["id"]: component["type"] for component in config["components"]}
    wired = [each for each in config["dependencies"] if each["backend_fn"] and each["targets"]]
    shown = {kinds[on] for each in wired for on in each["show_progress_on"] or each["outputs"]}
    assert len(wired) > 30 and shown <= {"button", "textbox"}
