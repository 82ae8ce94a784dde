"""What comes in: pictures, zips of pictures and tiles.csv, with limits and checked by content."""

import hashlib
import os
import shutil
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from PIL import Image

from azulejar.app.archives import unpack
from azulejar.app.file_names import checked_name
from azulejar.app.refusals import Clash, Refused, TooLarge, WrongKind
from azulejar.app.schemas import NewTile, Problem, Uploaded
from azulejar.app.store import Store
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import check_shape, natural_order
from azulejar.imaging.picture import FORMATS, is_picture, picture_size, read_tile
from azulejar.knowledge import inventory
from azulejar.knowledge.inventory import Record

MAX_FILES = 5_000  # of a kind in a project
MAX_BYTES = 200 * 10**6  # of a picture
MAX_ZIP = 2 * 10**9

Kind = Literal["tiles", "photographs", "panel"]

_PREFIX = "upload-"  # of what is on its way, in the folder work
_SEEN_AT = 64  # px; a picture that can be read at this size is whole
# A large picture takes half a gigabyte while it is decoded.
_decoding = threading.BoundedSemaphore(2)


@dataclass
class Incoming:
    """A file on its way in: its checked name, and where its bytes are collected."""

    name: str
    path: Path
    limit: int
    written: int = field(default=0, init=False)

    def write(self, chunk: bytes) -> None:
        """Add bytes, up to the limit."""
        self.written += len(chunk)
        _refuse_large(self.name, self.written, self.limit)
        with self.path.open("ab") as file:
            file.write(chunk)


@asynccontextmanager
async def incoming(
    store: Store, kind: Kind, name: str, announced: str | None
) -> AsyncIterator[Incoming]:
    """A place for an upload, refused before it begins where possible; cleared in the end."""
    plain = checked_name(name)
    suffix = Path(plain).suffix.lower()
    if suffix != ".zip" and not _is_kind_taken(plain, kind):
        raise _wrong_kind(plain, kind)
    limit = MAX_ZIP if suffix == ".zip" else MAX_BYTES
    if announced is not None and announced.isascii() and announced.isdigit():
        _refuse_large(plain, int(announced[:18]), limit)
    path = store.folder / "work" / f"{_PREFIX}{uuid.uuid4().hex}{suffix}"
    try:
        path.touch()
        yield Incoming(plain, path, limit)
    finally:
        path.unlink(missing_ok=True)


def take_in(store: Store, kind: Kind, file: Incoming) -> Uploaded:
    """Check what has come and put it into the project.

    A single file that cannot be taken is refused; of a zip, what cannot be taken is passed over.
    """
    if file.path.suffix == ".zip":
        folder = file.path.with_suffix("")
        with unpack(file.path, folder, MAX_FILES, MAX_BYTES) as (files, passed_over):
            if not any(_is_kind_taken(name, kind) for name, _ in files) and not passed_over:
                raise Refused(f"{file.name} holds no pictures.", "Pack the pictures themselves.")
            uploaded = _take_many(store, kind, files)
            uploaded.passed_over[:0] = passed_over
            return uploaded
    if not file.written:
        raise Refused(f"{file.name} is empty.", "Copy it again.")
    new, already = [], []
    with suppress(_HereError):
        new.append(_checked(store, kind, file.name, file.path))
    if not new:
        already.append(_here_already(file.name))
    return Uploaded(taken=_settle(store, kind, new), passed_over=already)


def bring(
    store: Store, paths: Iterable[Path], on_progress: Callable[[float], None] | None = None
) -> None:
    """Copy tiles, and their tiles.csv, from a folder of this computer; all or an error."""
    paths = sorted(paths, key=lambda path: natural_order(path.name))
    new = []
    for done, path in enumerate(paths, 1):
        copied = store.folder / "work" / f"{_PREFIX}{uuid.uuid4().hex}{path.suffix.lower()}"
        shutil.copyfile(path, copied)
        times = path.stat()
        os.utime(copied, ns=(times.st_atime_ns, times.st_mtime_ns))  # tells a changed one later
        new.append(_checked(store, "tiles", checked_name(path.name), copied))
        if on_progress:
            on_progress(done / len(paths))
    _settle(store, "tiles", new)


