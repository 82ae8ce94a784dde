"""The full pictures of a folder's tiles, read one at a time and never changed."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.folder import tile_side
from azulejar.imaging.picture import colour_profile, picture_size, read_tile


@dataclass(frozen=True)
class Originals:
    """n pictures in ``folder``, by name; called with a tile and a size, it gives the tile.

    If all of them carry the same RGB colour profile, ``profile``, their colours stay as they are;
    otherwise they come as sRGB.
    """

    folder: Path
    files: tuple[str, ...]

    def __post_init__(self) -> None:
        for file in self.files:
            if not (self.folder / file).is_file():
                raise AzulejarError(
                    f"{self.folder} has no tile {file}.",
                    "Give the folder of the tiles that belong to this solution.",
                )

    def __call__(self, tile: int, size: int) -> NDArray[np.uint8]:
        """The tile as uint8 [size, size, 3]."""
        path = self.folder / self.files[tile]
        return read_tile(path, size, own_colours=self.profile is not None)

    @cached_property
    def side(self) -> int:
        """The median side of the pictures, in pixels."""
        return round(median(tile_side(picture_size(self.folder / file)) for file in self.files))

    @cached_property
    def profile(self) -> bytes | None:
        found: set[bytes | None] = set()
        for file in self.files:
            found.add(colour_profile(self.folder / file))
            if len(found) > 1:
                return None
        return found.pop() if found else None
