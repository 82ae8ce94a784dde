"""The recipe ``best``: list-wise training on pictures that are aged into panels on the fly.

Every edge has to find its partner among all other edges of its panel (softmax). The strength of the
wear differs from panel to panel. Real panels are few, so they are cut anew each time, and most
panels are made of pictures: the network soon overfits to real ones.

Training takes two stages, each from the weights of the one before: ``strong``, and ``mild`` with
less wear, since most panels are photographed whole. Three more recipes go on from there:
``best-crowd`` for finding partners among the tiles of a whole museum, and from its weights
``best-worn`` for tiles that have lost much of their edges, which is what ships as ``best``. From
this ``best-light`` continues for tiles photographed one by one, each in its own light.
"""

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from azulejar.learning.ageing import TRIM, Chance, age_panels
from azulejar.learning.dealing import Dealer, DealtTask, Shares
from azulejar.learning.edge_network import EdgeNetwork, describe, twin_scores
from azulejar.learning.muon import Muon
from azulejar.learning.task import Graph, Material, Settings, half_on_gpu
from azulejar.learning.views import SIZE, edge_views, grid_partners, impossible_pairs


@dataclass(frozen=True)
class BestSettings(Settings):
    steps: int = 17_000
    rate: float = 1e-3
    clip: float = 1.0
    average: float = 0.999
    tail: float = 0.5
    warm_up: int = 300  # steps
    flat: float = 0.7  # of all steps, until the rate falls
    weight_decay: float = 0.05
    muon: bool = False  # take steps of the kernels by Muon instead of AdamW
    panels: int = 3  # a step
    parts: int = 4  # of a panel, each cut from a square of its own
    grid: int = 8  # tiles a side of a part
    weakest: float = 0.0  # wear of a panel, drawn
    strongest: float = 0.8  # from this range
    trim_most: float = TRIM[1]  # of a panel, at each side of each tile
    light: float = 0.0  # how differently tiles are lit at most: 1 is strongly
    light_least: float = 0.0  # and at least, unless the panel is photographed whole
    unlit: float = 0.25  # of the panels are photographed whole all the same
    own_share: float = 0.05  # of the panels are real and cut on their joints
    shifted_share: float = 0.12  # real, cut anywhere
    free_share: float = 0.13  # real, cut anywhere at any scale, joints painted over
    repainted: float = 0.5  # of the real ones
    real_from: float = 0.2  # of all steps, when real ones begin
    crowd: float = 0.0  # of the loss, for which all panels of a step are rivals
    network: dict[str, Any] | None = None  # sizes, where they are not the default

    def shares(self) -> Shares:
        """Return the shares of real panels."""
        return Shares(self.own_share, self.shifted_share, self.free_share, self.repainted)


@dataclass(frozen=True)
class MildSettings(BestSettings):
    """For fine-tuning: less wear, and fewer real panels, which are half memorized by then."""

    steps: int = 5_000
    rate: float = 4e-4
    tail: float = 0.75
    flat: float = 0.0
    strongest: float = 0.6
    own_share: float = 0.03
    shifted_share: float = 0.06
    free_share: float = 0.11
    repainted: float = 0.6
    real_from: float = 0.0


@dataclass(frozen=True)
class LongMildSettings(MildSettings):
    """Second stage: the same for longer and at a higher rate, as much is still to be learnt."""

    steps: int = 19_000
    rate: float = 6e-4
    tail: float = 0.4


@dataclass(frozen=True)
class CrowdSettings(MildSettings):
    """For collections: an edge has rivals from many panels."""

    steps: int = 2_100
    rate: float = 5e-4
    warm_up: int = 100
    panels: int = 16
    strongest: float = 1.0
    crowd: float = 0.5


@dataclass(frozen=True)
class MildCrowdSettings(CrowdSettings):
    """Second stage for collections: less wear."""

    steps: int = 1_200
    rate: float = 4e-4
    strongest: float = 0.6


@dataclass(frozen=True)
class WornSettings(MildSettings):
    """For tiles that have lost much of their edges: from ``best-crowd``, with large steps by Muon.

    Real panels are fewer, since there are so many panels a step.
    """

    steps: int = 2_600
    rate: float = 6e-4
    warm_up: int = 40
    tail: float = 0.4
    muon: bool = True
    panels: int = 16
    own_share: float = 0.02
    shifted_share: float = 0.04
    free_share: float = 0.06
    crowd: float = 0.2


@dataclass(frozen=True)
class LightSettings(WornSettings):
    """For tiles photographed one by one, each with its own light, crop and turn.

    It continues from ``best`` and gives an encoder for such tiles alone, since panels photographed
    whole get worse by it; the mean with ``best`` gives some of that back.
    """

    steps: int = 1_400
    tail: float = 0.5
    light: float = 1.6
    light_least: float = 0.3
    unlit: float = 0.1
    crowd: float = 0.0


