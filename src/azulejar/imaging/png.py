"""A PNG from rows as they come, compressed by all cores; nothing but a band is in memory."""

import struct
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from azulejar.system.threads import thread_count

PART_BYTES = 2**20
_UP = 2  # the filter that leaves the difference to the row above
_HEADER = b"\x78\x01"
_LAST_BLOCK = b"\x03\x00"  # an empty one


def write_png(
    file: BinaryIO,
    width: int,
    height: int,
    bands: Iterable[NDArray[np.uint8]],
    profile: bytes | None = None,
) -> None:
    """Write RGB bands [h, width, 3], ``height`` rows in all; ``profile`` is an ICC profile.

    Each part of about a megabyte is a deflate stream without memory of what came before, so that
    parts can be compressed side by side and simply follow each other.
    """
    file.write(b"\x89PNG\r\n\x1a\n")
    _write_chunk(file, b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    if profile is not None:
        _write_chunk(file, b"iCCP", b"ICC\0\0" + zlib.compress(profile))
    start, checksum = _HEADER, 1
    with ThreadPoolExecutor(thread_count()) as pool:
        above = np.zeros((width, 3), np.uint8)
        for band in bands:
            for compressed, filtered in pool.map(_compressed, _parts(band, above)):
                checksum = zlib.adler32(filtered, checksum)
                _write_chunk(file, b"IDAT", start + compressed)
                start = b""
            above = band[-1]
    _write_chunk(file, b"IDAT", start + _LAST_BLOCK + struct.pack(">I", checksum))
    _write_chunk(file, b"IEND", b"")


def _parts(
    band: NDArray[np.uint8], above: NDArray[np.uint8]
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """The band in parts of whole rows, each with the row above it."""
    rows = max(1, PART_BYTES // band[0].size)
    for top in range(0, len(band), rows):
        yield band[top : top + rows], band[top - 1] if top else above


def _compressed(part: tuple[NDArray[np.uint8], NDArray[np.uint8]]) -> tuple[bytes, bytes]:
    """The rows filtered and deflated, and as they were before deflation."""
    rows, above = part
    filtered = np.empty((len(rows), 1 + rows[0].size), np.uint8)
    filtered[:, 0] = _UP
    flat = rows.reshape(len(rows), -1)
    np.subtract(flat[0], above.reshape(-1), out=filtered[0, 1:])
    np.subtract(flat[1:], flat[:-1], out=filtered[1:, 1:])
    # Of differences, which look like noise, runs are all that is worth looking for.
    stream = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zlib.Z_RLE)
    data = filtered.tobytes()
    return stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH), data


def _write_chunk(file: BinaryIO, kind: bytes, data: bytes) -> None:
    file.write(struct.pack(">I", len(data)) + kind + data)
    file.write(struct.pack(">I", zlib.crc32(data, zlib.crc32(kind))))
