"""The model cards of what is trained from nothing, generator, reader and lemmatizer: what each is, what it learnt from,
by which command, how well, its limits."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from workbench.corpora.sources import sources
from workbench.damage import sha256
from workbench.training import prose_encoder
from workbench.training.loop import Progress
from workbench.training.recipes import LemmatizerRecipe, ReaderRecipe, Recipe, logged_figures, runs

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

A verse is spelled in SLP1 with ` . ` between its halves. Its first token says its form: `<s>` an anuṣṭubh verse, the
twenty commonest metres by name (`<upajāti>`), others by the syllables of a pāda (`<13>`), `<o>` prose, `<w>` a word.
Asked with an empty prose it is a model of verses alone, which guidance subtracts.

## What it learnt from

{texts}
- all-MiniLM-L6-v2 (Apache-2.0), sha256 of its weights `{encoder}`.

Neither the dev nor the test chapters were read in training, nor the hundredth of every source that is kept for dev;
choices were made on dev.

## How

{commands}

Seed {seed}; {step:,} steps, {tokens:,} target tokens, {hours:.2f} hours on the cores at hand; {cooled}.
The weights are a running average. The recipe:

    {recipe}

`model.safetensors`: sha256 `{weights}`, half precision.

## How well

Nats a text on dev: {dev}; epics without the prose {without_prose:.1f}.
`python -m workbench evaluate` prints metre, chrF and words over a corpus; docs/FIGURES.md has the project's.

{history}

## Limits

- Most of what it has read is old: epics, Purāṇas, śāstras. Of modern things it knows some words, and often says
  something near instead.
- The metre is the decoder's doing and perfect by construction; grammar and sandhi are the model's, and are not checked.
- It keeps part of what the prose says and often adds stock phrases. It does not know what it left out.
- It reads {longest} tokens of prose and no other language than English.
"""


READER_CARD = """---
license: apache-2.0
language: [sa, en]
library_name: transformers
pipeline_tag: translation
datasets: [rahular/itihasa]
---
# Embedded reader: what a Sanskrit verse says

An `MBartForConditionalGeneration` from nothing, {encoder_layers} + {decoder_layers} layers, {width} wide; it shares no
weight with the generator. It reads SLP1 (pieces in `sanskrit.json`) and answers by its first token: `<en>` what a text
says, `<words>` its words as lemmas, `<gloss>` what one word means. With an empty source it is a model of English, and
the difference of the two says, word by word, what of a prose is heard in a verse.

    python -m workbench read "karmaṇy evādhikāras te mā phaleṣu kadācana"

## What it learnt from

{texts}

Neither the dev nor the test chapters were read in training, nor the hundredth of every source that is kept for dev, nor
three works on which lemmas are measured, nor 300 words with all their forms on which glosses are.

## How

{commands}

Seed {seed}; {step:,} steps, {tokens:,} answer tokens, {hours:.2f} hours on the cores at hand; {cooled}. Its words began
with the vectors that a count of who translates whom gives them. The weights are a running average. The recipe:

    {recipe}

`model.safetensors`: sha256 `{weights}`, half precision.

## How well

Nats an answer on dev: {dev}; the epics' English without the verse {without_source:.1f}.
`python -m workbench measure reader` prints every figure; docs/MEANING.md has the project's.

{history}

## Limits

- It is small and has read for hours, not weeks: it hears many words of a verse rightly and puts them together badly.
  What it says is the machine's reading and is called that wherever it is shown.
- Who does what to whom it often turns round. Most of what it has read is epics, Purāṇas and śāstras.
"""


def write_reader_card(folder: Path, out: Path, recipe: ReaderRecipe, progress: Progress, texts: dict[str, int]) -> None:
    """`texts`: how many of each source were read. What answers cost is in the run's log."""
    dev = _figures(logged_figures(out)[-1])
    without = dev.pop("english alone", float("nan"))
    costs = ", ".join(f"{name} {nats:.1f}" for name, nats in dev.items())
    text = READER_CARD.format(**_card_fields(folder, out, recipe, progress, texts), dev=costs, without_source=without)
    (folder / "README.md").write_text(text, encoding="utf-8")


