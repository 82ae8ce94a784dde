"""Collect the photographs to import, each under a name of its own."""

import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from azulejar.errors import AzulejarError
from azulejar.imaging.picture import heic_picture, is_heic, is_picture, picture_size
from azulejar.system.natural_order import natural_order

MAX_WIDTH = 30_000  # pixels: OpenCV counts them in 16 bits
LONGEST_NAME = 120  # characters, so that the tiles' names fit any disk


@dataclass(frozen=True)
class PhotoFile:
    """A photograph to import; its ``name``, the stem, begins the inventory numbers of its tiles."""

    path: Path

    @property
    def name(self) -> str:
        """The file's stem."""
        return self.path.stem

    def checksum(self) -> str:
        """Return the SHA-256 of the file."""
        with self.path.open("rb") as stream:
            return file_digest(stream, "sha256").hexdigest()


def find_photographs(given: Sequence[str | os.PathLike[str]]) -> list[PhotoFile]:
    """Return the photographs among files and folders, sorted; raise if two share a name."""
    paths: list[Path] = []
    for path in map(Path, given):
        if not path.exists():
            raise AzulejarError(
                "path-missing",
                "There is no file or folder {path}.",
                "Check the path.",
                path=str(path),
            )
        paths += _pictures_in(path) if path.is_dir() else [path]
    unique = {path.resolve(): path for path in paths}
    ordered = sorted(unique.values(), key=lambda path: natural_order(path.name))
    if not ordered and (heic := find_heic(given)):
        raise heic_picture(heic[0])
    if not ordered:
        raise AzulejarError(
            "photos-missing",
            "There are no photographs in {places}.",
            "Give JPEG, PNG, WebP or TIFF files, or the folder in which they lie themselves.",
            places=", ".join(map(str, given)),
        )
    _check_names(ordered)
    return [PhotoFile(path) for path in ordered]


def find_heic(given: Sequence[str | os.PathLike[str]]) -> list[Path]:
    """Return the HEIC pictures, which cannot be read, in the folders among ``given``."""
    folders = [path for path in map(Path, given) if path.is_dir()]
    entries = (entry for folder in folders for entry in folder.iterdir())
    found = [path for path in entries if is_heic(path) and not path.name.startswith(".")]
    return sorted(found, key=lambda path: natural_order(path.name))


def check_size(path: str | os.PathLike[str]) -> None:
    """Raise if the photograph is too wide or high to be worked on."""
    width, height = picture_size(path)
    if max(width, height) > MAX_WIDTH:
        raise AzulejarError(
            "photo-too-wide",
            "{path} is {width}×{height} px; more than {limit:,} px a side are not read.",
            "Reduce or cut it in a picture editor first.",
            path=str(path),
            width=width,
            height=height,
            limit=MAX_WIDTH,
        )


def _pictures_in(folder: Path) -> list[Path]:
    entries = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
    return [entry for entry in entries if is_picture(entry)]


def _check_names(paths: Sequence[Path]) -> None:
    taken: dict[str, Path] = {}
    for path in paths:
        name = path.stem
        if not _is_plain(name):
            shown = name.encode("utf-8", "replace").decode()
            raise AzulejarError(
                "photo-name-invalid",
                "A photograph in {folder} has the name {name!r}, which tiles cannot have.",
                "Rename it: up to {longest} letters, digits, spaces, - and _.",
                folder=str(path.parent),
                name=shown,
                longest=LONGEST_NAME,
            )
        # Some disks distinguish neither case nor the ways to encode an accent.
        other = taken.setdefault(unicodedata.normalize("NFC", name).casefold(), path)
        if other is not path:
            raise AzulejarError(
                "photo-name-twice",
                "The tiles of {first} and of {second} would have the same names.",
                "Rename one of the two photographs, or import it into a folder of its own.",
                first=str(other),
                second=str(path),
            )


def _is_plain(name: str) -> bool:
    readable = name.encode("utf-8", "replace").decode() == name
    plain = all(not unicodedata.category(char).startswith("C") for char in name)
    no_path = not set(name) & set('/\\:*?"<>|') and not name.startswith((".", "=", "+", "-", "@"))
    return readable and plain and no_path and 0 < len(name) <= LONGEST_NAME
