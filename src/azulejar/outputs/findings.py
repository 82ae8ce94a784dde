"""Findings: an assembly with the confidence in it, as the parts of the report need it."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.judging.confidence import joint_confidence, mean_by_tile


@dataclass(frozen=True)
class Findings:
    """An assembly of n tiles with m joints.

    ``joints`` [m, 2] are edge pairs; ``joint_confidence`` [m] and ``tile_confidence`` [n] lie in
    [0, 1]. Tiles and compatibility are in the same order.
    """

    tiles: TileSet
    assembly: Assembly
    compatibility: Compatibility
    joints: NDArray[np.int32]
    joint_confidence: NDArray[np.float64]
    tile_confidence: NDArray[np.float64]

    @classmethod
    def of(cls, tiles: TileSet, assembly: Assembly, compatibility: Compatibility) -> "Findings":
        joints, confidence = joint_confidence(compatibility, assembly)
        by_tile = mean_by_tile(joints, confidence, len(assembly))
        return cls(tiles, assembly, compatibility, joints, confidence, by_tile)

    @property
    def panels(self) -> list[int]:
        """Numbers of the panels that hold tiles."""
        return [int(panel) for panel in np.unique(self.assembly.panel) if panel >= 0]

    def name(self, tile: int) -> str:
        """The tile's inventory number, escaped for HTML."""
        return escape(Path(self.tiles.files[tile]).stem)

    def place(self, tile: int) -> str:
        """Where the tile lies, counted from 1."""
        if self.assembly.panel[tile] < 0:
            return "without a place"
        panel = f"panel {self.assembly.panel[tile] + 1}, " if len(self.panels) > 1 else ""
        return f"{panel}row {self.assembly.row[tile] + 1}, col {self.assembly.col[tile] + 1}"
