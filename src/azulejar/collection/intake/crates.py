"""Find the crates to be added: folders of pictures, each with its ``tiles.csv``."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path

from azulejar.collection.storage import database
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import check_one_size, check_shape, pictures_in
from azulejar.imaging.picture import heic_picture, is_heic, is_picture, picture_size
from azulejar.imaging.tile_shapes import find_halves
from azulejar.knowledge import inventory
from azulejar.system.natural_order import list_names, natural_order

LOOKED_AT = 200  # pictures of a crate whose sizes are compared


@dataclass(frozen=True)
class Crate:
    """A folder with some of its pictures, and what ``tiles.csv`` says about each.

    ``notes`` say what was skipped.
    """

    folder: Path
    files: tuple[str, ...]
    records: tuple[Record, ...]
    notes: tuple[str, ...] = ()

    def without(self, names: Collection[str]) -> "Crate":
        """Return the same crate without some of its pictures."""
        kept = [i for i, file in enumerate(self.files) if file not in names]
        files, records = (self.files[i] for i in kept), (self.records[i] for i in kept)
        return replace(self, files=tuple(files), records=tuple(records))


def find_crates(sources: Sequence[Path]) -> list[Crate]:
    """Return the crates among folders, folders of such folders, and pictures; each picture once."""
    wanted: dict[Path, set[str] | None] = {}  # None stands for all pictures of the folder
    for source in sources:
        if is_picture(source):
            names = wanted.setdefault(source.parent.resolve(), set())
            if names is not None:
                names.add(source.name)
        else:
            wanted |= dict.fromkeys(_folders_of_pictures(source))
    return [_read(folder, names) for folder, names in wanted.items()]


def _folders_of_pictures(source: Path) -> list[Path]:
    if not source.exists():
        raise AzulejarError(
            "crate-missing", "There is no folder {source}.", "Check the path.", source=str(source)
        )
    if is_heic(source):
        raise heic_picture(source)
    if not source.is_dir():
        raise AzulejarError(
            "crate-not-a-picture",
            "{source} is not a picture.",
            "Give folders of pictures, or pictures.",
            source=str(source),
        )
    found = list(_walk(source, set()))
    if not found and (heic := next(filter(is_heic, source.rglob("*")), None)):
        raise heic_picture(heic)
    if not found:
        raise AzulejarError(
            "crate-empty",
            "{source} has no tile pictures, nor have the folders in it.",
            "Give folders in which JPEG, PNG, WebP or TIFF files lie.",
            source=str(source),
        )
    return found


def _walk(folder: Path, seen: set[Path]) -> Iterator[Path]:
    """Yield ``folder`` if it holds pictures, else such folders within it; skip collections."""
    folder = folder.resolve()
    if folder in seen or not folder.is_dir() or (folder / database.NAME).exists():
        return
    seen.add(folder)
    inside = sorted(folder.iterdir(), key=lambda entry: natural_order(entry.name))
    inside = [entry for entry in inside if not entry.name.startswith(".")]
    if any(map(is_picture, inside)):
        yield folder
        return
    for entry in inside:
        yield from _walk(entry, seen)


def _read(folder: Path, wanted: set[str] | None) -> Crate:
    _check_readable(folder)
    names, notes = pictures_in(folder)
    records = (Record(),) * len(names)
    if (folder / inventory.NAME).exists():
        records, strangers = inventory.read_inventory(folder / inventory.NAME, names)
        notes += strangers
    if wanted is not None:
        kept = [i for i, name in enumerate(names) if name in wanted]
        return Crate(folder, tuple(names[i] for i in kept), tuple(records[i] for i in kept))
    return Crate(folder, tuple(names), records, tuple(f"{folder.name}: {note}" for note in notes))


def find_half_tiles(crate: Crate) -> set[str]:
    """Return the half and quarter tiles of a crate, by its pictures or by ``tiles.csv``.

    Of a large crate, a sample tells whether its pictures show some.
    """
    found = {file for file, known in zip(crate.files, crate.records, strict=True) if known.half}
    halved, sizes = None, _sizes(crate, sample=True)
    if sizes and find_halves(list(sizes.values())) is not None:
        sizes = _sizes(crate)
        halved = find_halves(list(sizes.values()))
    return found if halved is None else found | set(compress(sizes, map(any, halved)))


def half_tiles_error(paths: Sequence[Path]) -> AzulejarError:
    """Return the error for half and quarter tiles, which a museum does not take."""
    return AzulejarError(
        "crate-half-tiles",
        "Half and quarter tiles were left out, as a museum takes whole tiles only: {files}.",
        "Solve a panel that has them as a folder, or project, of its own.",
        files=list_names([path.name for path in paths]),
    )


def check_crate(crate: Crate) -> None:
    """Raise if a crate contains tiles of two sizes; of a large crate, only a sample is checked."""
    tiles = {}
    for name, size in _sizes(crate, sample=True).items():
        with suppress(AzulejarError):  # what is no tile is told picture by picture
            check_shape(crate.folder / name, *size)
            tiles[name] = size
    photo = {file: known.photo for file, known in zip(crate.files, crate.records, strict=True)}
    check_one_size(crate.folder, list(tiles), list(tiles.values()), [photo[name] for name in tiles])


def _sizes(crate: Crate, *, sample: bool = False) -> dict[str, tuple[int, int]]:
    """Return width and height of the pictures that can be read, of all or of a sample."""
    step = max(1, len(crate.files) // LOOKED_AT) if sample else 1
    sizes: dict[str, tuple[int, int]] = {}
    for name in crate.files[::step]:
        with suppress(AzulejarError):  # what is broken is told picture by picture
            sizes[name] = picture_size(crate.folder / name)
    return sizes


def _check_readable(folder: Path) -> None:
    readable = str(folder).encode("utf-8", "replace").decode()
    if readable != str(folder):
        raise AzulejarError(
            "folder-name-not-utf8",
            "The name {name} is not UTF-8.",
            "Rename the folder.",
            name=readable,
        )
