"""Beam search and draws over a decoder whose every probability is written down."""

import itertools
import math
from dataclasses import replace

import pytest
import torch

from workbench.networks.answering import AnswerForm, beam_search_answers, sample_answers
from workbench.networks.lean import EncodedSource

END, A, B = 0, 1, 2
ANSWER_FORM = AnswerForm(start=9, first=0, last=3, end=END, longest=4)
BY_LIKELIHOOD = replace(ANSWER_FORM, power=0.0)


class Scripted:
    """Says what its table has for the tokens so far; a row's tokens are kept where a cache would be."""

    def __init__(self, table):
        self.table = table
        self.vectors = torch.eye(3)

    def cache(self, rows, longest):
        return Told(rows)

    def step(self, tokens, source, cache):
        cache.rows = [(*row, int(token)) for row, token in zip(cache.rows, tokens, strict=True)]
        return torch.tensor([self.table(row[1:]) for row in cache.rows]).log()


class Told:
    def __init__(self, rows):
        self.rows = [()] * rows

    def choose(self, rows):
        self.rows = [self.rows[int(row)] for row in rows]


NOTHING = EncodedSource([], [], None)


def greedy_is_wrong(told):
    """A is likelier at first, but after it all is even; after B the end is certain."""
    return {(): [0.05, 0.55, 0.40], (B,): [0.98, 0.01, 0.01]}.get(told, [0.34, 0.33, 0.33])


def log_prob(table, tokens):
    return sum(math.log(table(tokens[:at])[token]) for at, token in enumerate((*tokens, END)))


def test_the_best_answer_is_found_where_greed_would_miss_it():
    (found,) = beam_search_answers(Scripted(greedy_is_wrong), NOTHING, 1, BY_LIKELIHOOD, beams=3)
    assert found[0].tokens == (B,)
    assert found[0].log_prob == pytest.approx(log_prob(greedy_is_wrong, (B,)), abs=1e-5)


@pytest.mark.parametrize("seed", range(8))
def test_with_beams_enough_it_is_exhaustive(seed):
    chance = torch.Generator().manual_seed(seed)
    tables = {}

    def table(told):
        if told not in tables:
            tables[told] = torch.rand(3, generator=chance).add(0.05).tolist()
            total = sum(tables[told])
            tables[told] = [value / total for value in tables[told]]
        return tables[told]

    for tokens in (t for n in range(4) for t in itertools.product((A, B), repeat=n)):
        table(tokens)  # in one order, whoever asks first
    everything = [t for n in range(4) for t in itertools.product((A, B), repeat=n)]
    best = max(everything, key=lambda tokens: log_prob(table, tokens))
    (found,) = beam_search_answers(Scripted(table), NOTHING, 1, BY_LIKELIHOOD, beams=16)
    assert found[0].tokens == best


def test_answers_to_several_sources_do_not_touch_each_other():
    found = beam_search_answers(Scripted(greedy_is_wrong), NOTHING, 3, BY_LIKELIHOOD, beams=2)
    assert [answers[0].tokens for answers in found] == [(B,)] * 3


def in_circles(told):
    """A again and again, and the end only after six of them."""
    return [0.98, 0.01, 0.01] if len(told) >= 6 else [1e-6, 0.9, 0.1]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_what_may_not_come_twice_does_not(size):
    form = replace(ANSWER_FORM, longest=10)
    ((best, *_),) = beam_search_answers(Scripted(in_circles), NOTHING, 1, form, beams=3)
    assert best.tokens == (A,) * 6  # or the rule would have nothing to do
    for answers in beam_search_answers(Scripted(in_circles), NOTHING, 2, replace(form, unrepeated=size), beams=3):
        for tokens in (answer.tokens for answer in answers):
            runs = [tokens[at : at + size] for at in range(len(tokens) - size + 1)]
            assert len(runs) == len(set(runs))


@pytest.mark.parametrize(("power", "tokens"), [(0.0, (B,)), (3.0, (A, A, A))])
def test_a_higher_power_of_the_length_prefers_longer_answers(power, tokens):
    table = {(): [0.02, 0.49, 0.49], (B,): [0.6, 0.2, 0.2], (A,): [0.01, 0.9, 0.09], (A, A): [0.3, 0.6, 0.1]}
    form = replace(ANSWER_FORM, power=power)
    (found,) = beam_search_answers(Scripted(lambda told: table.get(told, [0.9, 0.05, 0.05])), NOTHING, 1, form, 4)
    assert found[0].tokens[:3] == tokens


def test_what_never_ends_is_cut_and_says_so():
    (found,) = beam_search_answers(Scripted(lambda told: [1e-9, 0.6, 0.4]), NOTHING, 1, ANSWER_FORM, beams=1)
    assert len(found[0].tokens) <= ANSWER_FORM.longest
    assert not found[0].ended or found[0].log_prob < -15


def test_draws_follow_the_table():
    chance = torch.Generator().manual_seed(1)
    found = sample_answers(Scripted(greedy_is_wrong), NOTHING, 400, ANSWER_FORM, 1.0, 3, chance)
    share = sum(answer.tokens[:1] == (B,) for answer in found) / 400
    assert share == pytest.approx(0.40, abs=0.08)
    assert all(
        answer.log_prob == pytest.approx(log_prob(greedy_is_wrong, answer.tokens), abs=1e-4)
        for answer in found
        if answer.ended
    )


def test_a_cold_draw_is_greedy():
    found = sample_answers(
        Scripted(greedy_is_wrong), NOTHING, 5, ANSWER_FORM, 0.01, 3, torch.Generator().manual_seed(2)
    )
    assert {answer.tokens[:1] for answer in found} == {(A,)}
