"""Settings of the whole suite: hypothesis draws the same examples in CI, and never fails for being slow."""

from hypothesis import HealthCheck, settings

settings.register_profile("house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
