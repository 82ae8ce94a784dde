"""A tiled TIFF from rows as they come, compressed by all cores."""

import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.system.threads import thread_count

BLOCK = 256  # side of the squares that a tiled TIFF consists of
# Above this, offsets of 32 bits may not reach the end of the file; many programs read only those.
SMALL_BYTES = 3 * 2**30


def write_tiff(
    path: Path,
    width: int,
    height: int,
    bands: Iterable[NDArray[np.uint8]],
    profile: bytes | None = None,
) -> None:
    """Write RGB bands [h, width, 3], ``height`` rows in all; a BigTIFF only if it must be."""
    import tifffile

    with tifffile.TiffWriter(path, bigtiff=3 * width * height > SMALL_BYTES) as writer:
        writer.write(
            _blocks(bands, width),
            shape=(height, width, 3),
            dtype=np.uint8,
            photometric="rgb",
            tile=(BLOCK, BLOCK),
            compression="zlib",
            predictor=True,
            iccprofile=profile,
            metadata=None,
        )


def _blocks(bands: Iterable[NDArray[np.uint8]], width: int) -> Iterator[bytes]:
    """The picture's squares in reading order, compressed."""
    with ThreadPoolExecutor(thread_count()) as pool:
        for rows in _recut(bands, width):
            squares = (rows[:, left : left + BLOCK] for left in range(0, width, BLOCK))
            yield from pool.map(_compressed, squares)


def _recut(bands: Iterable[NDArray[np.uint8]], width: int) -> Iterator[NDArray[np.uint8]]:
    """The same rows, as many as a block has at a time; the last ones are filled up with black.

    The array is one and the same each time, padded to whole blocks.
    """
    rows = np.zeros((BLOCK, -(-width // BLOCK) * BLOCK, 3), np.uint8)
    filled = 0
    for band in bands:
        done = 0
        while done < len(band):
            take = min(BLOCK - filled, len(band) - done)
            rows[filled : filled + take, :width] = band[done : done + take]
            done, filled = done + take, filled + take
            if filled == BLOCK:
                yield rows
                filled = 0
    if filled:
        rows[filled:] = 0
        yield rows


def _compressed(square: NDArray[np.uint8]) -> bytes:
    """The difference of each pixel to the one on its left (predictor 2), deflated."""
    differences = square.copy()
    differences[:, 1:] -= square[:, :-1]
    stream = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_RLE)
    return stream.compress(differences.tobytes()) + stream.flush()
