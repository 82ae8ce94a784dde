"""Arrays on disk that grow with the collection: a few rows a tile, read in place."""

import os
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import DTypeLike, NDArray

from azulejar.errors import AzulejarError
from azulejar.system.atomic import flush_file, reason_of

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


def tile_checksums(name: str, rows: NDArray) -> list[int]:
    """Return the CRC-32 of each tile's part of an array."""
    layout = LAYOUTS[name]
    content = memoryview(np.ascontiguousarray(rows, layout.dtype).tobytes())
    return [
        zlib.crc32(content[start : start + layout.tile_bytes])
        for start in range(0, len(content), layout.tile_bytes)
    ]


def stored_checksums(folder: Path, name: str, tiles: int) -> Iterator[int | None]:
    """Yield the CRC-32 of each tile's part as it is on the disk; None where it cannot be read.

    The file is read, not mapped: a mapped file that another process cuts would end this one.
    """
    layout = LAYOUTS[name]
    done = 0
    try:
        with (folder / layout.file).open("rb") as file:
            while done < tiles and len(part := file.read(layout.tile_bytes)) == layout.tile_bytes:
                yield zlib.crc32(part)
                done += 1
    except OSError:
        pass
    yield from [None] * (tiles - done)


def stored_tile(folder: Path, name: str, tile: int) -> NDArray:
    """Read one tile's part of an array."""
    layout = LAYOUTS[name]
    with (folder / layout.file).open("rb") as file:
        file.seek(tile * layout.tile_bytes)
        part = np.frombuffer(file.read(layout.tile_bytes), layout.dtype)
    return part.reshape(layout.rows, *layout.shape)


def replace_tiles(folder: Path, name: str, new: Mapping[int, NDArray]) -> None:
    """Write the parts of some tiles anew, synced to the disk."""
    layout = LAYOUTS[name]
    path = folder / layout.file
    with _explained(folder):
        for tile, rows in new.items():
            _write_at(path, tile * layout.tile_bytes, np.ascontiguousarray(rows, layout.dtype))
        flush_file(path)


def extend_arrays(folder: Path, tiles: int) -> None:
    """Give files that are missing or too short the length of ``tiles`` tiles, filled with zeros."""
    with _explained(folder):
        for layout in LAYOUTS.values():
            path = folder / layout.file
            path.touch()
            if path.stat().st_size < tiles * layout.tile_bytes:
                os.truncate(path, tiles * layout.tile_bytes)


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
                flush_file(folder / layout.file)
        except BaseException:
            truncate_arrays(folder, tiles)
            raise


def _write_at(path: Path, start: int, rows: NDArray) -> None:
    left = memoryview(rows.tobytes())
    with path.open("r+b", buffering=0) as file:
        file.seek(start)
        while left:
            left = left[file.write(left) :]


def _check_length(folder: Path, layout: ArrayLayout, tiles: int) -> int:
    """Return the length of the file in bytes; raise if it lacks some of the tiles."""
    path = folder / layout.file
    length = path.stat().st_size if path.is_file() else 0
    if length < tiles * layout.tile_bytes:
        raise AzulejarError(
            "array-damaged",
            "{path} is damaged: it holds {found} of {tiles} tiles.",
            "Repair the collection from its photographs, or restore a backup.",
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
            reason=reason_of(error),
        ) from error
