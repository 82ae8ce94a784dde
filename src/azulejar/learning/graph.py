"""Graph: a part of a network that is run on its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor, nn


@dataclass(frozen=True)
class Graph:
    """The first axis of all inputs and outputs is free; ``examples`` show the others."""

    module: nn.Module
    prefix: str  # of the module's weights among those of the whole network
    examples: tuple[Tensor, ...]
    inputs: Sequence[str]
    outputs: Sequence[str]
