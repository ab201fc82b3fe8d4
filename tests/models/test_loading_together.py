"""The generator and the reader that ship, asked for at the same moment by two threads, as a page does that has just
started."""

import threading
from pathlib import Path

from workbench import composer, paths
from workbench.models import loading
from workbench.semantics import reader as reading

READER = paths.at_home("checkpoints/reader")


def test_two_models_that_load_side_by_side_are_both_whole(monkeypatch):
    """Failed before: the reader's weights were on a device that holds no numbers."""
    monkeypatch.setattr(loading, "_loaded", {})
    monkeypatch.setattr(reading, "_loaded", {})
    ready, said = threading.Barrier(2), {}

    def generate():
        ready.wait()
        said["generator"] = composer.identity()

    def read():
        ready.wait()
        said["reader"] = float(reading.loaded(Path(READER)).log_probs(["The king spoke."], [""])[0].sum())

    threads = [threading.Thread(target=work) for work in (generate, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said["generator"].startswith("embedded#") and said["reader"] < 0
