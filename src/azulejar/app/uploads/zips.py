"""Zip files: unpack an upload safely, pack a folder or a whole project."""

import errno
import lzma
import re
import shutil
import sqlite3
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from azulejar.app.http.errors import InvalidRequest, TooLarge
from azulejar.app.projects import database
from azulejar.app.schemas.messages import Problem
from azulejar.app.uploads.checks import check_file_size, check_name
from azulejar.errors import AzulejarError
from azulejar.system.atomic import replacing

MAX_UNPACKED = 8 * 10**9  # bytes of all files together
MAX_RATIO = 200  # unpacked to packed size, of a file and of all; pictures hardly shrink
SMALL = 10**6  # bytes up to which the ratio of a file does not matter
SMALL_TOTAL = 10**7  # bytes up to which the ratio of all files does not matter
# Of a project; the rest can be made again.
PARTS = ("tiles", "photographs", "panel", "references", "scores")
COMPRESSED = {".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".jp2", ".zip"}
# What zipfile and the modules for its kinds of compression raise for damaged files.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    LookupError,
    OverflowError,
    RuntimeError,
    ValueError,
)
_SYSTEM_FILES = ("__macosx", "thumbs.db", "desktop.ini")


@contextmanager
def extract_zip(
    path: Path, folder: Path, most_files: int, most_bytes: int
) -> Iterator[tuple[list[tuple[str, Path]], list[Problem]]]:
    """Yield the name and path of each file, and what was passed over; then remove ``folder``.

    Folders within the zip are left out of the names. A zip that has links, has paths outside its
    own folder or exceeds a limit is refused as a whole before anything of it is written.
    """
    folder.mkdir()
    try:
        with _open_zip(path) as archive:
            entries = _check_entries(archive, most_files, path.stat().st_size)
            yield _extract(archive, entries, folder, most_bytes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _open_zip(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(path)
    except (*_BROKEN, OSError) as error:
        raise InvalidRequest(
            "zip-unreadable", "This is no zip that can be read.", "Pack the pictures again."
        ) from error
    with archive:
        yield archive


def _check_entries(archive: zipfile.ZipFile, most_files: int, packed: int) -> list[zipfile.ZipInfo]:
    """Return the files among the entries of a zip of ``packed`` bytes."""
    entries = []
    for entry in archive.infolist():
        parts = entry.filename.replace("\\", "/").split("/")
        if parts[0] == "" or ".." in parts or re.match(r"[A-Za-z]:", parts[0]):
            raise InvalidRequest(
                "zip-leads-outside",
                "The zip wants to write outside its own folder.",
                "Do not use it; pack the pictures anew.",
            )
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise InvalidRequest(
                "zip-has-links", "The zip holds links.", "Pack the pictures themselves."
            )
        if entry.flag_bits & 1:
            raise InvalidRequest(
                "zip-has-password", "The zip has a password.", "Pack the pictures without one."
            )
        hidden = any(part.startswith(".") or part.lower() in _SYSTEM_FILES for part in parts)
        if not entry.is_dir() and parts[-1] and not hidden:
            entries.append(entry)
    if len(entries) > most_files:
        raise TooLarge(
            "zip-too-many-files",
            "The zip holds more than {most:,} files.",
            "Divide it.",
            most=most_files,
        )
    total = sum(entry.file_size for entry in entries)
    if total > MAX_UNPACKED:
        raise TooLarge(
            "zip-too-large",
            "The zip holds more than {most} GB of files.",
            "Divide it.",
            most=MAX_UNPACKED // 10**9,
        )
    bomb = any(
        entry.file_size > SMALL and entry.file_size > MAX_RATIO * entry.compress_size
        for entry in entries
    )
    if bomb or (total > SMALL_TOTAL and total > MAX_RATIO * packed):
        raise TooLarge(
            "zip-grows-too-much",
            "The zip grows too much when unpacked.",
            "Pack the pictures again.",
        )
    return entries


def _extract(
    archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], folder: Path, most_bytes: int
) -> tuple[list[tuple[str, Path]], list[Problem]]:
    files: list[tuple[str, Path]] = []
    passed_over = []
    for number, entry in enumerate(entries):
        try:
            name = check_name(entry.filename.replace("\\", "/").rpartition("/")[2])
            # Under a number: names from outside are not used before the file is checked.
            target = folder / f"{number}{Path(name).suffix.lower()}"
            _copy_entry(archive, entry, target, name, most_bytes)
            files.append((name, target))
        except AzulejarError as error:
            passed_over.append(Problem.of(error))
    return files, passed_over


def _copy_entry(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, name: str, most_bytes: int
) -> None:
    check_file_size(name, entry.file_size, most_bytes)
    try:
        with archive.open(entry) as source, target.open("xb") as file:
            shutil.copyfileobj(source, file)
    except (*_BROKEN, OSError) as error:
        target.unlink(missing_ok=True)
        # Damaged data of bzip2 has no number, a position before the start of the file is EINVAL.
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise  # the disk's fault, not the zip's
        raise InvalidRequest(
            "zip-entry-broken", "{name} is broken within the zip.", "Pack it again.", name=name
        ) from error


def zip_folder(path: Path, folder: Path) -> None:
    """Write a zip of everything in a folder, under the folder's name."""
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for file in files:
            _add(archive, file, f"{folder.name}/{file.relative_to(folder).as_posix()}")


def zip_project(path: Path, folder: Path, on_progress: Callable[[float], None]) -> None:
    """Write a zip of a project that can be unpacked into any folder of projects."""
    files = list(_project_files(folder))
    home = path.stem
    with (
        tempfile.TemporaryDirectory(dir=folder / "work") as scratch,
        replacing(path) as temporary,
        zipfile.ZipFile(temporary, "w") as archive,
    ):
        copy = Path(scratch) / database.NAME
        _copy_database(folder / database.NAME, copy)
        _add(archive, copy, f"{home}/{database.NAME}")
        for done, file in enumerate(files, 1):
            _add(archive, file, f"{home}/{file.relative_to(folder).as_posix()}")
            on_progress(done / len(files))


def _project_files(folder: Path) -> Iterable[Path]:
    for part in PARTS:
        for file in sorted((folder / part).rglob("*")):
            if file.is_file() and not file.is_symlink() and not file.name.startswith("."):
                yield file


def _copy_database(source: Path, target: Path) -> None:
    """Copy a database between two transactions, with no log left beside it."""
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
        new.execute("PRAGMA journal_mode = DELETE")


def _add(archive: zipfile.ZipFile, file: Path, name: str) -> None:
    kind = zipfile.ZIP_STORED if file.suffix.lower() in COMPRESSED else zipfile.ZIP_DEFLATED
    archive.write(file, name, compress_type=kind, compresslevel=1)
