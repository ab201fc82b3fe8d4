"""The page as a whole: how it is wired, by the account of it that Gradio gives to browsers."""

import json
import urllib.request


def test_progress_is_shown_on_small_things_only(app):
    """See workbench/ui/private_events.py: on tabs or a table, it costs a browser as much as a verse costs the generator."""
    with urllib.request.urlopen(f"{app}/config", timeout=20) as answer:
        config = json.load(answer)
    kinds = {component["id"]: component["type"] for component in config["components"]}
    wired = [each for each in config["dependencies"] if each["backend_fn"] and each["targets"]]
    shown = {kinds[on] for each in wired for on in each["show_progress_on"] or each["outputs"]}
    assert len(wired) > 30 and shown <= {"button", "textbox"}
