"""Triplets of the paper (section 4.1): an edge, its partner, and an edge that is not.

``Triplets`` are those of real panels, worn as the paper says; ``AgedTriplets`` those of pictures
and panels that are aged as in the recipe ``best``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from azulejar.learning.ageing import Chance, age_panels
from azulejar.learning.dealing import Dealer, Shares
from azulejar.learning.pictures import Panel, trim_tiles
from azulejar.learning.task import Material
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
        partner = self.partners[anchor]
        stranger = _strangers(anchor, partner, edges[:1], len(edges), self.chance)
        return torch.stack([anchor, partner, stranger], 1)

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


@dataclass(frozen=True)
class Deal:
    """What one deal of aged panels consists of."""

    panels: int
    parts: int  # of a panel, each cut from a square of its own
    grid: int  # tiles a side of a part
    strongest: float  # wear of a panel, drawn from 0 to this
    shares: Shares  # of real panels


class AgedTriplets:
    """Deal and age a few panels, draw all their triplets in random order, deal again."""

    waiting: Tensor  # triplets [m, 3] of the present panels, not drawn yet
    before: dict[str, Tensor]  # random states before the present panels were dealt

    def __init__(
        self, material: Material, deal: Deal, batch: int, chance: Chance, seed: int
    ) -> None:
        self.deal, self.batch, self.chance = deal, batch, chance
        self.dealer = Dealer(material, deal.parts, deal.grid, deal.shares, seed)
        partner = grid_partners(deal.grid, deal.grid, chance.device)
        parts = torch.arange(deal.panels * deal.parts, device=chance.device)
        first = len(partner) * parts[:, None]
        self.partners = torch.where(partner >= 0, partner + first, -1).flatten()
        self._deal()

    def next_batch(self) -> Tensor:
        """Return edges [b, 3]: anchor, partner, stranger."""
        if len(self.waiting) < self.batch:
            self._deal()
        batch, self.waiting = self.waiting[: self.batch], self.waiting[self.batch :]
        return batch

    def pairs(self, edge: Tensor, other: Tensor) -> Tensor:
        """Return both tiles side by side: [m, 3, 50, 100] from 0 to 1."""
        return torch.cat([self.views[edge], self.views[other].rot90(2, (2, 3))], 3)

    def state(self) -> dict[str, Tensor]:
        """Return the random states before the present panels, and the triplets still waiting."""
        return {**self.before, "waiting": self.waiting}

    def restore(self, state: dict[str, Tensor]) -> None:
        """Deal the panels of a state again, and continue with the triplets that were waiting."""
        now = self.chance.source.get_state()
        self.chance.source.set_state(state["dealt_chance"])
        self.dealer.chance.source.set_state(state["dealer"])
        self._deal()
        self.chance.source.set_state(now)
        self.waiting = state["waiting"].to(self.chance.device)

    def _deal(self) -> None:
        self.before = {
            "dealt_chance": self.chance.source.get_state(),
            "dealer": self.dealer.chance.source.get_state(),
        }
        raw = self.dealer.deal(self.deal.panels, with_real=True)
        strength = self.chance.uniform(0.0, self.deal.strongest, self.deal.panels)
        tiles = age_panels(raw, self.deal.grid, strength, self.chance)
        self.views = edge_views(tiles.flatten(0, 1))
        anchor = (self.partners >= 0).nonzero().flatten()
        edges = len(self.partners) // self.deal.panels
        first = anchor // edges * edges
        stranger = _strangers(anchor, self.partners[anchor], first, edges, self.chance)
        triplets = torch.stack([anchor, self.partners[anchor], stranger], 1)
        self.waiting = triplets[self.chance.shuffled(len(triplets))]


def _strangers(
    anchor: Tensor, partner: Tensor, first: Tensor, edges: int, chance: Chance
) -> Tensor:
    """Draw for each anchor one of the edges of its panel, which begin at ``first``.

    An edge of the same tile, or the partner itself, cannot serve as a negative.
    """
    stranger = first + chance.below(edges, len(anchor))
    while (wrong := (stranger // 4 == anchor // 4) | (stranger == partner)).any():
        stranger = torch.where(wrong, first + chance.below(edges, len(anchor)), stranger)
    return stranger


def all_pairs(views: Tensor, block: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield every ordered pair of edges, in blocks: flat indices [m] and pairs [m, 3, 50, 100]."""
    count = len(views)
    turned = views.rot90(2, (2, 3))
    for flat in torch.arange(count * count, device=views.device).split(block):
        yield flat, torch.cat([views[flat // count], turned[flat % count]], 3)
