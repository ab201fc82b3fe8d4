"""The poet's desk: what a poet asks for while at work on a verse. Through the composer's door.

`others`: more pādas for a place, which fit the metre, the wishes and what stands around them. `instead`: other words of
the same weights for a word. Of a draft, a verse still being typed: the next words that fit, the whole rest of it, and
for a word that does not fit the nearest that do. Each is a gap that a generator fills (decoding/gaps.py), so all of it
is right by construction; ranked by the generator, and whole verses by meaning where a judge is at hand. The words'
meanings are the reader's. Loads what is heavy when first asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from workbench.decoding.settings import HOUSE, Settings
from workbench.decoding.wishing import Wish, read_wishes, wished_automaton
from workbench.models.entries import find_entry
from workbench.prosody import sounds
from workbench.prosody.aksharas import placed_padas
from workbench.prosody.drafts import Draft
from workbench.prosody.metres import Metre
from workbench.prosody.script import to_slp1, write
from workbench.prosody.verse import DANDA, Verse
from workbench.refusal import Refusal
from workbench.semantics import JudgeError, registry
from workbench.semantics.registry import Scores
from workbench.understanding import lemmas, reader, reader_at_hand
from workbench.wording import read_prose

if TYPE_CHECKING:
    from workbench.decoding.gaps import Filling, Gap
    from workbench.models.generator import Generator

MOST = 10  # offers at once
BEAMS = 16  # of the search for them: the place itself is one, and some say the same twice
WORD_BEAMS = 12  # where a single word is looked for
# Beams for a pāda that do not avoid each other all begin alike, and where that beginning leads nowhere, none is good.
GROUPS, DIVERSITY = 8, 2.0
# No word ends so, but a small generator that is out of its depth writes it.
_NO_WORD = re.compile(f"([{sounds.CONSONANTS}])\\1(?: |$)")
WIDE_CLUSTER = 5  # consonants in a row that people write, where generators are held to fewer


class DeskError(Refusal):
    """What is asked for cannot be had of this verse; the message says why."""


@dataclass(frozen=True)
class Offer:
    """Something that fits a place."""

    text: str  # what is put there, SLP1
    score: float  # the generator's log-probability
    verse: Verse | None = None  # the whole with it, where there is a whole verse
    scores: Scores | None = None  # what the judges of meaning say of the whole

    @property
    def order(self) -> tuple[float, float]:
        return registry.meaning(self.scores) if self.scores else 0.0, self.score

    def as_json(self, to: str = "devanagari") -> dict[str, Any]:
        return {
            "slp1": self.text,
            "text": write(self.text, to),
            "log_prob": round(self.score, 3),
            "verse": self.verse.slp1 if self.verse else None,
            "meaning": registry.as_json(self.scores) if self.scores else None,
        }


@dataclass(frozen=True)
class Offers:
    offers: tuple[Offer, ...]
    sentence: str  # what they are for


def others(
    prose: str,
    verse: Verse,
    pada: int,
    settings: Settings = HOUSE,
    model: str = "embedded",
    wishes: Sequence[str | Wish] = (),
    most: int = MOST,
) -> Offers:
    """More pādas for the place of one, by number; where a word runs on over its edge, more halves. What is asked for is
    kept by each: metre, wishes, and the pādas around it."""
    metre = settings.found_metre()
    padas = placed_padas(verse.halves, metre)
    if pada not in (1, 2, 3, 4):
        raise DeskError(f"Expected a pāda from 1 to 4; got {pada}.")
    if not padas:
        raise DeskError(f"Expected a verse that is in {metre.name}; got one that is not.")
    half, (low, high) = (pada - 1) // 2, ((pada - 1) // 2 * 2, (pada - 1) // 2 * 2 + 2)
    text, this = verse.halves[half], padas[pada - 1]
    if this.begins_word and this.ends_word:
        start, end = (0, len(this.text)) if pada == low + 1 else (len(text) - len(this.text), len(text))
        sentence = f"For pāda {pada}: each fits the metre and what stands around it."
    else:
        start, end = 0, len(text)
        sentence = f"A word of pāda {low + 1} runs on into pāda {high}, so these are for both."
    found = _fill_verse(prose, verse, half, start, end, settings, model, wishes, one_word=False)
    return Offers(_weighed(prose, found[:most], settings), sentence)


def instead(
    prose: str,
    verse: Verse,
    half: int,
    word: int,
    settings: Settings = HOUSE,
    model: str = "embedded",
    wishes: Sequence[str | Wish] = (),
    most: int = MOST,
) -> Offers:
    """Other words for one, of the same weights: the word of a half-verse, both counted from 0."""
    if half not in range(len(verse.halves)) or word not in range(len(verse.halves[half].split())):
        raise DeskError(f"Expected a word of the verse; got word {word + 1} of half-verse {half + 1}.")
    words = verse.halves[half].split()
    start = len(" ".join(words[:word])) + (word > 0)
    found = _fill_verse(prose, verse, half, start, start + len(words[word]), settings, model, wishes, one_word=True)
    same = [offer for offer in found if offer.verse and offer.verse.weights == verse.weights]
    return Offers(tuple(same[:most]), f"Instead of {write(words[word], 'iast')}: words of the same weights.")


def meanings(words: Sequence[str]) -> list[str]:
    """What words in SLP1 mean, by the reader; nothing for any where none is installed."""
    if not words or not reader_at_hand():
        return [""] * len(words)
    found = [" ".join(each) for each in lemmas(list(words))]
    said = reader().meanings([lemma or word for lemma, word in zip(found, words, strict=True)], 2)
    return [", ".join(each) for each in said]


# ------------------------------------------------------------------------------------------------ drafts


def next_words(
    draft: Draft, prose: str = "", settings: Settings = HOUSE, model: str = "embedded", most: int = MOST
) -> Offers:
    """Words that fit next, or that the word begun can become; with or without a prose."""
    _refuse_faults(draft)
    if draft.complete:
        raise DeskError("Expected a verse with room for a word; got a whole one.")
    found, begun = _go_on(draft, prose, settings, model, one_word=True)
    sentence = f"What {write(begun, 'iast')}… can become." if begun else "The next word."
    return Offers(tuple(Offer(filling.text, filling.score) for filling in found[:most]), sentence)


def finish(
    draft: Draft, prose: str = "", settings: Settings = HOUSE, model: str = "embedded", most: int = MOST
) -> Offers:
    """The rest of a verse, several ways; each a whole verse that begins as the draft does."""
    _refuse_faults(draft)
    if draft.complete:
        raise DeskError("Expected a verse that is not finished; got a whole one.")
    found, begun = _go_on(draft, prose, settings, model, one_word=False)
    offers = []
    for filling in found:
        kept, half_done = _kept(draft, begun)
        halves = [*kept[:-1], f"{kept[-1]} {filling.text}".strip()] if kept else [filling.text]
        text = DANDA.join([*kept, filling.text] if half_done else halves)
        verse = Verse.from_slp1(text).judged(settings.found_metre())
        if verse.verdict and verse.verdict.full:
            offers.append(Offer(filling.text, filling.score, verse))
    return Offers(_weighed(prose, offers[:most], settings), "The verse finished, several ways.")


def mend(
    draft: Draft,
    half: int,
    word: int,
    prose: str = "",
    settings: Settings = HOUSE,
    model: str = "embedded",
    most: int = MOST,
) -> Offers:
    """The words nearest to one that does not fit, that do: as few letters changed as can be."""
    words = draft.halves[half].split() if half in range(len(draft.halves)) else []
    if word not in range(len(words)):
        raise DeskError(f"Expected a word of the verse; got word {word + 1} of half-verse {half + 1}.")
    if any((h, w) < (half, word) for h, w in draft.faulty_words):
        earlier = draft.halves[draft.faulty_words[0][0]].split()[draft.faulty_words[0][1]]
        raise DeskError(f"Expected what stands before it to fit; {write(earlier, 'iast')} does not: mend that first.")
    this = words[word]
    before = [*draft.halves[:half], " ".join(words[:word])]
    # What follows may have faults of its own: as much of it is held to as can be.
    rest = words[word + 1 :]
    afters = [[" ".join(rest), *draft.halves[half + 1 :]], [" ".join(rest)], *([" ".join(rest[:n])] for n in (2, 1, 0))]
    writer, settings = _writer(model), settings.but(metre=draft.metre.name)
    found: dict[str, Filling] = {}
    for number, after in enumerate(afters):
        goes_on = bool(number) or not (len(draft.halves) == 2 and not any(pada.to_come for pada in draft.padas))
        for letters in dict.fromkeys((len(this) // 2, min(2, len(this)), 0)):
            begun = this[:letters]
            gap = _gap(writer, before, after, goes_on=goes_on, one_word=True, begun=begun)
            for filling in _try(writer, gap, prose, settings):
                found.setdefault(filling.text, filling)
        if found:
            break
    found.pop(this, None)
    # Where the verse goes on, words of other lengths fit as well; those of this one are nearer to what was meant.
    alike = {text: filling for text, filling in found.items() if sounds.vowels_in(text) == sounds.vowels_in(this)}
    found = alike or found
    near = sorted(found.values(), key=lambda filling: (_distance(this, filling.text), -filling.score))
    sentence = f"Near to {write(this, 'iast')}, and of the right weights."
    return Offers(tuple(Offer(filling.text, filling.score) for filling in near[:most]), sentence)


def _refuse_faults(draft: Draft) -> None:
    if draft.problems:
        raise DeskError(f"Expected a beginning that fits the metre; got a fault: {draft.problems[0]}")


def _kept(draft: Draft, begun: str) -> tuple[list[str], bool]:
    """The halves that stand, without a word that is only begun; and whether the first half is done with."""
    halves = list(draft.halves)
    if begun and halves:
        halves[-1] = halves[-1][: len(halves[-1]) - len(begun)].strip()
    return halves, len(halves) == 1 and not begun and _half_full(draft)


def _half_full(draft: Draft) -> bool:
    """Whether the half-verse that is being written has all its syllables."""
    last = 2 * len(draft.halves)
    return bool(last) and not any(pada.to_come for pada in draft.padas[last - 2 : last])


def _go_on(draft: Draft, prose: str, settings: Settings, model: str, one_word: bool) -> tuple[list[Filling], str]:
    """What may follow a draft, in SLP1, and the word that is begun there."""
    writer, settings = _writer(model), settings.but(metre=draft.metre.name)
    begun = "" if draft.ends_word or not draft.halves or _half_full(draft) else draft.halves[-1].split()[-1]
    for word in dict.fromkeys((begun, "")):  # where nothing more can come of the word, it is done
        kept, half_done = _kept(draft, word)
        before = [*kept, ""] if half_done else kept
        found = _try(writer, _gap(writer, before, [], goes_on=one_word, one_word=one_word, begun=word), prose, settings)
        more = [filling for filling in found if filling.text != word]
        if more:
            return more, word
    raise DeskError("Expected a beginning that a verse can come of; got one after which nothing fits.")


# ----------------------------------------------------------------------------------------------- filling


def _writer(model: str) -> Generator:
    from workbench.models.loading import loaded_generator

    return loaded_generator(find_entry(model).name)


def _gap(
    writer: Generator,
    before: Sequence[str],
    after: Sequence[str],
    goes_on: bool = False,
    one_word: bool = False,
    begun: str = "",
) -> Gap:
    """A gap in half-verses in SLP1: the last of those before it and the first of those after it are parts of one."""
    from workbench.decoding.gaps import Gap

    mark = f" {write('.', writer.entry.script)} "
    first = mark.join(writer.spell(half) for half in before).strip()
    last = mark.join(writer.spell(half) for half in after).strip()
    return Gap(first, writer.spell(begun), f" {last}" if last else "", goes_on, one_word)


def _fill_verse(
    prose: str,
    verse: Verse,
    half: int,
    start: int,
    end: int,
    settings: Settings,
    model: str,
    wishes: Sequence[str | Wish],
    one_word: bool,
) -> list[Offer]:
    """What else may stand from one letter of a half-verse to another: whole verses, each judged, and held to its wishes
    by their own check on the text."""
    writer, asked, metre = _writer(model), read_wishes(wishes), settings.found_metre()
    text = verse.halves[half]
    before = [*verse.halves[:half], text[:start].strip()]
    after = [text[end:].strip(), *verse.halves[half + 1 :]]
    gap = _gap(writer, before, after, one_word=one_word)
    offers = []
    for filling in _fill(writer, gap, prose, settings, asked, 1 if one_word else GROUPS):
        changed = " ".join(f"{text[:start]}{filling.text}{text[end:]}".split())
        made = Verse((*verse.halves[:half], changed, *verse.halves[half + 1 :])).judged(metre)
        if filling.text == text[start:end] or not _sound(made, metre):
            continue
        if all(wish.kept(made, metre) for wish in asked):
            offers.append(Offer(filling.text, filling.score, made))
    return offers


def _sound(verse: Verse, metre: Metre) -> bool:
    return bool(verse.verdict and verse.verdict.full and not verse.verdict.licences and verse.verdict.metre == metre)


def _try(writer: Generator, gap: Gap, prose: str, settings: Settings) -> list[Filling]:
    """What fills a gap, or nothing where nothing can."""
    from workbench.decoding.gaps import GapError

    try:
        return _fill(writer, gap, prose, settings)
    except GapError:
        return []


def _fill(
    writer: Generator, gap: Gap, prose: str, settings: Settings, wishes: Sequence[Wish] = (), groups: int = 1
) -> list[Filling]:
    """What fills a gap, best first, in SLP1."""
    from workbench.decoding.gaps import GapConstraint, GapError, fill

    prose_read = read_prose(prose)[0] if prose.strip() else ""
    beams = WORD_BEAMS if gap.one_word else BEAMS
    settings = settings.but(
        mode="pingala", script=writer.entry.script, beams=beams, returned=beams, groups=groups, samples=0, draws=0,
        length_penalty=0.0, synchronous=settings.synchronous and not gap.one_word and groups == 1, diversity=DIVERSITY,
        guidance=settings.guidance if prose_read else 0.0, yati="none",
    )  # fmt: skip
    end = writer.eos_token_id
    automaton = wished_automaton(settings, wishes) if wishes else None
    try:
        constraint = GapConstraint(writer.tokenizer, settings, gap, end, automaton)
    except GapError:
        if wishes:
            raise
        wider = settings.but(max_cluster=WIDE_CLUSTER)  # people write conjuncts that generators are not let to
        constraint = GapConstraint(writer.tokenizer, wider, gap, end)
    metre = settings.found_metre().name
    scorer = writer.scorer([writer.read(prose_read, metre)], settings.guidance, metre, constraint.prefix)
    found = [replace(each, text=to_slp1(each.text, settings.script)) for each in fill(scorer, constraint, settings)]
    return [each for each in found if not _NO_WORD.search(each.text)]


def _weighed(prose: str, offers: Sequence[Offer], settings: Settings) -> tuple[Offer, ...]:
    """In order: by meaning where a judge is at hand, and then by the generator."""
    if not offers or not prose.strip() or settings.rank != "meaning":
        return tuple(offers)
    from workbench.semantics.judges import judges

    prose_read, verses = read_prose(prose)[0], [offer.verse for offer in offers if offer.verse]
    try:
        scores = judges().weigh([prose_read] * len(verses), verses)
    except JudgeError:
        return tuple(offers)
    weighed = [replace(offer, scores=each) for offer, each in zip(offers, scores, strict=True)]
    return tuple(sorted(weighed, key=lambda offer: offer.order, reverse=True))


def _distance(one: str, other: str) -> int:
    """How many letters must be put in, left out or changed (Levenshtein)."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        before, row = row, [at]
        for place, another in enumerate(other, start=1):
            row.append(min(before[place] + 1, row[-1] + 1, before[place - 1] + (letter != another)))
    return row[-1]
