"""Texture atlas: all tiles of a project as cells of a few large pictures, at several sizes.

The pages of an atlas are made in the background, in one pass over the tiles, and each can be
fetched as soon as it is written. They lie in atlas/STAMP; another set of tiles has another stamp.
While tiles arrive one by one, an outdated atlas is cancelled in favour of the next.
"""

import hashlib
import json
import shutil
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from math import ceil, sqrt
from pathlib import Path
from statistics import median

from PIL import Image

from azulejar.app.http.errors import NotFound
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.tiles import Atlas, ProjectTile
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import tile_side
from azulejar.imaging.picture import picture_size, read_tile
from azulejar.imaging.tile_shapes import is_half_shape
from azulejar.system.atomic import replacing

LEVELS = (256, 128, 64, 32, 16)  # px; each is half the one before
PAGE = 2048  # px of a page's side at most
CELLS = 16  # of a page's side at most, so that the first tiles show before all are read
ENLARGED = 1.42  # factor by which a tile may be enlarged to reach a level
SAMPLE = 25  # tiles whose size is read
BATCH = 64  # tiles read ahead
PATIENCE = 120.0  # seconds that a request waits for a page
QUALITY = 88
FORMAT = 2  # to be raised when pages of the same tiles would look different
DONE = "atlas.json"
ALL, SHARED = "atlas", "shared"  # folders: of all tiles, and of panels that links lead to
GONE = (128, 128, 128)  # colour of a tile whose picture cannot be read, and beside half tiles

_THREADS = 2  # so that the page stays responsive
_lock = threading.Lock()


class _AtlasThread(threading.Thread):
    """Makes an atlas, once the one ``before`` it in the same project is cancelled."""

    def __init__(
        self,
        store: ProjectStore,
        atlas: Atlas,
        tiles: list[ProjectTile],
        before: "_AtlasThread | None",
        folder: Path,
    ) -> None:
        super().__init__(daemon=True)
        self.store, self.atlas, self.tiles, self.before = store, atlas, tiles, before
        self.folder = folder
        self.cancelled = threading.Event()
        self.ended = threading.Event()

    def run(self) -> None:
        try:
            if self.before is not None:
                self.before.ended.wait()
                self.before = None
            if not self.cancelled.is_set():
                _make(self)
                _remove_others(self.folder)
        except (OSError, AzulejarError):
            pass  # such as a full disk: the next request starts again
        finally:
            with _lock:
                if _threads.get(self.folder.parent) is self:
                    del _threads[self.folder.parent]
            self.ended.set()


_threads: dict[Path, _AtlasThread] = {}  # the latest of each project, by its folder


def open_atlas(
    store: ProjectStore, tiles: list[ProjectTile] | None = None, home: str = ALL
) -> Atlas:
    """Return the layout of the atlas of all tiles, or of ``tiles``; build it if missing."""
    tiles = store.tiles() if tiles is None else tiles
    stamp = _stamp(store, tiles)
    done = _read(store.folder / home / stamp / DONE)
    return done or start_atlas(store, tiles, stamp, home)


