"""EXIF data, whole and damaged, in every kind of file that has them."""

import io

import pytest
from damaged_exif import DAMAGED, orientation_block
from PIL import Image

from azulejar.imaging.picture import date_taken, hides_orientation, picture_size, read_picture

KINDS = ("JPEG", "PNG", "WEBP")


@pytest.fixture
def picture(tmp_path):
    """Write a picture of 48 × 32 px with an EXIF block."""

    def write(kind, block):
        Image.new("RGB", (48, 32)).save(tmp_path / "a.jpg", kind, exif=block)
        return tmp_path / "a.jpg"

    return write


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_data_do_not_cost_the_picture_and_are_noticed(picture, kind, damage):
    path = picture(kind, DAMAGED[damage])
    assert read_picture(path).shape == (32, 48, 3)  # as it is stored
    assert picture_size(path) == (48, 32)
    assert date_taken(path) is None
    assert hides_orientation(path)
    assert hides_orientation("elsewhere", path.read_bytes())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("orientation", range(9))
def test_an_orientation_is_read_and_0_says_that_there_is_none(picture, kind, orientation):
    path = picture(kind, orientation_block(orientation))
    assert not hides_orientation(path)
    assert read_picture(path).shape == ((48, 32, 3) if orientation > 4 else (32, 48, 3))


def test_no_data_and_whole_data_without_an_orientation_hide_nothing(picture):
    for block in (b"", b"Exif\0\0", b"Exif\0\0MM\0*\0\0\0\x08" + bytes(6)):
        assert not hides_orientation(picture("JPEG", block))


def test_damage_after_the_orientation_hides_nothing(picture):
    path = picture("JPEG", orientation_block().replace(b"\x01\0\x12", b"\x02\0\x12"))
    assert not hides_orientation(path)
    assert read_picture(path).shape == (48, 32, 3)


def test_the_orientation_of_a_tiff_is_checked_too(tmp_path):
    for orientation, hidden in ((6, False), (9, True)):
        exif = Image.Exif()
        exif[0x0112] = orientation
        file = io.BytesIO()
        Image.new("RGB", (48, 32)).save(file, "TIFF", exif=exif)
        assert hides_orientation("a.tif", file.getvalue()) is hidden
