"""TileSet: n square pictures as one array."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class TileSet:
    """Tiles at one working size, in the order of their file names.

    ``pixels`` is uint8 [n, S, S, 3]; ``files`` holds the n names; ``folder`` is where the full
    pictures lie, if anywhere; ``notes`` say what was passed over or changed while reading.
    """

    pixels: NDArray[np.uint8]
    files: tuple[str, ...]
    folder: Path | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.files)

    @property
    def size(self) -> int:
        """Side of a tile in pixels."""
        return int(self.pixels.shape[1])
