"""Wishes kept, shown: random sets of them under random models, and every set that is refused looked into again.

A set is made of verses walked at random, so that some fit together and some do not. What is composed under it is judged
by skrutable and by each wish's own check on the text, which knows no automaton. Of a set that is refused, the wishes
that exclude each other must be shown to do so by their texts, or else be looked for in vain: in verses walked under
each of them, none may keep the others. In a small world, a metre of one syllable a pāda and four letters, all verses
are written out, and the automaton must accept exactly those that keep the wishes; there a refusal is proved.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

import numpy as np

from workbench.decoding.decode import decode
from workbench.decoding.settings import Settings
from workbench.models.scorers import ModelScorer
from workbench.models.tiny import FAMILIES, SCRIPTS, prompt
from workbench.prosody.acceptor import PADAS
from workbench.prosody.aksharas import PlacedPada, aksharas_of, cut_half, placed_padas
from workbench.prosody.automaton import Automaton, compile_metre
from workbench.prosody.metres import KINDS, Form, Metre, Pada, find
from workbench.prosody.scansion import scan
from workbench.prosody.verse import Verse
from workbench.prosody.wish_automata import compile_wishes
from workbench.prosody.wishes import Akshara, Beginnings, Given, Rhyme, TooManyStates, Wish, WishError, Without, Word
from workbench.verification.agreement import walk

METRES = ("anuṣṭubh", "vasantatilakā", "āryā", "upajāti", "mālinī", "śārdūlavikrīḍita")
BEAMS = 3
WALKS = 40  # verses under each of two wishes that exclude each other
WAYS = 8  # in which pādas of several lengths are tried to rhyme
SMALL_LETTERS = "kt", "aA"  # consonants and vowels of the small world


@dataclass(frozen=True)
class Outcome:
    """One random set of wishes."""

    metre: str
    script: str
    family: str
    wishes: tuple[Wish, ...]
    states: int = 0  # of the automaton; none where it was refused
    stranded: int = 0  # of these, such as cannot reach an end, or may be met twice
    verses: int = 0
    full: int = 0  # by skrutable and by us
    kept: int = 0  # every wish
    refused: str = ""
    too_large: bool = False  # no claim that they exclude each other
    certain: bool = False  # the texts show it
    found: str = ""  # a verse that keeps what was refused: there must be none


def random_outcome(seed: int) -> Outcome:
    """A set of one to five wishes, a metre, a script, a model: all by chance, the same for the same seed."""
    chance = random.Random(seed)
    metre, script, family = chance.choice(METRES), chance.choice(SCRIPTS), chance.choice(sorted(FAMILIES))
    wishes = random_wishes(find(metre), chance)
    settings = Settings(metre=metre, script=script, beams=BEAMS, returned=BEAMS, beta=chance.choice((0.0, 5.0)))
    try:
        automaton = compile_wishes(find(metre), wishes, script, "bytes", settings.max_cluster)
    except TooManyStates as refusal:
        return Outcome(metre, script, family, wishes, refused=str(refusal), too_large=True)
    except WishError as refusal:
        certain, found = look_again(find(metre), wishes, chance)
        return Outcome(metre, script, family, wishes, refused=str(refusal), certain=certain, found=found)
    model, tokenizer = FAMILIES[family]()
    decoding = decode(ModelScorer(model, prompt(seed % 7)), tokenizer, settings, watch=False, wishes=wishes)
    for _ in decoding:
        pass
    candidates = decoding.candidates
    good = [each for each in candidates if each.full and each.verdict and each.verdict.skrutable.perfect(find(metre))]
    kept = [each for each in candidates if all(wish.kept(each.verse) for wish in wishes)]
    return Outcome(
        metre, script, family, wishes, len(automaton), stranded(automaton), len(candidates), len(good), len(kept)
    )


def stranded(automaton: Automaton) -> int:
    """States that cannot reach an end, or may be met again on one way: there must be none."""
    cannot = automaton.to_end[1:] < 0
    again = automaton.delta[1:].max(axis=1) >= np.arange(1, len(automaton))
    return int((cannot | again).sum())


# ------------------------------------------------------------------------------------------------- sets by chance


def walked(metre: Metre, chance: random.Random) -> Verse:
    return Verse.from_slp1(walk(compile_metre(metre, max_cluster=3), chance))


def random_wishes(metre: Metre, chance: random.Random) -> tuple[Wish, ...]:
    """All from one verse, so that it keeps them, or every now and then one from another."""
    own = walked(metre, chance)
    made: list[Wish] = []
    for _ in range(chance.randint(1, 5)):
        source = walked(metre, chance) if chance.random() < 0.15 else own
        try:
            made.append(_random_wish(source, metre, chance))
        except WishError:  # a syllable of the verse that cannot be asked for, such as one with an avagraha
            continue
    return tuple(made) or (Rhyme(1, (2, 4)),)


def _random_wish(verse: Verse, metre: Metre, chance: random.Random) -> Wish:
    padas = placed_padas(verse.halves, metre)
    at = chance.randrange(PADAS)
    pada, half = padas[at], verse.halves[at // 2]
    syllable = chance.randrange(len(pada.aksharas))
    akshara = pada.aksharas[syllable]
    word = chance.choice(half.split())
    sounds = "".join(akshara.sounds for pada in padas for akshara in pada.aksharas)
    match chance.randrange(9):
        case 0:
            return Given(pada.text, str(at + 1))
        case 1:
            return Given(half, f"half {at // 2 + 1}")
        case 2:
            words = verse.halves[0].split()[:2], verse.halves[1].split()[-2:]
            return Given(" ".join(words[at % 2]), ("beginning", "end")[at % 2])
        case 3:
            return Word(word, None if chance.random() < 0.5 else _pada_of(word, padas) or at + 1)
        case 4:
            return Word(akshara.onset + akshara.vowel, None if chance.random() < 0.5 else at + 1, inside=True)
        case 5:
            return Akshara(akshara.onset + akshara.vowel + akshara.coda, at + 1, syllable + 1)
        case 6:
            absent = [letter for letter in "kKgGcCjwqtTdDnpPbBmyrlvSzsh" if letter not in sounds]
            forbidden = "".join(chance.sample(absent, min(3, len(absent)))) or "L"
            return Without(forbidden if chance.random() < 0.8 else "r", (), chance.choice([None, at + 1]), 1)
        case 7:
            return Beginnings(tuple(pada.aksharas[0].onset + pada.aksharas[0].vowel + pada.aksharas[0].coda
                                    for pada in padas[: at + 1]))  # fmt: skip
        case _:
            return Rhyme(chance.choice((1, 2)), chance.choice(((2, 4), (1, 3), (1, 2, 3, 4))))


def _pada_of(word: str, padas: Sequence[PlacedPada]) -> int | None:
    return next((at for at, pada in enumerate(padas, start=1) if word in pada.text.split()), None)


# ------------------------------------------------------------------------------------------------ what was refused


def look_again(metre: Metre, wishes: Sequence[Wish], chance: random.Random) -> tuple[bool, str]:
    """Whether the texts of refused wishes show that they exclude each other; and, where they do not, a verse that keeps
    them, walked under each that can be kept by itself."""
    if any(_breaks(metre, wish) for wish in wishes) or any(_clash(metre, *pair) for pair in permutations(wishes, 2)):
        return True, ""
    if any(len(_endings(metre, wish, wishes)) > 1 for wish in wishes if isinstance(wish, Rhyme)):
        return True, ""
    for wish in wishes:
        try:
            automaton = compile_wishes(metre, [wish], max_cluster=3)
        except WishError:
            continue
        if found := _walked_keeping(automaton, metre, wishes, chance):
            return False, found
    for rhyme in (wish for wish in wishes if isinstance(wish, Rhyme)):
        for stand_ins in _akshara_by_akshara(metre, rhyme, wishes, chance):
            try:
                automaton = compile_wishes(metre, [*(w for w in wishes if w != rhyme), *stand_ins], max_cluster=3)
            except WishError:
                continue
            if found := _walked_keeping(automaton, metre, wishes, chance):
                return False, found
    return False, ""


def _walked_keeping(automaton: Automaton, metre: Metre, wishes: Sequence[Wish], chance: random.Random) -> str:
    for _ in range(WALKS):
        verse = Verse.from_slp1(walk(automaton, chance))
        if all(wish.kept(verse, metre) for wish in wishes):
            return verse.slp1
    return ""


def _akshara_by_akshara(
    metre: Metre, rhyme: Rhyme, wishes: Sequence[Wish], chance: random.Random
) -> Iterator[list[Akshara]]:
    """A rhyme on the ending of a word that is asked for, without the machine of rhymes: no walk hits upon one. Where a
    pāda may have more syllables or fewer, some of the ways."""
    ways = list(product(*(metre.padas[pada - 1].lengths for pada in rhyme.padas)))
    for word in (wish for wish in wishes if isinstance(wish, Word)):
        ends = rhyme.ending(aksharas_of(word.text))
        for ending in (ends, (*ends[1 - rhyme.syllables :], "te")) if rhyme.syllables == 2 else (ends,):
            for lengths in chance.sample(ways, min(WAYS, len(ways))):
                yield [
                    Akshara(text, pada, length - len(ending) + 1 + at)
                    for pada, length in zip(rhyme.padas, lengths, strict=True)
                    for at, text in enumerate(ending)
                ]


def _breaks(metre: Metre, wish: Wish) -> bool:
    """A given pāda whose weights, with either for its last, are none of the metre's; a long akṣara where none may
    be."""
    if isinstance(wish, Given) and wish.pada:
        weights = "".join(syllable.weight for syllable in scan(wish.text))
        return not {weights[:-1] + last for last in "lg"} & metre.padas[wish.pada - 1].weights
    if isinstance(wish, Word) and wish.pada:
        return len(aksharas_of(wish.text)) > metre.padas[wish.pada - 1].lengths[-1]
    if isinstance(wish, Akshara) and (wish.akshara.vowel in "AIUFXeEoO" or wish.akshara.coda):
        at = wish.syllable - 1
        return all(weights[at : at + 1] != "g" for weights in metre.padas[wish.pada - 1].weights)
    return False


def _known(metre: Metre, wish: Wish) -> dict[int, PlacedPada]:
    """The pādas, by number, that a wish gives whole."""
    if not isinstance(wish, Given):
        return {}
    if wish.pada:
        return {wish.pada: PlacedPada(wish.text, tuple(aksharas_of(wish.text)), True, True)}
    if not wish.place.startswith("half"):
        return {}
    first = 2 * int(wish.place[-1]) - 1
    lengths = metre.padas[first - 1].lengths
    return dict(enumerate(cut_half(wish.text, lengths[0]), start=first)) if len(lengths) == 1 else {}


def _endings(metre: Metre, rhyme: Rhyme, wishes: Sequence[Wish]) -> set[tuple[str, ...]]:
    """The ends of given pādas that are to rhyme."""
    known = [item for wish in wishes for item in _known(metre, wish).items()]
    return {rhyme.ending(pada.aksharas) for number, pada in known if number in rhyme.padas}


def _clash(metre: Metre, one: Wish, other: Wish) -> bool:
    """Two texts for one place, or a sound that is given and forbidden."""
    if isinstance(one, Without) and one.pada is None and isinstance(other, Given | Word | Akshara):
        return bool({*one.sounds} & {*other.text} - ({"m", "M"} if isinstance(other, Word) else set()))
    if isinstance(one, Without) and one.pada is None and isinstance(other, Beginnings):
        return bool({*one.sounds} & {*"".join(other.aksharas)})
    if isinstance(one, Given) and isinstance(other, Given) and one.place == other.place:
        shorter, longer = sorted((one.text, other.text), key=len)
        fits = {"beginning": longer.startswith(f"{shorter} "), "end": longer.endswith(f" {shorter}")}
        return shorter != longer and not fits.get(one.place, False)
    return _misses(_known(metre, one), other) or any(
        _places(one)[place] != _places(other)[place] for place in _places(one).keys() & _places(other).keys()
    )


def _misses(known: dict[int, PlacedPada], wish: Wish) -> bool:
    """Whether given pādas lack what a wish asks of them."""
    for number, pada in known.items():
        if isinstance(wish, Given) and wish.pada == number and wish.text != pada.text:
            return True
        if isinstance(wish, Word) and wish.pada == number and wish.text.rstrip("mM") not in pada.text:
            return True
        heard = {letter for akshara in pada.aksharas for letter in akshara.sounds}
        since = isinstance(wish, Without) and wish.pada is not None and wish.pada < number + (wish.syllable == 1)
        if isinstance(wish, Without) and since and heard & {*wish.sounds}:
            return True
        for (where, syllable), text in _places(wish).items():
            if where == number and not pada.aksharas[syllable - 1].sounds.startswith(text):
                return True
    return False


def _places(wish: Wish) -> dict[tuple[int, int], str]:
    each = wish.each if isinstance(wish, Beginnings) else [wish] if isinstance(wish, Akshara) else []
    return {(akshara.pada, akshara.syllable): akshara.text for akshara in each if not akshara.akshara.final}


# ------------------------------------------------------------------------------------------------- the small world


@cache
def small_world() -> tuple[Metre, tuple[str, ...]]:
    """A metre of one syllable a pāda, l g l g, and every verse of it in four letters, without conjuncts in a word."""
    padas = [Pada((Form("", weight),)) for weight in "lglg"]
    metre = Metre("small", KINDS["sama"], (padas[0], padas[1], padas[2], padas[3]))
    consonants, vowels = SMALL_LETTERS
    some = ["", *consonants]
    gaps = [*some, *(f"{final} {onset}" for final, onset in product(some, some))]
    halves = ["".join(parts) for parts in product(some, vowels, gaps, vowels, some)]
    plain = compile_metre(metre, max_cluster=3)
    good = [half for half in halves if plain.accepts(f"{half}.{half}")]
    return metre, tuple(f"{first} . {second} .." for first, second in product(good, good))


def random_small_wishes(chance: random.Random) -> tuple[Wish, ...]:
    """Wishes of a syllable or two."""
    consonants, vowels = SMALL_LETTERS
    choice: Callable[[Sequence[str]], str] = chance.choice

    def akshara() -> str:
        return choice(["", *consonants]) + choice(vowels)

    def words() -> str:
        return choice(["", " "]).join(akshara() for _ in range(2)) + choice(["", *consonants])

    made: list[Wish] = []
    for _ in range(chance.randint(1, 3)):
        pada = chance.randint(1, 4)
        match chance.randrange(7):
            case 0:
                made.append(Given(akshara() + chance.choice(["", *consonants]), str(pada)))
            case 1:
                made.append(Given(words(), chance.choice(["half 1", "half 2", "beginning", "end"])))
            case 2:
                made.append(Word(chance.choice((akshara, words))(), chance.choice((None, pada)), chance.random() < 0.5))
            case 3:
                made.append(Akshara(akshara() + chance.choice(["", "k"]), pada, 1))
            case 4:
                made.append(Without(chance.choice(consonants + vowels), (), chance.choice((None, pada))))
            case 5:
                made.append(Without("", (akshara() + chance.choice(["", "t"]),), chance.choice((None, pada))))
            case _:
                made.append(Beginnings(tuple(akshara() for _ in range(chance.randint(1, 4)))))
    return tuple(made)


def small_disagreement(seed: int) -> tuple[tuple[Wish, ...], bool, list[str]]:
    """A set of small wishes, whether it was refused, and the verses of the small world about which the automaton and
    the definition disagree: there must be none. What is refused must be kept by none of them."""
    metre, texts = small_world()
    wishes = random_small_wishes(random.Random(seed))
    kept = {text for text in texts if all(wish.kept(Verse.from_slp1(text), metre) for wish in wishes)}
    try:
        automaton = compile_wishes(metre, wishes, max_cluster=3)
    except WishError:
        return wishes, True, sorted(kept)
    return wishes, False, sorted({text for text in texts if automaton.accepts(text)} ^ kept)
