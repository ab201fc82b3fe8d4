"""Muon, momentum made orthogonal, for the matrices of a decoder: half the steps of AdamW to the same loss here.

torch.optim.Muon does this in bfloat16, which the CPUs this trains on are slow at or cannot do at all; this one stays in
single precision. Biases, norms and embeddings are AdamW's, as its authors advise.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

# The quintic whose iteration drives all singular values towards 1 (K. Jordan, 2024).
COEFFICIENTS = (3.4445, -4.7750, 2.0315)
ITERATIONS = 5


def orthogonal(matrix: torch.Tensor, iterations: int = ITERATIONS) -> torch.Tensor:
    """About the nearest matrix whose singular values are all 1."""
    a, b, c = COEFFICIENTS
    tall = matrix.shape[0] > matrix.shape[1]
    result = matrix.T if tall else matrix
    result = result / (result.norm() + 1e-7)
    for _ in range(iterations):
        square = result @ result.T
        result = torch.addmm(result, torch.addmm(square, square, square, beta=b, alpha=c), result, beta=a)
    return result.T if tall else result


class Muon(torch.optim.Optimizer):
    def __init__(self, params: Iterable[Any], lr: float, momentum: float = 0.95, weight_decay: float = 0.01) -> None:
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for matrix in group["params"]:
                if matrix.grad is None:
                    continue
                state = self.state[matrix]
                if not state:
                    state["momentum"] = torch.zeros_like(matrix)
                state["momentum"].mul_(group["momentum"]).add_(matrix.grad)
                update = orthogonal(matrix.grad.add(state["momentum"], alpha=group["momentum"]))
                matrix.mul_(1 - group["lr"] * group["weight_decay"])
                matrix.add_(update, alpha=-group["lr"] * max(1.0, matrix.shape[0] / matrix.shape[1]) ** 0.5)
