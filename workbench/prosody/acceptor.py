"""A metre as a deterministic acceptor of weights: which of l and g may come next, and which pādas are done.

It knows pādas and half-verses and no letters; `automaton` builds the letters on top. Pādas are sets of weight strings,
so a state is what may still follow (Brzozowski's derivatives): equal futures are one state, and the acceptor comes out
minimal without a minimisation step.
"""

from __future__ import annotations

from functools import lru_cache

from workbench.prosody.metres import Metre

PADAS = 4
HALF_ENDS = (1, 3)  # after the second and the fourth pāda a half-verse ends

# Where a verse may stand: pāda -> what may still follow in it. More than one pāda only in mixtures of lengths.
Threads = tuple[tuple[int, frozenset[str]], ...]


class Acceptor:
    """States are numbered from 0, the start; -1 is no state."""

    def __init__(self, metre: Metre) -> None:
        self.metre = metre
        self._threads: list[Threads] = []
        self._number: dict[Threads, int] = {}
        self.next: list[dict[str, int]] = []  # weight -> state
        self.second_half: list[int] = []  # the state after the half-verse's end, or -1
        self.done: list[bool] = []  # the verse is complete here
        self.padas: list[int] = []  # pādas complete
        self.start = self._state(((0, metre.padas[0].weights),))
        current = 0
        while current < len(self._threads):
            self._grow(current)
            current += 1

    def _state(self, threads: Threads) -> int:
        if threads not in self._number:
            self._number[threads] = len(self._threads)
            self._threads.append(threads)
        return self._number[threads]

    def _grow(self, state: int) -> None:
        threads = dict(self._threads[state])
        self.next.append({weight: number for weight in "lg" if (number := self._after(threads, weight)) >= 0})
        halves_end = "" in threads.get(1, frozenset())
        self.second_half.append(self._state(((2, self.metre.padas[2].weights),)) if halves_end else -1)
        self.done.append("" in threads.get(3, frozenset()))
        self.padas.append(min(pada + (rest == {""}) for pada, rest in threads.items()))

    def _after(self, threads: dict[int, frozenset[str]], weight: str) -> int:
        following: dict[int, frozenset[str]] = {}
        for pada, rest in threads.items():
            tails = frozenset(filling[1:] for filling in rest if filling[:1] == weight)
            if "" in tails and pada not in HALF_ENDS:
                following[pada + 1] = following.get(pada + 1, frozenset()) | self.metre.padas[pada + 1].weights
                tails -= {""}
            if tails:
                following[pada] = following.get(pada, frozenset()) | tails
        return self._state(tuple(sorted(following.items()))) if following else -1


@lru_cache(maxsize=128)
def acceptor(metre: Metre) -> Acceptor:
    return Acceptor(metre)
