"""What the words of an answer cost when each may come from any one place of the source: IBM's first model, with the
encoder's states in place of words.

Beside the decoder's own loss it teaches the encoder directly what each place of the source means, which the decoder
would take long to find out by itself. As in output_loss.py, no logits are held: the gradient is made in the same pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

CHUNK = 512  # places of sources at a time


class _AlignmentLoss(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, states: torch.Tensor, weight: torch.Tensor, mask: torch.Tensor, words: list[list[int]], fast: bool
    ) -> torch.Tensor:
        number = torch.bfloat16 if fast else torch.float32
        narrow = weight.detach().to(number)
        grad_states = torch.zeros_like(states, dtype=torch.float32)
        grad_weight = torch.zeros_like(weight, dtype=torch.float32)
        total = torch.zeros(())
        rows_at_once = max(1, CHUNK // states.shape[1])
        for start in range(0, len(states), rows_at_once):
            rows = slice(start, start + rows_at_once)
            there = mask[rows]
            part = states[rows].detach().to(number)[there]
            probabilities = (part @ narrow.T).float().softmax(dim=1)
            own = torch.arange(len(there))[:, None].expand_as(there)[there]  # which row a place is of
            error = torch.zeros_like(probabilities)
            share = torch.zeros(len(part))
            for row, wanted in enumerate(words[rows]):
                places = torch.nonzero(own == row)[:, 0]
                if not wanted or not len(places):
                    continue
                goal = torch.tensor(wanted)
                given = probabilities[places][:, goal]  # places x words
                each = given.sum(dim=0).clamp(min=1e-9)
                total -= (each / len(places)).log().sum()
                blame = given / each  # where each word comes from
                share[places] = blame.sum(dim=1)
                error[places] = torch.zeros_like(error[places]).index_add(1, goal, blame)
            probabilities.mul_(share[:, None]).sub_(error)
            wrong = probabilities.to(number)
            found = torch.zeros_like(grad_states[rows])
            found[there] = (wrong @ narrow).float()
            grad_states[rows] = found
            grad_weight += (wrong.T @ part).float()
        ctx.save_for_backward(grad_states.to(states.dtype), grad_weight)
        return total

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[Any, ...]:
        states, weight = ctx.saved_tensors
        return states * grads[0], weight * grads[0], None, None, None


def alignment_loss(
    states: torch.Tensor, weight: torch.Tensor, mask: torch.Tensor, words: Sequence[Sequence[int]], fast: bool = False
) -> torch.Tensor:
    """Summed over the words of all rows. `states`: rows x places x width; `mask`: where there is text; `words`: of each
    row, as numbers of rows of `weight`."""
    loss: torch.Tensor = _AlignmentLoss.apply(states, weight, mask, [list(row) for row in words], fast)  # type: ignore[no-untyped-call]
    return loss
