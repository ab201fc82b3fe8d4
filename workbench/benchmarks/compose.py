"""How long a person waits for a verse: the first, with everything that loads, and the ones after it; and the memory.

A process of its own is started for it, as a person would start one; its clock begins before Python does.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from dataclasses import asdict
from typing import Any

from workbench import composer

PROSE = (
    "The king saw the sage sitting by the river and bowed to his feet.",
    "Having heard these words, the mighty warrior took up his bow and went to the battle.",
    "He who does his duty without longing for its fruit finds peace.",
    "In the forest the two brothers lived on roots and fruits, and guarded the hermits from demons.",
    "O lord of men, tell me truly how the son of the wind crossed the sea.",
    "Like the moon among stars she shone among her friends.",
)


def measure(model: str, settings: composer.Settings) -> dict[str, Any]:
    """Seconds to the first verse from nothing, the median of those after it, and the peak of memory."""
    request = {"model": model, "settings": asdict(settings.but(metre=settings.found_metre().name))}
    began = time.time()
    child = subprocess.run(
        [sys.executable, "-m", "workbench.benchmarks.compose"],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    if child.returncode:
        raise composer.ModelError(child.stderr.strip().splitlines()[-1].split(": ", 1)[-1])
    found = json.loads(child.stdout)
    return {
        "first_seconds": found["ended"][0] - began,
        "next_seconds": statistics.median(found["seconds"][1:]),
        "slowest_seconds": max(found["seconds"][1:]),
        "verses": len(found["seconds"]),
        "weighing_seconds": statistics.median(found["weighing"][1:]),
        "peak_megabytes": found["peak"] / 1024,
        "signature": composer.compose_signature(found["identity"], settings),
    }


def _child() -> None:
    import resource

    request = json.loads(sys.stdin.read())
    settings = composer.Settings(**request["settings"])
    seconds, ended, weighing = [], [], []
    for prose in PROSE:
        began = time.perf_counter()
        composing = composer.compose(prose, settings, request["model"])
        for _ in composing:
            pass
        weighing.append(composing.composition.timings["weighing"])
        seconds.append(time.perf_counter() - began)
        ended.append(time.time())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    identity = composer.identity(request["model"])
    print(json.dumps({"seconds": seconds, "ended": ended, "weighing": weighing, "peak": peak, "identity": identity}))


if __name__ == "__main__":
    _child()
