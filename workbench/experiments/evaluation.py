"""How well a generator composes, over a corpus of prose with reference verses: metre, what it says, in which words.

Every verse comes through the composer and is judged by skrutable. chrF against the verse's own reference says how much
of it is there; against other rows' references, how much of that is only the epics' common stock. Knows no models.
"""

from __future__ import annotations

import json
import math
import os
import random
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from sacrebleu.metrics.chrf import CHRF

from workbench import composer
from workbench.corpora import CorpusError, rows, signature

SHUFFLES = 10


@dataclass(frozen=True)
class Example:
    id: str
    prose: str
    reference: str  # SLP1


@dataclass(frozen=True)
class Outcome:
    """What came of one example. `verse` is empty where a search found none."""

    id: str
    verse: str
    full: bool  # by skrutable
    syllables: int
    seconds: float


def examples(path: str | Path, limit: int | None = None, seed: int = 0) -> list[Example]:
    """The full anuṣṭubh rows of a corpus; with a limit, a sample of them that the seed decides."""
    found = []
    for row in rows(path):
        try:
            if row.get("full_anustubh", True):
                found.append(Example(str(row["id"]), row["en"], row["slp1"]))
        except KeyError as missing:
            raise CorpusError(f"Expected rows with id, en and slp1; {missing} is missing.") from None
    if limit is not None and limit < len(found):
        found = random.Random(seed).sample(found, limit)
    return found


def _outcome(task: tuple[Example, composer.Settings, str, str]) -> Outcome:
    example, settings, model, rank = task
    composing = composer.compose(example.prose, settings, model, watch=False, rank=rank)
    for _ in composing:
        pass
    composition = composing.composition
    chosen = composition.chosen
    verse = (chosen.verdict.slp1 if chosen.verdict else chosen.text) if chosen else ""
    syllables = chosen.syllables if chosen else 0
    said = chosen.verdict.skrutable if chosen and chosen.verdict else None
    full = bool(said and said.perfect(settings.found_metre()))
    return Outcome(example.id, verse, full, syllables, composition.timings["composing"])


def _one_thread() -> None:
    import torch

    torch.set_num_threads(1)


def outcomes(
    chosen: Sequence[Example],
    settings: composer.Settings,
    model: str,
    workers: int = 1,
    kept: Path | None = None,
    rank: str = "model",
) -> Iterator[Outcome]:
    """One outcome for each example, in their order. Those in the file `kept` are not made again, and new ones are added
    to it, so that a long evaluation can be stopped and goes on."""
    done = {row["id"]: Outcome(**row) for row in rows(kept)} if kept and kept.is_file() else {}
    tasks = [(example, settings, model, rank) for example in chosen if example.id not in done]
    if launched():
        yield from _in_order(chosen, done, iter(_spread(tasks)), kept if is_first() else None)
    elif workers > 1:
        with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_one_thread) as pool:
            yield from _in_order(chosen, done, pool.map(_outcome, tasks), kept)
    else:
        yield from _in_order(chosen, done, map(_outcome, tasks), kept)


def launched() -> bool:
    """Whether `accelerate launch` started us, among others."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


def is_first() -> bool:
    return os.environ.get("RANK", "0") == "0"


def _spread(tasks: list[Any]) -> list[Outcome]:
    """Every process of `accelerate launch` does its share; each gets all."""
    from accelerate import PartialState
    from accelerate.utils import gather_object

    state = PartialState()
    mine = tasks[state.process_index :: state.num_processes]
    made: dict[str, Outcome] = {each.id: each for each in gather_object([_outcome(task) for task in mine])}
    return [made[task[0].id] for task in tasks]


def _in_order(
    chosen: Sequence[Example], done: dict[str, Outcome], made: Iterator[Outcome], kept: Path | None
) -> Iterator[Outcome]:
    for example in chosen:
        if example.id in done:
            yield done[example.id]
            continue
        outcome = next(made)
        if kept:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(outcome.__dict__, ensure_ascii=False) + "\n")
        yield outcome


def words(slp1: str) -> list[str]:
    return slp1.replace(".", " ").split()


def known_words(paths: Iterable[str | Path]) -> set[str]:
    return {word for path in paths for row in rows(path) for word in words(row["slp1"])}


def _plain(slp1: str) -> str:
    return " ".join(words(slp1))


def chrf(verses: Sequence[str], references: Sequence[str], seed: int = 0) -> dict[str, float]:
    """Mean sentence chrF against own references, and against those of other rows: the mean of several shuffles, none of
    which leaves a row its own."""
    metric = CHRF()

    def mean(others: Sequence[str]) -> float:
        pairs = zip(verses, others, strict=True)
        return statistics.fmean(metric.sentence_score(_plain(verse), [_plain(other)]).score for verse, other in pairs)

    own = mean(references)
    shuffled = []
    order = list(range(len(references)))
    for number in range(SHUFFLES if len(references) > 1 else 0):
        random.Random(seed + number).shuffle(order)
        following = dict(zip(order, order[1:] + order[:1], strict=True))  # one cycle through all rows
        shuffled.append(mean([references[following[at]] for at in range(len(references))]))
    other = statistics.fmean(shuffled) if shuffled else 0.0
    return {"own": own, "shuffled": other, "ratio": own / other if other else 0.0}


def halves(slp1: str) -> list[str]:
    return [half for part in slp1.split(".") if (half := part.strip())]


def figures(chosen: Sequence[Example], made: Sequence[Outcome], lexicon: set[str] | None) -> dict[str, Any]:
    """Everything that is told about a run."""
    number = len(made)
    verses = [outcome.verse for outcome in made]
    often = Counter(half for verse in verses for half in set(halves(verse)))
    said = [word for verse in verses for word in words(verse)]
    references = [example.reference for example in chosen]
    result: dict[str, Any] = {
        "verses": number,
        "full_percent": 100 * sum(outcome.full for outcome in made) / number,
        "partial_percent": 100 * sum(outcome.syllables == 32 for outcome in made) / number,
        "chrf": chrf(verses, references),
        "distinct_verses": len(set(verses)),
        "most_frequent_half": dict(zip(("text", "times"), often.most_common(1)[0], strict=True)) if often else None,
        "seconds_a_verse": statistics.fmean(outcome.seconds for outcome in made),
    }
    if lexicon is not None:
        own = [word for reference in references for word in words(reference)]
        result["words"] = {
            "composed": len(said),
            "composed_known_percent": 100 * sum(word in lexicon for word in said) / max(1, len(said)),
            "references": len(own),
            "references_known_percent": 100 * sum(word in lexicon for word in own) / max(1, len(own)),
        }
    return result


def perplexity(chosen: Sequence[Example], model: str) -> dict[str, float]:
    """Nats a reference verse costs the generator, and what that is a token."""
    costs = [composer.nats(example.prose, example.reference, model) for example in chosen]
    total, tokens = sum(cost for cost, _ in costs), sum(number for _, number in costs)
    return {"nats_a_verse": total / len(costs), "perplexity_a_token": math.exp(total / tokens), "verses": len(costs)}


def signed(path: str | Path, identity: str, settings: composer.Settings, number: int) -> str:
    data = signature(path, packages=("sacrebleu", "skrutable"))
    return f"{composer.compose_signature(identity, settings)} | {number} rows of {data}"
