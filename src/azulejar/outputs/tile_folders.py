"""Folders of cut tiles with where they lie: a puzzle, and the tiles of a wall."""

import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.solution import Solution
from azulejar.imaging.picture import read_picture, write_picture
from azulejar.imaging.tile_shapes import find_halves
from azulejar.system.atomic import new_folder, refuse_existing
from azulejar.version import __version__

if TYPE_CHECKING:
    from azulejar.imaging.walls.grid import Grid

PUZZLE_MARK = "truth.json"
WALL_MARK = "grid.json"


def write_puzzle(
    folder: str | os.PathLike[str],
    tiles: Collection[NDArray[np.uint8]],
    truth: Assembly,
    *,
    upright: bool,
    seed: int,
    overwrite: bool = False,
) -> None:
    """Write ``folder``/tiles/tile_0001.png …, and the truth apart from them as truth.json.

    ``tiles`` are n pictures [h, w, 3], or [h, w, 4] with transparent parts where glaze is missing.
    """
    digits = max(4, len(str(len(tiles))))
    files = tuple(f"tile_{i + 1:0{digits}}.png" for i in range(len(tiles)))
    with new_folder(Path(folder), PUZZLE_MARK, overwrite) as temporary:
        solution = _write_tiles(temporary, files, tiles, truth, upright=upright, seed=seed)
        solution.save(temporary / PUZZLE_MARK)


def wall_files(stem: str, rows: int, cols: int) -> tuple[str, ...]:
    """Return the names STEM_r01_c01.png … of the tiles of a wall, in reading order."""
    digits = max(2, len(str(max(rows, cols))))
    return tuple(
        f"{stem}_r{row + 1:0{digits}}_c{col + 1:0{digits}}.png"
        for row in range(rows)
        for col in range(cols)
    )


def write_wall(
    folder: str | os.PathLike[str],
    stem: str,
    picture: NDArray[np.uint8],
    grid: "Grid",
    *,
    corners: NDArray[np.float64] | None = None,
    others: Sequence["Grid"] = (),
    tile_size: int | None = None,
    overwrite: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> None:
    """Cut a photographed wall [H, W, 3] at its joints, and write the tiles.

    ``folder`` gets tiles/STEM_r01_c01.png …, solution.json, grid.json, and overlay.png, which shows
    the grid with the ``corners`` that were given [4, 2] and the grids of ``others`` panels.
    """
    # Loaded here, since OpenCV takes long and puzzles need none.
    from azulejar.imaging.walls.cut import cut_tiles, draw_grid

    tiles = cut_tiles(picture, grid, tile_size, on_progress)
    rows, cols = np.divmod(np.arange(len(tiles)), grid.cols)
    lie = Assembly.of(rows, cols, np.zeros(len(tiles)))
    files = wall_files(stem, grid.rows, grid.cols)
    with new_folder(Path(folder), WALL_MARK, overwrite) as temporary:
        solution = _write_tiles(temporary, files, tiles, lie, upright=True)
        solution.save(temporary / "solution.json")
        write_picture(temporary / "overlay.png", draw_grid(picture, grid, corners, others))
        grid.save(temporary / WALL_MARK)


def cut_wall(
    photo: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    corners: Sequence[tuple[float, float]] | None = None,
    rows: int | None = None,
    cols: int | None = None,
    tile_size: int | None = None,
    overwrite: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> "Grid":
    """Cut a photograph of a tiled wall into tiles at the joints, and write them.

    Args:
        photo: The photograph.
        folder: Gets tiles/, solution.json, grid.json, and overlay.png to check.
        corners: The panel's four corners in pixels, as x and y, from the top left clockwise; half
            a tile off is near enough. Without them, the largest grid that is surely seen.
        rows: Rows of tiles, if known.
        cols: Cols of tiles, if known.
        tile_size: Side of the tiles in pixels; by default as they are in the photograph.
        overwrite: Replace a folder that an earlier cut wrote.
        on_progress: Called with the fraction of the search for joints, from 0 to 1.

    Returns:
        The grid of joints.

    Raises:
        AzulejarError: If the photograph cannot be read, no grid is sure, or the folder exists.

    Examples:
        >>> import tempfile
        >>> import numpy as np
        >>> import azulejar
        >>> wall = np.full((330, 330, 3), 230, np.uint8)
        >>> wall[33::60] = wall[:, 33::60] = 90  # the joints
        >>> with tempfile.TemporaryDirectory() as home:
        ...     azulejar.write_picture(f"{home}/wall.png", wall)
        ...     grid = azulejar.cut_wall(
        ...         f"{home}/wall.png", f"{home}/cut", rows=4, cols=4,
        ...         corners=[(33, 33), (273, 33), (273, 273), (33, 273)],
        ...     )
        ...     len(azulejar.load_tiles(f"{home}/cut/tiles"))
        16
    """
    # Loaded here, since OpenCV takes long and puzzles need none.
    from azulejar.imaging.walls.detect import find_grids

    refuse_existing(folder, WALL_MARK, overwrite)
    picture = read_picture(Path(photo))
    given = None if corners is None else np.array(corners, np.float64)
    grid, *others = find_grids(picture, str(photo), given, rows, cols, on_progress)
    write_wall(
        folder,
        Path(photo).stem,
        picture,
        grid,
        corners=given,
        others=others,
        tile_size=tile_size,
        overwrite=overwrite,
    )
    return grid


def _write_tiles(
    folder: Path,
    files: tuple[str, ...],
    tiles: Collection[NDArray[np.uint8]],
    assembly: Assembly,
    **about: Any,
) -> Solution:
    """Write tiles to ``folder``/tiles; return where they lie as a solution."""
    for file, tile in zip(files, tiles, strict=True):
        write_picture(folder / "tiles" / file, tile)
    halved = find_halves([(tile.shape[1], tile.shape[0]) for tile in tiles])
    about |= {"folder": str(folder / "tiles"), "version": __version__}
    return Solution.of(assembly, files, halved=halved, **about)
