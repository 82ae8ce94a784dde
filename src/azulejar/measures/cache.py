"""A cache on disk for learned measures, keyed by content, model and settings.

It holds the scores of sets of tiles, and the encoder's features of single tiles, so that a set to
which a few tiles are added is not encoded again.
"""

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.system.array_file import open_arrays
from azulejar.system.atomic import replacing

LIMIT = 2 << 30  # bytes; beyond, what was used longest ago is deleted
TILES = "tiles"  # the subfolder for the features of single tiles
OFF = "off"


def cache_folder() -> Path | None:
    """Return ``AZULEJAR_CACHE``, or a folder in the user's cache; None if it is ``off``."""
    wanted = os.environ.get("AZULEJAR_CACHE")
    if wanted == OFF:
        return None
    return Path(wanted) if wanted else Path(platformdirs.user_cache_dir("azulejar")) / "scores"


def key(tiles: TileSet, *settings: object) -> str:
    """Return a key that changes with any pixel or setting, and with names and order of files."""
    digest = hashlib.sha256(repr((tiles.pixels.shape, tiles.files, settings)).encode())
    digest.update(tiles.pixels.tobytes())
    if tiles.halved is not None:
        digest.update(repr(tiles.half_share).encode() + tiles.halved.tobytes())
    return digest.hexdigest()[:32]


def look_up(name: str) -> Compatibility | None:
    """Return the scores of that key, if they are there and can be read."""
    folder = cache_folder()
    if folder is None:
        return None
    path = folder / f"{name}.npz"
    try:
        scores = Compatibility.load(path)
    except AzulejarError:
        return None
    with suppress(OSError):  # the folder may be read-only
        path.touch()
    return scores


def store(name: str, scores: Compatibility) -> None:
    """Store scores under a key; on a full or read-only disk, do nothing."""
    folder = cache_folder()
    if folder is None or scores.scores.nbytes > LIMIT // 4:
        return
    with suppress(AzulejarError, OSError):
        scores.save(folder / f"{name}.npz")
        _make_room(folder)


def holds_features(size: int) -> bool:
    """Return whether features of this many bytes may be cached without crowding out scores."""
    return cache_folder() is not None and size <= LIMIT // 16


def tile_key(pixels: NDArray[np.uint8], *settings: object) -> str:
    """Return a key that changes with any pixel of a tile, and with any setting."""
    digest = hashlib.sha256(repr((pixels.shape, settings)).encode())
    digest.update(pixels.tobytes())
    return digest.hexdigest()[:32]


def look_up_features(name: str) -> NDArray | None:
    """Return the features of a tile by its key, if they are there and can be read."""
    folder = cache_folder()
    if folder is None:
        return None
    path = folder / TILES / f"{name}.npz"
    try:
        with open_arrays(path) as arrays:
            features = arrays.read("features")
    except (OSError, ValueError):
        return None
    with suppress(OSError):
        path.touch()
    return features


def store_features(named: Mapping[str, NDArray]) -> None:
    """Store features of tiles by key; on a full or read-only disk, do nothing."""
    folder = cache_folder()
    if folder is None or not named:
        return
    with suppress(AzulejarError, OSError):
        for name, features in named.items():
            with (
                replacing(folder / TILES / f"{name}.npz") as temporary,
                temporary.open("wb") as file,
            ):
                np.savez(file, allow_pickle=False, features=features)
        _make_room(folder)


def _make_room(folder: Path) -> None:
    files = [*folder.glob("*.npz"), *(folder / TILES).glob("*.npz")]
    files.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    total = 0
    for path in files:
        total += path.stat().st_size
        if total > LIMIT:
            path.unlink()
