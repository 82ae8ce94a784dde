"""Scores of learned measures, kept by content of tiles, model and settings."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

import platformdirs

from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError

LIMIT = 2 << 30  # bytes; beyond, what was used longest ago goes
OFF = "off"


def cache_folder() -> Path | None:
    """Where scores are kept: ``AZULEJAR_CACHE``, or the user's cache folder; None if ``off``."""
    wanted = os.environ.get("AZULEJAR_CACHE")
    if wanted == OFF:
        return None
    return Path(wanted) if wanted else Path(platformdirs.user_cache_dir("azulejar")) / "scores"


def key(tiles: TileSet, *settings: object) -> str:
    """Differs whenever a pixel or a setting does; names and order of files are part of it."""
    digest = hashlib.sha256(repr((tiles.pixels.shape, tiles.files, settings)).encode())
    digest.update(tiles.pixels.tobytes())
    return digest.hexdigest()[:32]


def recall(name: str) -> Compatibility | None:
    """Kept scores, if they are there and whole."""
    folder = cache_folder()
    if folder is None:
        return None
    path = folder / f"{name}.npz"
    try:
        scores = Compatibility.load(path)
    except AzulejarError:
        return None
    with suppress(OSError):  # a folder may be readable only
        path.touch()
    return scores


def keep(name: str, scores: Compatibility) -> None:
    """Store scores; a full or forbidden disk only means that nothing is kept."""
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