LEMMATIZER_CARD = """---
license: apache-2.0
language: [sa]
pipeline_tag: token-classification
---
# Lemmatizer: the words of a Sanskrit text

A transformer over letters, {layers} layers, {width} wide. It reads a text in SLP1 and says of every letter what it
becomes when the words stand there as a dictionary has them: itself, another letter, several, nothing, and whether a
word ends there (`rules` in `config.json`). So sandhi is undone and compounds are taken apart, and what it has never
seen is copied letter by letter.

    python -m workbench read "karmaṇy evādhikāras te mā phaleṣu kadācana"

## What it learnt from

{texts}

Their lemmas were written down by people; which letter gives which was found by the cheapest way to edit a text into its
lemmas. A hundredth is kept for dev, and three whole works, on which it is measured.

## How

{commands}

Seed {seed}; {step:,} steps, {tokens:,} letters, {hours:.2f} hours on the cores at hand; {cooled}.
The weights are a running average. The recipe:

    {recipe}

`model.safetensors`: sha256 `{weights}`, half precision.

## How well

On dev, {rows} texts kept out: {dev}. `python -m workbench measure reader DEV --figures lemmas --data PREPARED` measures
it on works of which it has read nothing; docs/MEANING.md has the figure.

{history}

## Limits

- One analysis for each text, and no grammar: which case or tense a word stands in it does not say.
- A name or a compound that is a word of its own is sometimes taken apart, or left whole.
- It has read verse of epics' and later times; of the Veda it knows nothing.
"""


def write_lemmatizer_card(
    folder: Path, out: Path, recipe: LemmatizerRecipe, progress: Progress, texts: dict[str, int], rows: int
) -> None:
    dev = ", ".join(f"{name} {value:.1f}" for name, value in _figures(logged_figures(out)[-1]).items())
    text = LEMMATIZER_CARD.format(**_card_fields(folder, out, recipe, progress, texts), dev=dev, rows=rows)
    (folder / "README.md").write_text(text, encoding="utf-8")


def _card_fields(folder: Path, out: Path, recipe: Any, progress: Progress, texts: dict[str, int]) -> dict[str, Any]:
    """What every card tells of a run."""
    commands = [f"    {run['command']}\n    # commit {run['commit']}; {run['data']}" for run in runs(out)]
    return {
        **asdict(recipe),
        "step": progress.step,
        "tokens": progress.tokens,
        "texts": "\n".join(_texts(texts)),
        "hours": progress.seconds / 3600,
        "cooled": _cooled(progress.cooling_since),
        "weights": sha256(folder / "model.safetensors"),
        "commands": "\n".join(commands),
        "recipe": json.dumps(asdict(recipe)),
        "history": _history(out),
    }


def write_card(folder: Path, out: Path, recipe: Recipe, progress: Progress, figures: dict[str, Any]) -> None:
    """`figures`: its pieces (a recipe's where it learnt them, another's where it has grown), how many texts of each
    source were read, what they cost on dev, and without the prose."""
    text = CARD.format(
        **{**_card_fields(folder, out, recipe, progress, figures["texts"]), "pieces": figures["pieces"]},
        dev=", ".join(f"{name} {nats:.1f} ({number:,} texts)" for name, (number, nats) in figures["dev"].items()),
        without_prose=figures["without_prose"],
        encoder=prose_encoder.SHA256,
        longest=prose_encoder.LONGEST,
    )
    (folder / "README.md").write_text(text, encoding="utf-8")


def _texts(found: dict[str, int]) -> list[str]:
    """A line a source, with its licence."""
    known = sources()
    lines = []
    for name, number in found.items():
        if name in known:
            lines.append(f"- {known[name].file}: {number:,} texts ({known[name].licence}).")
        else:
            lines.append(f"- {number:,} verses that came without English, with a prose by the reader, marked as such.")
    return lines


def _cooled(since: float | None) -> str:
    return "the rate has not begun to fall" if since is None else f"the rate fell from hour {since / 3600:.2f} on"


def _figures(entry: dict[str, Any]) -> dict[str, float]:
    """What a line of the log has of dev."""
    counted = ("step", "epoch", "tokens", "hours", "loss", "cooling")
    return {name: value for name, value in entry.items() if name not in counted}


def _history(out: Path) -> str:
    """Dev figures on the way, at most a dozen of them."""
    entries = logged_figures(out)
    if not entries:
        return ""
    every = max(1, len(entries) // 12)
    names = list(_figures(entries[-1]))
    lines = [f"| hours | steps | {' | '.join(names)} |", "|---|---|" + "---|" * len(names)]
    for entry in entries[::-every][::-1]:
        nats = " | ".join(f"{entry[name]:.1f}" if name in entry else "" for name in names)
        lines.append(f"| {entry['hours']:.2f} | {entry['step']:,} | {nats} |")
    return "\n".join(lines)
