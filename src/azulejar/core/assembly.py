"""Assembly: where each tile lies and how it is turned."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import COL_STEP, ROW_STEP, edge_towards, opposite


class Place(NamedTuple):
    """Where a tile may lie; all count from 0. Rows and cols may be one beyond the panel."""

    panel: int
    row: int
    col: int


@dataclass(frozen=True)
class Assembly:
    """One entry a tile: int arrays ``row``, ``col`` and ``turn`` (clockwise quarters), each [n].

    ``panel`` numbers the panel a tile belongs to; -1 means that the tile is not placed. ``size``
    is the rows and cols of a single panel where they are known to be more than its tiles' box:
    empty places at the rim are places too.
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
        """From anything array-like, moved so that each panel's box starts at row 0, col 0.

        Nothing is moved where ``size`` says what the rows and cols are counted in.
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
        """Rows and cols of one panel, empty places at the rim included."""
        if self.size is not None:
            return self.size
        here = self.panel == panel
        return int(self.row[here].max(initial=-1)) + 1, int(self.col[here].max(initial=-1)) + 1

    def turned(self, quarters: int) -> "Assembly":
        """The whole assembly turned clockwise."""
        row, col, size = self.row, self.col, self.size
        for _ in range(quarters % 4):
            row, col = col, -row if size is None else size[0] - 1 - row
            size = None if size is None else (size[1], size[0])
        return Assembly.of(row, col, self.turn + quarters, self.panel, size)

    def neighbours(self) -> NDArray[np.int32]:
        """For each of the 4n edges the edge it meets, or -1."""
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
        """Edge pairs that meet, each once, as [joints, 2] with the lower edge first."""
        met = self.neighbours()
        edges = np.flatnonzero((met >= 0) & (np.arange(len(met)) < met)).astype(np.int32)
        return np.stack([edges, met[edges]], axis=1)
