"""What a run was told: the recipe, kept with the run, and every command that worked on it, with commit and data.

What a recipe says is declared once, here, and is offered by the command that trains. A resumed run keeps its recipe;
only what does not change the weights' shape may be told anew. Knows no model: whoever trains one takes its recipe here.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from workbench.corpora import signature
from workbench.options import SEEDS, check_options, declare, options_of
from workbench.paths import PACKAGE
from workbench.refusal import Refusal

RECIPE, RUNS, LOG = "recipe.json", "runs.jsonl", "log.jsonl"
HISTORY = "training"  # the folder inside a finished model that tells how it was made
Kind = TypeVar("Kind")
offer = partial(declare, group="recipe")  # what the command that trains has an argument for
SHARE: dict[str, Any] = {"least": 0, "under": 1}


@dataclass(frozen=True)
class Recipe:
    """The embedded generator's: everything that decides what is learnt, but for the data."""

    seed: int = offer(1, "Number that decides first weights and the order of batches", least=0, most=SEEDS, fixed=True)
    pieces: int = offer(10000, "Word pieces in the verse's vocabulary", least=1, most=100_000, fixed=True)
    layers: int = offer(6, "Layers of the decoder", least=1, most=48, fixed=True)
    width: int = offer(384, "Numbers in the vector of a token", least=1, most=8192, fixed=True)
    heads: int = offer(6, "Heads of attention in each layer", least=1, most=64, fixed=True)
    inner: int = offer(1536, "Width inside a layer", least=1, most=32_768, fixed=True)
    batch_tokens: int = offer(4096, "Tokens of verses, or of proses, in a step", least=1, most=1_000_000)
    peak: float = offer(2e-3, "The highest learning rate", above=0, most=1)
    warm_up: int = offer(300, "Steps in which the rate rises", least=1, most=1_000_000)
    cooling: float = offer(
        0.2, "The last share of the hours", "In it the rate falls, and little is read that a machine wrote.", **SHARE
    )
    dropout: float = offer(0.1, "Share of the decoder's activations left out", **SHARE)
    piece_dropout: float = offer(0.05, "Share of a verse that is cut into other pieces", "BPE dropout.", **SHARE)
    hidden_words: float = offer(0.05, "Share of the prose's words that are hidden", **SHARE)
    hidden_verse: float = offer(
        0.1, "Share of the verse so far that is hidden", "So that the decoder looks at the prose; none in cooling.",
        **SHARE,
    )  # fmt: skip
    drop_source: float = offer(0.08, "Share of batches that are read without their prose", **SHARE)
    averaging: float = offer(0.999, "How much of the averaged weights a step keeps", **SHARE)
    encoder_rate: float = offer(
        0.1, "Rate of the prose's encoder, as a share of the decoder's", "0 leaves it as it is.", least=0, most=10
    )
    weight_decay: float = offer(0.05, "Pull of the weights towards 0", least=0, most=1)

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class ReaderRecipe:
    """The reader's: everything that decides what is learnt, but for the data."""

    seed: int = offer(1, "Number that decides first weights and the order of batches", least=0, most=SEEDS, fixed=True)
    slp1_pieces: int = offer(12000, "Word pieces in the vocabulary of Sanskrit", least=1, most=100_000, fixed=True)
    english_pieces: int = offer(10000, "Word pieces in the vocabulary of English", least=1, most=100_000, fixed=True)
    width: int = offer(384, "Numbers in the vector of a token", least=1, most=8192, fixed=True)
    heads: int = offer(6, "Heads of attention in each layer", least=1, most=64, fixed=True)
    inner: int = offer(1536, "Width inside a layer", least=1, most=32_768, fixed=True)
    encoder_layers: int = offer(5, "Layers of the encoder", least=1, most=48, fixed=True)
    decoder_layers: int = offer(3, "Layers of the decoder", least=1, most=48, fixed=True)
    batch_tokens: int = offer(4096, "Tokens of answers in a step", "Padding included.", least=1, most=1_000_000)
    peak: float = offer(2e-3, "The highest learning rate", above=0, most=1)
    warm_up: int = offer(200, "Steps in which the rate rises", least=1, most=1_000_000)
    cooling: float = offer(0.25, "The last share of the hours", "In it the rate falls.", **SHARE)
    averaging: float = offer(0.999, "How much of the averaged weights a step keeps", **SHARE)
    weight_decay: float = offer(0.05, "Pull of the weights towards 0", least=0, most=1)
    piece_dropout: float = offer(0.08, "Share of Sanskrit that is cut into other pieces", "BPE dropout.", **SHARE)
    no_source: float = offer(0.06, "Share of the batches of English that are read without a verse", **SHARE)
    align_weight: float = offer(
        0.5, "How much it counts that each word of the answer can be found at some place of the source",
        "IBM's first model, over the encoder's states.", least=0, most=100,
    )  # fmt: skip
    hidden_answer: float = offer(
        0.15, "Share of the answer so far that is hidden", "So that the decoder looks at the source; none in cooling.",
        **SHARE,
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class LemmatizerRecipe:
    """The lemmatizer's."""

    seed: int = offer(1, "Number that decides first weights and the order of batches", least=0, most=SEEDS, fixed=True)
    width: int = offer(256, "Numbers in the vector of a letter", least=1, most=8192, fixed=True)
    heads: int = offer(4, "Heads of attention in each layer", least=1, most=64, fixed=True)
    layers: int = offer(5, "Layers over the letters", least=1, most=48, fixed=True)
    least: int = offer(
        8, "How often a letter must become something for that to be learnt", least=1, most=1_000_000, fixed=True
    )
    batch_tokens: int = offer(8192, "Letters in a step", "Padding included.", least=1, most=1_000_000)
    joined: float = offer(0.15, "Share of the texts that are read without half of their spaces", **SHARE)
    peak: float = offer(2e-3, "The highest learning rate", above=0, most=1)
    warm_up: int = offer(100, "Steps in which the rate rises", least=1, most=1_000_000)
    cooling: float = offer(0.35, "The last share of the hours", "In it the rate falls.", **SHARE)
    averaging: float = offer(0.995, "How much of the averaged weights a step keeps", **SHARE)
    weight_decay: float = offer(0.05, "Pull of the weights towards 0", least=0, most=1)

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class BiRecipe:
    """The bi-encoder's."""

    seed: int = offer(1, "Number that decides first weights and the order of batches", least=0, most=SEEDS)
    reader: str = declare("", "The generator whose encoder reads the English", "With its hash; MiniLM where none is.")
    pieces: int = offer(8000, "Word pieces in the vocabulary of Sanskrit", least=1, most=100_000)
    layers: int = offer(4, "Layers of the Sanskrit encoder", least=1, most=48)
    width: int = offer(
        256, "Width of the Sanskrit encoder", "A reader's own brings its words along.", least=1, most=8192
    )
    heads: int = offer(4, "Heads of attention in each of its layers", least=1, most=64)
    batch: int = offer(256, "Pairs in a step", least=1, most=100_000)
    rate: float = offer(1e-3, "The highest learning rate", above=0, most=1)
    others: int = offer(4096, "Prose beyond the batch that a verse is told apart from", least=0, most=1_000_000)
    scale: float = offer(20.0, "How sharply it is told apart, to begin with", above=0, most=1000)
    directions: int = offer(
        768, "Numbers in the vectors in which both meet", "No more than the English ones have.", least=1, most=8192
    )
    longest: int = offer(96, "Tokens of a verse that are read", least=1, most=128)

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class CrossRecipe:
    """Of a cross-encoder from the Hub."""

    seed: int = offer(1, "Number that decides first weights and the order of batches", least=0, most=SEEDS)
    batch: int = offer(48, "Pairs in a step", least=1, most=100_000)
    rate: float = offer(5e-5, "The highest learning rate", above=0, most=1)
    easy_share: float = offer(0.2, "Share of the steps with easy negatives", least=0, most=1)
    positive_weight: float = offer(3.0, "How much more a true pair counts", "The paper's α.", above=0, most=1000)
    # Where a change cannot be heard, true and changed look the same and share the probability: with few of them and α,
    # the true ones still get most of it.
    changed_share: float = offer(
        0.4, "Of the proses that allow a change, how many come changed as well", least=0, most=1
    )
    script: str = offer(
        "devanagari", "Script in which it reads verses",
        choices=(("Devanagari", "devanagari"), ("SLP1", "slp1")),
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class JointRecipe:
    """The cross-encoder's that reads prose and verse in one sequence, as the reader has read them."""

    seed: int = offer(1, "Number that decides first weights and the order of batches", least=0, most=SEEDS, fixed=True)
    width: int = offer(256, "Numbers in the vector of a word", least=1, most=8192, fixed=True)
    heads: int = offer(4, "Heads of attention in each layer", least=1, most=64, fixed=True)
    layers: int = offer(3, "Layers over verse and prose together", least=1, most=48, fixed=True)
    easy_hours: float = offer(0.1, "Hours in which only easy pairs are graded, at first", least=0, most=1000)
    batch_tokens: int = offer(4096, "Tokens of pairs in a step", least=1, most=1_000_000)
    peak: float = offer(1e-3, "The highest learning rate", above=0, most=1)
    warm_up: int = offer(100, "Steps in which the rate rises", least=1, most=1_000_000)
    cooling: float = offer(0.3, "The last share of the hours", "In it the rate falls.", **SHARE)
    averaging: float = offer(0.998, "How much of the averaged weights a step keeps", **SHARE)
    weight_decay: float = offer(0.05, "Pull of the weights towards 0", least=0, most=1)
    piece_dropout: float = offer(0.08, "Share of Sanskrit that is cut into other pieces", "BPE dropout.", **SHARE)
    positive_weight: float = offer(2.0, "How much more a true pair counts", "The paper's α.", above=0, most=1000)
    order_weight: float = offer(1.0, "How much it counts that verses of one prose stand in order", least=0, most=1000)

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class Tuning:
    """Of a generator from the Hub."""

    lora: bool = offer(False, "An adapter instead of all weights", "LoRA; always so in 8 bits.")
    rank: int = offer(16, "Size of the adapter", "The rank of its matrices.", least=1, most=1024)
    epochs: float = offer(3.0, "How often all rows are read", above=0, most=1000)
    batch: int = offer(8, "Rows on each device", least=1, most=100_000)
    accumulate: int = offer(1, "Batches to a step", least=1, most=100_000)
    rate: float = offer(2e-5, "The highest learning rate", above=0, most=1)
    longest: int = offer(512, "Tokens of prose and verse that are read", least=1, most=100_000)
    steps: int = offer(-1, "Steps instead of epochs", "-1 goes by epochs.", least=-1, most=100_000_000)
    seed: int = offer(1, "Number that decides the order of rows", least=0, most=SEEDS)

    def __post_init__(self) -> None:
        check_options(self)


RECIPES: dict[str, type] = {  # by the command that trains
    "generator": Recipe,
    "reader": ReaderRecipe,
    "lemmatizer": LemmatizerRecipe,
    "bi-encoder": BiRecipe,
    "cross-encoder": CrossRecipe,
    "judge": JointRecipe,
    "tune": Tuning,
}


def recipe(out: Path, asked: dict[str, Any], kind: type[Kind]) -> Kind:
    """The recipe of the run in a folder, with the changes asked for; a new one where there is no run."""
    file = out / RECIPE
    if not file.is_file():
        return kind(**asked)
    try:
        known = kind(**json.loads(file.read_text(encoding="utf-8")))
    except TypeError as error:
        raise Refusal(f"Expected a recipe that this version knows in {file}; got another ({error}).") from None
    fixed = [option.name for option in options_of(kind) if option.fixed]
    changed = [name for name in fixed if name in asked and asked[name] != getattr(known, name)]
    if changed:
        told = ", ".join(f"{name} {asked[name]}" for name in changed)
        raise Refusal(f"Expected the run's own {', '.join(changed)}, which cannot change on its way; got {told}.")
    return replace(known, **asked)  # type: ignore[type-var]


def keep_history(out: Path, model: Path) -> None:
    """Put what is known of a run beside the model that came of it, so that another run can go on from the model."""
    told = model / HISTORY
    told.mkdir(parents=True, exist_ok=True)
    for name in (RECIPE, RUNS, LOG):
        if (out / name).is_file():
            shutil.copyfile(out / name, told / name)


def continue_from(model: Path, out: Path) -> None:
    """Begin a run where a finished model's run ended: its recipe, commands and figures come along."""
    told = model / HISTORY
    if not (told / RECIPE).is_file() or not (told / LOG).is_file():
        raise Refusal(f"Expected a model that tells how it was made, in {told}; found nothing there.")
    out.mkdir(parents=True, exist_ok=True)
    for name in (RECIPE, RUNS, LOG):
        if (told / name).is_file():
            shutil.copyfile(told / name, out / name)


def note_run(out: Path, made: Any, command: str, data: Sequence[Path]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / RECIPE).write_text(json.dumps(asdict(made), indent=1) + "\n", encoding="utf-8")
    entry = {
        "command": command,
        "commit": commit(),
        "data": signature(*data, packages=("torch", "transformers", "tokenizers")),
    }
    with (out / RUNS).open("a", encoding="utf-8") as runs:
        runs.write(json.dumps(entry, ensure_ascii=False) + "\n")


def command(*folders: Path | None) -> str:
    """The command under way as a card tells it: folders by their names alone, for where they stood is nobody's
    business."""
    names = {str(path): path.name for path in folders if path}
    return shlex.join(["python", "-m", "workbench", *(names.get(word, word) for word in sys.argv[1:])])


def runs(out: Path) -> list[dict[str, str]]:
    return _lines(out / RUNS)


def logged_figures(out: Path) -> list[dict[str, Any]]:
    """What was told of dev on the way."""
    return _lines(out / LOG)


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.is_file() else []


def commit() -> str:
    """The commit of the code that trains, with a + when it was changed since; unknown outside a checkout."""

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=PACKAGE, capture_output=True, text=True, check=True
        ).stdout.strip()

    if not (PACKAGE.parent / ".git").exists():  # installed; a repository around that is somebody else's
        return "unknown"
    try:
        return git("rev-parse", "HEAD")[:12] + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
