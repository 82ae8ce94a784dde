"""A static IIIF image service: a picture cut into files for deep zoom.

Level 0 of https://iiif.io/api/image/3.0/: every size and part that a viewer may ask for lies there
under its canonical address, REGION/SIZE/ROTATION/QUALITY.FORMAT.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image

CONTEXT = "http://iiif.io/api/image/3/context.json"
SIDE = 512  # of the parts, in pixels
Box = tuple[int, int, int, int]  # left, top, right and bottom in pixels
Json = dict[str, Any]


def write_image_service(folder: Path, picture: Image.Image, address: str, **options: Any) -> None:
    """Write ``info.json`` and the image tiles; ``options`` go to Pillow's JPEG encoder.

    ``address`` is that under which the folder will be published.
    """
    width, height = picture.size
    for factor in reversed(scale_factors(width, height)):
        size = math.ceil(width / factor), math.ceil(height / factor)
        level = picture if factor == 1 else picture.resize(size, reducing_gap=2.0)
        for box, name in _parts(width, height, factor):
            _save(folder / name, level.crop(box), options)
    _save(folder / "full/max", picture, options)
    text = json.dumps(image_information(address, width, height), indent=1)
    (folder / "info.json").write_text(text + "\n", encoding="utf-8")


def image_information(address: str, width: int, height: int) -> Json:
    """Return the ``info.json`` of a picture of ``width`` × ``height`` pixels."""
    factors = scale_factors(width, height)
    return {
        "@context": CONTEXT,
        "id": address,
        "type": "ImageService3",
        "protocol": "http://iiif.io/api/image",
        "profile": "level0",
        "width": width,
        "height": height,
        "sizes": [
            {"width": math.ceil(width / factor), "height": math.ceil(height / factor)}
            for factor in reversed(factors)
            if max(width, height) <= SIDE * factor
        ],
        "tiles": [{"width": SIDE, "height": SIDE, "scaleFactors": factors}],
    }


def scale_factors(width: int, height: int) -> list[int]:
    """Return 1, 2, 4 … up to the first by which the picture becomes one part.

    >>> scale_factors(1300, 200), scale_factors(512, 512)
    ([1, 2, 4], [1])
    """
    levels = max(0, math.ceil(math.log2(max(width, height) / SIDE)))
    return [2**level for level in range(levels + 1)]


def _save(folder: Path, part: Image.Image, options: Json) -> None:
    path = folder / "0" / "default.jpg"
    path.parent.mkdir(parents=True, exist_ok=True)
    part.save(path, "JPEG", **options)


def _parts(width: int, height: int, factor: int) -> Iterator[tuple[Box, str]]:
    """Yield the image tiles at one scale: their box, and the start of their path."""
    small = math.ceil(width / factor), math.ceil(height / factor)
    if max(small) <= SIDE:
        if factor > 1:  # the whole picture is there anyway
            yield (0, 0, *small), "full/{},{}".format(*small)
        return
    step = SIDE * factor
    for y in range(0, height, step):
        for x in range(0, width, step):
            w, h = min(step, width - x), min(step, height - y)
            left, top = x // factor, y // factor
            size = min(SIDE, small[0] - left), min(SIDE, small[1] - top)
            box = (left, top, left + size[0], top + size[1])
            yield box, f"{x},{y},{w},{h}/{size[0]},{size[1]}"
