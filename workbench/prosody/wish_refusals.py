"""Why wishes cannot be kept: what in one of them breaks the metre and where, or which two exclude each other.

The wishes are tried one by one and two by two (wish_product.py); for one that no verse of the metre keeps, its text is
laid over the metre's patterns and the first thing that is wrong is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from workbench.prosody import sounds
from workbench.prosody.acceptor import acceptor
from workbench.prosody.metres import Metre, Pada
from workbench.prosody.scansion import GURU, LAGHU, WEIGHT_NAMES, scan
from workbench.prosody.script import write
from workbench.prosody.wish_product import by_cost, meet_all, metre_table
from workbench.prosody.wishes import Akshara, Beginnings, Given, Rhyme, Wish, WishError, Word


def check_places(metre: Metre, wishes: Sequence[Wish]) -> None:
    """Refuse places that the metre does not have, or that it leaves open."""
    placed = next((wish for wish in wishes if wish.placed), None)
    if placed and any(len(threads) > 1 for threads in acceptor(metre).threads):
        raise WishError(
            f"Expected a metre whose pādas end at a certain syllable, for a wish about pādas ({placed.line}); "
            f"got {metre.name}, which leaves it open."
        )
    for wish in wishes:
        for each in wish.each if isinstance(wish, Beginnings) else [wish]:
            if isinstance(each, Akshara) and each.syllable > (most := metre.padas[each.pada - 1].lengths[-1]):
                raise WishError(
                    f"Expected a syllable from 1 to {most} of pāda {each.pada} in {metre.name}; got {each.syllable}."
                )


def why_not(metre: Metre, wishes: Sequence[Wish], max_cluster: int, yati: str) -> str:
    """The sentence for wishes of which it is known that no verse keeps them all."""
    table = metre_table(metre, max_cluster, yati)
    each_alone = {}
    for wish in sorted(wishes, key=by_cost):
        each_alone[wish] = meet_all(table, metre, [wish])
        if each_alone[wish].empty:
            return _why_none(metre, wish)
    for one, other in combinations(each_alone, 2):
        if meet_all(each_alone[one], metre, [other], [one]).empty:
            pair = sorted((one, other), key=list(wishes).index)
            return (
                f"Expected wishes that one verse of {metre.name} can keep; got two that exclude each other: "
                f"{' and '.join(map(_quoted, pair))}.{_about_rhymes(pair)}"
            )
    return (
        f"Expected wishes that one verse of {metre.name} can keep; got {len(wishes)} of which any two can be kept, but "
        f"not all: {'; '.join(map(_quoted, wishes))}.{_about_rhymes(wishes)}"
    )


def _about_rhymes(wishes: Sequence[Wish]) -> str:
    return " Rhymes are made on the commonest endings." if any(isinstance(wish, Rhyme) for wish in wishes) else ""


def _quoted(wish: Wish) -> str:
    return f"“{wish.sentence.rstrip('.')}”"


def _why_none(metre: Metre, wish: Wish) -> str:
    expected = f"Expected a wish that a verse of {metre.name} can keep; got {_quoted(wish)}"
    if isinstance(wish, Given):
        return f"{expected}: {_given(metre, wish) or 'no verse has it there'}."
    for each in wish.each if isinstance(wish, Beginnings) else [wish]:
        if isinstance(each, Akshara) and (wrong := _akshara(metre, each)):
            return f"{expected}: {wrong}."
    if isinstance(wish, Word):
        weights = " ".join(WEIGHT_NAMES[weight] for weight in _weights(wish.text))
        where = f"in pāda {wish.pada}" if wish.pada else "in any pāda"
        return f"{expected}: {write(wish.text, 'iast')} ({weights}) fits nowhere {where}."
    return f"{expected}: nothing would be left."


def _weights(text: str) -> str:
    """Of a text by itself; its last syllable's weight may depend on what follows: x."""
    syllables = scan(text)
    weights = "".join(syllable.weight for syllable in syllables)
    return weights[:-1] if _is_open(text) else weights


