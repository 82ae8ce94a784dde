"""Arrays on disk that grow with the collection: a few rows a tile, read in place."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import DTypeLike, NDArray

from azulejar.errors import AzulejarError

SIDE = 50  # pixels; the network's size of a tile
LENGTH = 1600  # numbers of a description


@dataclass(frozen=True)
class ArrayLayout:
    """The file of an array and what it holds for each tile: ``rows`` of a ``shape``."""

    file: str
    rows: int
    shape: tuple[int, ...]
    dtype: DTypeLike

    @property
    def tile_bytes(self) -> int:
        """The bytes of one tile."""
        return self.rows * prod(self.shape) * np.dtype(self.dtype).itemsize


LAYOUTS = {
    "pixels": ArrayLayout("pixels.bin", 1, (SIDE, SIDE, 3), np.uint8),
    "descriptions": ArrayLayout("descriptions.bin", 4, (2, LENGTH), np.int8),
    "scales": ArrayLayout("scales.bin", 4, (2,), np.float32),
}


def create_arrays(folder: Path) -> None:
    """Create the files of all arrays, without tiles."""
    for layout in LAYOUTS.values():
        (folder / layout.file).touch()


def read_array(folder: Path, name: str, tiles: int) -> NDArray:
    """Map the array of the first ``tiles`` tiles into memory, read-only."""
    layout = LAYOUTS[name]
    shape = (tiles * layout.rows, *layout.shape)
    if not tiles:  # an empty file cannot be mapped
        return np.empty(shape, layout.dtype)
    _check_length(folder, layout, tiles)
    return np.memmap(folder / layout.file, layout.dtype, "r", shape=shape)


def truncate_arrays(folder: Path, tiles: int) -> None:
    """Remove what follows the first ``tiles`` tiles: a writer was stopped while adding it."""
    for layout in LAYOUTS.values():
        if _check_length(folder, layout, tiles) > tiles * layout.tile_bytes:
            os.truncate(folder / layout.file, tiles * layout.tile_bytes)


def append_arrays(folder: Path, tiles: int, new: Mapping[str, NDArray]) -> None:
    """Append the arrays of new tiles to the first ``tiles``, synced to the disk.

    All or nothing: where the disk is full, the files get their old length back.
    """
    with _explained(folder):
        try:
            for name, layout in LAYOUTS.items():
                _write_at(
                    folder / layout.file,
                    tiles * layout.tile_bytes,
                    np.ascontiguousarray(new[name], layout.dtype),
                )
        except BaseException:
            truncate_arrays(folder, tiles)
            raise


def _write_at(path: Path, start: int, rows: NDArray) -> None:
    left = memoryview(rows.tobytes())
    with path.open("r+b", buffering=0) as file:
        file.seek(start)
        while left:
            left = left[file.write(left) :]
        os.fsync(file.fileno())


def _check_length(folder: Path, layout: ArrayLayout, tiles: int) -> int:
    """Return the length of the file in bytes; raise if it lacks some of the tiles."""
    path = folder / layout.file
    length = path.stat().st_size if path.is_file() else 0
    if length < tiles * layout.tile_bytes:
        raise AzulejarError(
            "array-damaged",
            "{path} is damaged: it holds {found} of {tiles} tiles.",
            "Take the whole folder from a copy, or create a new collection and add the crates "
            "again.",
            path=str(path),
            found=length // layout.tile_bytes,
            tiles=tiles,
        )
    return length


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise AzulejarError(
            "collection-disk-full",
            "Could not write into {folder}: {reason}.",
            "What was added before is kept. Free some space, and add the same crates again.",
            folder=str(folder),
            reason=str(error.strerror or error),
        ) from error
