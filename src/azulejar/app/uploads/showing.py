"""Pictures as the page shows them: JPEG, no larger than it asks for."""

from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.app.uploads.checks import decoding
from azulejar.imaging.picture import read_picture

QUALITY = 88


def decode(path: Path) -> NDArray[np.uint8]:
    """Read a picture [H, W, 3]; only a few are decoded at a time, since each takes much memory."""
    with decoding:
        return read_picture(path)


def to_jpeg(picture: NDArray[np.uint8], size: int | None = None) -> bytes:
    """Return a picture [H, W, 3] as JPEG, at most ``size`` pixels wide and high."""
    shown = Image.fromarray(picture)
    if size is not None:
        shown.thumbnail((size, size))
    stream = BytesIO()
    shown.save(stream, "JPEG", quality=QUALITY)
    return stream.getvalue()
