"""Write picture files of any size from bands of rows; one band at a time is in memory."""

import math
import os
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.core.assembly import Assembly
from azulejar.errors import AzulejarError
from azulejar.imaging.layout import Layout
from azulejar.imaging.picture import MAX_PIXELS, writable_kind
from azulejar.imaging.render import TilePictures, render_bands, render_whole
from azulejar.system.atomic import replacing
from azulejar.system.threads import thread_count

JPEG_SIDE = 65_500
PNG_PART_BYTES = 2**20
TIFF_BLOCK = 256  # side in pixels of the squares that a tiled TIFF consists of
# Above this, offsets of 32 bits may not reach the end of the file; many programs read only those.
SMALL_TIFF_BYTES = 3 * 2**30

_PNG_FILTER_UP = 2  # stores the difference to the row above
_ZLIB_HEADER = b"\x78\x01"
_EMPTY_LAST_BLOCK = b"\x03\x00"


def render_to_file(
    path: str | os.PathLike[str],
    pictures: TilePictures,
    assembly: Assembly,
    layout: Layout,
    *,
    profile: bytes | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> None:
    """Draw ``assembly`` into a PNG, JPEG or TIFF, as the suffix says; whole or not at all.

    ``profile`` is the ICC profile of the colours of ``pictures``; None means sRGB. PNG and TIFF
    hold one band at a time in memory; a JPEG is drawn in one piece.
    """
    kind, options = writable_kind(path)
    size = layout.width, layout.height
    if kind == "JPEG" and (max(size) > JPEG_SIDE or math.prod(size) > MAX_PIXELS):
        raise AzulejarError(
            "jpeg-too-large",
            "A JPEG of {width:,} × {height:,} px cannot be written.",
            "Give a smaller tile size, or a name that ends in .png or .tif.",
            width=layout.width,
            height=layout.height,
        )
    with replacing(Path(path)) as temporary:
        if kind == "PNG":
            bands = render_bands(pictures, assembly, layout, on_progress)
            with temporary.open("wb") as file:
                write_png(file, *size, bands, profile)
        elif kind == "TIFF":
            bands = render_bands(pictures, assembly, layout, on_progress)
            write_tiff(temporary, *size, bands, profile)
        else:
            picture = Image.fromarray(render_whole(pictures, assembly, layout, on_progress))
            picture.save(temporary, kind, icc_profile=profile, **options)


def write_png(
    file: BinaryIO,
    width: int,
    height: int,
    bands: Iterable[NDArray[np.uint8]],
    profile: bytes | None = None,
) -> None:
    """Write RGB bands [h, width, 3], ``height`` rows in all; ``profile`` is an ICC profile.

    Each part of about a megabyte is deflated without reference to earlier parts, so that all
    cores compress and the parts are simply concatenated.
    """
    file.write(b"\x89PNG\r\n\x1a\n")
    _write_chunk(file, b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    if profile is not None:
        _write_chunk(file, b"iCCP", b"ICC\0\0" + zlib.compress(profile))
    start, checksum = _ZLIB_HEADER, 1
    with ThreadPoolExecutor(thread_count()) as pool:
        above = np.zeros((width, 3), np.uint8)
        for band in bands:
            for compressed, filtered in pool.map(_deflate_rows, _parts(band, above)):
                checksum = zlib.adler32(filtered, checksum)
                _write_chunk(file, b"IDAT", start + compressed)
                start = b""
            above = band[-1]
    _write_chunk(file, b"IDAT", start + _EMPTY_LAST_BLOCK + struct.pack(">I", checksum))
    _write_chunk(file, b"IEND", b"")


def _parts(
    band: NDArray[np.uint8], above: NDArray[np.uint8]
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """Split a band into parts of whole rows, each with the row above it."""
    rows = max(1, PNG_PART_BYTES // band[0].size)
    for top in range(0, len(band), rows):
        yield band[top : top + rows], band[top - 1] if top else above


def _deflate_rows(part: tuple[NDArray[np.uint8], NDArray[np.uint8]]) -> tuple[bytes, bytes]:
    """Return the filtered rows, deflated and as they were before deflation."""
    rows, above = part
    filtered = np.empty((len(rows), 1 + rows[0].size), np.uint8)
    filtered[:, 0] = _PNG_FILTER_UP
    flat = rows.reshape(len(rows), -1)
    np.subtract(flat[0], above.reshape(-1), out=filtered[0, 1:])
    np.subtract(flat[1:], flat[:-1], out=filtered[1:, 1:])
    # Differences look like noise, in which only runs are worth searching for.
    stream = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zlib.Z_RLE)
    data = filtered.tobytes()
    return stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH), data


def _write_chunk(file: BinaryIO, kind: bytes, data: bytes) -> None:
    file.write(struct.pack(">I", len(data)) + kind + data)
    file.write(struct.pack(">I", zlib.crc32(data, zlib.crc32(kind))))


def write_tiff(
    path: str | os.PathLike[str],
    width: int,
    height: int,
    bands: Iterable[NDArray[np.uint8]],
    profile: bytes | None = None,
) -> None:
    """Write RGB bands [h, width, 3], ``height`` rows in all; a BigTIFF only if it must be."""
    import tifffile

    with tifffile.TiffWriter(path, bigtiff=3 * width * height > SMALL_TIFF_BYTES) as writer:
        writer.write(
            _blocks(bands, width),
            shape=(height, width, 3),
            dtype=np.uint8,
            photometric="rgb",
            tile=(TIFF_BLOCK, TIFF_BLOCK),
            compression="zlib",
            predictor=True,
            iccprofile=profile,
            metadata=None,
        )


def _blocks(bands: Iterable[NDArray[np.uint8]], width: int) -> Iterator[bytes]:
    """Yield the picture's square blocks in reading order, compressed."""
    with ThreadPoolExecutor(thread_count()) as pool:
        for rows in _block_rows(bands, width):
            squares = (rows[:, left : left + TIFF_BLOCK] for left in range(0, width, TIFF_BLOCK))
            yield from pool.map(_deflate_block, squares)


def _block_rows(bands: Iterable[NDArray[np.uint8]], width: int) -> Iterator[NDArray[np.uint8]]:
    """Yield the rows of the bands, one row of blocks at a time, padded to whole blocks with black.

    The same array is yielded each time.
    """
    rows = np.zeros((TIFF_BLOCK, -(-width // TIFF_BLOCK) * TIFF_BLOCK, 3), np.uint8)
    filled = 0
    for band in bands:
        done = 0
        while done < len(band):
            take = min(TIFF_BLOCK - filled, len(band) - done)
            rows[filled : filled + take, :width] = band[done : done + take]
            done, filled = done + take, filled + take
            if filled == TIFF_BLOCK:
                yield rows
                filled = 0
    if filled:
        rows[filled:] = 0
        yield rows


def _deflate_block(square: NDArray[np.uint8]) -> bytes:
    """Deflate the difference of each pixel to the one on its left (TIFF predictor 2)."""
    differences = square.copy()
    differences[:, 1:] -= square[:, :-1]
    stream = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_RLE)
    return stream.compress(differences.tobytes()) + stream.flush()