class BestTask(DealtTask):
    settings: BestSettings
    network: EdgeNetwork

    def __init__(
        self, settings: BestSettings, material: Material, seed: int, device: torch.device
    ) -> None:
        material.check_pictures("best")
        torch.manual_seed(seed)
        self.settings, self.device = settings, device
        self.network = self.make_network(settings).to(device)
        nn.utils.convert_conv2d_weight_memory_format(self.network, torch.channels_last)
        self.chance = Chance(seed, device)
        self.dealer = Dealer(material, settings.parts, settings.grid, settings.shares(), seed)
        self._prepare_partners()
        compiles = device.type == "cuda"
        self.encode = torch.compile(self.network) if compiles else self.network

    def _prepare_partners(self) -> None:
        """Tabulate the partners within a panel, and within all panels of a step together."""
        grid, parts = self.settings.grid, self.settings.parts
        self.edges, self.partners, self.barred = _partners_of_parts(grid, parts, self.device)
        if self.settings.crowd:
            self.all_panels = _partners_of_parts(grid, self.settings.panels * parts, self.device)

    def optimizer(self) -> torch.optim.Optimizer:
        if self.settings.muon:
            return self._muon()
        return torch.optim.AdamW(
            self.network.parameters(),
            lr=self.settings.rate,
            betas=(0.9, 0.98),
            weight_decay=self.settings.weight_decay,
            fused=self.device.type == "cuda",
        )

    def _muon(self) -> Muon:
        """Return an optimizer: Muon for the inner convolutions, AdamW for all else."""
        body = list(self.network.body)
        inner = [each for part in body[1:] for each in part.parameters() if each.ndim == 4]
        known = {id(each) for each in inner}
        others = [each for each in self.network.parameters() if id(each) not in known]
        return Muon(inner, others, self.settings.rate, self.settings.weight_decay)

    def rate(self, progress: float) -> float:
        warm = min(1.0, (progress * self.settings.steps + 1) / max(1, self.settings.warm_up))
        fall = max(0.0, progress - self.settings.flat) / (1 - self.settings.flat)
        return self.settings.rate * warm * (0.5 + 0.5 * math.cos(math.pi * fall)) + 1e-6

    def loss(self, progress: float) -> tuple[Tensor, Tensor]:
        tiles = self._tiles(progress)
        views = edge_views(tiles.flatten(0, 1)).contiguous(memory_format=torch.channels_last)
        with half_on_gpu(self.device):
            described = self.encode(views)
            anchor, partner = (x.unflatten(0, (len(tiles), -1)) for x in described)
            scores = twin_scores(anchor, partner)
        scores = scores[:, self.edges].float().masked_fill(self.barred, -1e4)
        right = (scores.argmax(2) == self.partners).float().mean()
        loss = functional.cross_entropy(scores.flatten(0, 1), self.partners.repeat(len(tiles)))
        if self.settings.crowd:
            loss = torch.lerp(loss, self._crowd_loss(*described), self.settings.crowd)
        return loss, right

    def _tiles(self, progress: float) -> Tensor:
        settings = self.settings
        raw = self.dealer.deal(settings.panels, progress >= settings.real_from)
        strength = self.chance.uniform(settings.weakest, settings.strongest, settings.panels)
        trim = TRIM[0], settings.trim_most
        return age_panels(raw, settings.grid, strength, self.chance, trim, self._light())

    def _light(self) -> Tensor | None:
        """Draw how differently the tiles of each panel are lit: 0 for those photographed whole."""
        settings = self.settings
        if not settings.light:
            return None
        level = self.chance.uniform(settings.light_least, settings.light, settings.panels)
        return level * (self.chance.unit(settings.panels) >= settings.unlit)

    def _crowd_loss(self, anchor: Tensor, partner: Tensor) -> Tensor:
        """Return the cross-entropy over the edges of all panels."""
        edges, partners, barred = self.all_panels
        with half_on_gpu(self.device):
            scores = twin_scores(anchor, partner)
        return functional.cross_entropy(scores[edges].float().masked_fill(barred, -1e4), partners)

    @staticmethod
    def make_network(settings: BestSettings) -> EdgeNetwork:
        return EdgeNetwork(**(settings.network or {}))

    @staticmethod
    def graphs(network: nn.Module) -> dict[str, Graph]:
        assert isinstance(network, EdgeNetwork)
        views = torch.zeros(2, 3, SIZE, SIZE)
        return {"encoder": Graph(network, "", (views,), ("views",), ("anchor", "partner"))}

    @staticmethod
    def scores(network: nn.Module, tiles: Tensor) -> dict[str, Tensor]:
        assert isinstance(network, EdgeNetwork)
        return {"twin": twin_scores(*describe(network, tiles))}


def _partners_of_parts(
    grid: int, parts: int, device: torch.device
) -> tuple[Tensor, Tensor, Tensor]:
    """Return which edges of so many parts have a partner [m], these partners [m], and a mask.

    The mask [m, edges] is true for the edges that each of them cannot meet.
    """
    size = grid**2
    partner = grid_partners(grid, grid, device)
    first = 4 * size * torch.arange(parts, device=device)[:, None]
    has = (partner >= 0).nonzero().flatten()
    edges = (first + has).flatten()
    return (
        edges,
        (first + partner[has]).flatten(),
        impossible_pairs(size * parts, False, device)[edges],
    )
