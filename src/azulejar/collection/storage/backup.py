"""Back up a collection into one file while others work on it, and restore it."""

import json
import os
import shutil
import sqlite3
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any

from azulejar.collection.storage import database
from azulejar.collection.storage.arrays import LAYOUTS
from azulejar.collection.storage.catalogue import (
    Collection,
    refuse_existing_collection,
    stored_path,
)
from azulejar.collection.storage.integrity import add_checksums, check_integrity
from azulejar.collection.storage.lock import HELD, HOLDER, locked
from azulejar.errors import AzulejarError
from azulejar.system.atomic import flush_file, new_folder, refuse_existing_file, replacing
from azulejar.system.transactions import now
from azulejar.version import __version__

MARK = "backup.json"
FORMAT = 1
STAGING = ".backup"  # folder in the collection that holds the snapshot meanwhile
TRIES, PAUSE = 20, 0.25  # seconds between two looks at a folder that another process replaces
CHUNK = 1 << 20
SEARCH, JOINTS = "search", "joints.npz"  # of the search, all but the joints is made again
TABLES = "tables"  # projects of the page, of which all but the following is made again
REFERENCES = "references"  # old pictures of panels
BESIDE_DATABASES = (".db-wal", ".db-shm", ".db-journal")  # come and go as one is read
_NAME = "azulejar-collection-backup/"

OnProgress = Callable[[float], None]


def backup_collection(
    collection: Collection,
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    on_progress: OnProgress = lambda fraction: None,
) -> Path:
    """Write a zip of a collection as it is at one moment; others may add, sort and solve meanwhile.

    It holds the catalogue, the arrays, what sort and solve have made and what people have laid in
    the page, but no search index, which is made again when it is needed, and of the photographs
    only those that lie in the collection's folder.

    Args:
        collection: What to back up.
        path: The zip to write.
        overwrite: Whether a file of that name may be replaced.
        on_progress: Called with the fraction of bytes that are written.

    Raises:
        AzulejarError: The collection is damaged, or the file cannot be written or exists.

    Examples:
        >>> import azulejar
        >>> with azulejar.Collection.open("museum") as museum:
        ...     azulejar.backup_collection(museum, "museum.zip").name
        'museum.zip'
    """
    path = Path(path)
    refuse_existing_file(path, overwrite)
    staging = collection.folder / STAGING
    staging.mkdir(exist_ok=True)
    with locked(staging, "makes a backup"):
        try:
            tiles = _snapshot(collection, staging)
            with replacing(path) as temporary:
                _write_zip(temporary, staging, tiles, collection, on_progress)
        finally:
            _clear(staging)
    return path


def restore_collection(
    path: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    on_progress: OnProgress = lambda fraction: None,
) -> Collection:
    """Restore a backup into a folder that is new or empty, and open the collection.

    Everything is compared with its checksums before the folder gets its name. Photographs are
    sought beside the restored collection, then where they were when the backup was made.

    Args:
        path: The zip that ``backup_collection`` wrote.
        folder: Where to restore it.
        on_progress: Called with the fraction of bytes that are read.

    Raises:
        AzulejarError: The file is no backup, or is damaged, or the folder is not empty.

    Examples:
        >>> import azulejar
        >>> with azulejar.Collection.open("museum") as museum:
        ...     path = azulejar.backup_collection(museum, "kept.zip")
        >>> with azulejar.restore_collection(path, "restored") as museum:
        ...     len(museum)
        16
    """
    path, folder = Path(path), Path(folder)
    refuse_existing_collection(folder)
    with _open_backup(path) as (archive, about), new_folder(folder, database.NAME) as temporary:
        _extract(archive, path, temporary, on_progress)
        try:
            with Collection(temporary) as restored:
                check_integrity(restored)
                add_checksums(restored)
                _point_to_pictures(restored, Path(str(about.get("folder", ""))), folder.resolve())
        except AzulejarError as error:
            raise _damaged(path) from error
    return Collection(folder)


# Backup


def _snapshot(collection: Collection, staging: Path) -> int:
    """Make a collection in ``staging`` that nobody changes, by links; return how many tiles it has.

    Array files only grow, databases of tables are copied, and any other file is replaced and never
    changed, so that a link to it stays what it is.
    """
    _clear(staging)
    collection.database.copy_to(staging / database.NAME)
    for layout in LAYOUTS.values():  # after the database, which counts the tiles that are complete
        if (collection.folder / layout.file).is_file():
            _link(collection.folder / layout.file, staging / layout.file)
    for entry in sorted(collection.folder.iterdir()):
        if entry.is_dir() and not entry.name.startswith("."):
            _link_folder(entry, staging / entry.name)
        elif entry.suffix == ".html":
            _link(entry, staging / entry.name)
    with Collection(staging) as copy:
        copy.given = collection.given
        check_integrity(copy)
        return len(copy)


def _link_folder(source: Path, target: Path) -> None:
    """Link all files of a folder as they are at one moment."""
    for attempt in range(TRIES):
        if attempt:
            time.sleep(PAUSE)
        shutil.rmtree(target, ignore_errors=True)
        before = _stamps(source)
        try:
            for name in before:
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                if name.endswith(".db"):
                    _copy_database(source / name, target / name)
                else:
                    _link(source / name, target / name)
        except FileNotFoundError:  # replaced meanwhile
            continue
        if _stamps(source) == before:
            return
    raise AzulejarError(
        "backup-disturbed",
        "{folder} was changed again and again while it was copied.",
        "Make the backup once the other process has ended.",
        folder=str(source),
    )


