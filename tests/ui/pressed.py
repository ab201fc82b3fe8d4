"""What one press of Compose asks of the tiny generator, and every picture of it instead of the newest."""

from workbench.ui.choices import Choices

PROSE = "You have a right to your work alone"
CHOICES = Choices(PROSE).but({"beams": 5, "beta": 5.0, "draws": 2})


def every_one(making, cancel, every):
    """Instead of the newest, which depends on who is faster (test_running has that)."""
    yield from making
