"""Crates of real tiles with a known truth, for the benchmarks that mix panels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar import Assembly, Compatibility, TileSet, get_measure
from azulejar.evaluation.protocol import KnownPanel, make_puzzles

TRIM = 0.03
STRAYS = 0.05  # share of the crate's tiles, drawn from the panels that are not in it


@dataclass
class Tiles:
    """Turned tiles with their truth, in which strays belong to panel -1."""

    pixels: NDArray[np.uint8]
    truth: Assembly

    def take(self, tiles: NDArray[np.int64]) -> "Tiles":
        parts = (self.truth.row, self.truth.col, self.truth.turn, self.truth.panel)
        return Tiles(self.pixels[tiles], Assembly(*(part[tiles] for part in parts)))

    def score(self) -> Compatibility:
        files = tuple(str(tile) for tile in range(len(self.pixels)))
        return get_measure("dlcm").score(TileSet(self.pixels, files))


def load_tiles(panel: KnownPanel) -> Tiles:
    """Return the turned tiles of a panel."""
    puzzle = next(p for p in make_puzzles([panel], (TRIM,), seed=0) if not p.upright)
    return Tiles(puzzle.tiles.pixels, puzzle.truth)


def mix(parts: list[Tiles], panels: int) -> Tiles:
    """Mix the first ``panels`` parts with strays from the others, and shuffle."""
    rng = np.random.default_rng(0)
    whole = sum(len(part.pixels) for part in parts[:panels])
    chosen, panel = [], []
    for number, part in enumerate(parts):
        tiles = np.arange(len(part.pixels))
        if number >= panels:
            count = round(STRAYS * whole / (len(parts) - panels))
            tiles = np.sort(rng.choice(tiles, count, replace=False))
        chosen.append(part.take(tiles))
        panel += [number if number < panels else -1] * len(tiles)
    places = [np.concatenate([getattr(part.truth, name) for part in chosen])
              for name in ("row", "col", "turn")]  # fmt: skip
    pixels = np.concatenate([part.pixels for part in chosen])
    together = Tiles(pixels, Assembly(*places, np.array(panel, np.int32)))
    return together.take(rng.permutation(len(panel)))
