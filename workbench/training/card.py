"""The model card of the embedded generator: what it is, what it learnt from, by which command, how well, its limits."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from workbench.training import prose_encoder
from workbench.training.recipes import Recipe, runs

CARD = """---
license: apache-2.0
language: [en, sa]
library_name: transformers
pipeline_tag: translation
base_model: sentence-transformers/all-MiniLM-L6-v2
datasets: [rahular/itihasa]
---
# Embedded generator: English prose to a verse in SLP1

An `EncoderDecoderModel`: all-MiniLM-L6-v2 reads the prose, a decoder of {layers} layers, {width} wide, writes SLP1 in
{pieces} pieces. It is made to be decoded under a metre (`python -m workbench compose`), on two CPU cores.

    model = EncoderDecoderModel.from_pretrained("checkpoints/embedded", dtype=torch.float32)
    verse = PreTrainedTokenizerFast.from_pretrained("checkpoints/embedded")
    prose = AutoTokenizer.from_pretrained("checkpoints/embedded/prose")

A verse is spelled in SLP1 with ` . ` between its halves and begins with `<s>`; `<o>` begins any other text. Asked with
an empty prose it is a model of verses alone, which guidance subtracts.

## What it learnt from

- Itihāsa (Apache-2.0): {whole_verses:,} whole anuṣṭubh verses with their English, and {other_rows:,} other rows
  (longer, shorter or misprinted) for their words, until the rate began to fall.
- {lone_verses:,} anuṣṭubh verses of other works without English.
- all-MiniLM-L6-v2 (Apache-2.0), sha256 of its weights `{encoder}`.

Neither the dev nor the test chapters were read in training; choices were made on dev.

## How

{commands}

Seed {seed}; {step:,} steps, {tokens:,} target tokens, {hours:.2f} hours on the cores at hand; {cooled}.
The weights are a running average. The recipe:

    {recipe}

`model.safetensors`: sha256 `{weights}`, half precision.

## How well

On {dev_verses:,} whole verses of dev: {dev_nats:.1f} nats a verse (perplexity {dev_perplexity:.1f} a token),
{dev_nats_without_prose:.1f} without the prose.
`python -m workbench evaluate` prints metre, chrF and words over a corpus; the project's README has its figures.

{history}

## Limits

- It has read the epics in Victorian English: kings, sages, battles and duty. Of other things it makes verses about
  kings and sages.
- The metre is the decoder's doing and perfect by construction; grammar and sandhi are the model's, and are not checked.
- It keeps part of what the prose says and often adds stock phrases. It does not know what it left out.
- It reads {longest} tokens of prose and no other language than English.
"""


def write_card(folder: Path, out: Path, recipe: Recipe, figures: dict[str, Any]) -> None:
    weights = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    commands = [f"    {run['command']}\n    # commit {run['commit']}; {run['data']}" for run in runs(out)]
    text = CARD.format(
        **asdict(recipe),
        **figures,
        hours=figures["seconds"] / 3600,
        cooled=_cooled(figures["cooling_since"]),
        encoder=prose_encoder.SHA256,
        weights=weights,
        commands="\n".join(commands),
        recipe=json.dumps(asdict(recipe)),
        history=_history(out),
        longest=prose_encoder.LONGEST,
    )
    (folder / "README.md").write_text(text, encoding="utf-8")


def _cooled(since: float | None) -> str:
    return "the rate has not begun to fall" if since is None else f"the rate fell from hour {since / 3600:.2f} on"


def _history(out: Path) -> str:
    """Dev figures on the way, at most a dozen of them."""
    log = out / "log.jsonl"
    entries = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.is_file() else []
    if not entries:
        return ""
    every = max(1, len(entries) // 12)
    chosen = entries[::-every][::-1]
    lines = ["| hours | steps | dev nats a verse | without prose |", "|---|---|---|---|"]
    for entry in chosen:
        with_prose, without = entry["dev_nats"], entry["dev_nats_without_prose"]
        lines.append(f"| {entry['hours']:.2f} | {entry['step']:,} | {with_prose:.1f} | {without:.1f} |")
    return "\n".join(lines)
