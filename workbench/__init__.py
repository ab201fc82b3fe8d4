"""Pingala Workbench: English prose in, metrically perfect Sanskrit verse out.

The rooms of the house, from the ground up: `prosody` (sounds, syllables, metres, automata), `composer` (the one door
through which the page, the command line and the measurements come in), `ui` (the page), `corpora`, `training`,
`evaluation`, `verification` and `benchmarks` (what is learnt, measured, proved and timed, as commands).
"""

__version__ = "0.1.0"
