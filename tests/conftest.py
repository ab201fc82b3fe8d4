"""Settings of the whole suite: hypothesis draws the same examples in CI, and never fails for being slow; no test may
ask the Hub for anything."""

import os

from hypothesis import HealthCheck, settings

os.environ["HF_HUB_OFFLINE"] = "1"  # read when huggingface_hub is imported
# Tiny models gain nothing from a second thread, and two of them waiting for each other lose much on a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
settings.register_profile("house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
