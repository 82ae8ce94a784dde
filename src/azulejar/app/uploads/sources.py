"""The source photographs of tiles: where each was cut out, and how to cut it again.

A tile that is cut again gets a picture of a new name; the one before stays for undo.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.app.http.errors import Conflict, NotFound
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.tiles import Corners, ProjectTile, SourceView, TileSource
from azulejar.app.uploads.checks import FileNames, check_picture
from azulejar.app.uploads.incoming import IncomingFile
from azulejar.app.uploads.showing import decode, to_jpeg
from azulejar.imaging.folder import MIN_SIDE
from azulejar.imaging.photographs.geometry import no_lens
from azulejar.imaging.photographs.quads import full_size, straighten
from azulejar.imaging.picture import read_tile, write_picture
from azulejar.system.atomic import flush_file

AROUND = 1.0  # sides of the tile that are shown around it


@dataclass(frozen=True)
class CutOut:
    """The picture of a tile, and where in which photograph it was cut out."""

    picture: Path
    photo: Path
    corners: Corners


def cut_out_of(picture: Path, source: TileSource | None, home: Path) -> CutOut:
    """Return the cut-out of a picture from what is stored of it; raise if it is not known."""
    if source is None or not (home / source.folder / source.photo).is_file():
        raise NotFound(
            "tile-source-unknown",
            "It is not known from which photograph this tile was cut.",
            "Replace its picture instead.",
        )
    return CutOut(picture, home / source.folder / source.photo, source.corners)


def find_source(store: ProjectStore, tile: int) -> CutOut:
    """Return where a tile of a project was cut out."""
    found = _find(store, tile)
    return cut_out_of(
        store.folder / "tiles" / found.file, store.source_of(found.file), store.folder
    )


def view_source(source: CutOut) -> SourceView:
    """Return where a tile lies in its photograph, and which part of it to show."""
    return _view(source, decode(source.photo).shape)


def _view(source: CutOut, shape: tuple[int, ...]) -> SourceView:
    height, width = shape[:2]
    points = np.array(source.corners)
    margin = AROUND * full_size(points)
    low = np.maximum(points.min(axis=0) - margin, 0).round()
    high = np.minimum(points.max(axis=0) + margin, (width, height)).round()
    return SourceView(
        photo=source.photo.name,
        width=width,
        height=height,
        corners=source.corners,
        box=(int(low[0]), int(low[1]), int(high[0]), int(high[1])),
    )


def source_picture(source: CutOut, size: int, *, whole: bool) -> bytes:
    """Return the photograph of a tile, or the part around it, as JPEG of that size at most."""
    picture = decode(source.photo)
    if not whole:
        left, top, right, bottom = _view(source, picture.shape).box
        picture = np.ascontiguousarray(picture[top:bottom, left:right])
    return to_jpeg(picture, size)


def cut_at(source: CutOut, corners: Corners) -> NDArray[np.uint8]:
    """Cut a tile out of its photograph at other corners; its colours are treated as before."""
    photograph = decode(source.photo)
    points = np.array(corners, float)
    _check(points, photograph.shape[:2])
    cut = _cut(photograph, points)
    before = _cut(photograph, np.array(source.corners, float))
    known = read_tile(source.picture, len(before), fill=True)
    return np.clip(cut * _gains(before, known), 0, 255).round().astype(np.uint8)


def cut_again(
    store: ProjectStore, tile: int, corners: Corners, label: str, who: str = ""
) -> ProjectTile:
    """Cut a tile of a project out of its photograph at other corners."""
    old, new = _find(store, tile), cut_at(find_source(store, tile), corners)
    source = store.source_of(old.file)
    assert source is not None  # it was cut there
    with store.files_lock:
        file = new_name(store, old.file)
        write_picture(store.folder / "tiles" / file, new)
        store.put_sources([source.model_copy(update={"file": file, "corners": corners})])
        return store.replace_picture(tile, file, label, who)


def replace_upload(
    store: ProjectStore, tile: int, file: IncomingFile, label: str, who: str = ""
) -> ProjectTile:
    """Replace the picture of a tile by an uploaded one."""
    check_picture(file.path, file.name, "tiles")
    with store.files_lock:
        name = new_name(store, _find(store, tile).file, file.path.suffix)
        flush_file(file.path)
        file.path.replace(store.folder / "tiles" / name)
        return store.replace_picture(tile, name, label, who)


def new_name(store: ProjectStore, file: str, suffix: str = ".png") -> str:
    """Return a file name for a new picture of a tile, never used before."""
    return unused_name(store.folder / "tiles", file, suffix, store.taken_files())


def unused_name(folder: Path, file: str, suffix: str, taken: Iterable[str] = ()) -> str:
    """Return a file name like ``file``, which no other in a folder and none of ``taken`` has."""
    names = FileNames([*taken, *(path.name for path in folder.iterdir())])
    numbered = (f"{Path(file).stem}-{number}{suffix}" for number in count(2))
    return next(name for name in numbered if names.like(name) is None)


def _find(store: ProjectStore, tile: int) -> ProjectTile:
    found = next((each for each in store.tiles() if each.tile == tile), None)
    if found is None:
        raise NotFound("tile-unknown", "There is no such tile.", "Load the project again.")
    return found


def _cut(photograph: NDArray[np.uint8], corners: NDArray[np.float64]) -> NDArray[np.uint8]:
    return straighten(photograph, corners, no_lens(photograph.shape))


def _check(corners: NDArray[np.float64], shape: tuple[int, ...]) -> None:
    """Raise unless the corners are those of a tile in the photograph, clockwise."""
    sides = np.roll(corners, -1, axis=0) - corners
    turns = sides[:, 0] * np.roll(sides, -1, axis=0)[:, 1]
    turns -= sides[:, 1] * np.roll(sides, -1, axis=0)[:, 0]
    inside = (corners >= -0.5).all() and (corners <= np.array(shape[::-1]) + 0.5).all()
    lengths = np.linalg.norm(sides, axis=1)
    if not inside or (turns <= 0).any() or lengths.min() < MIN_SIDE:
        raise Conflict(
            "corners-not-a-tile",
            "These four corners do not enclose a tile.",
            "Drag each to its corner of the tile, at least {least} pixels from the next.",
            least=MIN_SIDE,
        )


def _gains(raw: NDArray[np.uint8], treated: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the gain that was applied to each channel when the tile was cut before [3]."""
    means = [each.astype(float).mean(axis=(0, 1)) + 1.0 for each in (raw, treated)]
    return np.clip(means[1] / means[0], 0.25, 4.0)
