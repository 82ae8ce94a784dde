"""The full pictures of a solution's tiles, read one at a time."""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.folder import tile_side
from azulejar.imaging.picture import colour_profile, picture_size, read_tile
from azulejar.system.natural_order import natural_order

if TYPE_CHECKING:  # solutions are read by pydantic, which a bare server lacks
    from azulejar.core.solution import Solution


def find_tiles_folder(solution: "Solution", moved: str | os.PathLike[str] | None = None) -> Path:
    """Return the folder of a solution's tiles: where they have ``moved`` to, or as it says.

    Raises:
        AzulejarError: If the solution does not say it, or the folder does not exist.
    """
    given = moved or solution.folder
    if given is None:
        raise AzulejarError(
            "tiles-folder-unknown",
            "The solution does not say where its tiles lie.",
            "Give the folder of the tiles.",
        )
    if not Path(given).is_dir():
        raise AzulejarError(
            "tiles-moved",
            "There is no folder {folder}.",
            "Say where the tiles lie.",
            folder=str(given),
        )
    return Path(given)


@dataclass(frozen=True)
class Originals:
    """The full pictures of n tiles in ``folder``, read one at a time and never changed.

    Call it with a tile's number and a size to read that tile. If all pictures carry the same RGB
    colour profile, their colours are left as they are; otherwise they are converted to sRGB.
    """

    folder: Path
    files: tuple[str, ...]

    @classmethod
    def of(cls, solution: "Solution", folder: str | os.PathLike[str] | None = None) -> "Originals":
        """Open the pictures of a solution's tiles, in natural order of their names."""
        files = tuple(sorted(solution.files, key=natural_order))
        return cls(find_tiles_folder(solution, folder), files)

    def __post_init__(self) -> None:
        for file in self.files:
            if not (self.folder / file).is_file():
                raise AzulejarError(
                    "tile-missing",
                    "{folder} has no tile {file}.",
                    "Give the folder of the tiles that belong to this solution.",
                    folder=str(self.folder),
                    file=file,
                )

    def __call__(self, tile: int, size: int) -> NDArray[np.uint8]:
        """Return the tile as uint8 [size, size, 3]."""
        path = self.folder / self.files[tile]
        return read_tile(path, size, own_colours=self.profile is not None)

    @cached_property
    def side(self) -> int:
        """The median side of the pictures, in pixels."""
        return round(median(tile_side(picture_size(self.folder / file)) for file in self.files))

    @cached_property
    def profile(self) -> bytes | None:
        """The ICC profile that all pictures share, None if they share none."""
        found: set[bytes | None] = set()
        for file in self.files:
            found.add(colour_profile(self.folder / file))
            if len(found) > 1:
                return None
        return found.pop() if found else None
