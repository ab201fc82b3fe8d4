"""Prose and verse in one sequence through one transformer, every word looking at every other: one logit.

What goes into it is what the reader makes of them: the state of every piece of the verse, and of every word of the
prose the state from which the reader foretold it, the word itself, and how likely it was with the verse and without. So
it begins with a model that has learnt from every pair which word says what, and learns only to judge (Kim and others'
predictor and estimator, WMT 2017). The reader is not changed; no weight is the generator's. Its own are few, and worth
nothing beside another reader than the one they learnt with.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import torch

from workbench.prosody.verse import Verse
from workbench.semantics import JudgeError
from workbench.semantics.pieces import END, ENGLISH, PAD, Pieces
from workbench.semantics.reader import loaded
from workbench.semantics.verse_spelling import HALVES, as_read, fingerprint

CONFIG, WEIGHTS = "joint.json", "model.safetensors"
LONGEST_VERSE, LONGEST_PROSE = 110, 140  # pieces; the reader has places for 256
BATCH_TOKENS = 4096
FAR = 6.0  # nats beyond which likelier or less likely says nothing more
LIKELIHOODS = 3  # numbers of a word: with the verse, without it, the difference


@dataclass(frozen=True)
class Joined:
    """Pairs as the reader has read them: states of verses and of proses, and which places are text."""

    verses: torch.Tensor  # pairs x pieces x width
    proses: torch.Tensor  # pairs x pieces x twice the width: the foretelling state, the piece's own vector
    likelihoods: torch.Tensor  # pairs x pieces x LIKELIHOODS
    gains: torch.Tensor  # pairs x pieces: nats by which the verse makes each piece of the prose likelier
    verse_mask: torch.Tensor
    prose_mask: torch.Tensor


class FrozenReader:
    """The reader as it is, for what it makes of pairs; none of its weights is trained here."""

    def __init__(self, model: Any, pieces: Pieces, identity: str) -> None:
        self.model, self.pieces, self.identity = model.eval(), pieces, identity
        self.width = int(model.config.d_model)
        self._padding = pieces.sign(PAD)

    @classmethod
    def load(cls, folder: Path) -> FrozenReader:
        """The one in a folder, which all who ask share."""
        reader = loaded(folder)
        return cls(reader.network, reader.pieces, reader.identity)

    def _padded(self, rows: Sequence[Sequence[int]]) -> torch.Tensor:
        width = max(map(len, rows))
        return torch.tensor([[*row, *[self._padding] * (width - len(row))] for row in rows])

    @torch.no_grad()
    def join(self, proses: Sequence[str], verses: Sequence[str], cut: Pieces | None = None) -> Joined:
        """`cut` may divide Sanskrit into other pieces than the reader's own."""
        end, (first, _) = self.pieces.sign(END), self.pieces.slice(ENGLISH)
        sources = [[*ids[:LONGEST_VERSE], end] for ids in (cut or self.pieces).read_slp1(verses)]
        said = [[*ids[:LONGEST_PROSE], first] for ids in self.pieces.read_english(proses)]  # English's first is its end
        source, wanted = self._padded(sources), self._padded(said)
        verse_states, prose_states, with_verse = self._read(source, wanted)
        once = {tuple(row): at for at, row in enumerate(said)}  # proses that come again are read without a verse once
        distinct = wanted[list(once.values())]
        _, _, without_verse = self._read(torch.full((len(once), 1), end), distinct)
        order = torch.tensor([list(once).index(tuple(row)) for row in said])
        gains = with_verse - without_verse[order]
        likelihoods = torch.stack([with_verse, without_verse[order], gains], dim=-1).clamp(-FAR, FAR) / FAR
        vectors = self.model.shared(wanted) * self.width**0.5
        return Joined(
            verse_states,
            torch.cat([prose_states, vectors], dim=-1),
            likelihoods,
            gains,
            source != self._padding,
            wanted != self._padding,
        )

    def _read(self, source: torch.Tensor, wanted: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """States of both, and the log-probability of every piece of the prose."""
        begin = torch.full((len(wanted), 1), self.pieces.sign(ENGLISH))
        found = self.model(
            input_ids=source,
            attention_mask=source != self._padding,
            decoder_input_ids=torch.cat([begin, wanted[:, :-1]], dim=1),
            use_cache=False,
        )
        first, last = self.pieces.slice(ENGLISH)
        vectors = self.model.shared.weight[first:last]
        states = found.last_hidden_state
        log_probs = torch.zeros(wanted.shape)
        there = wanted != self._padding
        for row in range(len(wanted)):  # one by one: all at once would be gigabytes of logits
            scores = (states[row][there[row]] @ vectors.T).float().log_softmax(dim=-1)
            log_probs[row, there[row]] = scores.gather(1, wanted[row][there[row]][:, None] - first)[:, 0]
        return found.encoder_last_hidden_state.float(), states.float(), log_probs


class JointEncoder(torch.nn.Module):
    """What is trained: a transformer over verse and prose as the reader read them."""

    def __init__(self, reader_width: int, width: int, heads: int, layers: int) -> None:
        super().__init__()
        self.config = {"reader_width": reader_width, "width": width, "heads": heads, "layers": layers}
        self.verse_layer = torch.nn.Linear(reader_width, width)
        self.prose_layer = torch.nn.Linear(2 * reader_width, width)
        self.likelihood_embed = torch.nn.Linear(LIKELIHOODS, width)
        self.text_embed = torch.nn.Embedding(3, width)  # the sign that is judged by, verse, prose
        self.verse_norm, self.prose_norm = torch.nn.LayerNorm(reader_width), torch.nn.LayerNorm(2 * reader_width)
        layer = torch.nn.TransformerEncoderLayer(
            width, heads, 4 * width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.layers = torch.nn.TransformerEncoder(
            layer, layers, norm=torch.nn.LayerNorm(width), enable_nested_tensor=False
        )
        self.judge_layer = torch.nn.Linear(width, 1)

    def forward(self, joined: Joined) -> torch.Tensor:
        """A logit for each pair."""
        pairs = len(joined.verses)
        sign = self.text_embed.weight[0].expand(pairs, 1, -1)
        verse = self.verse_layer(self.verse_norm(joined.verses)) + self.text_embed.weight[1]
        prose = self.prose_layer(self.prose_norm(joined.proses)) + self.text_embed.weight[2]
        prose = prose + self.likelihood_embed(joined.likelihoods)
        there = torch.cat([joined.verse_mask.new_ones(pairs, 1), joined.verse_mask, joined.prose_mask], dim=1)
        states = self.layers(torch.cat([sign, verse, prose], dim=1), src_key_padding_mask=~there)
        return torch.as_tensor(self.judge_layer(states[:, 0]))[:, 0]

    def save(self, folder: Path, reader: str) -> None:
        """In half precision, with its configuration and the reader's name and hash."""
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        config = {**self.config, "reader": reader}
        (folder / CONFIG).write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
        weights = {name: value.detach().half().contiguous() for name, value in self.state_dict().items()}
        save_file(weights, folder / WEIGHTS)

    @classmethod
    def load(cls, folder: Path) -> tuple[Self, str]:
        """The model, and the reader it learnt with."""
        from safetensors.torch import load_file

        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        reader = str(config.pop("reader"))
        made = cls(**config)
        made.load_state_dict({name: value.float() for name, value in load_file(folder / WEIGHTS).items()})
        return made.eval(), reader


class JointJudge:
    spelling = HALVES

    def __init__(self, model: JointEncoder, reader: FrozenReader) -> None:
        self.model, self.reader = model, reader

    def score(self, proses: Sequence[str], verses: Sequence[Verse]) -> list[float]:
        """From 0 to 1: how much of each prose its verse says."""
        said, _ = self.read(proses, verses)
        return [float(value) for value in torch.tensor(said, dtype=torch.double).sigmoid()]

    @torch.inference_mode()
    def read(self, proses: Sequence[str], verses: Sequence[Verse]) -> tuple[list[float], list[list[float]]]:
        """A logit for each pair, and the nats by which the verse makes each piece of its prose likelier."""
        texts = [as_read(verse) for verse in verses]
        order = sorted(range(len(proses)), key=lambda at: len(proses[at]) + len(texts[at]))
        said, gains = [0.0] * len(proses), [[0.0]] * len(proses)
        while order:
            longest = (len(proses[order[-1]]) + len(texts[order[-1]])) // 3 + 2  # letters of a piece, or more
            these, order = order[-max(1, BATCH_TOKENS // longest) :], order[: -max(1, BATCH_TOKENS // longest)]
            joined = self.reader.join([proses[at] for at in these], [texts[at] for at in these])
            for row, (at, logit) in enumerate(zip(these, self.model(joined).tolist(), strict=True)):
                said[at], gains[at] = logit, joined.gains[row][joined.prose_mask[row]].tolist()
        return said, gains


def load(where: str | Path, reader: Path) -> JointJudge:
    """The cross-encoder in a folder, over the reader in another."""
    folder = Path(where)
    if not (folder / WEIGHTS).is_file():
        raise JudgeError(f"Expected a cross-encoder in {folder.name}/; found no {WEIGHTS} there.")
    model, learnt_with = JointEncoder.load(folder)
    if fingerprint(reader).rpartition("#")[2] != learnt_with.rpartition("#")[2]:  # its folder may have another name
        raise JudgeError(f"Expected the reader that the judge learnt with, {learnt_with}; got {fingerprint(reader)}.")
    return JointJudge(model, FrozenReader.load(reader))
