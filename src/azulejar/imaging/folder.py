"""A folder of tile pictures, read as a TileSet."""

import re
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from azulejar.core.tiles import Record, TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import is_picture, picture_size, read_tile
from azulejar.knowledge import inventory

MIN_SIDE = 4
MAX_ASPECT = 1.5
LARGEST_KEPT = 128
WORKING_SIDE = 64

# Decoding gives the interpreter free; more threads would hold more full pictures at a time.
_THREADS = 4
_NAMES_SHOWN = 5


def load_tiles(
    folder: Path, size: int | None = None, on_progress: Callable[[float], None] | None = None
) -> TileSet:
    """Every picture in ``folder``, in natural order of the names, at one working size.

    ``size`` is the working side in pixels. By default, tiles that all have the same square size
    up to 128 px are kept pixel for pixel; others get the median side, 64 px at most.
    A ``tiles.csv`` beside them is read too. ``on_progress`` is called with the fraction read.
    """
    folder = Path(folder)
    names, notes = pictures_in(folder)
    sizes = [picture_size(folder / name) for name in names]
    for name, (width, height) in zip(names, sizes, strict=True):
        check_shape(folder / name, width, height)
    side = _working_side(sizes) if size is None else size
    if side < MIN_SIDE:
        raise AzulejarError(f"A tile cannot be {side} px wide.", f"Give {MIN_SIDE} px or more.")
    pixels = np.empty((len(names), side, side, 3), np.uint8)
    with ThreadPoolExecutor(_THREADS) as pool:
        read = pool.map(lambda name: read_tile(folder / name, side), names)
        for i, tile in enumerate(read):
            pixels[i] = tile
            if on_progress:
                on_progress((i + 1) / len(names))
    notes += _resampling_notes(names, sizes, side) + _duplicate_notes(names, sizes, pixels)
    records: tuple[Record, ...] = ()
    if (folder / inventory.NAME).exists():
        records, strangers = inventory.read_inventory(folder / inventory.NAME, names)
        notes += strangers
    return TileSet(pixels, tuple(names), folder, tuple(notes), records)


def natural_order(name: str) -> tuple[list[str | int], str]:
    """Sort key under which tile 2 comes before tile 10; the name itself breaks ties."""
    parts = re.split(r"(\d+)", name.casefold())
    return [int(part) if i % 2 else part for i, part in enumerate(parts)], name


def pictures_in(folder: Path) -> tuple[list[str], list[str]]:
    """Names of the pictures, and a note on what was passed over."""
    if not folder.exists():
        raise AzulejarError(f"There is no folder {folder}.", "Check the path.")
    if not folder.is_dir():
        raise AzulejarError(f"{folder} is a file.", "Give the folder that holds the tile pictures.")
    names: list[str] = []
    strays: list[str] = []
    try:
        for entry in folder.iterdir():
            if entry.name.startswith(".") or entry.name == inventory.NAME:
                continue
            (names if is_picture(entry) else strays).append(entry.name)
    except OSError as error:
        raise AzulejarError(
            f"Cannot read {folder}: {error.strerror}.", "Check your permissions."
        ) from error
    strays.sort(key=natural_order)
    if not names:
        holds = f"it holds {_listed(strays)}" if strays else "it is empty"
        raise AzulejarError(
            f"{folder} has no tile pictures ({holds}).",
            "Give the folder in which the JPEG, PNG, WebP or TIFF files lie themselves.",
        )
    _check_names(folder, names)
    # Folders beside the tiles, such as the review of an import, need no mention.
    strays = [name for name in strays if Path(name).suffix or not (folder / name).is_dir()]
    notes = [f"Passed over what is no picture: {_listed(strays)}."] if strays else []
    return sorted(names, key=natural_order), notes


def _check_names(folder: Path, names: list[str]) -> None:
    by_stem: dict[str, str] = {}
    for name in sorted(names):
        readable = name.encode("utf-8", "replace").decode()
        if readable != name:
            raise AzulejarError(
                f"The name {readable} in {folder} is not UTF-8.", "Rename the file."
            )
        other = by_stem.setdefault(Path(name).stem, name)
        if other != name:
            raise AzulejarError(
                f"{other} and {name} in {folder} stand for the same tile: "
                "the name before the suffix is its inventory number.",
                "Rename or remove one of them.",
            )


def check_shape(path: Path, width: int, height: int) -> None:
    """Raise if a picture of this size in pixels is none of a square tile."""
    if min(width, height) < MIN_SIDE:
        raise AzulejarError(
            f"{path} is only {width}×{height} px.",
            f"Give a picture of {MIN_SIDE} px a side or more, or remove it.",
        )
    if max(width, height) > MAX_ASPECT * min(width, height):
        raise AzulejarError(
            f"{path} is {width}×{height} px, which is no square tile.",
            "Crop it to the tile, or remove it from the folder.",
        )


def _working_side(sizes: list[tuple[int, int]]) -> int:
    width, height = sizes[0]
    if width == height <= LARGEST_KEPT and len(set(sizes)) == 1:
        return width
    return min(round(median(map(tile_side, sizes))), WORKING_SIDE)


def tile_side(size: tuple[int, int]) -> float:
    """The side in pixels of a tile whose picture has this width and height."""
    return sum(size) / 2


def _resampling_notes(names: list[str], sizes: list[tuple[int, int]], side: int) -> list[str]:
    changed = sum(size != (side, side) for size in sizes)
    if not changed:
        return []
    small, large = min(sizes, key=tile_side), max(sizes, key=tile_side)
    span = f"{_px(small)}" if small == large else f"{_px(small)} to {_px(large)}"
    note = f"{changed} of {len(sizes)} tiles ({span}) were resampled to {_px((side, side))}."
    oblong = [name for name, (width, height) in zip(names, sizes, strict=True) if width != height]
    return [note, f"Not quite square: {_listed(oblong)}."] if oblong else [note]


def _duplicate_notes(
    names: list[str], sizes: list[tuple[int, int]], pixels: NDArray[np.uint8]
) -> list[str]:
    same: dict[tuple[tuple[int, int], bytes], list[str]] = defaultdict(list)
    for name, size, tile in zip(names, sizes, pixels, strict=True):
        same[size, sha256(tile.tobytes()).digest()].append(name)
    groups = [" = ".join(group) for group in same.values() if len(group) > 1]
    return [f"Identical pictures, all kept: {_listed(groups)}."] if groups else []


def _px(size: tuple[int, int]) -> str:
    return f"{size[0]}×{size[1]} px"


def _listed(names: list[str]) -> str:
    more = len(names) - _NAMES_SHOWN
    return ", ".join(names[:_NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
