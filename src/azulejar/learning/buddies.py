"""The recipe ``buddies``: is a pair of edges that fit well a true joint? (DNN-buddies)

After Sholomon, David and Netanyahu, "DNN-Buddies", ICANN 2016: a network of fully connected layers
sees the two lines of pixels on either side of a joint. It learns from true joints and, for each,
from the rival that fits best by the squared differences of colours, as others would be too easy.
Optimizer, rate and steps are ours, so are the pictures, and that the mean colour is taken off.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from azulejar.learning.ageing import Chance
from azulejar.learning.dealing import Dealer, DealtTask, Shares
from azulejar.learning.task import Graph, Material, Settings
from azulejar.learning.triplets import all_pairs
from azulejar.learning.views import edge_views, grid_partners, impossible_pairs

SIZE, DEPTH = 28, 2  # pixels: of a tile, and of it beside a joint
HIDDEN = 100
CONTRAST = 4.0  # by which differences of colours are raised, which are small
BLOCK = 65_536  # pairs scored at a time


@dataclass(frozen=True)
class BuddiesSettings(Settings):
    steps: int = 4_000
    rate: float = 1e-3
    clip: float = 1.0
    average: float = 0.999
    tail: float = 0.25
    puzzles: int = 2  # a step, each of one picture
    grid: int = 16  # tiles a side of a puzzle


class BuddyNetwork(nn.Module):
    """336 inputs, three hidden layers of 100, two outputs; their difference is the score.

    The sizes are those of the source, from memory.
    """

    def __init__(self) -> None:
        super().__init__()
        sizes = [3 * SIZE * 2 * DEPTH, HIDDEN, HIDDEN, HIDDEN]
        layers: list[nn.Module] = []
        for wide, narrow in pairwise(sizes):
            layers += [nn.Linear(wide, narrow), nn.ReLU()]
        self.layers = nn.Sequential(*layers, nn.Linear(HIDDEN, 2))

    def forward(self, strips: Tensor) -> Tensor:
        """Return the logarithm of the odds [m] of joints, by the pixels across them [m, 3, 28, 4].

        Pixels are from 0 to 1. Their mean colour says nothing and would slow down the training.
        """
        relative = strips - strips.mean((2, 3), keepdim=True)
        wrong, right = self.layers(CONTRAST * relative.flatten(1)).unbind(1)
        return right - wrong


class BuddiesTask(DealtTask):
    settings: BuddiesSettings
    network: BuddyNetwork

    def __init__(
        self, settings: BuddiesSettings, material: Material, seed: int, device: torch.device
    ) -> None:
        material.check_pictures("buddies")
        torch.manual_seed(seed)
        self.settings, self.device = settings, device
        self.network = BuddyNetwork().to(device)
        self.chance = Chance(seed, torch.device("cpu"))
        self.dealer = Dealer(material, 1, settings.grid, Shares(0, 0, 0, 0), seed)
        partner = grid_partners(settings.grid, settings.grid, device)
        self.edges = (partner >= 0).nonzero().flatten()
        self.partners = partner[self.edges]
        self.barred = [self._barred(upright) for upright in (False, True)]

    def _barred(self, upright: bool) -> Tensor:
        """Mark, for each edge with a partner, the edges that cannot be its rivals: [m, 4 grid²]."""
        barred = impossible_pairs(self.settings.grid**2, upright, self.device)[self.edges]
        return barred.scatter(1, self.partners[:, None], True)

    def optimizer(self) -> torch.optim.Optimizer:
        return torch.optim.Adam(self.network.parameters(), lr=self.settings.rate)

    def rate(self, progress: float) -> float:
        return self.settings.rate * (0.5 + 0.5 * math.cos(math.pi * progress)) + 1e-6

    def loss(self, progress: float) -> tuple[Tensor, Tensor]:
        squares = self.dealer.deal(self.settings.puzzles, False).squares[:, 0]
        true, false = zip(*map(self._samples, squares), strict=True)
        scores = self.network(torch.cat([*true, *false]))
        near, far = scores.chunk(2)
        answer = torch.cat([torch.ones_like(near), torch.zeros_like(far)])
        loss = functional.binary_cross_entropy_with_logits(scores, answer)
        return loss, (near > far).float().mean()

    def _samples(self, square: Tensor) -> tuple[Tensor, Tensor]:
        """Return pixels across true joints of a picture and across their strongest rivals."""
        strips = edge_views(self._cut(square))[..., -DEPTH:]
        facing = strips.rot90(2, (2, 3))
        left = strips[self.edges]
        barred = self.barred[int(self.chance.below(2, 1))]
        distance = torch.cdist(left[..., -1].flatten(1), facing[..., 0].flatten(1))
        rivals = distance.masked_fill(barred, math.inf).argmin(1)
        return (
            torch.cat([left, facing[self.partners]], 3),
            torch.cat([left, facing[rivals]], 3),
        )

    def _cut(self, square: Tensor) -> Tensor:
        """Cut tiles [grid², 3, 28, 28], from 0 to 1, out of a picture, anywhere, in any turn."""
        grid = self.settings.grid
        top, left = self.chance.below(square.shape[1] - grid * SIZE + 1, 2).tolist()
        part = square[:, top : top + grid * SIZE, left : left + grid * SIZE]
        quarters, mirrored = self.chance.below(4, 1).item(), self.chance.unit(1).item() < 0.5
        part = part.rot90(int(quarters), (1, 2))
        part = part.flip(2) if mirrored else part
        cells = part.unfold(1, SIZE, SIZE).unfold(2, SIZE, SIZE)
        return cells.permute(1, 2, 0, 3, 4).flatten(0, 1).float() / 255

    @staticmethod
    def make_network(settings: BuddiesSettings) -> BuddyNetwork:
        return BuddyNetwork()

    @staticmethod
    def graphs(network: nn.Module) -> dict[str, Graph]:
        strips = torch.zeros(2, 3, SIZE, 2 * DEPTH)
        return {"buddies": Graph(network, "", (strips,), ("strips",), ("score",))}

    @staticmethod
    def scores(network: nn.Module, tiles: Tensor) -> dict[str, Tensor]:
        """Score all pairs, although the network was trained on pairs that fit well."""
        small = functional.interpolate(tiles, (SIZE, SIZE), mode="bilinear", antialias=True)
        strips = edge_views(small)[..., -DEPTH:]
        flat = tiles.new_empty(len(strips) ** 2)
        for where, pairs in all_pairs(strips, BLOCK):
            flat[where] = network(pairs)
        return {"buddies": flat.view(len(strips), -1).sigmoid()}
