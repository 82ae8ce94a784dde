"""Assembly: where each tile lies and how it is turned."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import COL_STEP, ROW_STEP, edge_towards, opposite


class Place(NamedTuple):
    """Where a tile may lie; all count from 0. Rows and cols may be one beyond the panel.

    Examples:
        >>> from azulejar import Place
        >>> Place(panel=0, row=3, col=1)
        Place(panel=0, row=3, col=1)
    """

    panel: int
    row: int
    col: int


@dataclass(frozen=True)
class Assembly:
    """Where each of n tiles lies.

    Args:
        row: Row of each tile in its panel, from 0: int32 [n].
        col: Col of each tile, from 0: int32 [n].
        turn: Clockwise quarters from how the tile's file shows it: int32 [n].
        panel: Number of the panel that each tile belongs to, -1 for a tile without a place:
            int32 [n].
        size: Rows and cols of a single panel, if known to exceed the box of its tiles: empty places
            at the rim count too.

    Examples:
        >>> from azulejar import Assembly
        >>> assembly = Assembly.of(row=[0, 0, 1], col=[0, 1, 0], turn=[0, 2, 0])
        >>> assembly.rows, assembly.cols
        (2, 2)
        >>> assembly.joints().tolist()  # right of tile 0 meets right of tile 1, which is turned
        [[1, 5], [2, 8]]
    """

    row: NDArray[np.int32]
    col: NDArray[np.int32]
    turn: NDArray[np.int32]
    panel: NDArray[np.int32]
    size: tuple[int, int] | None = None

    @classmethod
    def of(
        cls,
        row: object,
        col: object,
        turn: object,
        panel: object = None,
        size: tuple[int, int] | None = None,
    ) -> "Assembly":
        """Make an assembly of anything array-like.

        Each panel is moved so that its box starts at row 0, col 0, unless ``size`` says what the
        rows and cols are counted in.
        """
        rows, cols = np.array(row, np.int32), np.array(col, np.int32)
        panels = np.zeros_like(rows) if panel is None else np.array(panel, np.int32)
        for p in np.unique(panels[panels >= 0]) if size is None else ():
            rows[panels == p] -= rows[panels == p].min()
            cols[panels == p] -= cols[panels == p].min()
        rows[panels < 0] = cols[panels < 0] = 0
        return cls(rows, cols, np.array(turn, np.int32) % 4, panels, size)

    def __len__(self) -> int:
        return len(self.row)

    @property
    def rows(self) -> int:
        """Height of the largest panel, in tiles."""
        if self.size is not None:
            return self.size[0]
        return int(self.row[self.panel >= 0].max(initial=-1)) + 1

    @property
    def cols(self) -> int:
        """Width of the largest panel, in tiles."""
        if self.size is not None:
            return self.size[1]
        return int(self.col[self.panel >= 0].max(initial=-1)) + 1

    def box(self, panel: int) -> tuple[int, int]:
        """Return rows and cols of one panel, empty places at the rim included."""
        if self.size is not None:
            return self.size
        here = self.panel == panel
        return int(self.row[here].max(initial=-1)) + 1, int(self.col[here].max(initial=-1)) + 1

    def turned(self, quarters: int) -> "Assembly":
        """Return the whole assembly turned clockwise by so many quarters."""
        row, col, size = self.row, self.col, self.size
        for _ in range(quarters % 4):
            row, col = col, -row if size is None else size[0] - 1 - row
            size = None if size is None else (size[1], size[0])
        return Assembly.of(row, col, self.turn + quarters, self.panel, size)

    def neighbours(self) -> NDArray[np.int32]:
        """Return for each of the 4n edges the edge that it meets, or -1 [4n]."""
        met = np.full(4 * len(self), -1, np.int32)
        place = {
            (int(p), int(r), int(c)): t
            for t, (p, r, c) in enumerate(zip(self.panel, self.row, self.col, strict=True))
            if p >= 0
        }
        for (p, r, c), tile in place.items():
            for direction in range(4):
                step = (p, r + int(ROW_STEP[direction]), c + int(COL_STEP[direction]))
                other = place.get(step)
                if other is not None:
                    own = edge_towards(tile, self.turn[tile], direction)
                    met[own] = edge_towards(other, self.turn[other], opposite(direction))
        return met

    def joints(self) -> NDArray[np.int32]:
        """Return the pairs of edges that meet, each once, the lower edge first [joints, 2]."""
        met = self.neighbours()
        edges = np.flatnonzero((met >= 0) & (np.arange(len(met)) < met)).astype(np.int32)
        return np.stack([edges, met[edges]], axis=1)
