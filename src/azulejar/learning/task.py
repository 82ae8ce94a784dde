"""Task: what is trained, on what, and how it is scored; ``training`` does the rest."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from azulejar.errors import AzulejarError
from azulejar.learning.ageing import Chance
from azulejar.learning.pictures import Panel


@dataclass(frozen=True)
class Material:
    """What a task may learn from, on the device.

    - ``squares`` [n, 3, 640, 640] uint8 of pictures, drawn with probability ``weights`` [n];
    - ``panels``: real ones, to be used sparingly, since they are few and soon overfitted.
    """

    squares: Tensor
    weights: Tensor
    panels: Sequence[Panel]

    def check_pictures(self, recipe: str) -> None:
        """Raise an ``AzulejarError`` if there are no pictures for a recipe that needs them."""
        if not len(self.squares):
            raise AzulejarError(
                "recipe-needs-pictures",
                "The recipe {recipe} learns from pictures.",
                "Name folders of them.",
                recipe=recipe,
            )


@dataclass(frozen=True)
class Settings:
    """Settings that every recipe has."""

    steps: int
    rate: float
    clip: float  # largest norm of the gradient; 0: no limit
    average: float  # decay of the running mean of the weights; 0: no mean
    tail: float  # last part of all steps, over which the mean grows to cover them all


@dataclass(frozen=True)
class Graph:
    """A part of a network that is exported and run on its own.

    The first axis of all inputs and outputs is free; ``examples`` show the other axes.
    """

    module: nn.Module
    prefix: str  # of the names of the module's weights in the whole network
    examples: tuple[Tensor, ...]
    inputs: Sequence[str]
    outputs: Sequence[str]


class Task(ABC):
    """A recipe applied to material. Subclasses set ``settings``, ``network`` and ``chance``."""

    settings: Settings
    network: nn.Module
    chance: Chance

    @abstractmethod
    def __init__(
        self, settings: Any, material: Material, seed: int, device: torch.device
    ) -> None: ...

    @abstractmethod
    def optimizer(self) -> torch.optim.Optimizer:
        """Return an optimizer of the network's parameters."""

    @abstractmethod
    def rate(self, progress: float) -> float:
        """Return the learning rate at that fraction of all steps."""

    @abstractmethod
    def loss(self, progress: float) -> tuple[Tensor, Tensor]:
        """Return the loss of a new batch, and how often the true partner came first in it."""

    def state(self) -> dict[str, Tensor]:
        """Return the state on which future batches depend."""
        return {"chance": self.chance.source.get_state()}

    def restore(self, state: dict[str, Tensor]) -> None:
        """Continue with the batches that follow ``state``."""
        self.chance.source.set_state(state["chance"])

    @staticmethod
    @abstractmethod
    def make_network(settings: Any) -> nn.Module:
        """Return an untrained network."""

    @staticmethod
    @abstractmethod
    def graphs(network: nn.Module) -> dict[str, Graph]:
        """Return the parts that a measure runs."""

    @staticmethod
    @abstractmethod
    def scores(network: nn.Module, tiles: Tensor) -> dict[str, Tensor]:
        """Score all pairs of edges of tiles [n, 3, 50, 50] from 0 to 1.

        By name of the measure; [4n, 4n], higher is better.
        """


def half_on_gpu(device: torch.device) -> torch.autocast:
    """Return a context that computes in bfloat16 on a GPU and in float32 elsewhere.

    Many processors only emulate bfloat16, up to 60 times slower.
    """
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")
