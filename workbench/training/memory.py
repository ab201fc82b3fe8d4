"""Memory that a training step frees is kept for the next. Knows glibc's allocator, no model.

By itself glibc gives large blocks back to the system at once, and takes them anew a moment later: of a lemmatizer's
step a quarter went into pages that were handed over and filled with zeros (2.1 seconds; 1.6 without).
"""

from __future__ import annotations

import ctypes
import sys

# Of glibc's malloc.h: mallopt's parameters.
TRIM_THRESHOLD, MMAP_MAX, ARENA_MAX = -1, -4, -8


def keep_freed_memory() -> bool:
    """Whether the allocator was told; where it is another than glibc's, nothing changes."""
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    # One arena: gradients are made in a thread of their own, whose arena could not grow beyond 64 MB.
    return bool(mallopt(MMAP_MAX, 0) and mallopt(TRIM_THRESHOLD, 2**31 - 1) and mallopt(ARENA_MAX, 1))
