"""The model cards of the judges of meaning: what each is, what it learnt from, by which command, how well."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from workbench.damage import sha256
from workbench.training import prose_encoder
from workbench.training.recipes import HISTORY, RECIPE, logged_figures, runs

FRONT = """---
{licence}language: [en, sa]
library_name: sentence-transformers
pipeline_tag: {task}
base_model: {base}
datasets: [rahular/itihasa]
---
"""
MINILM = "sentence-transformers/all-MiniLM-L6-v2"

BI = """# Embedded bi-encoder: verses where their English stands

A SentenceTransformer with two routes: {reader}; a BERT of
{layers} layers, {width} wide, reads the verse in SLP1 without daṇḍas. Its vectors were drawn onto those of the English,
seen through a matrix that was learnt with them (contrast: {batch} pairs a step, {others:,} other proses beside). The
score of a pair is (π - arccos cos) / π.

    model = SentenceTransformer("checkpoints/bi-encoder")
    model.encode_query(english), model.encode_document(slp1)
"""

READS = "all-MiniLM-L6-v2 reads the English as it always did"

CROSS = """# Cross-encoder: does the verse say what the prose says?

A CrossEncoder with one logit, {start} trained as the paper trains its judge; it reads verses in {script}. True pairs
weighted {positive_weight:g}, negatives easy (random) for the first {easy_share:.0%} of the steps, then hard (what the
bi-encoder finds; for {changed_share:.0%} of the proses one thing in them changed; where `--composed` brought verses of
a generator, those: composed for this prose they are right by what they share with the true verse, composed for a near
one they are wrong); the checkpoint is the one with the widest gap on dev between true and crossed pairs.

    PINGALA_CROSS_ENCODER=FOLDER python -m workbench score < pairs.jsonl
"""

REST = """
## What it learnt from

Itihāsa (Apache-2.0), {pairs:,} pairs of its training chapters. {base}
Training read neither the dev nor the test chapters; choices were made on dev.

## How

{commands}

{steps:,} steps on the cores at hand. The recipe:

    {recipe}

Weights in half precision, sha256:

{weights}

## How well

On dev: {figures}.
`python -m workbench table accuracy` and `table spread` print the figures on any corpus.

## Limits

- It has read the epics; of other Sanskrit it knows less.
- It reads a verse's words, not its grammar: an ending changed may go unheard.
- A score is a model's opinion. Where people have rated, the calibration puts it on their scale; elsewhere it is a
  number between 0 and 1 that orders verses for one prose better than verses for different proses.
"""


def write_bi_card(folder: Path, out: Path, recipe: Any, pairs: int, steps: int, figures: dict[str, float]) -> None:
    settings = asdict(recipe)
    reads = f"the encoder of {recipe.reader}, its states pooled, reads the English" if recipe.reader else READS
    text = FRONT.format(licence="license: apache-2.0\n", task="sentence-similarity", base=MINILM)
    text += BI.format(**{**settings, "reader": reads})
    base = f"all-MiniLM-L6-v2 (Apache-2.0), sha256 of its weights\n`{prose_encoder.SHA256}`."
    _write_judge_card(text, folder, out, settings, base, pairs, steps, figures)


def write_cross_card(
    folder: Path, out: Path, recipe: Any, start: str, pairs: int, steps: int, figures: dict[str, float]
) -> None:
    """Of one from the Hub: what it may be used for is its first weights' licence to say."""
    settings, name = asdict(recipe), Path(start).name if Path(start).is_dir() else start
    text = FRONT.format(licence="", task="text-ranking", base=name) + CROSS.format(**{**settings, "start": name})
    _write_judge_card(text, folder, out, settings, f"It began as {name}.", pairs, steps, figures)


def _write_judge_card(
    text: str, folder: Path, out: Path, recipe: Mapping[str, Any], base: str, pairs: int, steps: int,
    figures: dict[str, float],
) -> None:  # fmt: skip
    text += REST.format(
        pairs=pairs,
        base=base,
        commands="\n".join(f"    {run['command']}\n    # commit {run['commit']}; {run['data']}" for run in runs(out)),
        steps=steps,
        recipe=json.dumps(recipe),
        weights="\n".join(
            f"- `{file.relative_to(folder)}` `{sha256(file)}`" for file in sorted(folder.rglob("*.safetensors"))
        ),
        figures=", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in figures.items()),
    )
    text += _chosen(out) + _history(out)
    (folder / "README.md").write_text(text, encoding="utf-8")


