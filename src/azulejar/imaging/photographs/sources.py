"""Sources: which photographs to import, each under a name of its own."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from azulejar.errors import AzulejarError
from azulejar.imaging.folder import natural_order
from azulejar.imaging.picture import is_picture, picture_size

MAX_WIDTH = 30_000  # pixels: OpenCV counts them in 16 bits
LONGEST_NAME = 120  # characters, so that the tiles' names fit any disk


@dataclass(frozen=True)
class Source:
    """A photograph; ``name``, its stem, begins the inventory numbers of its tiles."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.stem

    def checksum(self) -> str:
        """SHA-256 of the file."""
        with self.path.open("rb") as stream:
            return file_digest(stream, "sha256").hexdigest()


def find_photographs(given: Sequence[Path]) -> list[Source]:
    """All photographs among files and folders, in natural order; raise if two share a name."""
    paths: list[Path] = []
    for path in given:
        if not path.exists():
            raise AzulejarError(f"There is no file or folder {path}.", "Check the path.")
        paths += _pictures_in(path) if path.is_dir() else [path]
    unique = {path.resolve(): path for path in paths}
    ordered = sorted(unique.values(), key=lambda path: natural_order(path.name))
    if not ordered:
        raise AzulejarError(
            f"There are no photographs in {', '.join(map(str, given))}.",
            "Give JPEG, PNG, WebP or TIFF files, or the folder in which they lie themselves.",
        )
    _check_names(ordered)
    return [Source(path) for path in ordered]


def check_size(path: Path) -> None:
    """Raise if the photograph is too wide or high to be worked on."""
    width, height = picture_size(path)
    if max(width, height) > MAX_WIDTH:
        raise AzulejarError(
            f"{path} is {width}×{height} px; more than {MAX_WIDTH:,} px a side are not read.",
            "Reduce or cut it in a picture editor first.",
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
                f"A photograph in {path.parent} has the name {shown!r}, which tiles cannot have.",
                f"Rename it: up to {LONGEST_NAME} letters, digits, spaces, - and _.",
            )
        # Some disks tell neither upper from lower case nor ways to write an accent apart.
        other = taken.setdefault(unicodedata.normalize("NFC", name).casefold(), path)
        if other is not path:
            raise AzulejarError(
                f"The tiles of {other} and of {path} would have the same names.",
                "Rename one of the two photographs, or import it into a folder of its own.",
            )


def _is_plain(name: str) -> bool:
    readable = name.encode("utf-8", "replace").decode() == name
    plain = all(not unicodedata.category(char).startswith("C") for char in name)
    no_path = not set(name) & set('/\\:*?"<>|') and not name.startswith((".", "=", "+", "-", "@"))
    return readable and plain and no_path and 0 < len(name) <= LONGEST_NAME
