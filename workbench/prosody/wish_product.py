"""A metre and wishes reading together, over sounds: a table that has exactly the verses that keep all of them.

The metre's automaton is made with a syllable's place known (acceptor.py, counted), and each wish's machine
(wish_machines.py) reads along with it: the product is explored from its start, all states of a step at once, and what
reaches no end is cut off, wish after wish. A column is a class of letters that neither metre nor wishes tell apart.
Every letter leads to a state of a lower rank, which is how far the metre is at most from its end, so the ends are found
by going through the ranks once. Scripts and bytes are wish_automata.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.prosody.acceptor import Place, acceptor
from workbench.prosody.automaton import DEAD, LETTERS, SOUNDS, Sound, SyllableLayer, explore, minimise
from workbench.prosody.metres import Metre
from workbench.prosody.wish_machines import MARK, VOWELS, Machine, machines_of
from workbench.prosody.wishes import Rhyme, TooManyStates, Wish, Word

Ints = npt.NDArray[np.int32]
Keys = npt.NDArray[np.int64]

MOST_STATES = 100_000  # over sounds; a search visits some hundred of them
ROOM_FOR_RHYMES = 60_000  # states: so many endings as there is room for, each a copy of what comes after the first
FEWEST_ENDINGS, MOST_ENDINGS = 12, 60  # of two akṣaras, two thirds as many: they take longer
DOUBLE_DANDA = "॥"


@dataclass(frozen=True, eq=False)
class Table:
    """An automaton in the making: states are rows, 0 is dead, the start is the last, and ranks rise with numbers."""

    delta: Ints  # state x column -> state
    column: dict[str, int]  # of each letter
    accepting: npt.NDArray[np.bool_]
    facts: Ints  # of each state, which of `known`
    rank: Ints
    due: Ints  # letters that wishes ask for and that are still to come
    known: tuple[tuple[Any, ...], ...]  # pādas done, a weight is open, wanted, yati breaks, place of a vowel read now

    @property
    def start(self) -> int:
        return len(self.delta) - 1

    @property
    def empty(self) -> bool:
        return len(self.delta) == 1


# ------------------------------------------------------------------------------------------------------ the metre


@lru_cache(maxsize=16)
def metre_table(metre: Metre, max_cluster: int, yati: str) -> Table:
    """A metre over sounds, with the place of the vowel that may come."""
    counting = acceptor(metre, counted=True)
    layer = SyllableLayer(counting, max_cluster, yati)
    states, edges = explore(layer.start, layer.step, frozenset(SOUNDS))
    vowels = [SOUNDS.index(Sound.SHORT), SOUNDS.index(Sound.LONG)]
    facts: list[Any] = []
    for state, row in zip(states, edges, strict=True):
        settled = counting.next[state.metre].get("l", -1) if state.open else state.metre
        place = counting.place(settled) if settled >= 0 and any(vowel in row for vowel in vowels) else None
        facts.append((*layer.known(state), place))
    rows: list[Any] = minimise(edges, facts)
    delta = np.zeros((len(rows) + 1, len(SOUNDS)), np.int32)
    rank = np.zeros(len(rows) + 1, np.int32)
    numbers: dict[tuple[Any, ...], int] = {(0, False, "", 0, None): 0}
    numbered = [0]
    for state, ((_, *rest), row) in enumerate(rows, start=1):
        for column, target in row:
            delta[state, column] = target
        rank[state] = 1 + rank[[target for _, target in row]].max(initial=0)
        numbered.append(numbers.setdefault(tuple(rest), len(numbers)))
    order = np.argsort(rank, kind="stable")
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    columns = {letter: SOUNDS.index(sign) for letter, sign in LETTERS["slp1"].items()}
    columns[DOUBLE_DANDA] = SOUNDS.index(Sound.DOUBLE_DANDA)
    return Table(
        number[delta[order]].astype(np.int32),
        columns,
        np.array([False, *(final for (final, *_), _ in rows)])[order],
        np.array(numbered, np.int32)[order],
        rank[order],
        np.zeros(len(order), np.int32),
        tuple(numbers),
    )


# ----------------------------------------------------------------------------------------------------- the wishes


@dataclass(frozen=True)
class _Dense:
    """A machine as a table: state x what matters of a vowel's place x column; 0 is dead."""

    delta: Ints
    start: int
    ends: npt.NDArray[np.bool_]
    due: Ints
    label_of_fact: Ints
    column: dict[str, int]


def _dense(machine: Machine, table: Table) -> _Dense:
    column = _classes(machine, table)
    letters: dict[int, str] = {}
    for letter, at in column.items():
        letters.setdefault(at, letter)
    places: list[Place | None] = [fact[-1] for fact in table.known]
    labels = {machine.label(place): None for place in places if place is not None}
    number_of_label = {label: at for at, label in enumerate(labels)}
    label_of_fact = [0 if place is None else number_of_label[machine.label(place)] for place in places]
    numbers = {machine.start: 1}
    rows = []
    for state in (states := [machine.start]):
        row = np.zeros((max(1, len(labels)), len(letters)), np.int32)
        for at, letter in letters.items():
            heard = MARK if letter in ("\n", DOUBLE_DANDA) else letter
            for label, which in number_of_label.items() if letter in VOWELS else ((None, slice(None)),):
                following = machine.step(state, heard, label)
                if following is None:
                    continue
                if following not in numbers:
                    numbers[following] = len(numbers) + 1
                    states.append(following)
                row[which, at] = numbers[following]
        rows.append(row)
    delta = np.stack([np.zeros_like(rows[0]), *rows])
    ends = np.array([False, *map(machine.ends, states)])
    due = np.array([0, *map(machine.due, states)], np.int32)
    return _Dense(delta, 1, ends, due, np.array(label_of_fact, np.int32), column)


