"""Masks in files: text and pictures."""

import numpy as np
import pytest
from PIL import Image

from azulejar.errors import AzulejarError
from azulejar.imaging.mask_file import read_mask

MASK = np.array([[False, True, True], [True, True, False]])


def test_text_and_pictures_draw_the_same(tmp_path):
    (tmp_path / "mask.txt").write_text("\ufeff.##\r\n##.\r\n\r\n", encoding="utf-8")
    Image.fromarray(np.where(MASK, 20, 230).astype(np.uint8)).save(tmp_path / "mask.png")
    for name in ("mask.txt", "mask.png"):
        np.testing.assert_array_equal(read_mask(tmp_path / name), MASK)


def test_transparent_pixels_are_no_tiles(tmp_path):
    picture = np.zeros((2, 3, 4), np.uint8)
    picture[..., 3] = np.where(MASK, 255, 0)
    Image.fromarray(picture).save(tmp_path / "mask.png")
    np.testing.assert_array_equal(read_mask(tmp_path / "mask.png"), MASK)


def test_a_photograph_is_no_mask(tmp_path):
    Image.new("1", (320, 256)).save(tmp_path / "mask.png")
    with pytest.raises(AzulejarError, match="one pixel for each place"):
        read_mask(tmp_path / "mask.png")


def test_a_white_picture(tmp_path):
    Image.new("L", (3, 2), 255).save(tmp_path / "mask.png")
    with pytest.raises(AzulejarError, match="has no place for a tile"):
        read_mask(tmp_path / "mask.png")
