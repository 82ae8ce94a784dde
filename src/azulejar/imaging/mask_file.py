"""Read masks from files: text, or a small picture with one pixel for each place."""

import os
from pathlib import Path

from azulejar.core.mask import Mask, not_empty, parse_mask
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import read_picture
from azulejar.system.reading import read_bytes

TEXT = ".txt"  # ending of files that hold a mask as text
LARGEST = 250  # pixels a side; larger pictures are photographs or drawings of a panel
DARK = 128  # mean of a pixel's channels below which a tile lies there


def read_mask(path: str | os.PathLike[str]) -> Mask:
    """Read a mask from a text file or a picture, in which dark pixels are tiles.

    Raises:
        AzulejarError: If the file cannot be read or is no mask.
    """
    if Path(path).suffix.lower() == TEXT:
        text = read_bytes(path).decode("utf-8-sig", errors="replace")
        return parse_mask([line.strip() for line in text.split("\n") if line.strip()], str(path))
    picture = read_picture(path)
    if max(picture.shape[:2]) > LARGEST:
        raise AzulejarError(
            "mask-too-large",
            "{path} has {width}×{height} px, but a mask has one pixel for each place of the panel.",
            "Scale it down to the cols and rows of the panel.",
            path=str(path),
            width=picture.shape[1],
            height=picture.shape[0],
        )
    return not_empty(picture.mean(axis=2) < DARK, str(path))
