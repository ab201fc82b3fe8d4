"""What the constraint costs: generation with and without it, the paper's way of masking and ours, building the table.

All in one run, turn by turn, 25 beams; ratios, because seconds are the machine's. The models have random weights and
the embedded model's size, so that a step costs what a real one costs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
import torch
from skrutable.scansion import Scanner
from transformers import LogitsProcessor, Phi3Config, Phi3ForCausalLM

from workbench.corpora import signature
from workbench.decoding.constraint import Constraint
from workbench.decoding.lexicon import Lexicon
from workbench.decoding.paper import PaperConstraint
from workbench.decoding.processor import PingalaLogitsProcessor
from workbench.decoding.vocabulary import vocabulary
from workbench.models.tiny import byte_level, prompt
from workbench.prosody.automaton import compile_metre
from workbench.prosody.metres import find

BEAMS = 25
ROUNDS = 25  # so many that the median is steady on a machine that is not
PREFIX = "Darmakzetre kurukzetre samavetA yuyutsavaH"  # sixteen syllables


def measure() -> dict[str, Any]:
    figures: dict[str, Any] = {"beams": BEAMS, "rounds": ROUNDS, "generate": {}, "mask": {}}
    # The small one is a Sanskrit model's, all SLP1; the large one, like cl100k, has much else in it.
    for size, scripts in ((8_000, ("slp1",)), (100_000, ("slp1", "devanagari"))):
        tokenizer = byte_level(size, scripts)
        figures["generate"][str(size)] = _generation(tokenizer)
        figures["mask"][str(size)] = _masking(tokenizer)
    figures["table"] = _table(byte_level(100_000))
    figures["signature"] = signature(packages=("torch", "transformers", "skrutable", "numpy"))
    return figures


def _model(size: int) -> Any:
    torch.manual_seed(0)
    config = Phi3Config(
        vocab_size=size, hidden_size=384, intermediate_size=1536, num_hidden_layers=4, num_attention_heads=6,
        num_key_value_heads=6, max_position_embeddings=1024, pad_token_id=0, bos_token_id=1, eos_token_id=2,
    )  # fmt: skip
    model: Any = Phi3ForCausalLM
    return model(config).eval()


def _generation(tokenizer: Any) -> dict[str, float]:
    """Seconds of generate() with the processor and without, both for as many steps."""
    model = _model(len(tokenizer))
    common = {**prompt(), "num_beams": BEAMS, "do_sample": False, "pad_token_id": 0}
    processor = PingalaLogitsProcessor(tokenizer)
    counter = StepCounter()
    model.generate(**common, logits_processor=[processor, counter], max_new_tokens=160)  # warm
    number = counter.steps
    free: list[float] = []
    bound: list[float] = []
    for _ in range(ROUNDS):
        free.append(_seconds(lambda: model.generate(**common, min_new_tokens=number, max_new_tokens=number)))
        bound.append(_seconds(lambda: model.generate(**common, logits_processor=[processor], max_new_tokens=160)))
    ratios = [with_it / without for with_it, without in zip(bound, free, strict=True)]
    return {"steps": number, "seconds": min(bound), "seconds_without": min(free), "ratio": median(ratios)}


class StepCounter(LogitsProcessor):
    """Counts the steps of a generation and changes nothing."""

    def __init__(self) -> None:
        self.steps = 0

    def __call__(self, input_ids: torch.LongTensor, scores: torch.FloatTensor) -> torch.FloatTensor:
        self.steps += 1
        return scores


def _masking(tokenizer: Any) -> dict[str, float]:
    """One step's masks for 25 beams at sixteen syllables, by the paper's scanning and by the table."""
    torch.manual_seed(0)
    scores = torch.log_softmax(torch.randn(BEAMS, len(tokenizer)), dim=-1)
    ours = Constraint(tokenizer)
    state = ours.lexicon.automaton.read(PREFIX.encode())
    scanner = Scanner()
    paper = PaperConstraint(
        tokenizer, scanner=lambda text: scanner.scan(text, from_scheme="SLP").syllable_weights if text.strip() else ""
    )
    # Beams differ in their last letters, so that nothing is scanned once for all of them.
    prefixes = [f"{PREFIX} {'.' if at % 2 else '. '}".encode() + b" "[: at % 2] for at in range(BEAMS)]
    theirs: list[float] = []
    mine: list[float] = []
    for _ in range(ROUNDS):
        paper.forget()
        theirs.append(_seconds(lambda: _paper_step(paper, prefixes, scores)))
        mine.append(_seconds(lambda: [ours.process([state] * BEAMS, scores) for _ in range(20)]) / 20)
    return {"paper_seconds": min(theirs), "seconds": min(mine), "ratio": min(theirs) / min(mine)}


def _paper_step(paper: PaperConstraint, prefixes: list[bytes], scores: torch.Tensor) -> None:
    """One step of all beams; what was scanned for one is forgotten for the next, as the texts of beams differ."""
    for at, prefix in enumerate(prefixes):
        paper.forget()
        paper.process([paper.state_of(prefix)], scores[at : at + 1])


def _table(tokenizer: Any) -> dict[str, float]:
    """Building the whole token table: reading the vocabulary, the trie, and the rows of every state."""
    began = time.perf_counter()
    words = vocabulary(tokenizer)
    read = time.perf_counter() - began
    automaton = compile_metre(find("anuṣṭubh"), "slp1", "bytes", 3)
    table: list[Lexicon] = []

    def build() -> None:
        table[:] = [Lexicon(words, automaton)]
        for state in range(1, len(automaton)):
            table[0].row(state)

    seconds = _seconds(build)
    return {
        "tokens": float(len(words.tokens)),
        "states": float(len(automaton)),
        "entries": float(np.unique(table[0].entry_of_token).size),
        "read_seconds": read,
        "build_seconds": seconds,
        "megabytes": table[0].memory / 1e6,
    }


def _seconds(run: Callable[[], Any]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began
