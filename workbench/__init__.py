"""Pingala Workbench: English prose in, metrically perfect Sanskrit verse out.

The rooms of the house, from the ground up: `prosody` (sounds, syllables, metres, automata), `composer` (the one door
through which the page, the command line and the measurements come in), `ui` (the page), `corpora`, `training`,
`evaluation`, `verification` and `benchmarks` (what is learnt, measured, proved and timed, as commands).
"""

import os

# Threads of torch that wait for each other by spinning stall a machine that has other work: a verse took 75 s at a load
# of 12. The variable is read when torch is loaded, so it is set before anything here can load it.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

__version__ = "0.1.0"
