"""Muon: steps whose matrices are made orthogonal, with AdamW for all other parameters.

After Jordan et al. (2024), https://kellerjordan.github.io/posts/muon: the momentum of a matrix is
replaced by the nearest orthogonal matrix, so that all directions are learnt at one pace. Kernels of
convolutions count as matrices with a row for each output. Steps are scaled to have the size of
AdamW's (Liu et al. 2025, arXiv 2502.16982), so that both share one learning rate.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

MOMENTUM = 0.95
BETAS, EPSILON = (0.9, 0.98), 1e-8  # of AdamW
SIZE = 0.2  # root mean square of AdamW's steps, in units of the learning rate
ITERATION = (3.4445, -4.7750, 2.0315)  # a x + b x³ + c x⁵, which brings all singular values near 1
ROUNDS = 5


class Muon(torch.optim.Optimizer):
    """Optimize ``matrices`` by Muon and ``others`` by AdamW."""

    def __init__(
        self, matrices: Sequence[Tensor], others: Sequence[Tensor], lr: float, weight_decay: float
    ) -> None:
        groups: list[dict[str, Any]] = [
            {"params": list(matrices), "matrix": True},
            {"params": list(others)},
        ]
        super().__init__(groups, {"lr": lr, "weight_decay": weight_decay, "matrix": False})

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> None:  # type: ignore[override]
        """Take one step along the gradients."""
        for group in self.param_groups:
            change = self._orthogonal if group["matrix"] else self._adaptive
            for parameter in group["params"]:
                if parameter.grad is not None:
                    step = change(self.state[parameter], parameter.grad)
                    parameter.mul_(1 - group["lr"] * group["weight_decay"])
                    parameter.add_(step, alpha=-group["lr"])

    @staticmethod
    def _orthogonal(state: dict[str, Tensor], grad: Tensor) -> Tensor:
        if not state:
            state["mean"] = torch.zeros_like(grad)
        state["mean"].lerp_(grad, 1 - MOMENTUM)
        ahead = torch.lerp(grad, state["mean"], MOMENTUM)
        matrix = orthogonal(ahead.flatten(1))
        return (SIZE * max(matrix.shape) ** 0.5 * matrix).view(grad.shape)

    @staticmethod
    def _adaptive(state: dict[str, Tensor], grad: Tensor) -> Tensor:
        if not state:
            state["mean"], state["square"] = (torch.zeros_like(grad) for _ in range(2))
            state["step"] = torch.zeros(())
        state["step"] += 1
        state["mean"].lerp_(grad, 1 - BETAS[0])
        state["square"].lerp_(grad.square(), 1 - BETAS[1])
        bias = [1 - beta ** state["step"].item() for beta in BETAS]
        return state["mean"] / bias[0] / ((state["square"] / bias[1]).sqrt() + EPSILON)


def orthogonal(matrix: Tensor) -> Tensor:
    """Return a matrix with the same singular vectors, whose singular values are all about 1."""
    a, b, c = ITERATION
    # In half precision on a GPU, where this would otherwise take a noticeable part of a step.
    x = matrix.bfloat16() if matrix.is_cuda else matrix
    tall = x.shape[0] > x.shape[1]
    x = x.mT if tall else x
    x = x / (x.norm() + 1e-7)
    for _ in range(ROUNDS):
        square = x @ x.mT
        x = a * x + (b * square + c * square @ square) @ x
    return (x.mT if tall else x).to(matrix.dtype)
