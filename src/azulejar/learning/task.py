"""Task: what is trained, on what, and how it is judged; ``training`` does the rest."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from azulejar.learning.ageing import Chance
from azulejar.learning.pictures import Panel


@dataclass(frozen=True)
class Material:
    """What a task may learn from, on the device.

    - ``squares`` [n, 3, 640, 640] uint8 of pictures, drawn by ``weights`` [n];
    - ``panels``: real ones, to be used with care, since they are few and soon known by heart.
    """

    squares: Tensor
    weights: Tensor
    panels: Sequence[Panel]


@dataclass(frozen=True)
class Settings:
    """What every recipe decides."""

    steps: int
    rate: float
    clip: float  # of the gradient's norm; 0: none
    average: float  # how much of the running mean of the weights a step keeps; 0: no mean
    tail: float  # of all steps, the last, over which the mean grows to all of them


@dataclass(frozen=True)
class Graph:
    """A part of a network that is exported and run on its own.

    The first axis of all inputs and outputs is free; ``examples`` show the other axes.
    """

    module: nn.Module
    prefix: str  # of the module's weights among those of the whole network
    examples: tuple[Tensor, ...]
    inputs: Sequence[str]
    outputs: Sequence[str]


class Task(ABC):
    """One recipe at work. Subclasses set ``settings``, ``network`` and ``chance`` when made."""

    settings: Settings
    network: nn.Module
    chance: Chance

    @abstractmethod
    def __init__(
        self, settings: Any, material: Material, seed: int, device: torch.device
    ) -> None: ...

    @abstractmethod
    def optimizer(self) -> torch.optim.Optimizer:
        """For the network's parameters."""

    @abstractmethod
    def rate(self, progress: float) -> float:
        """The learning rate at that fraction of all steps."""

    @abstractmethod
    def loss(self, progress: float) -> tuple[Tensor, Tensor]:
        """Loss of a new batch, and how often the true partner came first in it."""

    def state(self) -> dict[str, Tensor]:
        """What the batches to come depend on."""
        return {"chance": self.chance.source.get_state()}

    def restore(self, state: dict[str, Tensor]) -> None:
        """Go on with the batches that were to come."""
        self.chance.source.set_state(state["chance"])

    @staticmethod
    @abstractmethod
    def make_network(settings: Any) -> nn.Module:
        """An untrained network."""

    @staticmethod
    @abstractmethod
    def graphs(network: nn.Module) -> dict[str, Graph]:
        """The parts that a measure runs."""

    @staticmethod
    @abstractmethod
    def scores(network: nn.Module, tiles: Tensor) -> dict[str, Tensor]:
        """What the network thinks of all pairs of edges of tiles [n, 3, 50, 50] from 0 to 1.

        By name of the measure; [4n, 4n], higher is better.
        """


def half_on_gpu(device: torch.device) -> torch.autocast:
    """Return a context that computes in bfloat16 on a GPU and in float32 elsewhere.

    Many processors only emulate bfloat16, up to 60 times slower.
    """
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")
