"""Metres without wishes compile to what they did before there were wishes: runs, traces and token tables depend on it."""

import hashlib

from workbench.prosody.automaton import compile_metre
from workbench.prosody.metres import find
from workbench.prosody.wish_automata import compile_wishes

ANUSTUBH = find("anuṣṭubh")
AS_BEFORE = (
    "anuṣṭubh", "madalekhā", "maṇimadhya", "rathoddhatā", "tāmarasa", "vaṃśastha", "mattamayūra", "vasantatilakā",
    "vāṇinī", "kusumitalatāvellitā", "sumadhurā", "madraka", "upacitra", "upajāti", "upagīti",
)  # fmt: skip


def fingerprint(automaton) -> str:
    parts = [automaton.delta, automaton.accepting, automaton.padas, automaton.open, automaton.breaks, automaton.to_end]
    text = repr((automaton.start, automaton.wanted, sorted(automaton.column.items())))
    return hashlib.sha256(b"".join(part.tobytes() for part in parts) + text.encode()).hexdigest()[:16]


def test_a_metre_without_wishes_compiles_to_what_it_did():
    """States and numbers: runs, traces and token tables that ship were made with them."""
    assert compile_wishes(ANUSTUBH, (), "slp1", "bytes", 3, "none") is compile_metre(
        ANUSTUBH, "slp1", "bytes", 3, "none"
    )
    whole = hashlib.sha256()
    for name in AS_BEFORE:
        for script in ("slp1", "devanagari"):
            whole.update(fingerprint(compile_metre(find(name), script, "bytes", 3)).encode())
    assert whole.hexdigest()[:16] == "6276c67ba4309168"
