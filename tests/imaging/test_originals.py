"""The full pictures of tiles, and their colour profiles."""

import numpy as np
import pytest
from PIL import Image, ImageCms

from azulejar.errors import AzulejarError
from azulejar.imaging.originals import Originals

SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
# The same but for red and green, which have changed places.
SWAPPED = SRGB.replace(b"rXYZ", b"tmp!").replace(b"gXYZ", b"rXYZ").replace(b"tmp!", b"gXYZ")
RED = (200, 30, 30)


@pytest.fixture
def save(tmp_path):
    def save(name, colour=RED, size=(10, 10), profile=None, mode="RGB"):
        Image.new(mode, size, colour).save(tmp_path / name, icc_profile=profile)

    return save


def test_the_median_side(tmp_path, save):
    for i, size in enumerate([(8, 8), (20, 24), (400, 400)]):
        save(f"{i}.png", size=size)
    assert Originals(tmp_path, ("0.png", "1.png", "2.png")).side == 22


def test_a_shared_profile_leaves_the_colours_alone(tmp_path, save):
    save("a.png", profile=SWAPPED)
    save("b.png", profile=SWAPPED)
    originals = Originals(tmp_path, ("a.png", "b.png"))
    assert originals.profile == SWAPPED
    assert (originals(0, 10) == RED).all()


@pytest.mark.parametrize("other", [None, SRGB])
def test_otherwise_all_come_as_srgb(tmp_path, save, other):
    save("a.png", profile=SWAPPED)
    save("b.png", profile=other)
    originals = Originals(tmp_path, ("a.png", "b.png"))
    assert originals.profile is None
    green = originals(0, 10)[0, 0]
    assert green[1] > 150 > green[0]
    assert np.abs(originals(1, 10).astype(int) - RED).max() <= 1


def test_a_profile_for_other_than_rgb_is_not_passed_on(tmp_path, save):
    grey = SRGB[:16] + b"GRAY" + SRGB[20:]
    save("a.png", 99, profile=grey, mode="L")
    originals = Originals(tmp_path, ("a.png",))
    assert originals.profile is None
    assert (originals(0, 4) == 99).all()


def test_a_tile_that_is_not_there(tmp_path, save):
    save("a.png")
    with pytest.raises(AzulejarError, match=r"has no tile b\.png"):
        Originals(tmp_path, ("a.png", "b.png"))
