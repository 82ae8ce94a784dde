"""The picture of an assembly."""

from statistics import median

import numpy as np
from numpy.typing import NDArray

from azulejar.assembly import Assembly
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import tile_side
from azulejar.imaging.picture import MAX_PIXELS, picture_size, read_tile, resampled
from azulejar.tiles import TileSet

LONGEST_SIDE = 8000
HATCHING = (236, 216)


def render(tiles: TileSet, assembly: Assembly, tile_size: int | None = None) -> NDArray[np.uint8]:
    """The assembly as uint8 [H, W, 3], its panels side by side, half a tile apart.

    Places without a tile are hatched, tiles that are not placed left out. ``tile_size`` is in
    pixels; beyond the working size the full pictures are read again. By default it is the median
    side of the full pictures, less where the picture would be longer than 8,000 px.
    """
    panels = [int(p) for p in np.unique(assembly.panel) if p >= 0]
    if not panels:
        raise AzulejarError("No tile of this assembly is placed.", "Place one tile at least.")
    rows = [int(assembly.row[assembly.panel == p].max()) + 1 for p in panels]
    cols = [int(assembly.col[assembly.panel == p].max()) + 1 for p in panels]
    longest = max(*rows, sum(cols) + (len(panels) - 1) / 2)
    size = _default_size(tiles, longest) if tile_size is None else tile_size
    gap = size // 2
    height, width = max(rows) * size, sum(cols) * size + (len(panels) - 1) * gap
    if size < 1 or height * width > MAX_PIXELS:
        raise AzulejarError(
            f"A panel of {max(rows)} × {sum(cols)} tiles of {size} px cannot be drawn.",
            "Give a tile size of 1 px or more that keeps it below "
            f"{MAX_PIXELS // 10**6} million pixels.",
        )
    canvas = np.full((height, width, 3), 255, np.uint8)
    left = 0
    for panel, panel_rows, panel_cols in zip(panels, rows, cols, strict=True):
        right = left + panel_cols * size
        _draw_panel(canvas[: panel_rows * size, left:right], tiles, assembly, panel, size)
        left = right + gap
    return canvas


def _default_size(tiles: TileSet, longest: float) -> int:
    """Side of a tile in pixels, for a picture that is ``longest`` tiles long."""
    side: float = tiles.size
    if tiles.folder is not None:
        side = median(tile_side(picture_size(tiles.folder / file)) for file in tiles.files)
    return max(1, min(round(side), int(LONGEST_SIDE / longest)))


def _draw_panel(
    canvas: NDArray[np.uint8], tiles: TileSet, assembly: Assembly, panel: int, size: int
) -> None:
    stripe = np.add.outer(np.arange(size), np.arange(canvas.shape[1])) * 8 // size % 2
    empty_row = np.array(HATCHING, np.uint8)[stripe][..., None]
    for top in range(0, len(canvas), size):
        canvas[top : top + size] = empty_row
    for tile in np.flatnonzero(assembly.panel == panel).tolist():
        top, left = assembly.row[tile] * size, assembly.col[tile] * size
        upright = np.rot90(_tile(tiles, tile, size), -assembly.turn[tile])
        canvas[top : top + size, left : left + size] = upright


def _tile(tiles: TileSet, tile: int, size: int) -> NDArray[np.uint8]:
    if tiles.folder is not None and size > tiles.size:
        return read_tile(tiles.folder / tiles.files[tile], size)
    return resampled(tiles.pixels[tile], size)
