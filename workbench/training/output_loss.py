"""Cross-entropy over a large vocabulary without holding its logits: piece by piece, the gradient in the same pass.

The usual way writes and reads tokens x vocabulary numbers five times over, which on a CPU takes longer than the product
itself. Here a piece of the tokens stays in the cache until its loss and its gradient are known.
"""

from __future__ import annotations

from typing import Any

import torch

CHUNK = 512  # tokens: with 10,000 pieces, 20 MB of logits


class _OutputLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: torch.Tensor, weight: torch.Tensor, wanted: torch.Tensor, fast: bool) -> torch.Tensor:
        number = torch.bfloat16 if fast else torch.float32
        narrow = weight.detach().to(number)
        grad_hidden = torch.empty_like(hidden, dtype=torch.float32)
        grad_weight = torch.zeros_like(weight, dtype=torch.float32)
        total = torch.zeros(())
        for start in range(0, len(hidden), CHUNK):
            part = hidden[start : start + CHUNK].detach().to(number)
            goal = wanted[start : start + CHUNK, None]
            logits = (part @ narrow.T).float()
            logits -= logits.logsumexp(dim=1, keepdim=True)
            total -= logits.gather(1, goal).sum()
            probabilities = logits.exp_()
            probabilities.scatter_add_(1, goal, torch.full_like(goal, -1, dtype=torch.float32))
            error = probabilities.to(number)
            grad_hidden[start : start + CHUNK] = (error @ narrow).float()
            grad_weight += (error.T @ part).float()
        ctx.save_for_backward(grad_hidden.to(hidden.dtype), grad_weight)
        return total

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[Any, ...]:
        hidden, weight = ctx.saved_tensors
        return hidden * grads[0], weight * grads[0], None, None


def output_loss(hidden: torch.Tensor, weight: torch.Tensor, wanted: torch.Tensor, fast: bool = False) -> torch.Tensor:
    """The summed cross-entropy of `hidden @ weight.T` against `wanted`; `fast` multiplies in bfloat16."""
    if not torch.is_grad_enabled():
        logits = (hidden.to(weight.dtype) @ weight.T).float()
        return torch.nn.functional.cross_entropy(logits, wanted, reduction="sum")
    loss: torch.Tensor = _OutputLoss.apply(hidden, weight, wanted, fast)  # type: ignore[no-untyped-call]
    return loss
