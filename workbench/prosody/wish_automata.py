"""Metre and wishes compiled to one trimmed automaton, of the same kind as a metre's own (automaton.py).

Over sounds they have met already (wish_product.py). Devanagari's inherent a and UTF-8's bytes come on top here, as in a
metre by itself, but for all states at once, since there are many. What is compiled is kept in memory only, and what was
not asked for longest goes first. Where nothing is left, wish_refusals.py says why.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from workbench.prosody import sounds
from workbench.prosody.automaton import DEAD, LETTERS, MAX_CLUSTER, Automaton, Sound, compile_metre
from workbench.prosody.metres import Metre
from workbench.prosody.script import to_slp1
from workbench.prosody.wish_product import DOUBLE_DANDA, Keys, Table, meet_all, metre_table, reach, trim
from workbench.prosody.wish_refusals import check_places, why_not
from workbench.prosody.wishes import Akshara, Beginnings, Given, Wish, WishError, Word, check_number

KEPT = 8  # automata at once; one of a rhyme in Devanagari takes a hundred megabytes


def compile_wishes(
    metre: Metre,
    wishes: Sequence[Wish] = (),
    script: str = "slp1",
    unit: str = "characters",
    max_cluster: int = MAX_CLUSTER,
    yati: str = "none",
) -> Automaton:
    """The automaton of a metre and wishes in a script; without wishes, the metre's own. WishError says which of them
    cannot be kept, and why."""
    check_number(wishes)
    if not wishes:
        return compile_metre(metre, script, unit, max_cluster, yati)
    return _compiled(metre, tuple(wishes), script, unit, max(max_cluster, _longest_cluster(wishes)), yati)


def _longest_cluster(wishes: Sequence[Wish]) -> int:
    """What is given may have more consonants in a row than a generator is let to write."""
    texts = " ".join(wish.text for wish in wishes if isinstance(wish, (Given, Word, Akshara)))
    texts += " ".join(["", *(text for wish in wishes if isinstance(wish, Beginnings) for text in wish.aksharas)])
    return max((len(run) - (run[-1] in sounds.VOWELS) - 1 + (run[-1] not in sounds.VOWELS)
                for run in re.findall(f"[{sounds.CONSONANTS}]+[{sounds.VOWELS}]?", texts)), default=0)  # fmt: skip


@lru_cache(maxsize=KEPT)
def _compiled(metre: Metre, wishes: tuple[Wish, ...], script: str, unit: str, max_cluster: int, yati: str) -> Automaton:
    check_places(metre, wishes)
    table = meet_all(metre_table(metre, max_cluster, yati), metre, wishes)
    if table.empty:
        raise WishError(why_not(metre, wishes, max_cluster, yati))
    table = _forget_places(table)
    if script == "devanagari":
        table = _devanagari(table)
    else:
        table = replace(table, column={letter: table.column[letter] for letter in LETTERS[script]})
    return _automaton(metre, script, unit, _over_bytes(table) if unit == "bytes" else table)


def _forget_places(table: Table) -> Table:
    """The same for those who do not ask where a vowel stands: fewer states."""
    numbers: dict[tuple[Any, ...], int] = {}
    facts = np.array([numbers.setdefault(fact[:-1], len(numbers)) for fact in table.known], np.int32)
    keys = np.arange(table.start, 0, -1, dtype=np.int64)
    return trim(
        keys,
        table.delta[keys].astype(np.int64),
        table.accepting[keys],
        facts[table.facts[keys]],
        table.rank[keys],
        table.due[keys],
        tuple(numbers),
        table.column,
    )


# ------------------------------------------------------------------------------------------------------ scripts

_NOTHING, _VOWEL, _CONSONANT = range(3)  # what a Devanagari text may wait for, as in automaton.py
_SIGNS = (Sound.SHORT_SIGN, Sound.LONG_SIGN)


def _sound(letter: str, sign: Sound) -> str:
    """What a letter of Devanagari sounds like, without a consonant's a."""
    if sign in _SIGNS:
        return to_slp1("क" + letter, "devanagari")[1:]
    if sign in (Sound.DANDA, Sound.DOUBLE_DANDA):
        return "." if sign is Sound.DANDA else DOUBLE_DANDA
    slp1 = to_slp1(letter, "devanagari")
    return slp1[:-1] if sign is Sound.CONSONANT else slp1


