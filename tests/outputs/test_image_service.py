"""A picture cut for deep zoom: every part that a viewer asks for is there, and is right."""

import json
import math

import numpy as np
import pytest
from PIL import Image

from azulejar.outputs.image_service import SIDE, write_image_service

ADDRESS = "https://museum.example/42/panel_1"


def asked_for(width, height, factor):
    """Addresses and regions that a viewer asks for at a scale, by Image API 3.0, section 4."""
    small = math.ceil(width / factor), math.ceil(height / factor)
    for top in range(0, small[1], SIDE):
        for left in range(0, small[0], SIDE):
            x, y = left * factor, top * factor
            w, h = min(SIDE * factor, width - x), min(SIDE * factor, height - y)
            size = min(SIDE, small[0] - left), min(SIDE, small[1] - top)
            region = "full" if (w, h) == (width, height) else f"{x},{y},{w},{h}"
            named = "max" if size == (width, height) else f"{size[0]},{size[1]}"
            yield f"{region}/{named}/0/default.jpg", (x, y, w, h), size


@pytest.mark.parametrize("shape", [(700, 1301), (512, 512), (300, 40), (1024, 513)])
def test_every_part_is_there(tmp_path, shape):
    height, width = shape
    y, x = np.mgrid[:height, :width]
    pixels = np.stack([x * 255 // width, y * 255 // height, (x + y) % 2 + 100], axis=2)
    picture = Image.fromarray(pixels.astype(np.uint8))
    write_image_service(tmp_path, picture, ADDRESS, quality=90)
    info = json.loads((tmp_path / "info.json").read_text(encoding="utf-8"))
    assert (info["id"], info["width"], info["height"]) == (ADDRESS, width, height)
    (tiles,) = info["tiles"]
    asked = {"full/max/0/default.jpg": ((0, 0, width, height), (width, height))}
    for factor in tiles["scaleFactors"]:
        asked |= {name: rest for name, *rest in asked_for(width, height, factor)}
    there = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.jpg")}
    assert there == set(asked)
    for name, ((x, y, w, h), size) in asked.items():
        with Image.open(tmp_path / name) as part:
            assert part.size == size
            middle = np.asarray(part).astype(int)[size[1] // 2, size[0] // 2]
        expected = 255 * (x + w / 2) / width, 255 * (y + h / 2) / height
        assert abs(middle[:2] - expected).max() < 5


def test_the_sizes_of_the_whole_picture_are_told(tmp_path):
    write_image_service(tmp_path, Image.new("RGB", (1301, 700)), ADDRESS)
    info = json.loads((tmp_path / "info.json").read_text(encoding="utf-8"))
    assert info["sizes"] == [{"width": 326, "height": 175}]
    assert info["profile"] == "level0"
    assert (tmp_path / "full" / "326,175" / "0" / "default.jpg").is_file()
