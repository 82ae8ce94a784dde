"""The recipe ``best``: list-wise training on pictures that are aged into panels on the fly.

Every edge of a batch of panels has to find its partner among all others (softmax); the pair head
has to tell it from those that the twin likes best. Ageing starts gently; real panels come late
and seldom, since there are few of them and they are soon known by heart.
"""

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from azulejar.errors import AzulejarError
from azulejar.learning.ageing import Chance, aged_panels
from azulejar.learning.edge_network import ROWS, EdgeNetwork, twin_scores
from azulejar.learning.graph import Graph
from azulejar.learning.pictures import panel_windows
from azulejar.learning.scoring import edge_scores, pair_scores
from azulejar.learning.task import Material, Settings, Task
from azulejar.learning.views import SIZE, edge_views, grid_partners, impossible

WINDOWS = 24  # of each real panel, kept on the device


@dataclass(frozen=True)
class BestSettings(Settings):
    steps: int = 24_000
    rate: float = 1.5e-3
    clip: float = 1.0
    average: float = 0.998
    warm_up: int = 300  # steps
    weight_decay: float = 0.05
    panels: int = 12  # a step
    grid: int = 8  # tiles a side of a panel
    gentle: float = 0.2  # of all steps, until ageing has its full strength
    first_strength: float = 0.15
    real_share: float = 0.1  # of the panels, once
    real_from: float = 0.5  # of all steps are done
    rivals: int = 15  # of each edge, that the pair head has to reject
    pair_edges: int = 768  # a step, that the pair head sees
    pair_from: float = 0.1  # of all steps, when the twin knows what is likely
    pair_only: bool = False  # leave the twin as it is
    network: dict[str, Any] | None = None  # sizes, where they are not the default


class BestTask(Task):
    settings: BestSettings
    network: EdgeNetwork

    def __init__(
        self, settings: BestSettings, material: Material, seed: int, device: torch.device
    ) -> None:
        if not len(material.squares):
            raise AzulejarError(
                "The recipe best learns from pictures.", "Name folders of them with --pictures."
            )
        torch.manual_seed(seed)
        self.settings, self.material, self.device = settings, material, device
        self.network = self.make_network(settings).to(device)
        nn.utils.convert_conv2d_weight_memory_format(self.network, torch.channels_last)
        self.chance = Chance(seed, device)
        self.windows = panel_windows(material.panels, settings.grid, WINDOWS, seed, device)
        self._prepare_answers()
        if settings.pair_only:
            self.network.encoder.body.requires_grad_(False)
            self.network.encoder.twin_head.requires_grad_(False)
        compiles = device.type == "cuda"
        self.encode = torch.compile(self.network.encoder) if compiles else self.network.encoder
        self.judge = torch.compile(self.network.pair) if compiles else self.network.pair

    def _prepare_answers(self) -> None:
        """Edges that have a partner, the partner, and pairs that don't count, over a batch."""
        size, panels = self.settings.grid**2, self.settings.panels
        partner = grid_partners(self.settings.grid, self.settings.grid, self.device)
        first = 4 * size * torch.arange(panels, device=self.device)[:, None]
        has = (partner >= 0).nonzero().flatten()
        self.edges = (first + has).flatten()
        self.partners = (first + partner[has]).flatten()
        self.barred = impossible(size * panels, False, self.device)[self.edges]
        edge = torch.arange(4 * size * panels, device=self.device)
        # Of other panels, style gives an edge away; the pair head is to look at the joint.
        self.foreign = self.edges[:, None] // (4 * size) != edge // (4 * size)

    def optimizer(self) -> torch.optim.Optimizer:
        return torch.optim.AdamW(
            self.network.parameters(),
            lr=self.settings.rate,
            betas=(0.9, 0.98),
            weight_decay=self.settings.weight_decay,
            fused=self.device.type == "cuda",
        )

    def rate(self, progress: float) -> float:
        warm = min(1.0, (progress * self.settings.steps + 1) / max(1, self.settings.warm_up))
        return self.settings.rate * warm * (0.5 + 0.5 * math.cos(math.pi * progress)) + 1e-6

    def loss(self, progress: float) -> tuple[Tensor, Tensor]:
        tiles = self._tiles(progress)
        if self.settings.pair_only:
            self.network.encoder.body.eval()
        views = edge_views(tiles.flatten(0, 1)).contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, torch.bfloat16):
            described = self.encode(views)
            scores = twin_scores(described[0], described[1])
        scores = scores[self.edges].float().masked_fill(self.barred, -1e4)
        right = (scores.argmax(1) == self.partners).float().mean()
        if self.settings.pair_only:
            return self._pair_loss(described, scores.detach()), right
        loss = functional.cross_entropy(scores, self.partners)
        if progress >= self.settings.pair_from:
            loss = loss + self._pair_loss(described, scores.detach())
        return loss, right

    def _tiles(self, progress: float) -> Tensor:
        settings, material = self.settings, self.material
        grown = min(1.0, progress / settings.gentle) if settings.gentle else 1.0
        strength = settings.first_strength + (1 - settings.first_strength) * grown
        drawn = torch.multinomial(
            material.weights, settings.panels, replacement=True, generator=self.chance.source
        )
        squares = material.squares[drawn]
        real = torch.zeros(settings.panels, dtype=torch.bool, device=self.device)
        if len(self.windows) and progress >= settings.real_from:
            real = self.chance.unit(settings.panels) < settings.real_share
            window = self.windows[self.chance.below(len(self.windows), settings.panels)]
            squares = torch.where(real[:, None, None, None], window, squares)
        return aged_panels(squares, real, settings.grid, strength, self.chance)

    def _pair_loss(self, described: tuple[Tensor, ...], scores: Tensor) -> Tensor:
        """Softmax over the true partner and the twin's favourites among the panel's others."""
        count = min(self.settings.pair_edges, len(self.edges))
        some = torch.randperm(len(self.edges), device=self.device, generator=self.chance.source)
        some = some[:count]
        true = self.partners[some, None]
        others = scores[some].masked_fill(self.foreign[some], -1e4).scatter(1, true, -1e4)
        rivals = others.topk(self.settings.rivals, 1).indices
        other = torch.cat([true, rivals], 1).flatten()
        edge = self.edges[some].repeat_interleave(1 + self.settings.rivals)
        with torch.autocast(self.device.type, torch.bfloat16):
            judged = pair_scores(self.judge, described, edge, other)
        answer = torch.zeros(count, dtype=torch.long, device=self.device)
        return functional.cross_entropy(judged.float().view(count, -1), answer)

    @staticmethod
    def make_network(settings: BestSettings) -> EdgeNetwork:
        return EdgeNetwork(**(settings.network or {}))

    @staticmethod
    def graphs(network: nn.Module) -> dict[str, Graph]:
        assert isinstance(network, EdgeNetwork)
        described = ("anchor", "partner", "left", "right")
        twin = network.encoder.twin_head.out_channels // 2
        pair = network.encoder.pair_head.out_channels // 2
        examples = tuple(torch.zeros(2, width, ROWS) for width in (twin, twin, pair, pair))
        views = torch.zeros(2, 3, SIZE, SIZE)
        return {
            "encoder": Graph(network.encoder, "encoder.", (views,), ("views",), described),
            "pair": Graph(network.pair, "pair.", examples, described, ("score",)),
        }

    @staticmethod
    def scores(network: nn.Module, tiles: Tensor) -> dict[str, Tensor]:
        assert isinstance(network, EdgeNetwork)
        twin, cascade = edge_scores(network, tiles)
        return {"twin": twin, "dlcm": cascade}