def _devanagari(table: Table) -> Table:
    """Signs in, sounds out, as automaton.py's layer: a consonant's `a` is read when the next sign does not replace it.
    A state is what was heard, and what the text waits for."""
    states = len(table.delta)
    heard = table.delta.astype(np.int64)
    as_it_is = np.arange(states)
    with_a = heard[:, table.column["a"]]
    nothing = np.zeros(states, np.int64)
    column: dict[str, int] = {}
    numbers: dict[tuple[Sound, int], int] = {}
    edges: list[Keys] = []
    for letter, sign in LETTERS["devanagari"].items():
        at = -1 if sign is Sound.VIRAMA else table.column[_sound(letter, sign)]
        column[letter] = numbers.setdefault((sign, at), len(numbers))
        if column[letter] < len(edges):
            continue
        if sign is Sound.VIRAMA:
            ways = nothing, as_it_is * 3 + _CONSONANT, nothing
        elif sign in _SIGNS:
            ways = nothing, heard[:, at] * 3 + _NOTHING, nothing
        else:
            waits = _VOWEL if sign is Sound.CONSONANT else _NOTHING
            going_on, after_a = heard[:, at] * 3 + waits, heard[with_a, at] * 3 + waits
            apart = sign in (Sound.SHORT, Sound.LONG, Sound.CODA, Sound.AVAGRAHA)
            ways = going_on, after_a, nothing if apart else going_on
        edges.append(np.stack(ways, axis=1).reshape(-1))
    whole = np.stack(edges, axis=1)
    whole[whole < 3] = DEAD  # what was heard is dead
    keys, targets = reach(table.start * 3, states * 3, lambda some: whole[some])
    what, waiting = np.divmod(keys, 3)
    read = np.where(waiting == _VOWEL, with_a[what], what)
    rank = 2 * table.rank[what] + (waiting == _VOWEL)
    accepting, facts, due = table.accepting[read], table.facts[what], table.due[what]
    return trim(keys, targets, accepting, facts, rank.astype(np.int32), due, table.known, column)


def _over_bytes(table: Table) -> Table:
    """The same over UTF-8: a letter's bytes lead through states that know what the state before it knew, and are no
    ends. `column` is of letters still; a column is a byte."""
    spelled = {letter: letter.encode() for letter in table.column}
    beginnings = sorted({spelling[:end] for spelling in spelled.values() for end in range(1, len(spelling))})
    inside = {b"": 0, **{beginning: at for at, beginning in enumerate(beginnings, start=1)}}
    width = len(inside)
    bytes_used = sorted({byte for spelling in spelled.values() for byte in spelling})
    at_byte = {byte: at for at, byte in enumerate(bytes_used)}
    states = len(table.delta)
    edges = np.zeros((states, width, len(bytes_used)), np.int64)
    for letter, spelling in spelled.items():
        edges[:, inside[spelling[:-1]], at_byte[spelling[-1]]] = (
            table.delta[:, table.column[letter]].astype(np.int64) * width
        )
    for beginning in reversed(beginnings):
        alive = edges[:, inside[beginning]].any(axis=1)
        key = np.arange(states) * width + inside[beginning]
        edges[:, inside[beginning[:-1]], at_byte[beginning[-1]]] = np.where(alive, key, DEAD)
    flat = edges.reshape(states * width, -1)
    keys, targets = reach(table.start * width, states * width, lambda some: flat[some])
    what, within = np.divmod(keys, width)
    depth = np.array([len(beginning) for beginning in inside])
    rank = table.rank[what] * (int(depth.max()) + 1) + depth.max() - depth[within]
    accepting = table.accepting[what] & (within == 0)
    facts, due = table.facts[what], table.due[what]
    made = trim(keys, targets, accepting, facts, rank.astype(np.int32), due, table.known, table.column)
    delta = np.zeros((len(made.delta), 256), np.int32)
    delta[:, bytes_used] = made.delta
    return replace(made, delta=delta)


def _automaton(metre: Metre, script: str, unit: str, table: Table) -> Automaton:
    columns = list(range(256)) if unit == "bytes" else list(table.column.values())
    letters = table.delta[:, columns]  # one column a letter, or a byte
    alive = letters != DEAD
    to_end = np.full(len(table.delta), -1, np.int32)
    far = np.iinfo(np.int32).max // 2
    bounds = [*np.flatnonzero(np.diff(table.rank[1:], prepend=-1)) + 1, len(table.rank)]
    for low, high in zip(bounds, bounds[1:], strict=False):
        here, lives, ends = letters[low:high], alive[low:high], table.accepting[low:high]
        nearest = np.where(lives, to_end[here], far).min(axis=1) + 1
        to_end[low:high] = np.where(ends, 0, nearest)
    padas, open_, wanted, breaks = zip(*table.known, strict=True)
    return Automaton(
        metre,
        script,
        unit,
        table.start,
        table.delta,
        table.column,
        table.accepting,
        np.array(padas, np.int8)[table.facts],
        np.array(open_)[table.facts],
        tuple(wanted[fact] for fact in table.facts),
        np.array(breaks, np.int8)[table.facts],
        to_end,
        table.due,
    )
