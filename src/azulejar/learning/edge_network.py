"""EdgeNetwork: describe each edge once, then compare two descriptions.

An encoder looks at a whole tile with the edge in question on the right and describes the edge row
by row. Two descriptions are compared in two ways: by one inner product, which is fast enough for
all pairs (the twin), and by a small network that reads both along the joint (the pair head), for
the pairs that the twin finds likely.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from azulejar.learning.views import SIZE

ROWS = SIZE // 2  # places along an edge at which it is described
BRIGHTNESS, CONTRAST = 0.55, 0.25  # mean and deviation of typical tiles, brought to 0 and 1


class ResidualBlock(nn.Module):
    """Two convolutions around a shortcut."""

    def __init__(self, width: int, kernel: tuple[int, int] = (3, 3)) -> None:
        super().__init__()
        padding = (kernel[0] // 2, kernel[1] // 2)
        self.first = nn.Conv2d(width, width, kernel, padding=padding, bias=False)
        self.first_norm = nn.BatchNorm2d(width)
        self.second = nn.Conv2d(width, width, kernel, padding=padding, bias=False)
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


class Encoder(nn.Module):
    """Describe the edges of views [m, 3, 50, 50] from 0 to 1.

    Columns shrink from 50 to 1 while 25 rows remain, since what counts is where along the edge a
    stroke arrives. ``anchor`` and ``partner`` [m, twin, 25] are the two roles of an edge in the
    twin's inner product, ``left`` and ``right`` [m, pair, 25] those in the pair head; an edge in
    the second role is read backwards, as it lies when two edges meet.
    """

    def __init__(
        self, widths: tuple[int, ...], blocks: tuple[int, ...], twin: int, pair: int
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
        self.twin_head = nn.Conv2d(last, 2 * twin, 1)
        self.pair_head = nn.Conv2d(last, 2 * pair, 1)
        self.scale = (ROWS * twin) ** -0.25

    def forward(self, views: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        x = self.body((views - BRIGHTNESS) / CONTRAST)
        anchor, partner = (self.twin_head(x).squeeze(3) * self.scale).chunk(2, 1)
        left, right = self.pair_head(x).squeeze(3).chunk(2, 1)
        return anchor, partner.flip(2), left, right.flip(2)


class PairHead(nn.Module):
    """Correct the twin's score by reading two descriptions along the joint."""

    def __init__(self, twin: int, width: int, blocks: int) -> None:
        super().__init__()
        self.products = nn.Conv2d(twin, width, 1, bias=False)
        self.norm = nn.BatchNorm2d(width)
        self.blocks = nn.Sequential(*[ResidualBlock(width, (3, 1)) for _ in range(blocks)])
        layers = nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, 1)
        nn.init.zeros_(layers[2].weight)
        nn.init.zeros_(layers[2].bias)
        self.verdict = nn.Sequential(*layers)

    def forward(self, anchor: Tensor, partner: Tensor, left: Tensor, right: Tensor) -> Tensor:
        """Return the scores [m] of m ordered pairs; anchor and left belong to the first edge."""
        product = (anchor * partner)[..., None]
        x = functional.relu(self.norm((left + right)[..., None] + 16 * self.products(product)))
        x = self.blocks(x).squeeze(3)
        correction = self.verdict(torch.cat([x.mean(2), x.amax(2)], 1)).squeeze(1)
        return product.sum((1, 2, 3)) + correction


class EdgeNetwork(nn.Module):
    """Encoder and pair head, trained together."""

    def __init__(
        self,
        widths: tuple[int, ...] = (32, 96, 160, 256, 384),
        blocks: tuple[int, ...] = (1, 2, 2),
        twin: int = 64,
        pair: int = 128,
        pair_blocks: int = 3,
    ) -> None:
        super().__init__()
        self.encoder = Encoder(widths, blocks, twin, pair)
        self.pair = PairHead(twin, pair, pair_blocks)

    def forward(self, views: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        return self.encoder(views)


def twin_scores(anchor: Tensor, partner: Tensor) -> Tensor:
    """Score all pairs in both orders, and add: descriptions [..., m, d, 25] to [..., m, m]."""
    there = anchor.flatten(-2) @ partner.flatten(-2).mT
    return there + there.mT
