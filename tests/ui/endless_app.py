"""The page served with compositions that never end: each says in a folder when it has begun and when it was cancelled.
Run by tests as a process of its own: `python -m tests.ui.endless_app FOLDER`."""

import sys
import time
from pathlib import Path

from workbench import composer
from workbench.ui import composing, launch

NOTES = Path(sys.argv[1])


class Endless:
    def __init__(self, prose, *given, **named):
        self.prose, self.cancelled = prose, False

    def __iter__(self):
        for step in range(1200):
            if self.cancelled:
                break
            (NOTES / f"{self.prose} begun").write_text(str(step))
            yield {"kind": "progress", "sentence": "On and on."}
            time.sleep(0.05)
        (NOTES / f"{self.prose} ended").touch()

    def cancel(self):
        self.cancelled = True

    @property
    def composition(self):
        raise composer.ProseError("Expected an end; got none.")


if __name__ == "__main__":
    composer.compose = Endless
    if len(sys.argv) > 2:
        composing.PROGRAMS.places = int(sys.argv[2])
    launch()
