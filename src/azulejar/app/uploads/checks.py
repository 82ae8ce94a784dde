"""Checks of uploaded files: their name, their type and their content."""

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Literal

from PIL import Image

from azulejar.app.http.errors import InvalidRequest, TooLarge, UnsupportedFile
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import check_shape
from azulejar.imaging.picture import FORMATS, heic_picture, is_heic, picture_size, read_tile
from azulejar.imaging.tile_shapes import is_half_shape
from azulejar.knowledge import inventory

Kind = Literal["tiles", "photographs", "panel"]

MAX_NAME = 200  # bytes
AT_ONCE = 2  # a large picture takes half a gigabyte while it is decoded
_CHECKED_AT = 64  # px; a picture that can be read at this size is intact
_NOT_ON_WINDOWS = '<>:"|?*'
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # Unicode categories
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)", re.IGNORECASE)
decoding = threading.BoundedSemaphore(AT_ONCE)


def check_name(name: str) -> str:
    """Return the name in composed letters; raise unless every system can store such a file."""
    plain = unicodedata.normalize("NFC", name)
    bad = (
        any(unicodedata.category(letter) in _INVISIBLE for letter in plain)
        or any(letter in "/\\" + _NOT_ON_WINDOWS for letter in plain)
        or plain != plain.strip()
        or plain.startswith(".")
        or plain.endswith(".")
        or _DEVICE.fullmatch(plain.partition(".")[0].strip())
    )
    if not plain or bad:
        shown = "".join(letter if letter.isprintable() else "�" for letter in plain[:60])
        raise InvalidRequest(
            "file-name-unusable",
            "The file name “{name}” cannot be used.",
            "Rename the file.",
            name=shown,
        )
    if len(plain.encode()) > MAX_NAME:
        raise InvalidRequest(
            "file-name-too-long",
            "The file name {name}… is too long.",
            "Rename the file.",
            name=plain[:40],
        )
    return plain


def check_file_size(name: str, size: int, limit: int) -> None:
    """Raise if a file has more than ``limit`` bytes."""
    if size > limit:
        raise TooLarge(
            "file-too-large",
            "{name} is larger than {limit:,} MB.",
            "Reduce or divide it.",
            name=name,
            limit=limit // 10**6,
        )


class FileNames:
    """Names of the files in one folder, whether or not the system tells capitals apart."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._by_letters: dict[str, str] = {}
        self._by_stem: dict[str, str] = {}
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        self._by_letters[name.casefold()] = name
        self._by_stem[PurePath(name).stem] = name

    def like(self, name: str) -> str | None:
        """Return the name that excludes this one: equal except for capitals or the suffix."""
        same = self._by_letters.get(name.casefold())
        return same if same is not None else self._by_stem.get(PurePath(name).stem)


def is_accepted(name: str, kind: Kind) -> bool:
    """Whether files of that name's type are accepted."""
    if kind == "tiles" and name.casefold() == inventory.NAME:
        return True
    return Image.registered_extensions().get(Path(name).suffix.lower()) in FORMATS


def unsupported_file(name: str, kind: Kind) -> AzulejarError:
    """Return the error for a file whose type is not accepted."""
    if is_heic(name):
        return InvalidRequest.of(heic_picture(name), {"path": name})
    if kind == "tiles":
        return UnsupportedFile(
            "tile-not-a-picture",
            "{name} is no picture.",
            "Give JPEG, PNG, WebP or TIFF files, a zip or tiles.csv.",
            name=name,
        )
    return UnsupportedFile(
        "photograph-not-a-picture",
        "{name} is no picture.",
        "Give JPEG, PNG, WebP or TIFF files or a zip.",
        name=name,
    )


def check_picture(path: Path, name: str, kind: Kind, *, halves: bool = True) -> None:
    """Raise unless the file is an intact picture and, for a tile, a square or, with ``halves``,
    a half one.
    """
    with name_in_errors(path, name):
        width, height = picture_size(path)
        if kind == "tiles":
            check_shape(path, width, height, halves and is_half_shape(width, height))
        with decoding:
            read_tile(path, _CHECKED_AT)


@contextmanager
def name_in_errors(path: Path, name: str) -> Iterator[None]:
    """Let errors name a file as the user knows it instead of by its path on the server."""
    try:
        yield
    except AzulejarError as error:
        values = {
            key: value.replace(str(path), name) if isinstance(value, str) else value
            for key, value in error.values.items()
        }
        raise InvalidRequest.of(error, values) from error
    except MemoryError as error:
        raise TooLarge(
            "picture-exceeds-memory",
            "{name} is too large for this computer.",
            "Reduce it first.",
            name=name,
        ) from error
