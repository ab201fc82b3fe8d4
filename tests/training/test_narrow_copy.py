"""A step computed in a copy in bfloat16: the gradients come back to the model, near those of single precision, and what
is trained stays in single precision, whether the processor is fast at it or not."""

import pytest
import torch

from tests.training.test_loop import Line
from workbench.training.narrow_copy import NarrowCopy


def tied_model():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Embedding(9, 16), torch.nn.Linear(16, 16), torch.nn.Linear(16, 9, bias=False))
    model[2].weight = model[0].weight
    return model


def test_the_gradients_are_near_those_of_single_precision():
    model = tied_model()
    model[1].bias.requires_grad_(False)
    narrow = NarrowCopy(model)
    with torch.no_grad():
        model[1].weight.add_(0.1)  # what has changed since the copy was made counts too
    words = torch.arange(9)
    torch.nn.functional.cross_entropy(model(words), words).backward()
    expected = {name: p.grad for name, p in model.named_parameters()}
    model.zero_grad()
    narrow.take()
    torch.nn.functional.cross_entropy(narrow.model(words).float(), words).backward()
    narrow.hand_back()
    found = {name: p.grad for name, p in model.named_parameters()}
    assert found.keys() == expected.keys() and found["1.bias"] is None is expected["1.bias"]
    for name in ("0.weight", "1.weight"):
        assert found[name].dtype == torch.float32
        assert torch.allclose(found[name], expected[name], atol=0.02 * expected[name].abs().max())


def test_each_step_has_its_own_gradients():
    model = tied_model()
    narrow = NarrowCopy(model)
    sums = []
    for number in (1.0, 3.0):
        narrow.take()
        (narrow.model(torch.tensor([1])).sum() * number).backward()
        narrow.hand_back()
        sums.append(float(model[1].bias.grad.abs().sum()))
    assert sums[1] == pytest.approx(3 * sums[0], rel=0.01) and sums[0] > 0


class Bfloat16Line(Line):
    """With inputs in the copy's numbers."""

    in_narrow_copy = True

    def loss(self, batch):
        assert self.model.weight.dtype == torch.bfloat16
        given = torch.full((1, 2), 1.0 + batch[1], dtype=torch.bfloat16)
        return (self.model(given).float() - 2 * given).square().sum(), 1


def test_a_loop_learns_in_the_copy_and_keeps_single_precision(tmp_path, monkeypatch):
    monkeypatch.setattr("workbench.training.loop.has_half_precision", lambda: True)
    wide = Line(tmp_path / "wide")
    wide._bf16 = False
    wide.run(1.0, steps=40)
    narrow = Bfloat16Line(tmp_path / "narrow")
    narrow.run(1.0, steps=40)
    assert narrow.model.weight.dtype == torch.float32
    assert torch.allclose(narrow.model.weight, wide.model.weight, atol=0.15)
    assert not torch.allclose(narrow.model.weight, Line(tmp_path / "new").model.weight, atol=0.15)
