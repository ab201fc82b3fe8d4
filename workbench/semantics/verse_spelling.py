"""A verse as the judges of meaning read it: the same words whatever script it came in, with or without daṇḍas.

Models trained here read SLP1, with a daṇḍa put back between the halves where the generator is used to one; models from
the Hub read Devanagari.
"""

from __future__ import annotations

import json
from pathlib import Path

from workbench.damage import sha256
from workbench.prosody.script import write
from workbench.prosody.sounds import vowels_in
from workbench.prosody.verse import DANDA, Verse, in_one_spelling

FILE = "spelling.json"  # beside a model: how it wants its verses
DEVANAGARI, SLP1, HALVES = "devanagari", "slp1", "halves"


def spell(verse: Verse, how: str) -> str:
    """As a model wants it."""
    if how == HALVES:
        return DANDA.join(_equal_halves(verse))
    return write(verse.plain, "devanagari") if how == DEVANAGARI else verse.plain


def as_read(verse: Verse) -> str:
    """As the reader learnt verses, whether a daṇḍa came with it or not."""
    return in_one_spelling(_equal_halves(verse))


def _equal_halves(verse: Verse) -> list[str]:
    """The words before and after the middle, where an even number of syllables has its half at a word's end; otherwise
    all in one: so that a verse is the same whether its daṇḍa was there or not."""
    syllables = [vowels_in(word) for word in verse.words]
    total, seen = sum(syllables), 0
    for at, number in enumerate(syllables[:-1], start=1):
        seen += number
        if 2 * seen == total:
            return [" ".join(verse.words[:at]), " ".join(verse.words[at:])]
    return [verse.plain]


def spelling_of(folder: str | Path) -> str:
    """How the model in a folder, or on the Hub, wants its verses."""
    file = Path(folder) / FILE
    if not file.is_file():
        return DEVANAGARI
    return str(json.loads(file.read_text(encoding="utf-8"))["verses"])


def note_spelling(folder: Path, how: str) -> None:
    (folder / FILE).write_text(json.dumps({"verses": how}) + "\n", encoding="utf-8")


def fingerprint(folder: Path) -> str:
    """A folder's name and a hash of all weights in it."""
    return f"{folder.name}#{sha256(*sorted(folder.rglob('*.safetensors')))[:12]}"
