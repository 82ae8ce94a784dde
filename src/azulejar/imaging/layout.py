"""Where the panels and tiles of an assembly lie in its picture, in pixels."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.halves import Halved, half_lines
from azulejar.errors import AzulejarError

LARGEST_TILE = 8192
LARGEST_PICTURE = 10**11
JOINT_SHARE = 0.02  # 3 mm on a tile of 14 cm

Line = tuple[int, int]
"""First pixel of a row or col, and its size in pixels."""


@dataclass(frozen=True)
class Box:
    """The number of a panel and its size in tiles.

    A ``pile`` shows tiles as they were before assembly; its empty places are left white.
    ``half_rows`` are half as high as others, ``half_cols`` half as wide.
    """

    panel: int
    rows: int
    cols: int
    pile: bool = False
    half_rows: tuple[int, ...] = ()
    half_cols: tuple[int, ...] = ()


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

    @cached_property
    def down(self) -> tuple[Line, ...]:
        """Each row's first pixel and its height."""
        return self._lines(self.rows, self._half_rows)

    def across(self, box: Box) -> tuple[Line, ...]:
        """Return the first pixel of each col, counted within the panel, and its width."""
        return self._lines(box.cols, box.half_cols)

    @property
    def height(self) -> int:
        """Height of the picture in pixels."""
        return self._length(self.rows, self._half_rows)

    @property
    def width(self) -> int:
        """Width of the picture in pixels."""
        last = self.boxes[-1]
        return self.lefts[-1] + self._length(last.cols, last.half_cols)

    @property
    def lefts(self) -> list[int]:
        """Left side of each panel in pixels."""
        gap = self.size // 2
        widths = (self._length(box.cols, box.half_cols) for box in self.boxes[:-1])
        return [0, *accumulate(width + gap for width in widths)]

    @cached_property
    def _half_rows(self) -> tuple[int, ...]:
        """Rows that are half as high: those in which all panels agree."""
        rows = sorted({row for box in self.boxes for row in box.half_rows})
        return tuple(
            row for row in rows if all(row in box.half_rows for box in self.boxes if row < box.rows)
        )

    @property
    def _half(self) -> int:
        """Pixels of half a tile: two of them with a joint are as long as a tile."""
        return max(1, (self.size - self.joint) // 2)

    def _length(self, count: int, half: Collection[int]) -> int:
        """Return the pixels that a line of places takes, with the joints between them."""
        return count * (self.size + self.joint) - self.joint - len(half) * (self.size - self._half)

    def _lines(self, count: int, half: Collection[int]) -> tuple[Line, ...]:
        sizes = [self._half if line in half else self.size for line in range(count)]
        starts = accumulate((size + self.joint for size in sizes[:-1]), initial=0)
        return tuple(zip(starts, sizes, strict=True))


def boxes_of(assembly: Assembly, halved: Halved | None = None) -> tuple[Box, ...]:
    """Return the boxes of the panels that hold tiles; raise if there are none.

    ``halved`` [n, 2] tells which tiles are halves (see ``core.halves``).
    """
    panels = [int(panel) for panel in np.unique(assembly.panel) if panel >= 0]
    if not panels:
        raise AzulejarError(
            "assembly-empty", "No tile of this assembly is placed.", "Place one tile at least."
        )
    return tuple(
        Box(panel, *assembly.box(panel), False, *half_lines(assembly, halved, panel))
        for panel in panels
    )


def fitting_size(boxes: tuple[Box, ...], side: float, longest: int) -> int:
    """Return the tile size in pixels, at most ``side``, that keeps the picture's sides within
    ``longest``.
    """
    wide = sum(box.cols for box in boxes) + (len(boxes) - 1) / 2
    return max(1, min(round(side), int(longest / max(wide, *(box.rows for box in boxes)))))


def before_and_after(
    assembly: Assembly, halved: Halved | None = None
) -> tuple[Assembly, tuple[Box, ...]]:
    """Return 2n tiles with their boxes: the n loose tiles as a pile, then the same n assembled.

    The pile is panel 0, in the order of the tiles and unturned. Tiles n and up lie as in
    ``assembly``, their panel numbers one higher.
    """
    count = len(assembly)
    cols = math.ceil(math.sqrt(count))
    row, col = np.divmod(np.arange(count, dtype=np.int32), cols)
    pile = Box(0, math.ceil(count / cols), cols, pile=True)
    panels = (replace(box, panel=box.panel + 1) for box in boxes_of(assembly, halved))
    both = Assembly(
        np.concatenate([row, assembly.row]),
        np.concatenate([col, assembly.col]),
        np.concatenate([np.zeros_like(row), assembly.turn]),
        np.concatenate([np.zeros_like(row), np.where(assembly.panel < 0, -1, assembly.panel + 1)]),
    )
    return both, (pile, *panels)
