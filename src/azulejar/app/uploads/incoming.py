"""Uploads: pictures, zips of pictures and tiles.csv on their way into a project."""

import filecmp
import os
import shutil
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from azulejar.app.http.errors import Conflict, InvalidRequest, TooLarge
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.messages import Problem
from azulejar.app.schemas.projects import Uploaded
from azulejar.app.schemas.tiles import NewProjectTile, ProjectTile
from azulejar.app.uploads.checks import (
    AT_ONCE,
    FileNames,
    Kind,
    check_file_size,
    check_name,
    check_picture,
    is_accepted,
    name_in_errors,
    unsupported_file,
)
from azulejar.app.uploads.zips import extract_zip
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import is_picture
from azulejar.knowledge import inventory
from azulejar.system.atomic import flush_file
from azulejar.system.natural_order import natural_order

MAX_FILES = 5_000  # of each kind in a project
MAX_BYTES = 200 * 10**6  # of a picture
MAX_ZIP = 2 * 10**9

_READ = ("crate", "code", "note", "thickness", "outer")  # from tiles.csv, beside the number
_PREFIX = "upload-"  # of unfinished uploads in the folder work


@dataclass
class IncomingFile:
    """A file being uploaded: its checked name, and the path where its bytes are collected."""

    name: str
    path: Path
    limit: int
    written: int = field(default=0, init=False)

    def write(self, chunk: bytes) -> None:
        """Append bytes; raise beyond the limit."""
        self.written += len(chunk)
        check_file_size(self.name, self.written, self.limit)
        with self.path.open("ab") as file:
            file.write(chunk)


@asynccontextmanager
async def receive_upload(
    store: ProjectStore, kind: Kind, name: str, announced: str | None
) -> AsyncIterator[IncomingFile]:
    """Yield a file for an upload; refuse it before it begins where possible."""
    plain = check_name(name)
    suffix = Path(plain).suffix.lower()
    if suffix != ".zip" and not is_accepted(plain, kind):
        raise unsupported_file(plain, kind)
    limit = MAX_ZIP if suffix == ".zip" else MAX_BYTES
    if announced is not None and announced.isascii() and announced.isdigit():
        check_file_size(plain, int(announced[:18]), limit)
    path = store.folder / "work" / f"{_PREFIX}{uuid.uuid4().hex}{suffix}"
    try:
        path.touch()
        yield IncomingFile(plain, path, limit)
    finally:
        path.unlink(missing_ok=True)


def accept_upload(store: ProjectStore, kind: Kind, file: IncomingFile, who: str = "") -> Uploaded:
    """Check an uploaded file and put it into the project.

    A single file that cannot be accepted raises an error; in a zip, it is passed over.
    """
    if file.path.suffix == ".zip":
        folder = file.path.with_suffix("")
        with extract_zip(file.path, folder, MAX_FILES, MAX_BYTES) as (files, passed_over):
            if not passed_over and not any(is_accepted(name, kind) for name, _ in files):
                raise InvalidRequest(
                    "zip-without-pictures",
                    "{name} holds no pictures.",
                    "Pack the pictures themselves.",
                    name=file.name,
                )
            taken, errors = _take(store, kind, files, who)
            return Uploaded(
                taken=taken, passed_over=passed_over + [Problem.of(error) for error in errors]
            )
    if not file.written:
        raise InvalidRequest("file-empty", "{name} is empty.", "Copy it again.", name=file.name)
    taken, errors = _take(store, kind, [(file.name, file.path)], who)
    if errors and not isinstance(errors[0], _AlreadyHere):
        raise errors[0]
    return Uploaded(taken=taken, passed_over=[Problem.of(error) for error in errors])


def copy_tiles(
    store: ProjectStore, paths: Iterable[Path], on_progress: Callable[[float], None] | None = None
) -> None:
    """Copy tiles, and their tiles.csv, from a folder of this computer; all of them or none."""
    paths = sorted(paths, key=lambda path: natural_order(path.name))
    new = []
    for done, path in enumerate(paths, 1):
        copied = store.folder / "work" / f"{_PREFIX}{uuid.uuid4().hex}{path.suffix.lower()}"
        shutil.copyfile(path, copied)
        times = path.stat()
        os.utime(copied, ns=(times.st_atime_ns, times.st_mtime_ns))  # tells a changed one later
        new.append((check_name(path.name), copied))
        if on_progress:
            on_progress(done / len(paths))
    for error in _take(store, "tiles", new, copies=True)[1]:
        raise error


