"""Zips to download: a folder as it is, or a whole project."""

import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from azulejar.app import database
from azulejar.system.atomic import replacing

PARTS = ("tiles", "photographs", "panel", "scores")  # all else can be made again
PACKED = {".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".jp2", ".zip"}


def write_folder(path: Path, folder: Path) -> None:
    """Everything in a folder, under its name."""
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for file in files:
            _add(archive, file, f"{folder.name}/{file.relative_to(folder).as_posix()}")


def write_project(path: Path, folder: Path, on_progress: Callable[[float], None]) -> None:
    """A project that can be unpacked into any folder of projects, as it is at this moment."""
    files = list(_files(folder))
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


def _files(folder: Path) -> Iterable[Path]:
    for part in PARTS:
        for file in sorted((folder / part).rglob("*")):
            if file.is_file() and not file.is_symlink() and not file.name.startswith("."):
                yield file


def _copy_database(source: Path, target: Path) -> None:
    """As SQLite has it between two changes, with nothing left in a log beside it."""
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
        new.execute("PRAGMA journal_mode = DELETE")


def _add(archive: zipfile.ZipFile, file: Path, name: str) -> None:
    kind = zipfile.ZIP_STORED if file.suffix.lower() in PACKED else zipfile.ZIP_DEFLATED
    archive.write(file, name, compress_type=kind, compresslevel=1)
