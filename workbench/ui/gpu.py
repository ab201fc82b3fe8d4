"""On a Space with ZeroGPU, work is handed to a GPU while it lasts; elsewhere this does nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

ZERO = bool(os.environ.get("SPACES_ZERO_GPU"))
SECONDS = 120  # that one composition may hold the GPU


def on_gpu(work: Callable[..., Any]) -> Callable[..., Any]:
    """The work itself, or wrapped by `spaces`, which only a Space has and which must come before torch there."""
    if not ZERO:
        return work
    import spaces  # type: ignore[import-not-found]

    wrapped: Callable[..., Any] = spaces.GPU(duration=SECONDS)(work)
    return wrapped
