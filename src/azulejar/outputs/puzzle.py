"""A puzzle as a folder: the tiles, and the truth apart from them."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.solution import Solution
from azulejar.imaging.picture import write_picture
from azulejar.system.atomic import new_folder
from azulejar.version import __version__

MARK = "truth.json"


def write_puzzle(
    folder: Path,
    tiles: NDArray[np.uint8],
    truth: Assembly,
    *,
    upright: bool,
    seed: int,
    overwrite: bool = False,
) -> None:
    """Write ``folder``/tiles/tile_0001.png … and ``folder``/truth.json."""
    digits = max(4, len(str(len(tiles))))
    files = tuple(f"tile_{i + 1:0{digits}}.png" for i in range(len(tiles)))
    with new_folder(folder, MARK, overwrite) as temporary:
        for file, tile in zip(files, tiles, strict=True):
            write_picture(temporary / "tiles" / file, tile)
        solution = Solution.of(
            truth,
            files,
            folder=str(temporary / "tiles"),
            upright=upright,
            seed=seed,
            version=__version__,
        )
        solution.save(temporary / MARK)
