"""Rank-1 on whole panels during training."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from azulejar.learning.pictures import Panel, trim_tiles
from azulejar.learning.task import Task
from azulejar.learning.views import grid_partners, impossible_pairs

NEVER = -1e9


def rank_1(scores: Tensor, partners: Tensor, upright: bool) -> float:
    """Return the fraction of edges with a partner (-1: none) whose best-scored edge it is."""
    tiles = len(scores) // 4
    barred = impossible_pairs(tiles, upright, scores.device)
    log = torch.log_softmax(scores.float().masked_fill(barred, NEVER), 1)
    best = (log + log.T).masked_fill(barred, 3 * NEVER).argmax(1)
    known = partners >= 0
    return (best[known] == partners[known]).float().mean().item()


class Validation:
    """Panels at several trims, kept on the device."""

    def __init__(
        self, panels: Sequence[Panel], trims: Sequence[float], device: torch.device
    ) -> None:
        self.puzzles = [
            (
                trim,
                trim_tiles(panel, trim).to(device),
                grid_partners(panel.rows, panel.cols, device),
            )
            for trim in trims
            for panel in panels
        ]

    @torch.inference_mode()
    def __call__(self, task: Task, network: nn.Module) -> dict[str, float]:
        """Return the mean rank-1 by ``measure/upright/7%`` of a network in evaluation mode."""
        network.eval()
        found: dict[str, list[float]] = {}
        for trim, tiles, partners in self.puzzles:
            for measure, scores in task.scores(network, tiles.float() / 255).items():
                for variant, upright in (("upright", True), ("turned", False)):
                    value = rank_1(scores, partners, upright)
                    found.setdefault(f"{measure}/{variant}/{trim:.0%}", []).append(value)
        return {name: sum(values) / len(values) for name, values in found.items()}
