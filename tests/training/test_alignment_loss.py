"""The loss of words that may come from any place of the source: by hand, and its gradients by autograd."""

import math

import pytest
import torch

from workbench.training.alignment_loss import alignment_loss
from workbench.training.reader import among


def plainly(states, weight, mask, words):
    total = torch.zeros(())
    for row, wanted in enumerate(words):
        probabilities = (states[row][mask[row]] @ weight.T).softmax(dim=1)
        for word in wanted:
            total = total - probabilities[:, word].mean().log()
    return total


@pytest.mark.parametrize("rows", [1, 7])
def test_it_is_what_it_says_and_so_are_its_gradients(rows, monkeypatch):
    monkeypatch.setattr("workbench.training.alignment_loss.CHUNK", 12)
    torch.manual_seed(rows)
    states = torch.randn(rows, 5, 8, requires_grad=True)
    weight = torch.randn(20, 8, requires_grad=True)
    mask = torch.arange(5)[None] < torch.randint(1, 6, (rows, 1))
    words = [torch.randint(0, 20, (number % 4,)).tolist() for number in range(1, rows + 1)]
    wanted = plainly(states, weight, mask, words)
    found = alignment_loss(states, weight, mask, words)
    assert found.item() == pytest.approx(wanted.item(), rel=1e-5)
    for one, other in zip(
        torch.autograd.grad(found * 0.3, (states, weight)),
        torch.autograd.grad(wanted * 0.3, (states, weight)),
        strict=True,
    ):
        assert torch.allclose(one, other, atol=1e-5)


def test_a_word_that_one_place_is_sure_of_costs_only_the_choice_of_the_place():
    weight = torch.eye(4) * 50
    states = torch.eye(4)[None, :2]
    loss = alignment_loss(states, weight, torch.ones(1, 2, dtype=torch.bool), [[0, 1]])
    assert loss.item() == pytest.approx(2 * math.log(2), abs=1e-4)


def test_nothing_wanted_costs_nothing():
    states = torch.randn(2, 3, 4, requires_grad=True)
    loss = alignment_loss(states, torch.randn(5, 4), torch.ones(2, 3, dtype=torch.bool), [[], []])
    assert loss.item() == 0
    assert not torch.autograd.grad(loss, states)[0].any()


def test_wanted_words_are_told_from_each_other_and_from_some_more():
    columns, places = among([[7, 3], [], [3, 9_000]], 10_000, torch.Generator().manual_seed(1))
    assert [[int(columns[at]) for at in row] for row in places] == [[7, 3], [], [3, 9_000]]
    assert 1200 <= len(columns) <= 1203 and len(set(columns.tolist())) == len(columns)
    few, _ = among([[0]], 5, None)
    assert few.tolist() == [0, 1, 2, 3, 4]
