"""In which numbers this machine multiplies matrices fastest. Knows the processor, no model."""

from __future__ import annotations

from pathlib import Path

import torch


def has_half_precision() -> bool:
    """Whether bfloat16 is faster than single precision: where the processor has instructions for it, three times."""
    return bool(torch.backends.cpu.get_cpu_capability() == "AVX512" and _has_bf16())


def _has_bf16() -> bool:
    try:
        return "avx512_bf16" in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False
