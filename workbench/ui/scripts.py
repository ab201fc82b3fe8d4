"""The scripts that people are shown Sanskrit in: those whose letters were looked at in verses with clusters.

What a text may be written in, and what programs may ask for, is the composer's to say (`composer.SCRIPTS`); this is
what the page offers to read. Knows no tab.
"""

from __future__ import annotations

from workbench import composer

# Tamil's raised numbers stand before the vowel sign and tear it from its letter, and its daṇḍas are full stops
# (workbench/prosody/script.py writes it so); until it is written as people do, it is read and not offered.
NOT_SHOWN = ("tamil",)
SHOWN = {name: script for name, script in composer.SCRIPTS.items() if name not in NOT_SHOWN}
OFFERED_SCRIPTS = [(script.label, name) for name, script in SHOWN.items()]
INSTEAD = "iast"


def shown_script(name: str) -> str:
    """A script to show a text in that came in this one."""
    return name if name in SHOWN else INSTEAD
