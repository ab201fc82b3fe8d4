"""Settings of the whole suite: hypothesis draws the same examples in CI, and never fails for being slow; no test may
ask the Hub for anything."""

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

os.environ["HF_HUB_OFFLINE"] = "1"  # read when huggingface_hub is imported
# Tiny models gain nothing from a second thread, and two of them waiting for each other lose much on a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# By folder or file, what `make test-fast` leaves out.
MARKED = {
    "browser": ("browser/",),
    "slow": ("decoding/test_search.py", "decoding/test_decode.py", "decoding/test_processor.py",
             "decoding/test_search_together.py", "evaluation/test_figures.py",
             "semantics/test_english_prose.py", "semantics/test_shipped_judges.py"),
    "training": ("training/", "models/", "semantics/test_reader.py", "ui/test_reading_card.py", "semantics/test_biencoder.py",
                 "semantics/test_crossencoder.py", "semantics/test_judge_commands.py", "semantics/test_joint_encoder.py",
                 "semantics/test_support.py", "commands/test_train.py", "commands/test_measure.py"),
    "server": ("ratings/test_server.py", "ratings/test_crashes.py", "packaging/"),
}  # fmt: skip


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        place = item.path.relative_to(here).as_posix()
        for name, places in MARKED.items():
            if place.startswith(places):
                item.add_marker(name)


settings.register_profile("house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
