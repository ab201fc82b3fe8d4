"""What a step frees, the next takes without asking the system. In a process of its own: the allocator is told once."""

import subprocess
import sys

COUNTED = """
import resource, sys
from workbench.training.memory import keep_freed_memory
if sys.argv[1] == "kept":
    assert keep_freed_memory()
first = bytearray(1 << 25)
del first
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
again = bytearray(1 << 25)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def pages_taken(how: str) -> int:
    said = subprocess.run([sys.executable, "-c", COUNTED, how], capture_output=True, text=True, check=True)
    return int(said.stdout)


def test_freed_memory_is_taken_again() -> None:
    assert pages_taken("kept") < pages_taken("given back") / 2  # 8,192 pages of 4 kB, or 16 of 2 MB
