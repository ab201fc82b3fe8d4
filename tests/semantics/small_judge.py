"""A judge over a reader, of the classes that rank: of what it weighs only what the reader hears counts, so that it orders
verses just as the reader does."""

from pathlib import Path

import pytest

from workbench.semantics.joint_encoder import FrozenReader, JointEncoder
from workbench.semantics.judges import judge_identity
from workbench.semantics.registry import judge_entries
from workbench.semantics.weighing import READER, Weight, Weights

# As wide as what it hears strays: between its least, -1, and its most, 1, no two numbers become the same.
FEATURES = {name: Weight(0.0, 0.25, float(name == "heard")) for name in ("cross", "heard", "gain", "repeated")}


def make(reader: Path, folder: Path) -> Path:
    """Put it into a folder, bound to the reader in another, and say where it is."""
    frozen = FrozenReader.load(reader)
    JointEncoder(frozen.width, 32, 4, 1).save(folder, frozen.identity)
    entry = judge_entries()[READER]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(entry.variable, str(reader))
        Weights(FEATURES, 0.0, judge_identity(entry), "nothing").save(folder)
    return folder
