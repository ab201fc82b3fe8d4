"""Pingala Workbench: English prose in, metrically perfect Sanskrit verse out.

The rooms of the house, from the ground up: `prosody` (sounds, syllables, metres, automata), `composer` (the one door
through which the page, the command line and the measurements come in), `ui` (the page), `corpora`, `training`,
`evaluation`, `verification` and `benchmarks` (what is learnt, measured, proved and timed, as commands).

`from workbench import scan, compose, read, find_metre, PingalaLogitsProcessor` is the library; a name is looked up when
it is asked for, so that importing the package loads no torch.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.composer import compose, find_metre, read, scan
    from workbench.decoding.processor import PingalaLogitsProcessor

# Threads of torch that wait for each other by spinning stall a machine that has other work: a verse took 75 s at a load
# of 12. The variable is read when torch is loaded, so it is set before anything here can load it.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

__version__ = "0.1.0"
__all__ = ["PingalaLogitsProcessor", "compose", "find_metre", "read", "scan"]
_MODULES = {
    "PingalaLogitsProcessor": "workbench.decoding.processor",
    **dict.fromkeys(("compose", "find_metre", "read", "scan"), "workbench.composer"),
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
