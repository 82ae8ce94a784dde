"""The tiles of a wall as a folder: tiles, where they lie, the grid, and the grid drawn."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.solution import Solution
from azulejar.imaging.picture import write_picture
from azulejar.imaging.walls.grid import Grid
from azulejar.system.atomic import new_folder
from azulejar.version import __version__

MARK = "grid.json"


def write_wall(
    folder: Path,
    stem: str,
    tiles: NDArray[np.uint8],
    grid: Grid,
    overlay: NDArray[np.uint8],
    *,
    overwrite: bool = False,
) -> None:
    """Write ``folder``/tiles/STEM_r01_c01.png …, solution.json, grid.json and overlay.png."""
    digits = max(2, len(str(max(grid.rows, grid.cols))))
    rows, cols = np.divmod(np.arange(len(tiles)), grid.cols)
    files = tuple(
        f"{stem}_r{row + 1:0{digits}}_c{col + 1:0{digits}}.png"
        for row, col in zip(rows, cols, strict=True)
    )
    with new_folder(folder, MARK, overwrite) as temporary:
        for file, tile in zip(files, tiles, strict=True):
            write_picture(temporary / "tiles" / file, tile)
        solution = Solution.of(
            Assembly.of(rows, cols, np.zeros(len(tiles))),
            files,
            folder=str(temporary / "tiles"),
            upright=True,
            version=__version__,
        )
        solution.save(temporary / "solution.json")
        write_picture(temporary / "overlay.png", overlay)
        grid.save(temporary / MARK)
