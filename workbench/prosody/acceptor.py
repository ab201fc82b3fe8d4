"""A metre as a deterministic acceptor of weights: which of l and g may come next, and which pādas are done.

It knows pādas and half-verses and no letters; `automaton` builds the letters on top. Pādas are sets of weight strings,
so a state is what may still follow (Brzozowski's derivatives): equal futures are one state, and the acceptor comes out
minimal without a minimisation step. One that counts keeps apart, besides, what has come equally far but at another
syllable of its pāda: wishes name places (wishes.py), metres by themselves do not.
"""

from __future__ import annotations

from functools import lru_cache

from workbench.prosody.metres import Metre

PADAS = 4
HALF_ENDS = (1, 3)  # after the second and the fourth pāda a half-verse ends

# Where a verse may stand: pāda, and syllables of it where they are counted -> what may still follow in it. More than
# one only in mixtures of lengths.
Place = tuple[int, int]
Threads = tuple[tuple[Place, frozenset[str]], ...]


class Acceptor:
    """States are numbered from 0, the start; -1 is no state."""

    def __init__(self, metre: Metre, counted: bool = False) -> None:
        self.metre = metre
        self.counted = counted
        self.threads: list[Threads] = []
        self._number: dict[Threads, int] = {}
        self.next: list[dict[str, int]] = []  # weight -> state
        self.second_half: list[int] = []  # the state after the half-verse's end, or -1
        self.done: list[bool] = []  # the verse is complete here
        self.padas: list[int] = []  # pādas complete
        self.start = self._state((((0, 0), metre.padas[0].weights),))
        current = 0
        while current < len(self.threads):
            self._grow(current)
            current += 1

    def _state(self, threads: Threads) -> int:
        if threads not in self._number:
            self._number[threads] = len(self.threads)
            self.threads.append(threads)
        return self._number[threads]

    def _grow(self, state: int) -> None:
        threads = dict(self.threads[state])
        self.next.append({weight: number for weight in "lg" if (number := self._after(threads, weight)) >= 0})
        ended = {pada for (pada, _), rest in threads.items() if "" in rest}
        self.second_half.append(self._state((((2, 0), self.metre.padas[2].weights),)) if 1 in ended else -1)
        self.done.append(3 in ended)
        self.padas.append(min(pada + (rest == {""}) for (pada, _), rest in threads.items()))

    def _after(self, threads: dict[Place, frozenset[str]], weight: str) -> int:
        following: dict[Place, frozenset[str]] = {}
        for (pada, syllable), rest in threads.items():
            tails = frozenset(filling[1:] for filling in rest if filling[:1] == weight)
            if "" in tails and pada not in HALF_ENDS:
                begun = pada + 1, 0
                following[begun] = following.get(begun, frozenset()) | self.metre.padas[pada + 1].weights
                tails -= {""}
            if tails:
                here = pada, syllable + self.counted
                following[here] = following.get(here, frozenset()) | tails
        return self._state(tuple(sorted(following.items()))) if following else -1

    def place(self, state: int) -> Place | None:
        """The pāda and the syllable of it, from 0, that come next; None where a mixture of lengths leaves it open."""
        threads = self.threads[state]
        return threads[0][0] if len(threads) == 1 else None


@lru_cache(maxsize=128)
def acceptor(metre: Metre, counted: bool = False) -> Acceptor:
    return Acceptor(metre, counted)