def start_atlas(
    store: ProjectStore,
    tiles: list[ProjectTile] | None = None,
    stamp: str | None = None,
    home: str = ALL,
) -> Atlas:
    """Make the atlas in the background, unless this is under way already."""
    tiles = store.tiles() if tiles is None else tiles
    stamp = stamp or _stamp(store, tiles)
    levels = _levels(store, tiles)
    most = min(CELLS, max(1, ceil(sqrt(len(tiles)))))
    columns = [min(PAGE // level, most) for level in levels]
    atlas = Atlas(
        stamp=stamp,
        levels=levels,
        columns=columns,
        per_page=[count * count for count in columns],
        tiles=[tile.tile for tile in tiles],
    )
    folder = store.folder / home / stamp
    with _lock:
        before = _threads.get(folder.parent)
        if (before and before.folder == folder) or (folder / DONE).exists():
            return atlas
        if before is not None:
            before.cancelled.set()
        _threads[folder.parent] = _AtlasThread(store, atlas, tiles, before, folder)
        _threads[folder.parent].start()
    return atlas


def wait_for_page(
    store: ProjectStore,
    stamp: str,
    level: int,
    page: int,
    home: str = ALL,
) -> Path:
    """Return the path of a page, once it is written."""
    folder = store.folder / home / stamp
    path = _page_path(folder, level, page)
    with _lock:
        thread = _threads.get(folder.parent)
    if thread and thread.folder == folder and _has(thread.atlas, level, page):
        _wait(thread, path, PATIENCE)
    if not path.is_file():
        raise NotFound("atlas-page-unknown", "There is no such page.", "Ask for the atlas again.")
    return path


def _has(atlas: Atlas, level: int, page: int) -> bool:
    if level not in atlas.levels:
        return False
    return page * atlas.per_page[atlas.levels.index(level)] < len(atlas.tiles)


def _wait(thread: _AtlasThread, path: Path, patience: float) -> None:
    """Wait until the page is written, or will not be."""
    end = time.monotonic() + patience
    while not path.exists() and time.monotonic() < end:
        if thread.ended.wait(0.05):
            return


def _make(thread: _AtlasThread) -> None:
    """Make all pages in one pass; at each level one page at a time is filled."""
    folder, atlas, count = thread.folder, thread.atlas, len(thread.tiles)
    folder.mkdir(parents=True, exist_ok=True)
    sheets = [
        _Sheet(folder, level, columns, count)
        for level, columns in zip(atlas.levels, atlas.columns, strict=True)
    ]
    for cell, picture in enumerate(_pictures(thread.store, atlas, thread.tiles)):
        if thread.cancelled.is_set():
            shutil.rmtree(folder, ignore_errors=True)
            return
        for sheet in sheets:
            if picture.width > sheet.level:
                picture = picture.reduce(2)
            sheet.put(cell, picture)
    with replacing(folder / DONE) as temporary:
        temporary.write_text(atlas.model_dump_json(), encoding="utf-8")


def _pictures(store: ProjectStore, atlas: Atlas, tiles: list[ProjectTile]) -> Iterator[Image.Image]:
    """Yield the tiles at the largest level, in sRGB."""
    largest = max(atlas.levels, default=0)

    def read(tile: ProjectTile) -> Image.Image:
        try:
            path = store.folder / "tiles" / tile.file
            picture = Image.fromarray(read_tile(path, largest))
            size = picture_size(path)
            return _as_half(picture, *size) if is_half_shape(*size) else picture
        except AzulejarError:
            return Image.new("RGB", (largest, largest), GONE)

    with ThreadPoolExecutor(_THREADS) as pool:
        for start in range(0, len(tiles), BATCH):  # so that few pictures are in memory
            yield from pool.map(read, tiles[start : start + BATCH])


def _as_half(square: Image.Image, width: int, height: int) -> Image.Image:
    """Return the picture of a half tile in its proportions, centred in an empty place."""
    whole, longest = square.width, max(width, height)
    part = square.resize((round(whole * width / longest), round(whole * height / longest)))
    place = Image.new("RGB", square.size, GONE)
    place.paste(part, ((whole - part.width) // 2, (whole - part.height) // 2))
    return place


class _Sheet:
    """The page of a level that is being filled."""

    def __init__(self, folder: Path, level: int, columns: int, count: int) -> None:
        self.folder, self.level, self.columns, self.count = folder, level, columns, count
        self.image: Image.Image | None = None

    def put(self, cell: int, picture: Image.Image) -> None:
        """Add the next tile; write the page if it is full or the last."""
        page, at = divmod(cell, self.columns**2)
        if self.image is None:
            cells = min(self.columns**2, self.count - cell)
            rows = ceil(cells / self.columns)
            self.image = Image.new("RGB", (self.columns * self.level, rows * self.level))
        row, col = divmod(at, self.columns)
        self.image.paste(picture, (col * self.level, row * self.level))
        if at == self.columns**2 - 1 or cell == self.count - 1:
            with replacing(_page_path(self.folder, self.level, page)) as temporary:
                self.image.save(temporary, "JPEG", quality=QUALITY)
            self.image = None


def _page_path(folder: Path, level: int, page: int) -> Path:
    return folder / f"{level}_{page}.jpg"


def _levels(store: ProjectStore, tiles: list[ProjectTile]) -> list[int]:
    """Return the levels that the tiles are large enough for, the largest first."""
    step = max(1, len(tiles) // SAMPLE)
    sides = []
    for tile in tiles[::step]:
        try:
            sides.append(tile_side(picture_size(store.folder / "tiles" / tile.file)))
        except AzulejarError:
            continue
    side = median(sides) if sides else LEVELS[-1]
    return [level for level in LEVELS if level <= ENLARGED * side] or [LEVELS[-1]]


def _stamp(store: ProjectStore, tiles: list[ProjectTile]) -> str:
    """Return a checksum that changes when tiles are added or a picture is replaced."""
    seen: list[object] = [FORMAT]
    for tile in tiles:
        try:
            about = (store.folder / "tiles" / tile.file).stat()
            seen.append((tile.tile, tile.file, about.st_size, about.st_mtime_ns))
        except OSError:
            seen.append((tile.tile, tile.file))
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]


def _read(path: Path) -> Atlas | None:
    try:
        return Atlas.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def _remove_others(folder: Path) -> None:
    """Remove earlier atlases except the latest, which a page may still show."""
    others = [each for each in folder.parent.iterdir() if each.is_dir() and each != folder]
    others.sort(key=lambda each: each.stat().st_mtime, reverse=True)
    for old in others[1:]:
        shutil.rmtree(old, ignore_errors=True)
