"""Where the panels and places of an assembly lie in its picture, in pixels."""

from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.errors import AzulejarError

LARGEST_TILE = 8192
LARGEST_PICTURE = 10**11
JOINT_SHARE = 0.02  # 3 mm on a tile of 14 cm


@dataclass(frozen=True)
class Box:
    """The number of a panel, and how many places it has.

    Of a pile, tiles as they were before they were put together, empty places mean nothing.
    """

    panel: int
    rows: int
    cols: int
    pile: bool = False


@dataclass(frozen=True)
class Layout:
    """Panels side by side, half a tile apart; tiles of ``size`` px with joints of ``joint`` px."""

    boxes: tuple[Box, ...]
    size: int
    joint: int

    @classmethod
    def of(cls, boxes: tuple[Box, ...], size: int, *, joints: bool = False) -> "Layout":
        """Tiles of ``size`` px, with or without visible joints."""
        layout = cls(boxes, size, max(1, round(size * JOINT_SHARE)) if joints else 0)
        if not 1 <= size <= LARGEST_TILE or layout.width * layout.height > LARGEST_PICTURE:
            cols = sum(box.cols for box in boxes)
            raise AzulejarError(
                f"A panel of {layout.rows} × {cols} tiles of {size} px cannot be drawn.",
                f"Give a tile size from 1 to {LARGEST_TILE} px that keeps the picture below "
                f"{LARGEST_PICTURE // 10**6:,} million pixels.",
            )
        return layout

    @property
    def rows(self) -> int:
        """Of the highest panel."""
        return max(box.rows for box in self.boxes)

    @property
    def pitch(self) -> int:
        """From one tile's left side to the next one's."""
        return self.size + self.joint

    @property
    def height(self) -> int:
        return self.length(self.rows)

    @property
    def width(self) -> int:
        return self.lefts[-1] + self.length(self.boxes[-1].cols)

    @property
    def lefts(self) -> list[int]:
        """Where each panel begins."""
        gap = self.size // 2
        return [0, *accumulate(self.length(box.cols) + gap for box in self.boxes[:-1])]

    def length(self, tiles: int) -> int:
        """Of so many tiles in a line, with the joints between them."""
        return tiles * self.pitch - self.joint


def boxes_of(assembly: Assembly) -> tuple[Box, ...]:
    """The panels that hold tiles; there must be one at least."""
    panels = [int(panel) for panel in np.unique(assembly.panel) if panel >= 0]
    if not panels:
        raise AzulejarError("No tile of this assembly is placed.", "Place one tile at least.")
    return tuple(Box(panel, *assembly.box(panel)) for panel in panels)


def fitting_size(boxes: tuple[Box, ...], side: float, longest: int) -> int:
    """``side`` of a tile in pixels, or less, so that no side of the picture passes ``longest``."""
    wide = sum(box.cols for box in boxes) + (len(boxes) - 1) / 2
    return max(1, min(round(side), int(longest / max(wide, *(box.rows for box in boxes)))))
