"""The batches of the recipe ``best``: which pictures and panels, and how they are cut."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from azulejar.learning.ageing import Chance, RawPanels
from azulejar.learning.real_panels import FREE, OWN, SHIFTED, RealPanels
from azulejar.learning.task import Material, Task

PICTURE = "picture"
SERIES = 12  # pictures in sequence in a folder, which are often by one hand


@dataclass(frozen=True)
class Shares:
    """The shares of real panels, by the way they are cut, and the share of them repainted."""

    own: float
    shifted: float
    free: float
    repainted: float


class Dealer:
    """Deals squares of pictures and windows of real panels, in panels of several parts."""

    def __init__(
        self, material: Material, parts: int, grid: int, shares: Shares, seed: int
    ) -> None:
        self.squares, self.parts, self.repainted = material.squares, parts, shares.repainted
        self.device = material.squares.device
        # Choices are made on the CPU, or the GPU would have to be waited for at every step.
        self.chance = Chance(seed, torch.device("cpu"))
        self.until = material.weights.double().cpu().cumsum(0)
        self.pictures = round(self.until[-1].item())
        self.real = RealPanels(material.panels, grid, self.device)
        wanted = {OWN: shares.own, SHIFTED: shares.shifted, FREE: shares.free}
        self.shares = {kind: x for kind, x in wanted.items() if self.real.pictures(kind)}

    def deal(self, panels: int, with_real: bool) -> RawPanels:
        """Return so many panels, real ones among them only if ``with_real``."""
        kinds = [self._kind() if with_real else PICTURE for _ in range(panels)]
        squares = torch.stack([self._parts(kind) for kind in kinds])
        repainted = (self.chance.unit(panels) < self.repainted).tolist()

        def flags(values: list[bool]) -> Tensor:
            return torch.tensor(values, device=self.device)

        return RawPanels(
            squares,
            drawn=flags([kind == PICTURE for kind in kinds]),
            loose=flags([kind in (PICTURE, FREE) for kind in kinds]),
            painted=flags([k == PICTURE or p for k, p in zip(kinds, repainted, strict=True)]),
        )

    def _kind(self) -> str:
        drawn = self.chance.unit(1).item()
        for kind, share in self.shares.items():
            if drawn < share:
                return kind
            drawn -= share
        return PICTURE

    def _parts(self, kind: str) -> Tensor:
        """Return squares [parts, 3, 640, 640]; where real panels are too few, pictures fill up."""
        found = [] if kind == PICTURE else self.real.windows(kind, self.parts, self.chance)
        missing = self.parts - len(found)
        return torch.cat([*(window[None] for window in found), self._draw_squares(missing)])

    def _draw_squares(self, count: int) -> Tensor:
        """Draw squares of different pictures, half the time from one short series of a folder."""
        first, among = 0, self.pictures
        if among > SERIES and self.chance.unit(1).item() < 0.5:
            first, among = int(self.chance.below(among - SERIES + 1, 1)), SERIES
        order = self.chance.shuffled(among).repeat(math.ceil(count / among))[:count]
        place = first + order + self.chance.unit(count).double()
        square = torch.searchsorted(self.until, place).clamp(max=len(self.until) - 1)
        return self.squares[square.to(self.device)]


class DealtTask(Task):
    """A task whose batches a ``Dealer`` deals."""

    dealer: Dealer

    def state(self) -> dict[str, Tensor]:
        return {**super().state(), "dealer": self.dealer.chance.source.get_state()}

    def restore(self, state: dict[str, Tensor]) -> None:
        super().restore(state)
        self.dealer.chance.source.set_state(state["dealer"])
