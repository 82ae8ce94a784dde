"""Read a folder of tile pictures as a TileSet, all at one working size."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from azulejar.core.halves import Halved, halved_by_names
from azulejar.core.tiles import Record, TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.orientation import orientation_doubt
from azulejar.imaging.picture import (
    describe_passed_over,
    heic_picture,
    is_heic,
    is_picture,
    picture_size,
    read_tile,
)
from azulejar.imaging.tile_shapes import (
    describe_halves,
    find_halves,
    half_share,
    size_classes,
    whole_sizes,
)
from azulejar.knowledge import inventory
from azulejar.system.natural_order import list_names, natural_order

MIN_SIDE = 4
# A tile that was cropped by hand is a few per cent off the square; photographs are 4:3 or 3:2.
MAX_ASPECT = 1.2
PLAIN = 4.0  # standard deviation in grey levels; plainer tiles may be alike by chance
LARGEST_KEPT = 128
WORKING_SIDE = 64

# Decoding releases the interpreter lock; more threads would hold more full pictures at a time.
_THREADS = 4


def load_tiles(
    folder: str | os.PathLike[str],
    size: int | None = None,
    on_progress: Callable[[float], None] | None = None,
    *,
    files: Sequence[str] | None = None,
    any_shape: bool = False,
    any_size: bool = False,
) -> TileSet:
    """Read every picture in ``folder``, in natural order of the names, at one working size.

    A ``tiles.csv`` beside them is read too. Transparent parts, where the glaze is missing, get the
    colours of the nearest glaze, so that no measure takes them for paint. Pictures half as high or
    wide as the others show half tiles, and among these, squares half as long show quarter tiles.

    Args:
        folder: Pictures of single tiles, about square but for half tiles.
        size: Working side in pixels. By default, tiles that all have the same square size up to
            128 px are kept pixel for pixel; others get the median side, 64 px at most.
        on_progress: Called with the fraction read, from 0 to 1.
        files: Read only these pictures, given by their paths in ``folder``.
        any_shape: Take every picture for a tile, also where sizes, shapes or copies say otherwise.
        any_size: Take tiles of several sizes (see ``folder_classes``).

    Returns:
        The tiles; ``notes`` say what was left out or changed.

    Raises:
        AzulejarError: If the folder has no pictures, a picture cannot be read or is no tile, there
            are tiles of two sizes, or one picture has two names.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import azulejar
        >>> tiles, _ = azulejar.practice_puzzle(4, 4, size=24)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for file, picture in zip(tiles.files, tiles.pixels):
        ...         azulejar.write_picture(Path(folder) / file, picture)
        ...     again = azulejar.load_tiles(folder)
        >>> len(again), again.size
        (16, 24)
    """
    folder = Path(folder)
    names, notes = pictures_in(folder) if files is None else (list(files), [])
    with _naming_all_broken(folder, names):
        sizes = [picture_size(folder / name) for name in names]
    records: tuple[Record, ...] = ()
    strangers: list[str] = []
    if (folder / inventory.NAME).exists():
        records, strangers = inventory.read_inventory(folder / inventory.NAME, names)
    halved = halved_by_names([known.half for known in records])
    if halved is None and not any_shape:
        halved = find_halves(sizes)
    whole = whole_sizes(sizes, halved)
    photos = [known.photo for known in records]
    for number, (name, (width, height)) in enumerate(zip(names, sizes, strict=True)):
        is_part = halved is not None and bool(halved[number].any())
        check_shape(folder / name, width, height, any_shape or is_part)
    if not any_shape and not any_size:
        check_one_size(folder, names, whole, photos)
    side = _working_side(whole) if size is None else size
    if side < MIN_SIDE:
        raise AzulejarError(
            "tile-size-too-small",
            "A tile cannot be {side} px wide.",
            "Give {least} px or more.",
            side=side,
            least=MIN_SIDE,
        )
    pixels = np.empty((len(names), side, side, 3), np.uint8)
    with _naming_all_broken(folder, names), ThreadPoolExecutor(_THREADS) as pool:
        read = pool.map(lambda name: read_tile(folder / name, side, fill=True), names)
        for i, tile in enumerate(read):
            pixels[i] = tile
            if on_progress:
                on_progress((i + 1) / len(names))
    copies = identical_pictures(pixels, sizes)
    if not any_shape:
        _check_copies(folder, names, copies, pixels)
    notes += [] if halved is None else [describe_halves(halved)]
    notes += _resampling_notes(names, sizes, side, halved is None and not any_shape)
    notes += _copy_notes(names, copies) + _distance_notes(whole, photos) + strangers
    doubt = orientation_doubt([folder / name for name in names])
    notes += [] if doubt is None else [str(doubt)]
    share = half_share(sizes, halved)
    return TileSet(pixels, tuple(names), folder, tuple(notes), records, halved, share)


@contextmanager
def _naming_all_broken(folder: Path, names: Sequence[str]) -> Iterator[None]:
    """Let the error for a broken picture name all that are broken in the folder."""
    try:
        yield
    except AzulejarError as error:
        if error.code != "picture-broken":
            raise
        broken = [name for name in names if _is_broken(folder / name)]
        if len(broken) < 2:
            raise
        raise AzulejarError(
            "pictures-broken",
            "{count} pictures in {folder} are broken, or none that can be read here: {names}.",
            "Remove them, or replace them by good JPEG, PNG, WebP or TIFF (8 or 16 bit).",
            count=len(broken),
            folder=str(folder),
            names=list_names(broken),
        ) from error


def _is_broken(path: Path) -> bool:
    try:
        read_tile(path, MIN_SIDE)
    except AzulejarError as error:
        return error.code == "picture-broken"
    return False


def folder_classes(tiles: TileSet) -> NDArray[np.intp]:
    """Return the class of each tile by the size of its picture in the folder [n], from 0."""
    assert tiles.folder is not None
    sizes = [picture_size(tiles.folder / file) for file in tiles.files]
    photos = [known.photo for known in tiles.records]
    return size_classes(whole_sizes(sizes, tiles.halved), photos)


def halves_in(folder: Path, files: Sequence[str]) -> tuple[Halved | None, float]:
    """Return which of ``files`` are halves, by ``tiles.csv`` or else by their shapes [n, 2].

    None if all are whole, or a picture cannot be read; and what half a side is of a whole one.
    """
    halved = halved_by_names([known.half for known in inventory.records_in(folder, files)])
    try:
        sizes = [picture_size(folder / file) for file in files]
    except AzulejarError:
        return halved, 0.5
    if halved is None and sizes:
        halved = find_halves(sizes)
    return halved, half_share(sizes, halved)


def pictures_in(folder: str | os.PathLike[str]) -> tuple[list[str], list[str]]:
    """Return the names of the pictures in natural order, and notes on files passed over."""
    folder = Path(folder)
    if not folder.exists():
        raise AzulejarError(
            "folder-missing", "There is no folder {folder}.", "Check the path.", folder=str(folder)
        )
    if not folder.is_dir():
        raise AzulejarError(
            "folder-is-file",
            "{folder} is a file.",
            "Give the folder that holds the tile pictures.",
            folder=str(folder),
        )
    names: list[str] = []
    others: list[str] = []
    try:
        for entry in folder.iterdir():
            if entry.name.startswith(".") or entry.name == inventory.NAME:
                continue
            (names if is_picture(entry) else others).append(entry.name)
    except OSError as error:
        raise AzulejarError(
            "folder-unreadable",
            "Cannot read {folder}: {reason}.",
            "Check your permissions.",
            folder=str(folder),
            reason=error.strerror,
        ) from error
    others.sort(key=natural_order)
    heic = [name for name in others if is_heic(name)]
    if not names and heic:
        raise heic_picture(folder / heic[0])
    if not names:
        content = f"it holds {list_names(others)}" if others else "it is empty"
        raise AzulejarError(
            "folder-without-pictures",
            "{folder} has no tile pictures ({content}).",
            "Give the folder in which the JPEG, PNG, WebP or TIFF files lie themselves.",
            folder=str(folder),
            content=content,
        )
    _check_names(folder, names)
    # Folders beside the tiles, such as the review of an import, need no mention.
    others = [name for name in others if Path(name).suffix or not (folder / name).is_dir()]
    others = [name for name in others if name not in heic]
    notes = [f"Passed over what is no picture: {list_names(others)}."] if others else []
    if heic:
        notes.append(describe_passed_over(heic))
    return sorted(names, key=natural_order), notes


def _check_names(folder: Path, names: list[str]) -> None:
    by_stem: dict[str, str] = {}
    for name in sorted(names):
        readable = name.encode("utf-8", "replace").decode()
        if readable == name and not name.isprintable():
            raise AzulejarError(
                "tile-name-unprintable",
                "The name {name} in {folder} has characters that cannot be shown.",
                "Rename the file.",
                name=ascii(name),
                folder=str(folder),
            )
        if readable != name:
            raise AzulejarError(
                "tile-name-not-utf8",
                "The name {name} in {folder} is not UTF-8.",
                "Rename the file.",
                name=readable,
                folder=str(folder),
            )
        other = by_stem.setdefault(Path(name).stem, name)
        if other != name:
            raise AzulejarError(
                "tile-name-twice",
                "{first} and {second} in {folder} stand for the same tile: "
                "the name before the suffix is its inventory number.",
                "Rename or remove one of them.",
                first=other,
                second=name,
                folder=str(folder),
            )


def check_shape(
    path: str | os.PathLike[str], width: int, height: int, any_shape: bool = False
) -> None:
    """Raise if a picture of this size in pixels cannot show a square tile.

    With ``any_shape`` only those are refused that are too small to show anything.
    """
    if min(width, height) < MIN_SIDE:
        raise AzulejarError(
            "tile-too-small",
            "{path} is only {width}×{height} px.",
            "Give a picture of {least} px a side or more, or remove it.",
            path=str(path),
            width=width,
            height=height,
            least=MIN_SIDE,
        )
    if not any_shape and max(width, height) > MAX_ASPECT * min(width, height):
        raise AzulejarError(
            "tile-not-square",
            "{path} is {width}×{height} px, which is no square tile.",
            "Crop it to the tile, remove it, or import it if it is a photograph of tiles.",
            path=str(path),
            width=width,
            height=height,
        )


def check_one_size(
    folder: Path,
    names: Sequence[str],
    sizes: Sequence[tuple[int, int]],
    photos: Sequence[str | None] = (),
) -> None:
    """Raise if pictures of these widths and heights show tiles of two sizes.

    ``photos`` are the photographs that they were cut from (see ``size_classes``).
    """
    photo = [each or "" for each in photos] or [""] * len(names)
    order = sorted(range(len(names)), key=lambda i: (photo[i], tile_side(sizes[i])))
    classes = size_classes(sizes, photos)
    for small, large in pairwise(order):
        if classes[small] != classes[large] and photo[small] == photo[large]:
            raise AzulejarError(
                "tiles-of-two-sizes",
                "{folder} has tiles of two sizes: {small} is {small_size} and {large} is "
                "{large_size}, and no size lies between.",
                "Put each size in a folder of its own, or say that all are tiles of one size.",
                folder=str(folder),
                small=names[small],
                small_size=_px(sizes[small]),
                large=names[large],
                large_size=_px(sizes[large]),
            )


def _working_side(sizes: list[tuple[int, int]]) -> int:
    """Return the side in pixels at which tiles of these widths and heights are worked on."""
    width, height = sizes[0]
    if width == height <= LARGEST_KEPT and len(set(sizes)) == 1:
        return width
    return min(round(median(map(tile_side, sizes))), WORKING_SIDE)


def tile_side(size: tuple[int, int]) -> float:
    """Return the side in pixels of a tile whose picture has this width and height."""
    return sum(size) / 2


def _resampling_notes(
    names: list[str], sizes: list[tuple[int, int]], side: int, name_oblong: bool
) -> list[str]:
    changed = sum(size != (side, side) for size in sizes)
    if not changed:
        return []
    small, large = min(sizes, key=tile_side), max(sizes, key=tile_side)
    span = _px(small) if small == large else f"{_px(small)} to {_px(large)}"
    note = f"{changed} of {len(sizes)} tiles ({span}) were resampled to {_px((side, side))}."
    oblong = [name for name, (width, height) in zip(names, sizes, strict=True) if width != height]
    if not oblong or not name_oblong:
        return [note]
    return [note, f"Not quite square: {list_names(oblong)}."]


def _distance_notes(sizes: list[tuple[int, int]], photos: list[str | None]) -> list[str]:
    """Note if photographs show tiles so unlike in size that they may be of two sizes."""
    if not size_classes(sizes).any() or size_classes(sizes, photos).any():
        return []
    return [
        "Some photographs show their tiles much larger than others: taken for tiles of one size, "
        "photographed from nearer."
    ]


def identical_pictures(
    pixels: NDArray[np.uint8], sizes: Sequence[tuple[int, int]] | None = None
) -> list[list[int]]:
    """Return the groups of tiles [n, S, S, 3] whose pictures are identical, also in ``sizes``."""
    same: dict[tuple[object, bytes], list[int]] = defaultdict(list)
    for i, tile in enumerate(pixels):
        same[None if sizes is None else sizes[i], sha256(tile.tobytes()).digest()].append(i)
    return [group for group in same.values() if len(group) > 1]


def is_plain(picture: NDArray[np.uint8]) -> bool:
    """Whether a tile [S, S, 3] is so plain that another may be identical by chance."""
    return bool(picture.std() <= PLAIN)


def _check_copies(
    folder: Path, names: list[str], copies: list[list[int]], pixels: NDArray[np.uint8]
) -> None:
    """Raise if one picture that is not plain has two names."""
    for first, second, *_ in copies:
        if not is_plain(pixels[first]):
            raise AzulejarError(
                "tile-picture-twice",
                "{first} and {second} in {folder} are the same picture.",
                "Remove one of them, or say that both are tiles.",
                first=names[first],
                second=names[second],
                folder=str(folder),
            )


def _copy_notes(names: list[str], copies: list[list[int]]) -> list[str]:
    groups = [" = ".join(names[i] for i in group) for group in copies]
    return [f"Identical pictures, all kept: {list_names(groups)}."] if groups else []


def _px(size: tuple[int, int]) -> str:
    return f"{size[0]}×{size[1]} px"
