"""Folders of cut tiles with where they lie: a puzzle, and the tiles of a wall."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.solution import Solution
from azulejar.imaging.picture import write_picture
from azulejar.system.atomic import new_folder
from azulejar.version import __version__

if TYPE_CHECKING:
    from azulejar.imaging.walls.grid import Grid

PUZZLE_MARK = "truth.json"
WALL_MARK = "grid.json"


def write_puzzle(
    folder: str | os.PathLike[str],
    tiles: NDArray[np.uint8],
    truth: Assembly,
    *,
    upright: bool,
    seed: int,
    overwrite: bool = False,
) -> None:
    """Write ``folder``/tiles/tile_0001.png …, and the truth apart from them as truth.json.

    ``tiles`` are [n, S, S, 3].
    """
    digits = max(4, len(str(len(tiles))))
    files = tuple(f"tile_{i + 1:0{digits}}.png" for i in range(len(tiles)))
    with new_folder(Path(folder), PUZZLE_MARK, overwrite) as temporary:
        solution = _write_tiles(temporary, files, tiles, truth, upright=upright, seed=seed)
        solution.save(temporary / PUZZLE_MARK)


def write_wall(
    folder: str | os.PathLike[str],
    stem: str,
    tiles: NDArray[np.uint8],
    grid: "Grid",
    overlay: NDArray[np.uint8],
    *,
    overwrite: bool = False,
) -> None:
    """Write ``folder``/tiles/STEM_r01_c01.png …, solution.json, grid.json and overlay.png.

    ``tiles`` are [rows × cols, S, S, 3]; ``overlay`` [H, W, 3] shows the grid drawn on the wall.
    """
    digits = max(2, len(str(max(grid.rows, grid.cols))))
    rows, cols = np.divmod(np.arange(len(tiles)), grid.cols)
    files = tuple(
        f"{stem}_r{row + 1:0{digits}}_c{col + 1:0{digits}}.png"
        for row, col in zip(rows, cols, strict=True)
    )
    lie = Assembly.of(rows, cols, np.zeros(len(tiles)))
    with new_folder(Path(folder), WALL_MARK, overwrite) as temporary:
        solution = _write_tiles(temporary, files, tiles, lie, upright=True)
        solution.save(temporary / "solution.json")
        write_picture(temporary / "overlay.png", overlay)
        grid.save(temporary / WALL_MARK)


def _write_tiles(
    folder: Path,
    files: tuple[str, ...],
    tiles: NDArray[np.uint8],
    assembly: Assembly,
    **about: Any,
) -> Solution:
    """Write tiles to ``folder``/tiles; return where they lie as a solution."""
    for file, tile in zip(files, tiles, strict=True):
        write_picture(folder / "tiles" / file, tile)
    return Solution.of(assembly, files, folder=str(folder / "tiles"), version=__version__, **about)
