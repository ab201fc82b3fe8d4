"""One model that ships loads at a time. Knows no model.

transformers prepares a model on a device that holds no numbers, and while it does, the whole process is set up for
that: of two that load side by side one may keep weights that are nowhere, and fails whenever it is asked.
"""

from __future__ import annotations

import threading

LOADING = threading.RLock()  # for as long as something loads; who has what they need never waits for it