def adopt_tiles(store: ProjectStore) -> None:
    """Remove what a killed server has left, and add tiles that only lie in the folder."""
    for left in (store.folder / "work").glob(f"{_PREFIX}*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    known = store.taken_files()
    folder = store.folder / "tiles"
    found = set()
    for path in folder.iterdir():
        if path.name not in known and is_picture(path):
            with suppress(AzulejarError):
                check_picture(path, check_name(path.name), "tiles")
                found.add(path.name)
    if found:
        store.add_tiles(_records(folder, found, store.tiles()))


class _AlreadyHere(Conflict):
    """The same file is in the project already."""


_New = tuple[str, Path]  # name and path of the bytes
_Outcome = tuple[list[str], list[AzulejarError]]  # accepted names, and why others were not


def _take(
    store: ProjectStore,
    kind: Kind,
    files: Sequence[_New],
    who: str = "",
    *,
    copies: bool = False,
) -> _Outcome:
    """Check files and move them in; with ``copies`` also those that are there under other names."""
    free, errors = _check_names(store, kind, files)
    whole = []
    known = store.tile_files()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for file, error in zip(free, pool.map(lambda f: _flaw(kind, known, f), free), strict=True):
            if error is None:
                whole.append(file)
            else:
                errors.append(error)
    # Names are checked again: another upload may have been quicker.
    with store.files_lock:
        new, late = _check_names(store, kind, whole)
        if not copies:
            new, same = _refuse_copies(store, kind, new)
            late += same
        _store_files(store, kind, new, who)
    return [name for name, _ in new], errors + late


def _refuse_copies(
    store: ProjectStore, kind: Kind, files: Sequence[_New]
) -> tuple[list[_New], list[AzulejarError]]:
    """Return the files that are not there yet under another name, and errors for the others."""
    here = store.folder / kind
    known = store.tile_files() if kind == "tiles" else _names_in(here)
    by_size = store.names_by_size(kind, known)
    new: list[_New] = []
    coming: dict[int, list[_New]] = defaultdict(list)
    errors: list[AzulejarError] = []
    for name, path in files:
        size = path.stat().st_size
        there = [*((other, here / other) for other in by_size.get(size, ())), *coming[size]]
        same = next((other for other, file in there if _is_same(file, path)), None)
        if same is None or name == inventory.NAME:
            coming[size].append((name, path))
            new.append((name, path))
        else:
            errors.append(
                Conflict(
                    "same-picture-here",
                    "{name} is the same file as {other}, which is already here.",
                    "Leave it out. If there are two tiles that look alike, photograph each.",
                    name=name,
                    other=same,
                )
            )
    return new, errors


def _check_names(
    store: ProjectStore, kind: Kind, files: Sequence[_New]
) -> tuple[list[_New], list[AzulejarError]]:
    """Return the files of accepted types with unused names, and errors for the others."""
    folder = store.folder / kind
    names = FileNames(store.taken_files() if kind == "tiles" else _names_in(folder))
    removed = {tile.file for tile in store.removed_tiles()} if kind == "tiles" else set()
    free: list[_New] = []
    errors: list[AzulejarError] = []
    for name, path in files:
        other = names.like(name)
        if not is_accepted(name, kind):
            errors.append(unsupported_file(name, kind))
        elif kind == "tiles" and name.casefold() == inventory.NAME:
            free.append((inventory.NAME, path))
        elif other is None or (name in removed and _is_same(folder / name, path)):
            names.add(name)
            free.append((name, path))
        elif other == name and _is_same(folder / name, path):
            errors.append(
                _AlreadyHere(
                    "file-already-here",
                    "{name} is here already.",
                    "Nothing needs to be done.",
                    name=name,
                )
            )
        else:
            errors.append(
                Conflict(
                    "file-name-taken",
                    "{name} has the same name as {other}, which is already here.",
                    "Rename it.",
                    name=name,
                    other=other,
                )
            )
    return free, errors


def _flaw(kind: Kind, known: Sequence[str], file: _New) -> AzulejarError | None:
    """Return what is wrong with the content of a file."""
    name, path = file
    try:
        if name == inventory.NAME:
            with name_in_errors(path, name):
                inventory.read_inventory(path, known)
        else:
            check_picture(path, name, kind)
    except AzulejarError as error:
        return error
    return None


def _store_files(store: ProjectStore, kind: Kind, new: Sequence[_New], who: str) -> None:
    """Move files in, then add tiles to the database; ``adopt_tiles`` finishes after a crash."""
    folder = store.folder / kind
    known = set(store.tile_files()) if kind == "tiles" else _names_in(folder)
    pictures = {name for name, _ in new if name != inventory.NAME}
    if len(known | pictures) > MAX_FILES:
        raise TooLarge(
            "project-too-many-files",
            "A project takes {most:,} files of a kind.",
            "Make a second project.",
            most=MAX_FILES,
        )
    records = []
    if kind == "tiles":
        table = next((path for name, path in new if name == inventory.NAME), None)
        records = _records(folder, pictures, store.tiles(), table)
    for name, path in new:
        flush_file(path)
        path.replace(folder / name)
    if records:
        store.add_tiles(records, who)
    elif new:
        store.log(who, f"upload-{kind}", ", ".join(name for name, _ in new))


def _records(
    folder: Path, new: Collection[str], known: Sequence[ProjectTile], table: Path | None = None
) -> list[NewProjectTile]:
    """Return the records of new tiles, and of known ones if there is a new ``table``.

    What the table does not say of a known tile stays as it is.
    """
    table = table or folder / inventory.NAME
    old = {tile.file: tile for tile in known}
    files = sorted({*new, *old}, key=natural_order)
    found: Sequence[Record] = (Record(),) * len(files)
    if table.exists():
        with name_in_errors(table, inventory.NAME):
            found, _ = inventory.read_inventory(table, files)
    records = []
    for file, record in zip(files, found, strict=True):
        if file in new or table.parent != folder:
            before = old.get(file) or NewProjectTile(file=file, number=Path(file).stem)
            said = {name: getattr(record, name) for name in _READ}
            said["number"] = record.inventory
            given = {name: value for name, value in said.items() if value is not None}
            records.append(NewProjectTile(**before.model_dump(exclude={"tile"}) | given))
    return records


def _names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.startswith(".")}


def _is_same(there: Path, new: Path) -> bool:
    return there.exists() and filecmp.cmp(there, new, shallow=False)
