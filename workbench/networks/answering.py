"""Answers of a decoder: the likeliest ones by beam search, or drawn at random; many sources at once.

The decoder may say tokens of one slice of its vocabulary. Knows numbers only: what they spell is the caller's.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch.nn.functional import linear, log_softmax

from workbench.networks.lean import EncodedSource, LeanDecoder


@dataclass(frozen=True)
class AnswerForm:
    """What an answer begins with, what it is made of (numbers from `first` up to `last`), and what ends it; how many
    tokens in a row may not come twice (0: no such rule), and the power of its length by which beams are compared."""

    start: int
    first: int
    last: int
    end: int
    longest: int
    unrepeated: int = 0
    power: float = 1.0


@dataclass(frozen=True)
class Answer:
    tokens: tuple[int, ...]  # without start and end
    log_prob: float
    ended: bool = True

    def score(self, power: float) -> float:
        return float(self.log_prob / (len(self.tokens) + 1) ** power)


def beam_search_answers(
    decoder: LeanDecoder, source: EncodedSource, rows: int, form: AnswerForm, beams: int
) -> list[list[Answer]]:
    """For every one of `rows` sources the best answers, best first: by log-probability over length to a power."""
    power = form.power
    vectors = decoder.vectors[form.first : form.last]
    spread = source.rows(torch.arange(rows).repeat_interleave(beams))
    cache = decoder.cache(rows * beams, form.longest + 1)
    scores = torch.full((rows, beams), -torch.inf)
    scores[:, 0] = 0.0  # at first all beams are the same
    tokens = torch.full((rows * beams,), form.start)
    written = torch.empty((rows * beams, 0), dtype=torch.long)
    ended: list[list[Answer]] = [[] for _ in range(rows)]
    for step in range(form.longest):
        said = log_softmax(linear(decoder.step(tokens, spread, cache), vectors), dim=-1)
        for place, numbers in enumerate(_said_before(written, form.unrepeated)):
            said[place, [number - form.first for number in numbers]] = -torch.inf
        said = said.view(rows, beams, -1)
        size = said.shape[-1]
        best, flat = (scores[:, :, None] + said).flatten(1).topk(2 * beams, dim=1)
        beam, number = flat // size, flat % size + form.first
        going: list[list[tuple[int, int, float]]] = []
        for row in range(rows):
            live: list[tuple[int, int, float]] = []
            for at in range(2 * beams):
                value = float(best[row, at])
                place = row * beams + int(beam[row, at])
                if value == -torch.inf:
                    continue
                if int(number[row, at]) == form.end:
                    if at < beams and len(ended[row]) < 2 * beams:
                        ended[row].append(Answer(tuple(written[place].tolist()), value))
                elif len(live) < beams:
                    live.append((place, int(number[row, at]), value))
            while len(live) < beams:  # a vocabulary smaller than the beams
                live.append((row * beams, form.end, -torch.inf))
            going.append(live)
        settled = (
            _settled(found, live[0][2], step + 1, beams, power) for found, live in zip(ended, going, strict=True)
        )
        if all(settled):
            break
        order = torch.tensor([place for live in going for place, _, _ in live])
        tokens = torch.tensor([number for live in going for _, number, _ in live])
        scores = torch.tensor([value for live in going for _, _, value in live]).view(rows, beams)
        cache.choose(order)
        written = torch.cat([written[order], tokens[:, None]], dim=1)
    else:
        for row in range(rows):
            if not ended[row]:
                ended[row].append(Answer(tuple(written[row * beams].tolist()), float(scores[row, 0]), False))
    return [sorted(found, key=lambda answer: -answer.score(power)) for found in ended]


def _said_before(written: torch.Tensor, size: int) -> list[list[int]]:
    """For each answer so far the tokens that would say `size` in a row a second time."""
    if not size:
        return []
    found = []
    for row in written.tolist():
        last = row[len(row) - size + 1 :]
        places = range(len(row) - size + 1)
        found.append([row[at + size - 1] for at in places if row[at : at + size - 1] == last])
    return found


def _settled(found: list[Answer], best: float, length: int, beams: int, power: float) -> bool:
    """Whether no beam can still beat what has ended: it only loses likelihood."""
    return len(found) >= beams and max(a.score(power) for a in found) >= best / (length + 1) ** power


def sample_answers(
    decoder: LeanDecoder,
    source: EncodedSource,
    rows: int,
    form: AnswerForm,
    temperature: float,
    top: int,
    chance: torch.Generator,
) -> list[Answer]:
    """One answer for every source, drawn among the `top` likeliest tokens at each step."""
    vectors = decoder.vectors[form.first : form.last]
    cache = decoder.cache(rows, form.longest + 1)
    where = torch.arange(rows)  # which source a row answers
    tokens = torch.full((rows,), form.start)
    written: list[list[int]] = [[] for _ in range(rows)]
    total = torch.zeros(rows)
    finished: dict[int, bool] = {}
    for _ in range(form.longest):
        said = log_softmax(linear(decoder.step(tokens, source, cache), vectors), dim=-1)
        best, number = said.topk(min(top, said.shape[-1]), dim=-1)
        picked = torch.multinomial((best / temperature).softmax(-1), 1, generator=chance)
        tokens = number.gather(1, picked)[:, 0] + form.first
        total[where] += best.gather(1, picked)[:, 0]
        going = []
        for row, token in enumerate(tokens.tolist()):
            if token == form.end:
                finished[int(where[row])] = True
            else:
                written[int(where[row])].append(token)
                going.append(row)
        if not going:
            break
        if len(going) < len(where):
            kept = torch.tensor(going)
            where, tokens, source = where[kept], tokens[kept], source.rows(kept)
            cache.choose(kept)
    return [Answer(tuple(written[row]), float(total[row]), finished.get(row, False)) for row in range(rows)]
