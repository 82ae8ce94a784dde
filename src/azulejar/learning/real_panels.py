"""Real panels, cut anew at every step to make the most of the few there are."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from azulejar.learning.ageing import Chance
from azulejar.learning.pictures import CELL, MARGIN, SQUARE, Panel

OWN, SHIFTED, FREE = "own", "shifted", "free"
JOINT = 2  # pixels at each side of a joint that are painted over
SMALLEST = 0.75  # of the grid: panels of at least this size are enlarged to serve as pictures
SCALES = 0.94, 1.4  # range of a free window's side, relative to the usual one


class RealPanels:
    """Whole panels on the device, and windows of them as squares [m, 3, 640, 640].

    A window shows grid × grid tiles and a margin of one tile, which mirrors the panel beyond its
    rim. It is cut in one of three ways:

    - ``own``: on the joints;
    - ``shifted``: anywhere, so that the joints run through the tiles;
    - ``free``: anywhere and at any scale, joints painted over.
    """

    def __init__(self, panels: Sequence[Panel], grid: int, device: torch.device) -> None:
        self.core, self.side = grid * CELL, (grid + 2 * MARGIN) * CELL
        self.whole: list[Tensor] = []
        self.free: list[Tensor] = []
        for panel in panels:
            smaller = min(panel.rows, panel.cols)
            if smaller >= grid:
                self.whole.append(_add_margin(_join_cells(panel.cells)).to(device))
            if smaller >= SMALLEST * grid:
                picture = _enlarge(_paint_over_joints(panel), max(1.0, grid / smaller))
                self.free.append(_add_margin(picture).to(device))

    def pictures(self, kind: str) -> list[Tensor]:
        """Return the panels [3, height, width] that are large enough to be cut in that way."""
        return self.free if kind == FREE else self.whole

    def windows(self, kind: str, most: int, chance: Chance) -> list[Tensor]:
        """Cut up to ``most`` windows that do not overlap; ``chance`` is on the CPU."""
        pictures = self.pictures(kind)
        found: list[Tensor] = []
        for which in _by_size(pictures, chance):
            picture = pictures[which]
            if kind == FREE:
                found.append(self._cut_freely(picture, chance))
            else:
                found += self._cut_on_grid(picture, CELL if kind == OWN else 1, chance)
            if len(found) >= most:
                break
        return found[:most]

    def _cut_on_grid(self, picture: Tensor, step: int, chance: Chance) -> list[Tensor]:
        """Cut a window, or two side by side if there is room, at multiples of ``step`` pixels."""
        room = [length - self.side for length in picture.shape[1:]]
        corner = [step * _below(space // step + 1, chance) for space in room]
        corners = [corner]
        axis = int(room[1] > room[0])
        spare = room[axis] - self.core
        if spare >= 0:
            corner[axis] = step * _below(spare // step + 1, chance)
            second = corner.copy()
            second[axis] += self.core
            second[axis] += step * _below((spare - corner[axis]) // step + 1, chance)
            corners.append(second)
        return [self._cut(picture, top, left, self.side) for top, left in corners]

    def _cut_freely(self, picture: Tensor, chance: Chance) -> Tensor:
        shorter = min(picture.shape[1:])
        low, high = (min(shorter, round(scale * self.side)) for scale in SCALES)
        side = low + _below(high - low + 1, chance)
        top, left = (_below(length - side + 1, chance) for length in picture.shape[1:])
        return self._cut(picture, top, left, side)

    @staticmethod
    def _cut(picture: Tensor, top: int, left: int, side: int) -> Tensor:
        window = picture[:, top : top + side, left : left + side]
        if side == SQUARE:
            return window
        size = (SQUARE, SQUARE)
        window = functional.interpolate(window[None].float(), size, mode="bilinear", antialias=True)
        return window[0].round().byte()


def _below(high: int, chance: Chance) -> int:
    return int(chance.below(high, 1))


def _by_size(pictures: Sequence[Tensor], chance: Chance) -> list[int]:
    """Return all of them in random order, larger ones more likely first."""
    if not pictures:
        return []
    weights = torch.tensor([float(p.shape[1] * p.shape[2]) for p in pictures]).sqrt()
    return torch.multinomial(weights, len(pictures), generator=chance.source).tolist()


def _join_cells(cells: NDArray[np.uint8]) -> Tensor:
    rows, cols = cells.shape[:2]
    joined = cells.transpose(2, 0, 3, 1, 4).reshape(3, rows * CELL, cols * CELL)
    return torch.from_numpy(np.ascontiguousarray(joined))


def _add_margin(picture: Tensor) -> Tensor:
    margin = [(MARGIN * CELL, MARGIN * CELL)] * 2
    return torch.from_numpy(np.pad(picture.numpy(), ((0, 0), *margin), mode="symmetric"))


def _paint_over_joints(panel: Panel) -> Tensor:
    """Return the panel's picture, with colours interpolated across every joint."""
    picture = _join_cells(panel.cells).float()
    share = torch.arange(1, 2 * JOINT + 1) / (2 * JOINT + 1)
    for lines, count in ((picture, panel.rows), (picture.transpose(1, 2), panel.cols)):
        for joint in range(CELL, count * CELL, CELL):
            before, after = lines[:, joint - JOINT - 1, None], lines[:, joint + JOINT, None]
            across = before + (after - before) * share[:, None]
            lines[:, joint - JOINT : joint + JOINT] = across
    return picture.round().byte()


def _enlarge(picture: Tensor, scale: float) -> Tensor:
    if scale == 1:
        return picture
    size = [round(length * scale) for length in picture.shape[1:]]
    larger = functional.interpolate(picture[None].float(), size, mode="bicubic")
    return larger[0].round().clamp(0, 255).byte()
