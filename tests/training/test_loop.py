"""The loop that all training shares: the loss without logits, resuming, cooling, and what averaged weights are."""

import json

import pytest
import torch
from torch.nn.functional import cross_entropy

from workbench.training.loop import Loop, Pace
from workbench.training.output_loss import output_loss


@pytest.mark.parametrize("tokens", [3, 700])
def test_the_loss_and_its_gradients_are_those_of_cross_entropy(tokens):
    torch.manual_seed(1)
    hidden = torch.randn(tokens, 16, requires_grad=True)
    weight = torch.randn(50, 16, requires_grad=True)
    wanted = torch.randint(0, 50, (tokens,))
    expected = cross_entropy(hidden @ weight.T, wanted, reduction="sum")
    one, two = torch.autograd.grad(expected / tokens, (hidden, weight))
    found = output_loss(hidden, weight, wanted)
    mine, other = torch.autograd.grad(found / tokens, (hidden, weight))
    assert found.item() == pytest.approx(expected.item(), rel=1e-5)
    assert torch.allclose(mine, one, atol=1e-5) and torch.allclose(other, two, atol=1e-4)


def test_in_half_precision_it_is_near():
    torch.manual_seed(2)
    hidden, weight, wanted = torch.randn(40, 16), torch.randn(50, 16), torch.randint(0, 50, (40,))
    exact = cross_entropy(hidden @ weight.T, wanted, reduction="sum").item()
    assert output_loss(hidden, weight.requires_grad_(), wanted, fast=True).item() == pytest.approx(exact, rel=0.02)


class Line(Loop):
    """Learns y = 2x with one matrix; batches are numbers."""

    def __init__(self, out, **pace):
        torch.manual_seed(0)
        told = {"peak": 0.05, "warm_up": 2, "cooling": 0.5, "averaging": 0.5, "weight_decay": 0.0, **pace}
        super().__init__(out, torch.nn.Linear(2, 2), Pace(**told), lambda sentence: None)
        self.seen = []

    def epoch(self, number, cooling):
        return [(number, at) for at in range(4)]

    def loss(self, batch):
        self.seen.append(batch)
        given = torch.full((1, 2), 1.0 + batch[1])
        return (self.model(given) - 2 * given).square().sum(), 1

    def figures(self):
        return {"weight": float(self.model.weight.sum())}

    def export(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        torch.save(self.model.state_dict(), folder / "weights.pt")


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path):
    whole = Line(tmp_path / "whole")
    whole.run(1.0, steps=10)
    first = Line(tmp_path / "parts")
    first.run(1.0, steps=5)
    second = Line(tmp_path / "parts")
    second.run(1.0, steps=10)
    assert first.seen + second.seen == whole.seen
    for one, two in zip(whole.model.parameters(), second.model.parameters(), strict=True):
        assert torch.allclose(one, two, atol=1e-6)
    log = [json.loads(line) for line in (tmp_path / "parts" / "log.jsonl").read_text().splitlines()]
    assert [entry["step"] for entry in log] == [5, 10]


def test_what_is_written_out_is_the_average(tmp_path):
    line = Line(tmp_path)
    line.run(1.0, steps=30)
    written = torch.load(tmp_path / "model" / "weights.pt")
    assert torch.equal(written["weight"], line.average["weight"])
    assert not torch.equal(written["weight"], line.model.weight)


def test_more_hours_go_on_from_the_trunk(tmp_path, monkeypatch):
    """Two hours of a clock that gives a step ten minutes: the second half cools. Given four, the run goes back to
    where it began to cool."""
    clock = iter(range(0, 10_000_000, 10))
    monkeypatch.setattr("workbench.training.loop.time.monotonic", lambda: next(clock))
    first = Line(tmp_path)
    first.run(0.1)
    assert first.progress.cooling_since == pytest.approx(180, abs=20)
    assert first.progress.seconds >= 360
    second = Line(tmp_path)
    second._take_up(0.2 * 3600)
    assert second.progress.seconds == pytest.approx(180, abs=20) and second.progress.cooling_since is None


def test_the_rate_rises_stays_and_falls(tmp_path):
    line = Line(tmp_path, warm_up=10)
    rates = []
    for step, cooling, seconds in [(0, None, 0), (4, None, 0), (50, None, 0), (60, 100.0, 150.0), (70, 100.0, 200.0)]:
        line.progress.step, line.progress.cooling_since, line.progress.seconds = step, cooling, seconds
        rates.append(line._rate(200.0))
    assert rates == pytest.approx([0.005, 0.025, 0.05, 0.025, 0.0])