def _is_open(text: str) -> bool:
    """Whether what follows decides the last weight: after a short vowel with one consonant at most."""
    bare = text.replace(sounds.AVAGRAHA, "")
    return bare[-1] in sounds.SHORT or (bare[-1] in sounds.CONSONANTS and bare[-2:-1] in tuple(sounds.SHORT))


def _given(metre: Metre, wish: Given) -> str:
    if wish.pada:
        return _lay(wish.text, metre.padas[wish.pada - 1], f"pāda {wish.pada}", free_end=wish.pada % 2 == 1)
    lines = wish.lines
    for at, line in enumerate(lines):
        whole = wish.place.startswith("half") or len(lines) == 2
        if not whole:
            continue
        half = int(wish.place[-1]) - 1 if wish.place.startswith("half") else at
        if (wish.place, at) in (("beginning", 1), ("end", 0)):
            continue  # only a part of this half is given
        wrong = _lay_half(line, metre, half)
        if wrong:
            return wrong
    return _first_fault(metre, wish) if wish.place == "beginning" else ""


def _lay_half(line: str, metre: Metre, half: int) -> str:
    one, two = metre.padas[2 * half : 2 * half + 2]
    weights = "".join(syllable.weight for syllable in scan(line))
    lengths = {first + second for first in one.lengths for second in two.lengths}
    if len(weights) not in lengths:
        return f"half {half + 1}: the given text has {len(weights)} syllables; {metre.name} has {_either(lengths)}"
    split = one.lengths[0]
    if len(one.lengths) > 1:
        return ""
    return _wrong_weight(weights[:split], one, f"pāda {2 * half + 1}", 0) or _wrong_weight(
        weights[split:], two, f"pāda {2 * half + 2}", split
    )


def _either(numbers: Sequence[int] | set[int]) -> str:
    ordered = sorted(numbers)
    return str(ordered[0]) if len(ordered) == 1 else f"{ordered[0]} to {ordered[-1]}"


def _lay(text: str, pada: Pada, where: str, free_end: bool) -> str:
    weights = "".join(syllable.weight for syllable in scan(text))
    if len(weights) not in pada.lengths:
        return f"{where}: the given text has {len(weights)} syllables; it must have {_either(pada.lengths)}"
    if free_end and _is_open(text):
        weights = weights[:-1]  # the next pāda's first consonants decide
    return _wrong_weight(weights, pada, where, 0)


def _wrong_weight(weights: str, pada: Pada, where: str, before: int) -> str:
    """The first syllable of the wrong weight, by the filling that is nearest."""
    fillings = [filling for filling in pada.weights if len(filling) >= len(weights)]
    if not fillings or any(filling.startswith(weights) for filling in fillings):
        return ""
    faults = [[at for at, got in enumerate(weights) if filling[at] != got] for filling in fillings]
    at = min(faults, key=lambda wrong: (len(wrong), wrong))[0]
    got, wanted = weights[at], GURU if weights[at] == LAGHU else LAGHU
    syllable = f"syllable {before + at + 1} of the given text"
    return f"{where}: {syllable} is {WEIGHT_NAMES[got]}; it must be {WEIGHT_NAMES[wanted]}"


def _first_fault(metre: Metre, wish: Given) -> str:
    """Where the first words leave the metre."""
    machine = acceptor(metre)
    state = machine.start
    line = wish.lines[0]
    for number, weight in enumerate(_weights(line), start=1):
        following = machine.next[state]
        if weight not in following:
            wanted = " or ".join(WEIGHT_NAMES[each] for each in following) or "the half's last"
            return f"syllable {number} of the given text is {WEIGHT_NAMES[weight]}; it must be {wanted}"
        state = following[weight]
    return ""


def _akshara(metre: Metre, wish: Akshara) -> str:
    """An akṣara that is guru by itself where only laghu may stand."""
    pada, at = metre.padas[wish.pada - 1], wish.syllable - 1
    allowed = {filling[at] for filling in pada.weights if len(filling) > at}
    heavy = wish.akshara.vowel in sounds.LONG or wish.akshara.coda
    if heavy and GURU not in allowed:
        return f"pāda {wish.pada}: syllable {wish.syllable} must be laghu, and {write(wish.text, 'iast')} is guru"
    return ""