def _classes(machine: Machine, table: Table) -> dict[str, int]:
    """The column of each letter, so that letters share one which neither the table nor the machine tells apart."""
    numbers: dict[tuple[int, str], int] = {}
    return {
        letter: numbers.setdefault((column, letter if letter in machine.letters else ""), len(numbers))
        for letter, column in table.column.items()
    }


def meet(table: Table, machine: Machine) -> Table:
    """What a table and a machine both accept, trimmed."""
    dense = _dense(machine, table)
    of_table = np.zeros(dense.delta.shape[2], np.int64)
    for letter, at in dense.column.items():
        of_table[at] = table.column[letter]
    width = len(dense.delta)
    labels = dense.label_of_fact[table.facts]

    def follow(keys: Keys) -> Keys:
        theirs, ours = np.divmod(keys, width)
        reached = table.delta[theirs][:, of_table].astype(np.int64)
        with_wish = dense.delta[ours, labels[theirs]]
        return np.where((reached != DEAD) & (with_wish != DEAD), reached * width + with_wish, DEAD)

    keys, edges = reach(table.start * width + dense.start, len(table.delta) * width, follow)
    theirs, ours = np.divmod(keys, width)
    accepting = table.accepting[theirs] & dense.ends[ours]
    due = table.due[theirs] + dense.due[ours]
    return trim(keys, edges, accepting, table.facts[theirs], table.rank[theirs], due, table.known, dense.column)


def reach(start: int, size: int, follow: Callable[[Keys], Keys]) -> tuple[Keys, Keys]:
    """Everything that can be reached from the start, which comes first, and where each leads; keys are under `size`."""
    frontier = np.array([start], np.int64)
    met = np.zeros(size, bool)
    met[[DEAD, start]] = True
    keys, targets, number = [], [], 0
    while len(frontier):
        pairs = follow(frontier)
        keys.append(frontier)
        targets.append(pairs)
        number += len(frontier)
        if number > 4 * MOST_STATES:
            raise TooManyStates(_too_many(number))
        fresh = pairs[~met[pairs]]
        met[fresh] = True
        frontier = np.unique(fresh)
    return np.concatenate(keys), np.concatenate(targets)


def _too_many(number: int) -> str:
    return (
        f"Expected fewer wishes, or a pāda named for each word, so that they take at most {MOST_STATES:,} states; "
        f"got {number:,} and more."
    )


def trim(
    keys: Keys,
    edges: Keys,
    accepting: npt.NDArray[np.bool_],
    facts: Ints,
    rank: Ints,
    due: Ints,
    known: tuple[tuple[Any, ...], ...],
    column: dict[str, int],
) -> Table:
    """States, the start first and named by keys, as a table of those that reach an end: rank by rank from the ends,
    equal ones made one."""
    order = np.lexsort((keys, rank))
    place = np.zeros(int(keys.max()) + 1, np.int64)
    place[keys[order]] = np.arange(1, len(keys) + 1)
    targets = place[edges[order]]
    start = int(place[keys[0]])
    accepting, facts, rank, due = accepting[order], facts[order], rank[order], due[order]
    number = np.zeros(len(keys) + 1, np.int32)
    rows: dict[tuple[int, int, bool, bytes], int] = {}
    kept: list[int] = []
    bounds = [*np.flatnonzero(np.diff(rank, prepend=-1)), len(rank)]
    for low, high in zip(bounds, bounds[1:], strict=False):
        reached = number[targets[low:high]]
        for at in np.flatnonzero(accepting[low:high] | reached.any(axis=1)).tolist():
            row = int(facts[low + at]), int(due[low + at]), bool(accepting[low + at]), reached[at].tobytes()
            if row not in rows:
                rows[row] = len(rows) + 1
                kept.append(low + at)
            number[low + at + 1] = rows[row]
    columns = edges.shape[1]
    delta = np.frombuffer(b"".join([bytes(4 * columns), *(row for *_, row in rows)]), np.int32).reshape(-1, columns)
    chosen = np.array(kept, np.int64)
    if number[start] == DEAD:
        chosen, delta = chosen[:0], delta[:1]
    return Table(
        delta,
        column,
        np.concatenate([[False], accepting[chosen]]),
        np.concatenate([[0], facts[chosen]]).astype(np.int32),
        np.concatenate([[0], rank[chosen]]).astype(np.int32),
        np.concatenate([[0], due[chosen]]).astype(np.int32),
        known,
    )


def meet_all(table: Table, metre: Metre, wishes: Sequence[Wish], others: Sequence[Wish] = ()) -> Table:
    """A metre's table and wishes, one after the other; `others` are in the table already. Empty where they cannot be
    kept together. Rhymes come last, when the others have left as little as there is: they multiply it."""
    for wish in sorted(wishes, key=by_cost):
        most = MOST_ENDINGS * 2 // 3 if isinstance(wish, Rhyme) and wish.syllables == 2 else MOST_ENDINGS
        endings = max(FEWEST_ENDINGS, min(most, ROOM_FOR_RHYMES // len(table.delta)))
        for machine in machines_of(wish, metre, [*others, *wishes], endings):
            table = meet(table, machine)
            if table.empty:
                return table
            if len(table.delta) > MOST_STATES:
                raise TooManyStates(_too_many(len(table.delta)))
    return table


def by_cost(wish: Wish) -> int:
    """What multiplies states comes last."""
    return 2 if isinstance(wish, Rhyme) else 1 if isinstance(wish, Word) and wish.pada is None else 0
