"""A generator over a corpus: prose is composed, batch by batch, and every verse judged by skrutable and, where they are
at hand, by the judges of meaning. A run in a folder can be stopped at any time and goes on.

Every verse comes through the composer. Knows no models.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench import composer
from workbench.corpora import CorpusError, any_rows, rows, signature
from workbench.damage import sha256
from workbench.evaluation.measures import Example, Listened, Outcome, known, likeness
from workbench.evaluation.parallel import IN_THIS_PROCESS, Parallelism, is_first, run_parallel
from workbench.evaluation.runs import Measure, Run
from workbench.prosody.verse import Verse
from workbench.refusal import Refusal

BATCH = 8  # pieces of prose composed together


def examples(source: str | Path, limit: int | None = None, seed: int | None = 0) -> list[Example]:
    """The rows of a corpus that are full anuṣṭubh, or do not say what they are; with a limit, a sample that the seed
    decides, or without a seed the first so many."""
    found = []
    for number, row in enumerate(any_rows(source, "test"), start=1):
        if row.get("full_anustubh", True):
            found.append(Example(str(row.get("id", number)), row["en"], _slp1(row)))
    if limit is not None and limit < len(found):
        return found[:limit] if seed is None else random.Random(seed).sample(found, limit)
    return found


def _slp1(row: dict[str, Any]) -> str:
    if "slp1" in row or not row.get("verse"):
        return str(row.get("slp1", ""))
    try:
        return " ".join(scan.verse.slp1 for scan in composer.scan(row["verse"]))
    except composer.ReadingError:
        return ""


def describe_run(
    source: str | Path, number: int, settings: composer.Settings, model: str, batch: int = BATCH
) -> dict[str, Any]:
    """What a run is a run of."""
    identity = composer.identity(model)
    plain = {**settings.recorded(), "metre": settings.found_metre().name}
    del plain["script"]  # the generator's own
    return {
        "model": model,
        "identity": identity,
        "settings": plain,
        "rank": settings.rank,
        "ranked_by": _ranker() if settings.rank == "meaning" else None,
        "batch": batch,
        "corpus": Path(source).name,
        "data": _hash(source),
        "rows": number,
        "signature": signed(source, identity, settings, number),
    }


def _ranker() -> str | None:
    """By whom verses are ranked; None where nobody does it, and they stand in the model's order."""
    try:
        return composer.ranker_identity()
    except composer.JudgeError:
        return None


def _hash(source: str | Path) -> str:
    path = Path(source)
    return sha256(path)[:12] if path.is_file() else "the Hub's"


def signed(source: str | Path, identity: str, settings: composer.Settings, number: int) -> str:
    packages = ("sacrebleu", "skrutable")
    data = signature(*([source] if Path(source).is_file() else []), packages=packages)
    named = "" if Path(source).is_file() else f"{source} | "
    return f"{composer.compose_signature(identity, settings)} | {number} rows of {named}{data}"


Task = tuple[tuple[Example, ...], composer.Settings, str]


def compose_batch(task: Task) -> list[Outcome]:
    """Prose that is none, empty for instance, gets no verse; the others do."""
    chosen, settings, model = task
    good = [example for example in chosen if _can_be_read(example.prose)]
    made = composer.compose_together([example.prose for example in good], settings, model)
    found = {example.id: _outcome(example, composition) for example, composition in zip(good, made, strict=True)}
    return [found.get(example.id, Outcome(example.id, "", False, 0, 0.0)) for example in chosen]


def _can_be_read(prose: str) -> bool:
    try:
        composer.read_prose(prose)
    except composer.ProseError:
        return False
    return True


def _outcome(example: Example, composition: composer.Composition) -> Outcome:
    chosen = composition.chosen
    verse = (chosen.verse.slp1 if chosen.verdict else chosen.text) if chosen else ""
    full = bool(chosen and chosen.verdict and chosen.verdict.perfect(composition.settings.found_metre()))
    seconds = composition.timings["composing"] + composition.timings["weighing"]
    said = composition.ranked[0].scores if composition.ranked else None
    kept = {name: score for name, score in (said or {}).items() if name in composer.judge_entries()}
    return Outcome(example.id, verse, full, chosen.syllables if chosen else 0, round(seconds, 3), kept)


def outcomes(
    chosen: Sequence[Example],
    settings: composer.Settings,
    model: str,
    where: Parallelism = IN_THIS_PROCESS,
    run: Run | None = None,
    batch: int = BATCH,
) -> Iterator[Outcome]:
    """One outcome for each example, as they come. Those that the run has are not made again, and new ones are added to
    it. Batches are the same however often a run was stopped, so that its verses are: what is made in another company is
    added up in another order, and now and then that decides between two beams."""
    done = run.outcomes() if run else {}
    yield from (done[example.id] for example in chosen if example.id in done)
    tasks: list[Task] = []
    for start in range(0, len(chosen), batch):
        these = tuple(chosen[start : start + batch])
        if any(example.id not in done for example in these):
            tasks.append((these, settings, model))
    for made in run_parallel(compose_batch, tasks, where):
        new = [outcome for outcome in made if outcome.id not in done]
        if run and is_first():
            run.add(new)
        yield from new


