"""The paper's networks: Red-Net, Green-Net, Blue-Net and RGB-Net (section 4.2).

The paper gives the input (two 50×50 tiles side by side), ReLU, no bias and 3.4 M parameters, but
its figure of the layers is not available to us; these layers are ours.
"""

from collections.abc import Iterator
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from azulejar.learning.views import SIZE

CHANNELS = {"red": (0, 1), "green": (1, 2), "blue": (2, 3), "rgb": (0, 3)}  # first, end
POOLED = 4  # convolutions that are followed by ReLU and pooling
VIEWS = 512  # edges looked at by themselves at a time


class PairNetwork(nn.Module):
    """Score pairs [m, 3, 50, 100] from 0 to 1, anchor on the left: [m]; 3.4 M parameters."""

    def __init__(self, first: int, beyond: int) -> None:
        super().__init__()
        self.first, self.beyond = first, beyond
        layers: list[nn.Module] = []
        widths = (beyond - first, 32, 64, 128, 256)
        for before, after in pairwise(widths):
            layers += [nn.Conv2d(before, after, 3, padding=1, bias=False), nn.ReLU()]
            layers += [nn.MaxPool2d(2)]
        layers += [nn.Conv2d(256, 256, 3, padding=1, bias=False), nn.ReLU(), nn.Flatten()]
        layers += [nn.Linear(256 * 3 * 6, 512, bias=False), nn.ReLU()]
        layers += [nn.Linear(512, 64, bias=False), nn.ReLU(), nn.Linear(64, 1, bias=False)]
        self.layers = nn.Sequential(*layers)
        for layer in self.layers:
            if isinstance(layer, nn.Conv2d | nn.Linear):
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")

    def forward(self, pairs: Tensor) -> Tensor:
        return self.layers(pairs[:, self.first : self.beyond]).squeeze(1)


class PaperNetwork(nn.Module):
    """The four networks; each sees its own channels, and they share no weights."""

    def __init__(self) -> None:
        super().__init__()
        self.networks = nn.ModuleDict(
            {name: PairNetwork(*channels) for name, channels in CHANNELS.items()}
        )

    def forward(self, pairs: Tensor) -> dict[str, Tensor]:
        """Return the scores [m] of pairs [m, 3, 50, 100] by each network."""
        return {name: network(pairs) for name, network in self.networks.items()}


class EdgePairs:
    """Score pairs of edges with a network, as it would score their pictures.

    Only columns near the joint depend on both tiles. The others are worked out once for each edge,
    so that a pair takes 0.4 of the arithmetic and a fifth of the memory traffic.
    """

    def __init__(self, network: PairNetwork, views: Tensor) -> None:
        """Prepare the views [4n, 3, 50, 50] of all edges, from 0 to 1."""
        layers = network.layers
        self.convolutions = [each for each in layers if isinstance(each, nn.Conv2d)][:POOLED]
        self.rest = layers[3 * POOLED :]
        seen = views[:, network.first : network.beyond]
        parts = [[*self._beside_joint(block)] for block in seen.split(VIEWS)]
        self.beside = [
            (torch.cat(left), torch.cat(right))
            for left, right in (zip(*stage, strict=True) for stage in zip(*parts, strict=True))
        ]

    def __call__(self, edge: Tensor, other: Tensor) -> Tensor:
        """Return the scores [m] of m pairs of edges."""
        (left, right), *further = self.beside
        strip = torch.cat([left[edge], right[other]], 3)
        for convolution, (left, right) in zip(self.convolutions, further, strict=True):
            # The strip is as wide as the next one needs, so only its top and bottom are padded.
            both = functional.conv2d(strip, convolution.weight, padding=(1, 0))
            both = functional.max_pool2d(both, 2).relu_()  # as ReLU before pooling, but less work
            strip = torch.cat([left[edge], both, right[other]], 3)
        return self.rest(strip).squeeze(1)

    def _beside_joint(self, views: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
        """Yield the inputs of each layer beside the columns that depend on both tiles.

        Those to the left are of edges as anchors, those to the right of edges as partners:
        [m, C, H, columns].
        """
        blank = torch.zeros_like(views)
        left = torch.cat([views, blank], 3)
        right = torch.cat([blank, views.rot90(2, (2, 3))], 3)
        start = stop = SIZE  # of those columns: there are none in the pictures
        for convolution in self.convolutions:
            first, beyond = (start - 1) // 2, stop // 2 + 1  # of those columns after the pooling
            yield _copy(left[..., 2 * first - 1 : start]), _copy(right[..., stop : 2 * beyond + 1])
            left, right = (
                functional.max_pool2d(convolution(each), 2).relu_() for each in (left, right)
            )
            start, stop = first, beyond
        yield _copy(left[..., :start]), _copy(right[..., stop:])


def _copy(columns: Tensor) -> Tensor:
    """Return the columns by themselves, in the order of memory in which GPUs convolve fastest."""
    return columns.clone(memory_format=torch.channels_last)
