"""Muon in the numbers that are fast here: torch's own orthogonalises in bfloat16, which a CPU without instructions for
it only feigns, in twice the time (2.1 s a step instead of 1.0 for the generator's sixty matrices on two cores). Knows
matrices, no model.
"""

from __future__ import annotations

from typing import Any

import torch

STEPS = 3  # of Newton and Schulz: the usual five cost more than they were seen to bring


class Muon(torch.optim.Muon):
    """torch's, with its state and its settings; only the arithmetic is otherwise."""

    def __init__(self, *given: Any, half_precision: bool = False, **named: Any) -> None:
        super().__init__(*given, **named)
        self._number = torch.bfloat16 if half_precision else torch.float32

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                state = self.state[parameter]
                if "momentum_buffer" not in state:
                    state["momentum_buffer"] = torch.zeros_like(parameter.grad)
                momentum = state["momentum_buffer"].lerp_(parameter.grad, 1 - group["momentum"])
                ahead = parameter.grad.lerp(momentum, group["momentum"]) if group["nesterov"] else momentum
                update = orthogonal(ahead.to(self._number), group["ns_coefficients"], group["ns_steps"], group["eps"])
                # As large as AdamW's steps are (Liu and others 2025, "Muon is scalable"): "match_rms_adamw" in torch.
                rate = group["lr"] * 0.2 * max(parameter.shape) ** 0.5
                parameter.mul_(1 - group["lr"] * group["weight_decay"]).add_(update, alpha=-rate)


def orthogonal(
    matrix: torch.Tensor, coefficients: tuple[float, float, float], steps: int, least: float
) -> torch.Tensor:
    """The matrix with all its singular values near one."""
    a, b, c = coefficients
    wide = matrix.T if matrix.shape[0] > matrix.shape[1] else matrix
    found: torch.Tensor = wide / wide.norm().clamp(min=least)
    for _ in range(steps):
        gram = found @ found.T
        found = torch.addmm(found, torch.addmm(gram, gram, gram, beta=b, alpha=c), found, beta=a)
    return found.T if matrix.shape[0] > matrix.shape[1] else found
