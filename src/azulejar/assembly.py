"""Assembly: where each tile lies and how it is turned."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.edges import COL_STEP, ROW_STEP


@dataclass(frozen=True)
class Assembly:
    """One entry a tile: int arrays ``row``, ``col`` and ``turn`` (clockwise quarters), each [n].

    ``panel`` numbers the panel a tile belongs to; -1 means that the tile is not placed.
    """

    row: NDArray[np.int32]
    col: NDArray[np.int32]
    turn: NDArray[np.int32]
    panel: NDArray[np.int32]

    @classmethod
    def of(cls, row: object, col: object, turn: object, panel: object = None) -> "Assembly":
        """From anything array-like, moved so that each panel's box starts at row 0, col 0."""
        rows, cols = np.array(row, np.int32), np.array(col, np.int32)
        panels = np.zeros_like(rows) if panel is None else np.array(panel, np.int32)
        for p in np.unique(panels[panels >= 0]):
            rows[panels == p] -= rows[panels == p].min()
            cols[panels == p] -= cols[panels == p].min()
        rows[panels < 0] = cols[panels < 0] = 0
        return cls(rows, cols, np.array(turn, np.int32) % 4, panels)

    def __len__(self) -> int:
        return len(self.row)

    @property
    def rows(self) -> int:
        """Height of the largest panel's box, in tiles."""
        return int(self.row[self.panel >= 0].max(initial=-1)) + 1

    @property
    def cols(self) -> int:
        """Width of the largest panel's box, in tiles."""
        return int(self.col[self.panel >= 0].max(initial=-1)) + 1

    def turned(self, quarters: int) -> "Assembly":
        """The whole assembly turned clockwise."""
        row, col = self.row, self.col
        for _ in range(quarters % 4):
            row, col = col, -row
        return Assembly.of(row, col, self.turn + quarters, self.panel)

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
                    met[4 * tile + (direction - self.turn[tile]) % 4] = (
                        4 * other + (direction + 2 - self.turn[other]) % 4
                    )
        return met

    def joints(self) -> NDArray[np.int32]:
        """Edge pairs that meet, each once, as [joints, 2] with the lower edge first."""
        met = self.neighbours()
        edges = np.flatnonzero((met >= 0) & (np.arange(len(met)) < met)).astype(np.int32)
        return np.stack([edges, met[edges]], axis=1)
