"""Settings of the whole suite: hypothesis draws the same examples in CI, and never fails for being slow; no test may
ask the Hub for anything."""

import os

from hypothesis import HealthCheck, settings

os.environ["HF_HUB_OFFLINE"] = "1"  # read when huggingface_hub is imported
settings.register_profile("house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