def run_in(folder: Path, description: dict[str, Any], resume: bool) -> Run:
    """The run in a folder, begun or gone on with. Of several processes one writes; all see what is done."""
    return Run.begin(folder, description, resume) if is_first() else Run(folder, description)


def carry_out(
    chosen: Sequence[Example],
    description: dict[str, Any],
    settings: composer.Settings,
    where: Parallelism,
    run: Run | None,
    lexicon: set[str] | None,
    watch: Callable[[Iterator[Outcome]], Iterator[Outcome]],
) -> tuple[list[Outcome], list[Measure], str | None]:
    """A run from beginning to end, or from where it was stopped: verses, measures, and who judged. `watch` sees the
    verses as they come."""
    coming = outcomes(chosen, settings, description["model"], where, run, description["batch"])
    made = in_order(chosen, watch(coming))
    if not is_first():  # of several processes one measures
        return made, [], None
    measures, judges = measured(chosen, made, lexicon)
    if run:
        run.finish(made, measures, judges)
    return made, measures, judges


def measure_again(run: Run, source: str | Path, lexicon: set[str] | None = None) -> None:
    """Measure a finished run's verses anew, with the judges at hand. Nothing is composed, so that its generator may be
    gone; what former judges said goes, and words that were known stay known where no lexicon is given."""
    data, described = _hash(source), run.description
    if data != described["data"]:
        raise CorpusError(f"Expected the run's own corpus, {described['corpus']}#{described['data']}; got one#{data}.")
    composer.judges_identity()  # refuses where there are none
    made, before = list(run.outcomes().values()), {each.id: each.known for each in run.measures()}
    unjudged = [replace(outcome, scores={}) for outcome in made]
    every = {example.id: example for example in examples(source)}
    found, judges = measured([every[outcome.id] for outcome in made], unjudged, lexicon)
    if judges is None:
        raise CorpusError("Expected whole judges of meaning; got damaged ones, as `doctor` says. The run is as it was.")
    if lexicon is None:
        found = [replace(each, known=before[each.id]) for each in found]
    run.finish(made, found, judges)


def in_order(chosen: Sequence[Example], made: Iterable[Outcome]) -> list[Outcome]:
    found = {outcome.id: outcome for outcome in made}
    return [found[example.id] for example in chosen]


def known_words(paths: Iterable[str | Path]) -> set[str]:
    return {word for path in paths for row in rows(path) for word in Verse.from_slp1(row["slp1"]).words}


def measured(
    chosen: Sequence[Example], made: Sequence[Outcome], lexicon: set[str] | None = None
) -> tuple[list[Measure], str | None]:
    """What is to be measured of each verse, and who judged its meaning; a verse that cannot be read means nothing."""
    verses = [outcome.composed for outcome in made]
    alike = likeness(verses, [example.poets for example in chosen]) if all(e.reference for e in chosen) else None
    try:
        scores = {name: _scores(chosen, made, name) for name in composer.judge_entries()}
        judges: str | None = composer.judges_identity()
    except composer.JudgeError:
        scores, judges = {}, None
    try:
        listened = words_heard(chosen, made)
    except Refusal:  # a damaged reader
        listened = [(None, None)] * len(made)
    found = []
    for at, outcome in enumerate(made):
        found.append(
            Measure(
                outcome.id,
                len(outcome.composed.words),
                None if lexicon is None else known(outcome.composed, lexicon),
                round(alike.own[at], 4) if alike else None,
                round(alike.others[at], 4) if alike else None,
                {name: round(said[at], 5) for name, said in scores.items()},
                *listened[at],
            )
        )
    return found, judges


def _scores(chosen: Sequence[Example], made: Sequence[Outcome], judge: str) -> list[float]:
    """What a judge says of each verse. What it said when the verse was chosen stands: it is not asked again."""
    asked = [at for at, outcome in enumerate(made) if judge not in outcome.scores]
    pairs = [(chosen[at].prose, made[at].composed if made[at].syllables else made[at].verse) for at in asked]
    answers = dict(zip(asked, composer.score(pairs, "slp1", [judge]), strict=True))
    found = []
    for at, outcome in enumerate(made):
        said = answers.get(at, outcome.scores)
        found.append(0.0 if isinstance(said, str) else float(said[judge] or 0.0))
    return found


def words_heard(chosen: Sequence[Example], made: Sequence[Outcome]) -> list[Listened]:
    """How many words of each prose say something, and how many of these the reader hears in the verse."""
    if not composer.reader_at_hand():
        return [(None, None)] * len(made)
    found: list[Listened] = []
    for example, outcome in zip(chosen, made, strict=True):
        said = composer.support(example.prose, [outcome.composed])[0] if outcome.syllables else ()
        content = [word for word in said if word.content]
        found.append((len(content), sum(word.heard == "heard" for word in content)))
    return found


def perplexity(chosen: Sequence[Example], model: str) -> dict[str, float]:
    """Nats a reference verse costs the generator, and what that is a token."""
    costs = [composer.negative_log_prob(example.prose, example.reference, model) for example in chosen]
    total, tokens = sum(cost for cost, _ in costs), sum(number for _, number in costs)
    return {"nats_a_verse": total / len(costs), "perplexity_a_token": math.exp(total / tokens), "verses": len(costs)}
