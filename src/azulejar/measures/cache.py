"""A cache on disk for the scores of learned measures, keyed by tiles, model and settings."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

import platformdirs

from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError

LIMIT = 2 << 30  # bytes; beyond, what was used longest ago is deleted
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


def _make_room(folder: Path) -> None:
    files = sorted(folder.glob("*.npz"), key=lambda path: path.stat().st_mtime, reverse=True)
    total = 0
    for path in files:
        total += path.stat().st_size
        if total > LIMIT:
            path.unlink()
