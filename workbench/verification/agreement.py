"""The prosody engine against skrutable and against itself, as figures: corpus, walks, metres.

Nothing here is tuned or excused: a disagreement is counted, and listed with its reason in a table that is committed
(docs/skrutable-disagreements.tsv). The reasons are found by rule, so a new kind of disagreement has none and fails.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from workbench.corpora import rows
from workbench.prosody import sounds
from workbench.prosody.automaton import DEAD, Automaton, compile_metre
from workbench.prosody.metres import ANUSTUBH, KINDS, Metre, all_metres, find, fold
from workbench.prosody.scansion import weigh
from workbench.prosody.script import to_slp1
from workbench.prosody.text_reading import read_text
from workbench.prosody.verdict import SKRUTABLE_PERFECT, ask_skrutable, metre_verdict
from workbench.prosody.verse import Verse, divide

VOWEL = re.compile(f"[{sounds.VOWELS}][{sounds.CODAS}]?")


# ---------------------------------------------------------------- the corpus


@dataclass(frozen=True)
class Compared:
    """One verse of the corpus, as we and skrutable see it."""

    id: str
    labelled_full: bool  # by the corpus
    full: bool  # by skrutable, asked now in clean SLP1
    accepted: bool  # by the automaton
    same_weights: bool
    prefixes_alive: bool
    reason: str  # of a disagreement; empty when there is none

    @property
    def agrees(self) -> bool:
        return self.full == self.accepted and (self.same_weights or not self.full)


def half_verses(slp1: str) -> list[str]:
    """The half-verses of a corpus row, whatever daṇḍas divide them."""
    halves = ("".join(c if c in sounds.LETTERS else " " for c in half) for half in divide(sounds.plain(slp1)))
    return [" ".join(half.split()) for half in halves if any(c in sounds.VOWELS for c in half)]


def put_danda(halves: list[str]) -> list[str]:
    """A verse that lost its middle daṇḍa in print, or has it in the wrong place: cut after sixteen syllables, where a
    word ends there after the word."""
    line = " ".join(halves)
    vowels = list(VOWEL.finditer(line))
    if len(halves) == 2 or len(vowels) != 32:
        return halves
    space = line.find(" ", vowels[15].end(), vowels[16].start())
    cut = space if space >= 0 else vowels[15].end()
    return [line[:cut].strip(), line[cut:].strip()]


def compare(row: dict[str, Any]) -> Compared:
    from skrutable.scansion import Scanner

    halves = half_verses(row["slp1"])
    weights = "".join(map(weigh, halves))
    scanned = Scanner().scan("\n".join(half.replace("'", "") for half in halves), from_scheme="SLP")
    same_weights = scanned.syllable_weights.replace("\n", "") == weights
    verdict = ask_skrutable(halves)
    full = len(weights) == 32 and verdict.score == SKRUTABLE_PERFECT and verdict.label.startswith(ANUSTUBH)
    automaton = compile_metre(find(ANUSTUBH))
    text = ".".join(put_danda(halves))
    accepted = automaton.accepts(text)
    alive = not accepted or all(automaton.read(text[:end]) != DEAD for end in range(len(text) + 1))
    reason = "" if full == accepted else _reason(text, verdict.label)
    return Compared(row["id"], row["full_anustubh"], full, accepted, same_weights, alive, reason)


def _reason(text: str, label: str) -> str:
    if "kramasaṃyoga" in label:
        return "kramasaṃyoga: skrutable lets a word-initial pr, br, kr, hr, kṣ stay light; we compose without licences"
    if match := re.search(rf"[MH]{{2}}|[MH](?=[{sounds.VOWELS}])|(?:^|[ .])[{sounds.CONSONANTS}]+(?=[ .]|$)", text):
        return f"misprint: “{match.group().strip()}” is not Sanskrit spelling"
    return ""


def compare_corpus(paths: Iterable[str], processes: int = 2) -> Iterator[Compared]:
    everything = (row for path in paths for row in rows(path))
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(compare, everything, chunksize=500)


# ---------------------------------------------------------------- random walks


def walk(automaton: Automaton, chance: random.Random) -> str:
    """A verse letter by letter, each drawn from those that keep it alive, until it may end and a coin says so."""
    text, state = "", automaton.start
    letters = list(automaton.column)
    while not (automaton.accepting[state] and chance.random() < 0.5):
        targets = automaton.delta[state, [automaton.column[letter] for letter in letters]]
        alive = [at for at, target in enumerate(targets) if target != DEAD]
        if not alive:
            break
        at = chance.choice(alive)
        text, state = text + letters[at], int(targets[at])
    return text


def walked_verdict(task: tuple[str, str, int]) -> tuple[str, bool, bool]:
    """One walk: its text, whether skrutable calls it perfect, and whether we do."""
    name, script, seed = task
    metre = find(name)
    text = walk(compile_metre(metre, script), random.Random(seed))
    slp1 = to_slp1(text.replace("।", ".").replace("॥", ".."), script)
    verdict = metre_verdict(Verse.from_slp1(slp1).halves, metre)
    return text, verdict.skrutable.perfect(metre), verdict.full and not verdict.licences


def walks(name: str, script: str, number: int, processes: int = 2) -> Iterator[tuple[str, bool, bool]]:
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(walked_verdict, ((name, script, seed) for seed in range(number)), chunksize=50)


# skrutable cannot call these perfect whatever the verse: what is wrong there, so that nobody looks for it here.
SKRUTABLE_CANNOT = {
    "paṅkti": "its pattern has a gaṇa b that does not exist (bgg for bha ga ga)",
    "upacitra": "four pādas of eleven are never tried as ardhasamavṛtta",
    "upajāti (vaṃśastha-indravaṃśā)": "mixtures without a pāda of eleven score 7 at most",
    "upajāti (miśra)": "mixtures without a pāda of eleven score 7 at most",
    "upajāti (triṣṭubh-jagatī)": "mixtures without a pāda of eleven score 7 at most",
}


def skrutable_cannot(metre: Metre) -> str:
    """Why skrutable calls no verse in a metre perfect; empty where it does."""
    return SKRUTABLE_CANNOT.get(metre.name, "" if metre.skrutable else "it has no such metre")


# ---------------------------------------------------------------- proofs over automata


def prove(metre: Metre, script: str, unit: str) -> int:
    """Every live state can reach an end, and no letter leads round in a circle. Returns the number of states.

    By search over all states and letters: distances to the end are finite, and every edge leads to a state of a lower
    number, so any walk of live letters ends.
    """
    automaton = compile_metre(metre, script, unit)
    if (automaton.to_end[1:] < 0).any():
        raise AssertionError(f"{metre.name} in {script}, {unit}: a live state cannot reach an end.")
    for state in range(1, len(automaton)):
        if automaton.delta[state].max(initial=DEAD) >= state:
            raise AssertionError(f"{metre.name} in {script}, {unit}: state {state} may be met again.")
    return len(automaton)


def prove_all() -> Iterator[tuple[str, str, str, int]]:
    for metre in all_metres():
        for script in ("slp1", "devanagari"):
            for unit in ("characters", "bytes"):
                yield metre.name, script, unit, prove(metre, script, unit)


# ---------------------------------------------------------------- labelled verses


def same_metre(label: str, verdict_metre: Metre | None) -> bool:
    """Whether a label of the file names the metre found: by any of its names, or any mixture for upajāti."""
    if verdict_metre is None:
        return False
    names = {fold(name) for name in (verdict_metre.name, verdict_metre.skrutable, *verdict_metre.also)}
    mixture = verdict_metre.kind == KINDS["upajati"] and label == "upajāti"
    return mixture or fold(label) in names


@dataclass(frozen=True)
class Labelled:
    verse: str
    label: str
    curated: bool
    found: str
    full: bool
    same: bool


def labelled(path: str) -> Iterator[Labelled]:
    for row in rows(path):
        verses = read_text(_clean(row["verse"]), "devanagari").verses
        verdict = metre_verdict(verses[0])
        name = verdict.metre.name if verdict.metre else ""
        same = same_metre(row["meter"], verdict.metre)
        yield Labelled(row["verse"], row["meter"], row["label_kind"].startswith("curated"), name, verdict.full, same)


def _clean(verse: str) -> str:
    """The file's editors left variant marks in a few verses; they are not Sanskrit in any script."""
    return re.sub(r"[A-Za-z={}+]", "", verse)


def count(found: Iterable[Labelled]) -> Counter[tuple[bool, str]]:
    """By curated or not: identified and full, near, or missed."""
    result: Counter[tuple[bool, str]] = Counter()
    for verse in found:
        kind = "identified" if verse.same and verse.full else "same metre with faults" if verse.same else "other"
        result[verse.curated, kind] += 1
    return result
