"""The recipe ``paper``: training on triplets as described in section 4 of the paper.

The recipe ``paper-aged`` trains the same networks for as many steps on the pictures and the ageing
of the recipe ``best``, to tell the effect of the architecture from that of the data.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from azulejar.errors import AzulejarError
from azulejar.learning.ageing import Chance
from azulejar.learning.best import BestSettings
from azulejar.learning.paper_network import EdgePairs, PairNetwork, PaperNetwork
from azulejar.learning.task import Graph, Material, Settings, Task, half_on_gpu
from azulejar.learning.triplets import AgedTriplets, Deal, Triplets
from azulejar.learning.views import SIZE, edge_views

EPOCHS = 850
AGED_STEPS = 28_000  # about what 850 epochs of the 23 real panels take
BLOCK = 8192  # pairs scored at a time


@dataclass(frozen=True)
class PaperSettings(Settings):
    """Settings of the recipe ``paper``."""

    steps: int = 0  # 0: as many as 850 epochs take
    rate: float = 1e-4
    clip: float = 0.0
    average: float = 0.0
    tail: float = 0.0
    batch: int = 64
    margin: float = 1.0
    trim: float = 0.07  # of the panels' tiles; the paper used photographs of loose tiles


@dataclass(frozen=True)
class PaperAgedSettings(PaperSettings):
    """Settings of the recipe ``paper-aged``; those of pictures and ageing are those of ``best``."""

    steps: int = AGED_STEPS
    panels: int = 4  # dealt at a time
    parts: int = BestSettings.parts
    grid: int = BestSettings.grid
    strongest: float = BestSettings.strongest


class PaperTask(Task):
    """The paper's four networks, trained together on triplets of edges."""

    settings: PaperSettings
    network: PaperNetwork
    triplets: Triplets | AgedTriplets

    def __init__(
        self, settings: PaperSettings, material: Material, seed: int, device: torch.device
    ) -> None:
        torch.manual_seed(seed)
        self.device = device
        self.network = self.make_network(settings).to(device)
        self.chance = Chance(seed, device)
        self._prepare(settings, material, seed)
        compiles = device.type == "cuda"
        self.judge = torch.compile(self.network) if compiles else self.network

    def _prepare(self, settings: PaperSettings, material: Material, seed: int) -> None:
        """Make the triplets and set the number of steps."""
        if not material.panels:
            raise AzulejarError(
                "recipe-needs-panels", "The recipe paper learns from panels.", "Name them."
            )
        self.triplets = Triplets(material.panels, settings.trim, settings.batch, self.chance)
        epochs = round(EPOCHS * self.triplets.batches_per_epoch())
        self.settings = replace(settings, steps=settings.steps or epochs)

    def optimizer(self) -> torch.optim.Optimizer:
        return torch.optim.Adam(
            self.network.parameters(), lr=self.settings.rate, fused=self.device.type == "cuda"
        )

    def rate(self, progress: float) -> float:
        return self.settings.rate

    def loss(self, progress: float) -> tuple[Tensor, Tensor]:
        anchor, partner, stranger = self.triplets.next_batch().unbind(1)
        pairs = self.triplets.pairs(torch.cat([anchor, anchor]), torch.cat([partner, stranger]))
        with half_on_gpu(self.device):
            scores = self.judge(pairs)
        losses, rights = [], []
        for score in scores.values():
            near, far = score.float().chunk(2)
            losses.append(functional.relu(self.settings.margin - near + far).mean())
            rights.append((near > far).float().mean())
        return torch.stack(losses).sum(), torch.stack(rights).mean()

    def state(self) -> dict[str, Tensor]:
        return {**super().state(), "waiting": self.triplets.waiting}

    def restore(self, state: dict[str, Tensor]) -> None:
        super().restore(state)
        self.triplets.waiting = state["waiting"].to(self.device)

    @staticmethod
    def make_network(settings: PaperSettings) -> PaperNetwork:
        return PaperNetwork()

    @staticmethod
    def graphs(network: nn.Module) -> dict[str, Graph]:
        assert isinstance(network, PaperNetwork)
        pairs = torch.zeros(2, 3, SIZE, 2 * SIZE)
        return {
            name: Graph(part, f"networks.{name}.", (pairs,), ("pairs",), ("score",))
            for name, part in network.networks.items()
        }

    @staticmethod
    def scores(network: nn.Module, tiles: Tensor) -> dict[str, Tensor]:
        """Return the scores of each network, and their sum, which the paper calls DLCM."""
        assert isinstance(network, PaperNetwork)
        views = edge_views(tiles)
        edges = len(views)
        found = {}
        blocks = torch.arange(edges * edges, device=tiles.device).split(BLOCK)
        for name, part in network.networks.items():
            assert isinstance(part, PairNetwork)
            score = EdgePairs(part, views)
            scores = [score(block // edges, block % edges) for block in blocks]
            found[name] = torch.cat(scores).view(edges, edges)
        return {**found, "dlcm-paper": torch.stack(list(found.values())).sum(0)}


class PaperAgedTask(PaperTask):
    """The paper's networks and loss, on triplets from pictures that are aged during training."""

    settings: PaperAgedSettings
    triplets: AgedTriplets

    def _prepare(self, settings: PaperSettings, material: Material, seed: int) -> None:
        assert isinstance(settings, PaperAgedSettings)
        material.check_pictures("paper-aged")
        self.settings = settings
        deal = Deal(
            settings.panels,
            settings.parts,
            settings.grid,
            settings.strongest,
            BestSettings().shares(),
        )
        self.triplets = AgedTriplets(material, deal, settings.batch, self.chance, seed)

    def state(self) -> dict[str, Tensor]:
        return {"chance": self.chance.source.get_state(), **self.triplets.state()}

    def restore(self, state: dict[str, Tensor]) -> None:
        self.chance.source.set_state(state["chance"])
        self.triplets.restore(state)
