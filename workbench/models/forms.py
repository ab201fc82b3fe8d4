"""How the embedded generator is told what it is to write: a start token for every metre, one for prose, one for words.

The commonest metres have a token of their own; the others share one by the syllables of their pādas, or one for all
that count morae, so that a metre which no verse was read in still says how long it is. Knows metres by name and shape.
"""

from __future__ import annotations

from workbench.prosody.metres import ANUSTUBH, UnknownMetre, find

VERSE, OTHER, WORD = "<s>", "<o>", "<w>"  # an anuṣṭubh verse; prose, or lines that are no whole verse; a word
MORAE, UNEQUAL = "<morae>", "<unequal>"
# By the verses of the corpora (docs/CORPORA.md), commonest first.
NAMED = (
    "upajāti", "śārdūlavikrīḍita", "vasantatilakā", "vaṃśastha", "āryā", "śikhariṇī", "indravajrā",
    "upajāti (vaṃśastha-indravaṃśā)", "rathoddhatā", "svāgatā", "sragdharā", "puṣpitāgrā", "mandākrāntā", "mālinī",
    "viyoginī", "drutavilambita", "mālābhāriṇī", "upajāti (triṣṭubh-jagatī)", "upendravajrā", "gīti",
)  # fmt: skip
SYLLABLES = range(4, 28)  # of a pāda, in metres that share a token
TOKENS = (
    VERSE, OTHER, WORD, *(f"<{name}>" for name in NAMED), *(f"<{number}>" for number in SYLLABLES), MORAE, UNEQUAL,
)  # fmt: skip


def start_token(metre: str) -> str:
    """Of a metre by its name; none is prose."""
    if metre in ("", ANUSTUBH):
        return VERSE if metre else OTHER
    if metre in NAMED:
        return f"<{metre}>"
    try:
        found = find(metre)
    except UnknownMetre:
        return OTHER
    if found.unit == "morae":
        return MORAE
    lengths = {length for pada in found.padas for length in pada.lengths}
    return f"<{lengths.pop()}>" if len(lengths) == 1 and lengths <= set(SYLLABLES) else UNEQUAL
