"""EXIF data of pictures: which way up they are, and when they were taken.

Damaged data, which some programs leave behind, never cost the picture.
"""

import re
import struct

from PIL import ExifTags, Image

# How to bring a picture upright, by its orientation. ImageOps.exif_transpose also rewrites the
# EXIF block and fails where some other field of it is damaged.
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_MEANT = range(9)  # many programs write 0 where they do not know
_BYTE_ORDERS = {b"II*\0": "<", b"MM\0*": ">"}
_ENTRY = 12  # bytes


def how_to_turn(picture: Image.Image) -> Image.Transpose | None:
    """Return what brings a picture upright; None if it is, or nobody can tell."""
    orientation = _read(picture).get(ExifTags.Base.Orientation)
    return None if orientation is None else _UPRIGHT.get(orientation)


def hides_orientation(picture: Image.Image) -> bool:
    """Tell whether damaged EXIF data of an opened picture keep its orientation from being read."""
    orientation = _read(picture).get(ExifTags.Base.Orientation)
    if orientation is not None:
        return orientation not in _MEANT
    return not _is_whole(picture.info.get("exif", b""))


def date_in(picture: Image.Image) -> str | None:
    """Return when an opened picture was taken, as EXIF writes it: 2024:05:17 10:30:00."""
    exif = _read(picture)
    try:
        found = exif.get_ifd(ExifTags.IFD.Exif).get(ExifTags.Base.DateTimeOriginal)
    except Exception:
        found = None
    date = str(found or exif.get(ExifTags.Base.DateTime) or "")
    return date if re.fullmatch(r"\d{4}(:\d\d){2} \d\d(:\d\d){2}", date) else None


def _read(picture: Image.Image) -> Image.Exif:
    """Return what can be read of the EXIF data."""
    try:
        return picture.getexif()
    except Exception:  # on damaged data Pillow raises errors of almost any class
        return Image.Exif()


def _is_whole(block: bytes) -> bool:
    """Return whether a block is empty, or has its header and its whole first directory."""
    block = block.removeprefix(b"Exif\0\0")
    if not block:
        return True
    order = _BYTE_ORDERS.get(block[:4])
    try:
        (start,) = struct.unpack_from(f"{order}I", block, 4)
        (entries,) = struct.unpack_from(f"{order}H", block, start)
    except struct.error:
        return False
    return start + 2 + _ENTRY * entries <= len(block)
