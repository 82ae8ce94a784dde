"""What a file has to be: of a kind that is taken, and whole."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from PIL import Image

from azulejar.app.refusals import Refused, TooLarge, WrongKind
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import check_shape
from azulejar.imaging.picture import FORMATS, picture_size, read_tile
from azulejar.knowledge import inventory

Kind = Literal["tiles", "photographs", "panel"]

AT_ONCE = 2  # a large picture takes half a gigabyte while it is decoded
_decoding = threading.BoundedSemaphore(AT_ONCE)
_SEEN_AT = 64  # px; a picture that can be read at this size is whole


def is_taken(name: str, kind: Kind) -> bool:
    """Whether a file of that name is one that can be taken."""
    if kind == "tiles" and name.casefold() == inventory.NAME:
        return True
    return Image.registered_extensions().get(Path(name).suffix.lower()) in FORMATS


def wrong_kind(name: str, kind: Kind) -> AzulejarError:
    """The refusal of one that cannot."""
    more = ", a zip or tiles.csv" if kind == "tiles" else " or a zip"
    return WrongKind(f"{name} is no picture.", f"Give JPEG, PNG, WebP or TIFF files{more}.")


def check_picture(path: Path, name: str, kind: Kind) -> None:
    """Raise unless the content is a whole picture, and of a tile a square one."""
    with by_name(path, name):
        width, height = picture_size(path)
        if kind == "tiles":
            check_shape(path, width, height)
        with _decoding:
            read_tile(path, _SEEN_AT)


@contextmanager
def by_name(path: Path, name: str) -> Iterator[None]:
    """Errors speak of the file by the name that the user knows."""
    try:
        yield
    except AzulejarError as error:
        raise Refused(error.problem.replace(str(path), name), error.remedy) from error
    except MemoryError as error:
        raise TooLarge(f"{name} is too large for this computer.", "Reduce it first.") from error
