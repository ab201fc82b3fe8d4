"""Muon in single precision is torch's own, but for what bfloat16 rounds away."""

import torch

from workbench.training.muon import Muon


def test_it_takes_the_steps_that_torchs_takes():
    torch.manual_seed(0)
    shapes = [(6, 6), (4, 10), (10, 4)]
    ours, theirs = ([torch.nn.Parameter(torch.ones(shape)) for shape in shapes] for _ in range(2))
    told = {"lr": 0.1, "weight_decay": 0.05, "adjust_lr_fn": "match_rms_adamw", "ns_steps": 3}
    optimizers = [Muon(ours, **told), torch.optim.Muon(theirs, **told)]
    for _ in range(4):
        for own, other in zip(ours, theirs, strict=True):
            own.grad = other.grad = torch.randn(own.shape)
        for optimizer in optimizers:
            optimizer.step()
    for own, other in zip(ours, theirs, strict=True):
        moved = (other - 1).abs().max()
        assert (own - other).abs().max() < 0.02 * moved  # bfloat16 has eight bits
        assert moved > 0.1
