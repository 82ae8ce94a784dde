"""Pictures of a collection's tiles: the originals where they can be read, else small copies."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.storage.catalogue import Entry
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import picture_size, read_tile, resize_square


class CollectionPictures:
    """The pictures of some ``entries``; ``pixels`` [n, 50, 50, 3] are the collection's copies.

    Called with the index of a tile among the entries and a size, it returns the tile's picture.
    """

    def __init__(self, entries: Sequence[Entry], pixels: NDArray[np.uint8]) -> None:
        self._entries = entries
        self._copies = [np.array(pixels[entry.number]) for entry in entries]
        self._sides = [_side(entry.path) for entry in entries]

    def __call__(self, tile: int, size: int) -> NDArray[np.uint8]:
        """Return the picture of a tile, uint8 [size, size, 3]."""
        if self._sides[tile] is not None:
            try:
                return read_tile(self._entries[tile].path, size)
            except AzulejarError:
                self._sides[tile] = None
        return resize_square(self._copies[tile], size)

    @property
    def side(self) -> float:
        """The median side of the originals, in pixels."""
        known = [side for side in self._sides if side is not None]
        return float(np.median(known)) if known else len(self._copies[0])

    @property
    def vanished(self) -> list[str]:
        """The inventory numbers of tiles whose originals cannot be read any more."""
        pairs = zip(self._entries, self._sides, strict=True)
        return [entry.inventory for entry, side in pairs if side is None]


def describe_vanished(vanished: Sequence[str], among: int) -> str:
    """Say which of the ``among`` pictures are no longer there."""
    shown = ", ".join(vanished[:5]) + (" …" if len(vanished) > 5 else "")
    one = len(vanished) == 1
    return (
        f"{len(vanished)} of {among} pictures {'is' if one else 'are'} no longer where "
        f"{'it was' if one else 'they were'} ({shown}): small copies are shown instead."
    )


def _side(path: Path) -> float | None:
    try:
        return sum(picture_size(path)) / 2
    except AzulejarError:
        return None
