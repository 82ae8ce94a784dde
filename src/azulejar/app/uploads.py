"""What comes in: pictures, zips of pictures and tiles.csv, with limits and checked by content."""

import filecmp
import os
import shutil
import uuid
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from azulejar.app.archives import unpack
from azulejar.app.file_checks import AT_ONCE, Kind, by_name, check_picture, is_taken, wrong_kind
from azulejar.app.file_names import Names, checked_name
from azulejar.app.refusals import Clash, Refused, TooLarge
from azulejar.app.schemas import NewTile, Problem, Uploaded
from azulejar.app.store import Store
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import natural_order
from azulejar.imaging.picture import is_picture
from azulejar.knowledge import inventory

MAX_FILES = 5_000  # of a kind in a project
MAX_BYTES = 200 * 10**6  # of a picture
MAX_ZIP = 2 * 10**9

_PREFIX = "upload-"  # of what is on its way, in the folder work


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
    if suffix != ".zip" and not is_taken(plain, kind):
        raise wrong_kind(plain, kind)
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
            if not passed_over and not any(is_taken(name, kind) for name, _ in files):
                raise Refused(f"{file.name} holds no pictures.", "Pack the pictures themselves.")
            taken, errors = _take(store, kind, files)
            return Uploaded(taken=taken, passed_over=passed_over + _told(errors))
    if not file.written:
        raise Refused(f"{file.name} is empty.", "Copy it again.")
    taken, errors = _take(store, kind, [(file.name, file.path)])
    if errors and not isinstance(errors[0], _Here):
        raise errors[0]
    return Uploaded(taken=taken, passed_over=_told(errors))


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
        new.append((checked_name(path.name), copied))
        if on_progress:
            on_progress(done / len(paths))
    for error in _take(store, "tiles", new)[1]:
        raise error


def adopt(store: Store) -> None:
    """Clear what a killed server has left, and enter tiles that lie in the folder unentered."""
    for left in (store.folder / "work").glob(f"{_PREFIX}*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    known = set(store.tile_files())
    folder = store.folder / "tiles"
    found = set()
    for path in folder.iterdir():
        if path.name not in known and is_picture(path):
            with suppress(AzulejarError):
                check_picture(path, checked_name(path.name), "tiles")
                found.add(path.name)
    if found:
        store.add_tiles(_records(folder, found, known))


class _Here(Clash):
    """The same file is in the project already."""


_New = tuple[str, Path]  # name and where the bytes lie
_Outcome = tuple[list[str], list[AzulejarError]]  # names of what was taken, and why others not


def _take(store: Store, kind: Kind, files: Sequence[_New]) -> _Outcome:
    free, errors = _with_free_names(store, kind, files)
    whole = []
    known = store.tile_files()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for file, error in zip(free, pool.map(lambda f: _flaw(kind, known, f), free), strict=True):
            if error is None:
                whole.append(file)
            else:
                errors.append(error)
    # Names are looked at again: another upload may have been quicker.
    with store.files:
        new, late = _with_free_names(store, kind, whole)
        _settle(store, kind, new)
    return [name for name, _ in new], errors + late


def _with_free_names(
    store: Store, kind: Kind, files: Sequence[_New]
) -> tuple[list[_New], list[AzulejarError]]:
    """The files of the right kind whose names nobody has, and what is wrong with the others."""
    folder = store.folder / kind
    names = Names(store.tile_files() if kind == "tiles" else _names_in(folder))
    free: list[_New] = []
    errors: list[AzulejarError] = []
    for name, path in files:
        other = names.like(name)
        if not is_taken(name, kind):
            errors.append(wrong_kind(name, kind))
        elif kind == "tiles" and name.casefold() == inventory.NAME:
            free.append((inventory.NAME, path))
        elif other is None:
            names.add(name)
            free.append((name, path))
        elif other == name and _is_same(folder / name, path):
            errors.append(_Here(f"{name} is here already.", "Nothing needs to be done."))
        else:
            errors.append(
                Clash(f"{name} would stand for the same as {other}, which is here.", "Rename it.")
            )
    return free, errors


def _flaw(kind: Kind, known: Sequence[str], file: _New) -> AzulejarError | None:
    """What is wrong with the content of a file."""
    name, path = file
    try:
        if name == inventory.NAME:
            with by_name(path, name):
                inventory.read_inventory(path, known)
        else:
            check_picture(path, name, kind)
    except AzulejarError as error:
        return error
    return None


def _settle(store: Store, kind: Kind, new: Sequence[_New]) -> None:
    """Move files in and enter tiles: what is moved but not entered is adopted later."""
    folder = store.folder / kind
    known = set(store.tile_files()) if kind == "tiles" else _names_in(folder)
    pictures = {name for name, _ in new if name != inventory.NAME}
    if len(known | pictures) > MAX_FILES:
        raise TooLarge(f"A project takes {MAX_FILES:,} files of a kind.", "Make a second project.")
    records = []
    if kind == "tiles":
        table = next((path for name, path in new if name == inventory.NAME), None)
        records = _records(folder, pictures, known, table)
    for name, path in new:
        _make_lasting(path)
        path.replace(folder / name)
    if records:
        store.add_tiles(records)


def _records(
    folder: Path, new: Collection[str], known: set[str], table: Path | None = None
) -> list[NewTile]:
    """What is on record of new tiles, and of the known ones if a new ``table`` comes."""
    table = table or folder / inventory.NAME
    files = sorted({*new, *known}, key=natural_order)
    found: Sequence[Record] = (Record(),) * len(files)
    if table.exists():
        with by_name(table, inventory.NAME):
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


def _refuse_large(name: str, size: int, limit: int) -> None:
    if size > limit:
        raise TooLarge(f"{name} is larger than {limit // 10**6:,} MB.", "Reduce or divide it.")


def _told(errors: Sequence[AzulejarError]) -> list[Problem]:
    return [Problem(problem=error.problem, remedy=error.remedy) for error in errors]


def _names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.startswith(".")}


def _is_same(there: Path, new: Path) -> bool:
    return there.exists() and filecmp.cmp(there, new, shallow=False)


def _make_lasting(path: Path) -> None:
    """On the disk before the database speaks of it."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
