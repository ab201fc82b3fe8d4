"""PingalaLogitsProcessor: the metre in anybody's `model.generate`.

    processor = PingalaLogitsProcessor(tokenizer, metre="anuṣṭubh", script="slp1")
    model.generate(**inputs, logits_processor=[processor], num_beams=25, max_new_tokens=200)

What stands in `input_ids` at the first call is the prompt; what comes after it is the verse. Beams are reordered
between steps, so the automaton's state belongs to a row's tokens, never to its index. It works with beam search, beam
sampling, greedy search, sampling, and batches of prompts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers import LogitsProcessor

from workbench.decoding.decode import make_constraint
from workbench.decoding.settings import Settings, SettingsError
from workbench.decoding.wishing import Wish, read_wishes
from workbench.prosody.metres import Metre


class PingalaLogitsProcessor(LogitsProcessor):
    """Masks what breaks the metre, adds β for each pāda completed, allows the end only at the end.

    Args:
        tokenizer: of the model, fast or in Python.
        metre: by name, or a Metre.
        script: "slp1" or "devanagari", as the model writes.
        beta: what completing a pāda adds to a log-probability (the paper's 5.0).
        top_k: how many of a row's best tokens are looked at (the paper's 100); doubled to 500 when none of them lives,
            then the whole vocabulary. None looks at the whole vocabulary at once.
        yati: "require" ends a word at every pāda's end, "prefer" takes something off where it does not, "none".
        max_cluster: half-akṣaras in one conjunct.
        mode: "pingala"; "cd", the mask without β (Chandomitra's constrained decoding, made exact); "paper", the paper's
            own steps to the letter, with what they lose.
        eos_token_id: where it is not the tokenizer's.
        max_new_tokens: the limit given to generate(); with it a verse is always finished within the limit.
        wishes: what the verse keeps beside its metre, as Wish objects or in lines: ["given 4:...", "without r"].
    """

    def __init__(
        self,
        tokenizer: Any,
        metre: str | Metre = "anuṣṭubh",
        script: str = "slp1",
        beta: float = 5.0,
        top_k: int | None = 100,
        yati: str = "none",
        max_cluster: int = 3,
        mode: str = "pingala",
        eos_token_id: int | Sequence[int] | None = None,
        max_new_tokens: int | None = None,
        wishes: Sequence[str | Wish] = (),
    ) -> None:
        settings = Settings(metre, script, mode, beta, top_k, yati, max_cluster)
        if mode == "free":
            raise SettingsError("Expected mode pingala, cd or paper for a metre; got 'free'.")
        made: Any = make_constraint(tokenizer, settings, eos_token_id, read_wishes(wishes))
        self.constraint = made
        least = made.shortest + 1
        if max_new_tokens is not None and max_new_tokens < least:
            raise SettingsError(
                f"Expected max_new_tokens of at least {least}, the letters of the shortest verse and its end; "
                f"got {max_new_tokens}."
            )
        self.max_new_tokens = max_new_tokens
        self._states: dict[bytes, Any] = {}
        self._prompt = 0

    def __call__(self, input_ids: torch.LongTensor, scores: torch.FloatTensor) -> torch.FloatTensor:
        states, first = self._follow(input_ids)
        written = input_ids.shape[1] - self._prompt
        room = None if self.max_new_tokens is None else self.max_new_tokens - written
        # All beams of a prompt start from one row, which then has to offer a token for each of them.
        least = max(states.count(state) for state in states) if first else 1
        processed: torch.FloatTensor = self.constraint.process(states, scores, room, least)
        return processed

    def _follow(self, input_ids: torch.LongTensor) -> tuple[list[Any], bool]:
        """The state of each row, from the state of the same row one token ago; a row never seen starts a verse."""
        rows = input_ids.cpu().numpy()
        before = [self._states.get(row[:-1].tobytes()) for row in rows] if rows.shape[1] else [None]
        first = any(state is None for state in before)
        if first:
            self._prompt = rows.shape[1]
            states = [self.constraint.start] * len(rows)
        else:
            following = self.constraint.next_state
            states = [following(state, token) for state, token in zip(before, rows[:, -1].tolist(), strict=True)]
        self._states = {row.tobytes(): state for row, state in zip(rows, states, strict=True)}
        return states, first
