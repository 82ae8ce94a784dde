"""Tiles turned so that each edge in turn lies on the right, as the networks take them."""

import torch
from torch import Tensor

SIZE = 50  # pixels: every network sees tiles of this size


def edge_views(tiles: Tensor) -> Tensor:
    """Return tiles [n, C, S, S] turned to have each edge in turn on the right: [4n, C, S, S]."""
    turned = [torch.rot90(tiles, side - 1, (2, 3)) for side in range(4)]
    return torch.stack(turned, 1).flatten(0, 1)


def grid_partners(rows: int, cols: int, device: torch.device | None = None) -> Tensor:
    """Return the true partner of each edge of an upright grid, -1 at the rim: [4 rows cols]."""
    tile = torch.arange(rows * cols, device=device).view(rows, cols)
    partner = torch.full((rows, cols, 4), -1, dtype=torch.long, device=device)
    partner[:, :-1, 1] = 4 * tile[:, 1:] + 3
    partner[:, 1:, 3] = 4 * tile[:, :-1] + 1
    partner[:-1, :, 2] = 4 * tile[1:] + 0
    partner[1:, :, 0] = 4 * tile[:-1] + 2
    return partner.flatten()


def impossible_pairs(tiles: int, upright: bool, device: torch.device | None = None) -> Tensor:
    """Mark pairs of edges that cannot meet: of one tile or, if upright, not opposite: [4n, 4n]."""
    edge = torch.arange(4 * tiles, device=device)
    same = edge[:, None] // 4 == edge // 4
    return same | ((edge[:, None] + 2) % 4 != edge % 4) if upright else same
