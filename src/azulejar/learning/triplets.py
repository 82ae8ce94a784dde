"""Triplets of the paper (section 4.1): an edge, its partner, and an edge that is not."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from azulejar.learning.ageing import Chance
from azulejar.learning.pictures import Panel, trim_tiles
from azulejar.learning.views import SIZE, edge_views, grid_partners

PIECES = 25  # of each panel, per epoch
WORN = 2  # pixels of the frame that may be zeroed
SHIFT = 2  # pixels that a piece may be shifted


class Triplets:
    """All edges of some panels on the device, drawn as triplets, epoch after epoch."""

    def __init__(self, panels: Sequence[Panel], trim: float, batch: int, chance: Chance) -> None:
        self.batch, self.chance = batch, chance
        views, partners, owners = [], [], []
        first = 0
        for owner, panel in enumerate(panels):
            tiles = trim_tiles(panel, trim).to(chance.device)
            partner = grid_partners(panel.rows, panel.cols, chance.device)
            views.append(edge_views(tiles))
            partners.append(torch.where(partner >= 0, partner + first, partner))
            owners.append(torch.full_like(partner, owner))
            first += len(partner)
        self.views = torch.cat(views)
        self.partners = torch.cat(partners)
        self.owners = torch.cat(owners)
        self.panels = len(panels)
        self.waiting = torch.empty(0, 3, dtype=torch.long, device=chance.device)

    def next_batch(self) -> Tensor:
        """Return edges [b, 3]: anchor, partner, stranger."""
        while len(self.waiting) < self.batch:
            self.waiting = torch.cat([self.waiting, self._epoch()])
        batch, self.waiting = self.waiting[: self.batch], self.waiting[self.batch :]
        return batch

    def batches_per_epoch(self) -> float:
        """Return the mean number of batches in an epoch."""
        tiles = torch.bincount(self.owners, minlength=self.panels) / 4
        inner = torch.bincount(self.owners[self.partners >= 0], minlength=self.panels)
        return (inner * (PIECES / tiles).clamp(max=1)).sum().item() / self.batch

    def _epoch(self) -> Tensor:
        found = [self._panel_triplets(panel) for panel in range(self.panels)]
        triplets = torch.cat(found)
        return triplets[self.chance.shuffled(len(triplets))]

    def _panel_triplets(self, panel: int) -> Tensor:
        edges = (self.owners == panel).nonzero().flatten()
        tiles = self.chance.shuffled(len(edges) // 4)[:PIECES]
        anchor = edges.view(-1, 4)[tiles].flatten()
        anchor = anchor[self.partners[anchor] >= 0]
        stranger = edges[self.chance.below(len(edges), len(anchor))]
        # An edge of the same tile, or the partner itself, cannot serve as a negative.
        wrong = (stranger // 4 == anchor // 4) | (stranger == self.partners[anchor])
        while wrong.any():
            redrawn = edges[self.chance.below(len(edges), len(anchor))]
            stranger = torch.where(wrong, redrawn, stranger)
            wrong = (stranger // 4 == anchor // 4) | (stranger == self.partners[anchor])
        return torch.stack([anchor, self.partners[anchor], stranger], 1)

    def pairs(self, edge: Tensor, other: Tensor) -> Tensor:
        """Return both tiles side by side, each worn and shifted: [m, 3, 50, 100] from 0 to 1."""
        left = self._wear(self.views[edge])
        right = self._wear(self.views[other]).rot90(2, (2, 3))
        return torch.cat([left, right], 3)

    def _wear(self, tiles: Tensor) -> Tensor:
        """Zero the frame and shift the tile, each by 0 to 2 pixels."""
        count = len(tiles)
        line = torch.arange(SIZE, device=tiles.device)
        depth = torch.minimum(line, SIZE - 1 - line)
        depth = torch.minimum(depth, depth[:, None])
        lost = self.chance.below(WORN + 1, count)[:, None, None]
        tiles = tiles.float() / 255 * (depth >= lost)[:, None]
        wide = functional.pad(tiles, (SHIFT,) * 4)
        down = self.chance.below(2 * SHIFT + 1, count)[:, None] + line
        across = self.chance.below(2 * SHIFT + 1, count)[:, None] + line
        which = torch.arange(count, device=tiles.device)[:, None, None]
        shifted = wide.permute(0, 2, 3, 1)[which, down[:, :, None], across[:, None, :]]
        return shifted.permute(0, 3, 1, 2)


def all_pairs(views: Tensor, block: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield every ordered pair of edges, in blocks: flat indices [m] and pairs [m, 3, 50, 100]."""
    count = len(views)
    turned = views.rot90(2, (2, 3))
    for flat in torch.arange(count * count, device=views.device).split(block):
        yield flat, torch.cat([views[flat // count], turned[flat % count]], 3)
