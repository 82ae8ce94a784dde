"""Zips from elsewhere, unpacked into one flat folder, or refused."""

import re
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from azulejar.app.file_names import checked_name
from azulejar.app.refusals import Refused, TooLarge
from azulejar.app.schemas import Problem
from azulejar.errors import AzulejarError

MAX_UNPACKED = 8 * 10**9  # bytes of all files together
MAX_RATIO = 200  # times that a file may be larger than packed; pictures hardly shrink
SMALL = 10**6  # bytes from which on the ratio is looked at
_OF_SYSTEMS = ("__macosx", "thumbs.db", "desktop.ini")
_ELSEWHERE = Refused(
    "The zip wants to write outside its own folder.", "Do not use it; pack the pictures anew."
)


@contextmanager
def unpack(
    path: Path, folder: Path, most_files: int, most_bytes: int
) -> Iterator[tuple[list[tuple[str, Path]], list[Problem]]]:
    """Name and place of each file, and what was passed over; cleared in the end.

    Folders within are left out of the names. A zip with links, with paths that lead elsewhere or
    with more than it may hold is refused as a whole, before anything of it is written.
    """
    folder.mkdir()
    try:
        with _opened(path) as archive:
            entries = _checked_entries(archive, most_files)
            yield _extract(archive, entries, folder, most_bytes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise Refused("This is no zip that can be read.", "Pack the pictures anew.") from error
    with archive:
        yield archive


def _checked_entries(archive: zipfile.ZipFile, most_files: int) -> list[zipfile.ZipInfo]:
    entries = []
    for entry in archive.infolist():
        parts = entry.filename.replace("\\", "/").split("/")
        if parts[0] == "" or ".." in parts or re.match(r"[A-Za-z]:", parts[0]):
            raise _ELSEWHERE
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise Refused("The zip holds links.", "Pack the pictures themselves.")
        if entry.flag_bits & 1:
            raise Refused("The zip has a password.", "Pack the pictures without one.")
        hidden = any(part.startswith(".") or part.lower() in _OF_SYSTEMS for part in parts)
        if not entry.is_dir() and parts[-1] and not hidden:
            entries.append(entry)
    if len(entries) > most_files:
        raise TooLarge(f"The zip holds more than {most_files:,} files.", "Divide it.")
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED:
        raise TooLarge(
            f"The zip holds more than {MAX_UNPACKED // 10**9} GB of files.", "Divide it."
        )
    for entry in entries:
        if entry.file_size > SMALL and entry.file_size > MAX_RATIO * entry.compress_size:
            raise TooLarge("The zip grows too much when unpacked.", "Pack the pictures anew.")
    return entries


def _extract(
    archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], folder: Path, most_bytes: int
) -> tuple[list[tuple[str, Path]], list[Problem]]:
    files: list[tuple[str, Path]] = []
    passed_over = []
    for number, entry in enumerate(entries):
        try:
            name = checked_name(entry.filename.replace("\\", "/").rpartition("/")[2])
            # Under a number: no name from elsewhere is used before the file is checked.
            target = folder / f"{number}{Path(name).suffix.lower()}"
            _copy(archive, entry, target, name, most_bytes)
            files.append((name, target))
        except AzulejarError as error:
            passed_over.append(Problem(problem=error.problem, remedy=error.remedy))
    return files, passed_over


def _copy(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, name: str, most_bytes: int
) -> None:
    if entry.file_size > most_bytes:
        raise TooLarge(f"{name} is larger than {most_bytes // 10**6} MB.", "Reduce it.")
    try:
        with archive.open(entry) as source, target.open("xb") as file:
            shutil.copyfileobj(source, file)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        target.unlink(missing_ok=True)
        raise Refused(f"{name} is broken within the zip.", "Pack it again.") from error
