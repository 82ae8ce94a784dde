"""Where the panels and tiles of an assembly lie in its picture, in pixels."""

import math
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
    """The number of a panel and its size in tiles.

    A ``pile`` shows tiles as they were before assembly; its empty places are left white.
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
        """Lay out tiles of ``size`` px, with or without visible joints."""
        layout = cls(boxes, size, max(1, round(size * JOINT_SHARE)) if joints else 0)
        if not 1 <= size <= LARGEST_TILE or layout.width * layout.height > LARGEST_PICTURE:
            raise AzulejarError(
                "layout-wrong-tile-size",
                "A panel of {rows} × {cols} tiles of {size} px cannot be drawn.",
                "Give a tile size from 1 to {largest} px that keeps the picture below "
                "{limit:,} million pixels.",
                rows=layout.rows,
                cols=sum(box.cols for box in boxes),
                size=size,
                largest=LARGEST_TILE,
                limit=LARGEST_PICTURE // 10**6,
            )
        return layout

    @property
    def rows(self) -> int:
        """Rows of the highest panel."""
        return max(box.rows for box in self.boxes)

    @property
    def pitch(self) -> int:
        """Pixels from one tile's left side to the next one's."""
        return self.size + self.joint

    @property
    def height(self) -> int:
        """Height of the picture in pixels."""
        return self.length(self.rows)

    @property
    def width(self) -> int:
        """Width of the picture in pixels."""
        return self.lefts[-1] + self.length(self.boxes[-1].cols)

    @property
    def lefts(self) -> list[int]:
        """Left side of each panel in pixels."""
        gap = self.size // 2
        return [0, *accumulate(self.length(box.cols) + gap for box in self.boxes[:-1])]

    def length(self, tiles: int) -> int:
        """Return the pixels that a line of ``tiles`` takes, with the joints between them."""
        return tiles * self.pitch - self.joint


def boxes_of(assembly: Assembly) -> tuple[Box, ...]:
    """Return the boxes of the panels that hold tiles; raise if there are none."""
    panels = [int(panel) for panel in np.unique(assembly.panel) if panel >= 0]
    if not panels:
        raise AzulejarError(
            "assembly-empty", "No tile of this assembly is placed.", "Place one tile at least."
        )
    return tuple(Box(panel, *assembly.box(panel)) for panel in panels)


def fitting_size(boxes: tuple[Box, ...], side: float, longest: int) -> int:
    """Return the tile size in pixels, at most ``side``, that keeps the picture's sides within
    ``longest``.
    """
    wide = sum(box.cols for box in boxes) + (len(boxes) - 1) / 2
    return max(1, min(round(side), int(longest / max(wide, *(box.rows for box in boxes)))))


def before_and_after(assembly: Assembly) -> tuple[Assembly, tuple[Box, ...]]:
    """Return 2n tiles with their boxes: the n loose tiles as a pile, then the same n assembled.

    The pile is panel 0, in the order of the tiles and unturned. Tiles n and up lie as in
    ``assembly``, their panel numbers one higher.
    """
    count = len(assembly)
    cols = math.ceil(math.sqrt(count))
    row, col = np.divmod(np.arange(count, dtype=np.int32), cols)
    pile = Box(0, math.ceil(count / cols), cols, pile=True)
    panels = (Box(box.panel + 1, box.rows, box.cols) for box in boxes_of(assembly))
    both = Assembly(
        np.concatenate([row, assembly.row]),
        np.concatenate([col, assembly.col]),
        np.concatenate([np.zeros_like(row), assembly.turn]),
        np.concatenate([np.zeros_like(row), np.where(assembly.panel < 0, -1, assembly.panel + 1)]),
    )
    return both, (pile, *panels)