def adopt(store: Store) -> None:
    """Clear what a killed server has left, and enter tiles that lie in the folder unentered."""
    for left in (store.folder / "work").glob(f"{_PREFIX}*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    known = set(store.tile_files())
    folder = store.folder / "tiles"
    found = []
    for path in folder.iterdir():
        if path.name not in known and is_picture(path):
            with suppress(AzulejarError):
                _check_picture(path, checked_name(path.name), "tiles")
                found.append(path.name)
    if found:
        store.add_tiles(_records(folder, sorted(found, key=natural_order), known))


class _HereError(Exception):
    """The same file is in the project already."""


_New = tuple[str, Path]  # name and where the bytes lie


def _take_many(store: Store, kind: Kind, files: Sequence[_New]) -> Uploaded:
    new: dict[str, Path] = {}
    passed_over = []
    for name, path in files:
        try:
            if not _is_kind_taken(name, kind):
                raise _wrong_kind(name, kind)
            if Path(name).stem in {Path(other).stem for other in new}:
                raise Clash(f"{name} is there twice.", "Rename one of them.")
            new.update([_checked(store, kind, name, path)])
        except _HereError:
            passed_over.append(_here_already(name))
        except AzulejarError as error:
            passed_over.append(Problem(problem=error.problem, remedy=error.remedy))
    return Uploaded(taken=_settle(store, kind, list(new.items())), passed_over=passed_over)


def _checked(store: Store, kind: Kind, name: str, path: Path) -> _New:
    """The file, if it is whole and its name free."""
    _refuse_taken(store, kind, name, path)
    if name.casefold() == inventory.NAME:
        with _by_name(path, name):
            inventory.read_inventory(path, store.tile_files())
        return inventory.NAME, path
    _check_picture(path, name, kind)
    return name, path


def _settle(store: Store, kind: Kind, new: Sequence[_New]) -> list[str]:
    """Move files in and enter tiles: what is moved but not entered is adopted later."""
    if not new:
        return []
    folder = store.folder / kind
    with store.files:
        for name, path in new:
            _refuse_taken(store, kind, name, path)
        known = set(store.tile_files()) if kind == "tiles" else _names_in(folder)
        pictures = [name for name, _ in new if name != inventory.NAME]
        if len(known | set(pictures)) > MAX_FILES:
            raise TooLarge(
                f"A project takes {MAX_FILES:,} files of a kind.", "Make a second project."
            )
        if kind == "tiles":
            table = next((path for name, path in new if name == inventory.NAME), None)
            records = _records(folder, pictures, known, table)
        for name, path in new:
            _make_lasting(path)
            path.replace(folder / name)
        if kind == "tiles":
            store.add_tiles(records)
    return [name for name, _ in new]


def _records(
    folder: Path, new: Sequence[str], known: set[str], table: Path | None = None
) -> list[NewTile]:
    """What is on record of new tiles, and of the known ones if a new ``table`` comes."""
    table = table or folder / inventory.NAME
    files = sorted({*new, *known}, key=natural_order)
    found: Sequence[Record] = (Record(),) * len(files)
    if table.exists():
        with _by_name(table, inventory.NAME):
            found, _ = inventory.read_inventory(table, files)
    return [
        NewTile(
            file=file,
            number=record.inventory or Path(file).stem,
            crate=record.crate,
            code=record.code,
            note=record.note,
        )
        for file, record in zip(files, found, strict=True)
        if file in new or table.parent != folder
    ]


def _check_picture(path: Path, name: str, kind: Kind) -> None:
    with _by_name(path, name):
        width, height = picture_size(path)
        if kind == "tiles":
            check_shape(path, width, height)
        with _decoding:
            read_tile(path, _SEEN_AT)


@contextmanager
def _by_name(path: Path, name: str) -> Iterator[None]:
    """Errors speak of the file by the name that the user knows."""
    try:
        yield
    except AzulejarError as error:
        raise Refused(error.problem.replace(str(path), name), error.remedy) from error
    except MemoryError as error:
        raise TooLarge(f"{name} is too large for this computer.", "Reduce it first.") from error


def _refuse_taken(store: Store, kind: Kind, name: str, path: Path) -> None:
    """Raise if another file has the name already, or this very file is there."""
    if name.casefold() == inventory.NAME:
        return
    folder = store.folder / kind
    tiles = kind == "tiles"
    there = store.tile_files() if tiles else sorted(_names_in(folder))
    same = [other for other in there if other.casefold() == name.casefold()]
    same += [other for other in there if Path(other).stem == Path(name).stem]
    if not same:
        return
    if same[0] == name and (folder / name).exists() and _digest(folder / name) == _digest(path):
        raise _HereError
    raise Clash(
        f"{name} would stand for the same tile as {same[0]}, which is here already."
        if tiles
        else f"Another {name} is here already.",
        "Rename it.",
    )


def _is_kind_taken(name: str, kind: Kind) -> bool:
    if kind == "tiles" and name.casefold() == inventory.NAME:
        return True
    return Image.registered_extensions().get(Path(name).suffix.lower()) in FORMATS


def _wrong_kind(name: str, kind: Kind) -> AzulejarError:
    more = ", a zip or tiles.csv" if kind == "tiles" else " or a zip"
    return WrongKind(f"{name} is no picture.", f"Give JPEG, PNG, WebP or TIFF files{more}.")


def _refuse_large(name: str, size: int, limit: int) -> None:
    if size > limit:
        raise TooLarge(f"{name} is larger than {limit // 10**6:,} MB.", "Reduce or divide it.")


def _here_already(name: str) -> Problem:
    return Problem(problem=f"{name} is here already.", remedy="Nothing needs to be done.")


def _names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.startswith(".")}


def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _make_lasting(path: Path) -> None:
    """On the disk before the database speaks of it."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