JOINT = """---
license: apache-2.0
language: [en, sa]
pipeline_tag: text-ranking
datasets: [rahular/itihasa]
---
# Judge: how much of the prose does the verse say?

A transformer of {layers} layers, {width} wide, over prose and verse in one sequence, every word looking at every other,
with one logit; what goes into it is what the reader ({reader}) makes of both: states of the verse's pieces, of every
word of the prose the state that foretold it, and how likely it is with the verse and without. The reader stays as it
is, and nothing is the generator's. Beside the logit stand what the reader hears and how many words come again; how
these are weighed (`weights.json`) was fitted on dev, and so was the curve (`scale.json`) that puts the number on the
scale from 1 to 5.

## What it learnt from

Whole verses of itihasa.train (Apache-2.0), pairs_ramayana_modern and pairs_sahitya (none stated; the Sanskrit is old):
true pairs; other rows' verses and neighbours of the same work; verses of which one to three pādas were kept and the
others taken from another verse; proses with a negation, two names or a number changed, or with another's clause added;
verses that the project's own generator composed for proses of train, graded around the mean that blind readers gave
such verses (2.56 of 5), more or less by their likeness to the poet's verse and what the reader heard; and, in its last
twenty minutes, verses of the generator for proses of dev and of every day with the points of careful readers, large
language models that saw prose and verse and nothing else (`workbench/corpora/blind_readings.jsonl`), those of one half
of the proses. Weights and curve were fitted on the other half. It read nothing of the test chapters, nor
of the fifty modern sentences.

## How

{commands}

{steps:,} steps, {hours:.2f} hours on the cores at hand. The recipe:

    {recipe}

`model.safetensors`: sha256 `{weights}`, half precision.

## How well

On dev, the mean of each kind: {figures}.

Of those verses the weights were fitted on, one half fits and the other tells; `off` is the mean distance from the
grade, composed verses are those with readers' points:

{table}

`python -m workbench measure blind` holds it against careful readers, `measure graded` against verses graded by
construction; docs/MEANING.md has the figures.

## Limits

- It has read for less than an hour, over a reader that hears words better than sentences: it gives poets' own verses
  little more than the generator's, where careful readers gave them 4.7 of 5 points and the generator's 2.8.
- Language models' points and grades by construction stand in for people's ratings; no people have rated its verdicts.
- Most of what it has read is epics, Purāṇas and Rāmāyaṇa; of modern prose it has seen nothing.
"""


def write_joint_card(folder: Path, reader: str, table: Sequence[Mapping[str, Any]]) -> None:
    """Of the judge that is weighed; `table` is what each feature adds."""
    recipe = json.loads((folder / HISTORY / RECIPE).read_text(encoding="utf-8"))
    last = logged_figures(folder / HISTORY)[-1]
    figures = {
        name: value for name, value in last.items() if isinstance(value, float) and name not in ("hours", "loss")
    }
    names = list(table[0])
    lines = ["| " + " | ".join(name.replace("_", " ") for name in names) + " |", "|---" * len(names) + "|"]
    lines += ["| " + " | ".join(_cell(line[name]) for name in names) + " |" for line in table]
    text = JOINT.format(
        layers=recipe["layers"],
        width=recipe["width"],
        reader=reader,
        commands="\n".join(
            f"    {run['command']}\n    # commit {run['commit']}; {run['data']}" for run in runs(folder / HISTORY)
        ),
        steps=last["step"],
        hours=last["hours"],
        recipe=json.dumps(recipe),
        weights=sha256(folder / "model.safetensors"),
        figures=", ".join(f"{name} {value:.3f}" for name, value in figures.items()),
        table="\n".join(lines),
    )
    (folder / "README.md").write_text(text, encoding="utf-8")


def _chosen(out: Path) -> str:
    """Of a run in stages, the one whose checkpoint was kept: a later stage may have brought nothing."""
    entries = [entry for entry in logged_figures(out) if "stage" in entry]
    if not entries:
        return ""
    best = max(entries, key=lambda entry: float(entry["gap"]))
    return f"- Its checkpoint is from the {best['stage']} stage, step {best['step']:,}; the table has the others.\n"


def _history(out: Path) -> str:
    """Dev figures on the way."""
    entries = logged_figures(out)
    if not entries:
        return ""
    names = list(entries[-1])
    head = " | ".join(name.replace("_", " ") for name in names)
    lines = ["", "## On the way", "", f"| {head} |", "|---" * len(names) + "|"]
    for entry in entries:
        lines.append("| " + " | ".join(_cell(entry.get(name, "")) for name in names) + " |")
    return "\n".join(lines) + "\n"


def _cell(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
