"""EdgeNetwork: describe each edge once, then compare two descriptions by an inner product.

It looks at a whole tile with the edge in question on the right and describes the edge row by row.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from azulejar.learning.task import half_on_gpu
from azulejar.learning.views import SIZE, edge_views

ROWS = SIZE // 2  # places along an edge at which it is described
VIEWS = 1024  # encoded at a time
BRIGHTNESS, CONTRAST = 0.55, 0.25  # mean and deviation of typical tiles, brought to 0 and 1


class ResidualBlock(nn.Module):
    """Two convolutions around a shortcut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(width)
        self.second = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(width)
        nn.init.constant_(self.second_norm.weight, 0.2)

    def forward(self, x: Tensor) -> Tensor:
        inner = functional.relu(self.first_norm(self.first(x)))
        return functional.relu(x + self.second_norm(self.second(inner)))


def _step(
    inputs: int,
    outputs: int,
    kernel: int | tuple[int, int],
    stride: int | tuple[int, int],
    pad: int,
) -> nn.Sequential:
    convolution = nn.Conv2d(inputs, outputs, kernel, stride, pad, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU())


class EdgeNetwork(nn.Module):
    """Describe the edges of views [m, 3, 50, 50] from 0 to 1.

    Columns shrink from 50 to 1 while 25 rows remain, since what counts is where along the edge a
    stroke arrives. ``anchor`` and ``partner`` [m, depth, 25] are the two roles of an edge in the
    inner product; an edge in the second role is read backwards, as it lies when two edges meet.
    """

    def __init__(
        self,
        widths: tuple[int, ...] = (32, 96, 160, 256, 384),
        blocks: tuple[int, ...] = (1, 2, 2),
        depth: int = 64,
    ) -> None:
        super().__init__()
        stem, fine, middle, coarse, last = widths
        self.body = nn.Sequential(
            _step(3, stem, 3, 1, 1),
            _step(stem, fine, 3, 2, 1),
            *[ResidualBlock(fine) for _ in range(blocks[0])],
            _step(fine, middle, 3, (1, 2), 1),
            *[ResidualBlock(middle) for _ in range(blocks[1])],
            _step(middle, coarse, 3, (1, 2), 1),
            *[ResidualBlock(coarse) for _ in range(blocks[2])],
            _step(coarse, last, (1, 7), 1, 0),
        )
        self.head = nn.Conv2d(last, 2 * depth, 1)
        self.scale = (ROWS * depth) ** -0.25

    def forward(self, views: Tensor) -> tuple[Tensor, Tensor]:
        x = self.body((views - BRIGHTNESS) / CONTRAST)
        anchor, partner = (self.head(x).squeeze(3) * self.scale).chunk(2, 1)
        return anchor, partner.flip(2)


def describe(network: EdgeNetwork, tiles: Tensor) -> tuple[Tensor, Tensor]:
    """Describe the edges of tiles [n, 3, 50, 50] from 0 to 1: anchors, partners [4n, depth, 25]."""
    views = edge_views(tiles)
    with half_on_gpu(tiles.device):
        parts = [
            network(block.contiguous(memory_format=torch.channels_last))
            for block in views.split(VIEWS)
        ]
    anchor, partner = (torch.cat(described).float() for described in zip(*parts, strict=True))
    return anchor, partner


def twin_scores(anchor: Tensor, partner: Tensor) -> Tensor:
    """Score all pairs in both orders, and add: descriptions [..., m, d, 25] to [..., m, m]."""
    there = anchor.flatten(-2) @ partner.flatten(-2).mT
    return there + there.mT
