"""Work on a GPU that a Space lends: wrapped there, and itself elsewhere. No such Space is at hand; its module is made up."""

import sys
from types import SimpleNamespace

from workbench.ui import gpu


def work():
    return "done"


def test_elsewhere_work_stays_what_it_is():
    assert gpu.on_gpu(work) is work


def test_on_a_space_it_is_handed_over_for_so_long(monkeypatch):
    lent = []

    def lend(duration):
        lent.append(duration)
        return lambda call: lambda: f"{call()} on a GPU"

    monkeypatch.setattr(gpu, "ZERO", True)
    monkeypatch.setitem(sys.modules, "spaces", SimpleNamespace(GPU=lend))
    assert gpu.on_gpu(work)() == "done on a GPU" and lent == [gpu.SECONDS]