def _stamps(folder: Path) -> dict[str, tuple[int, ...]]:
    """Return what tells whether a file was replaced, by its path within a folder."""
    found: dict[str, tuple[int, ...]] = {}
    for path in sorted(folder.rglob("*")):
        within = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in within.parts)
        other = path.name in (HELD, HOLDER) or path.suffix in BESIDE_DATABASES
        other |= folder.name == SEARCH and path.name != JOINTS
        is_database = path.suffix == ".db"
        kept = is_database or path.parent.name == REFERENCES
        if hidden or other or (folder.name == TABLES and not kept):
            continue
        with suppress(FileNotFoundError):
            about = path.stat()
            if path.is_file():  # a database is changed in place, and copied between two changes
                changed = () if is_database else (about.st_ino, about.st_size, about.st_mtime_ns)
                found[within.as_posix()] = changed
    return found


def _copy_database(source: Path, target: Path) -> None:
    """Copy the database of a table on which people may work, as it is between two changes."""
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as one,
        closing(sqlite3.connect(target)) as other,
    ):
        one.backup(other)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:  # not on every disk
        shutil.copyfile(source, target)


def _clear(staging: Path) -> None:
    for entry in staging.iterdir() if staging.is_dir() else ():
        if entry.is_dir():
            shutil.rmtree(entry, ignore_errors=True)
        elif entry.name not in (HELD, HOLDER):
            entry.unlink(missing_ok=True)


def _write_zip(
    path: Path, staging: Path, tiles: int, collection: Collection, on_progress: OnProgress
) -> None:
    cut = {layout.file: tiles * layout.tile_bytes for layout in LAYOUTS.values()}
    files = [file for file in sorted(staging.rglob("*")) if file.is_file()]
    sizes = {
        name: cut.get(name, file.stat().st_size)
        for file in files
        if (name := file.relative_to(staging).as_posix()) not in (HELD, HOLDER)
    }
    about = {
        "format": f"{_NAME}{FORMAT}",
        "version": __version__,
        "made": now(),
        "folder": str(collection.folder),
        "tiles": tiles,
    }
    total, done = sum(sizes.values()), 0
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MARK, json.dumps(about, ensure_ascii=False, indent=1) + "\n")
        for name, size in sizes.items():
            with (
                (staging / name).open("rb") as file,
                archive.open(zipfile.ZipInfo(name), "w", force_zip64=size > CHUNK) as target,
            ):
                while size:
                    chunk = file.read(min(CHUNK, size))
                    if not chunk:
                        raise collection.database.damaged(f"{name} became shorter")
                    target.write(chunk)
                    size -= len(chunk)
                    done += len(chunk)
                    on_progress(done / total)
    flush_file(path)


# Restore


@contextmanager
def _open_backup(path: Path) -> Iterator[tuple[zipfile.ZipFile, dict[str, Any]]]:
    try:
        archive = zipfile.ZipFile(path)
        with archive.open(MARK) as mark:
            about = json.loads(mark.read(_MOST_ABOUT))
        name, number = str(about["format"]).rsplit("/", 1)
        if f"{name}/" != _NAME:
            raise ValueError(name)
        newer = int(number) > FORMAT
    except (OSError, ValueError, TypeError, KeyError, *_BROKEN) as error:
        raise AzulejarError(
            "backup-unreadable",
            "{path} cannot be read as the backup of a collection.",
            "Give a file that a backup of a collection has written.",
            path=str(path),
        ) from error
    with archive:
        if newer:
            raise AzulejarError(
                "backup-format-newer",
                "{path} was written by azulejar {wrote}, which is newer than this one ({here}).",
                "Install azulejar {wrote} or a later one.",
                path=str(path),
                wrote=str(about.get("version")),
                here=__version__,
            )
        yield archive, about


_MOST_ABOUT = 1 << 16  # bytes; ours has some hundred
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


def _extract(archive: zipfile.ZipFile, path: Path, folder: Path, on_progress: OnProgress) -> None:
    entries = [entry for entry in archive.infolist() if entry.filename != MARK]
    total, done = sum(entry.file_size for entry in entries) or 1, 0
    if total > path.stat().st_size:  # backups are not packed; this would fill the disk
        raise _damaged(path)
    try:
        for entry in entries:
            within = PurePosixPath(entry.filename)
            if within.is_absolute() or ".." in within.parts or "\\" in entry.filename:
                raise ValueError(entry.filename)
            target = folder / within
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as source, target.open("xb") as file:
                while chunk := source.read(CHUNK):
                    file.write(chunk)
                    done += len(chunk)
                    on_progress(done / total)
                file.flush()
                os.fsync(file.fileno())
    except (ValueError, FileExistsError, *_BROKEN) as error:
        raise _damaged(path) from error


def _point_to_pictures(collection: Collection, old: Path, new: Path) -> None:
    """Change the paths of photographs that lie where they were, but not as seen from ``new``."""
    with collection.database.changing() as db:
        rows = db.execute("SELECT number, path FROM tiles").fetchall()
        for row in rows:
            before, there = (Path(os.path.normpath(home / row["path"])) for home in (old, new))
            if before.exists() and not there.exists():
                db.execute(
                    "UPDATE tiles SET path = ? WHERE number = ?",
                    (stored_path(before, new), row["number"]),
                )
        database.seal_tiles(db)


def _damaged(path: Path) -> AzulejarError:
    return AzulejarError(
        "backup-damaged",
        "{path} is damaged; nothing was restored.",
        "Restore another backup.",
        path=str(path),
    )
