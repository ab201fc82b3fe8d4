"""Pingala Workbench: English prose in, metrically perfect Sanskrit verse out.

The rooms of the house, from the ground up: `prosody` (sounds, syllables, metres, automata), `composer` (the one door
through which the page, the command line and the experiments come in), `ui` (the page) and `experiments` (what is
measured, as commands).
"""

__version__ = "0.1.0"
