import numpy as np
import pytest
from PIL import Image

from azulejar.errors import AzulejarError
from azulejar.outputs.collection import find_sheet
from azulejar.outputs.collection.find_sheet import FoundTile, LaidTile, check_suffix, write_sheet
from azulejar.outputs.collection.tile_pictures import CollectionPictures


def asked(made):
    """A tile, and two that may lie to its right and above it."""
    entries = made[0].entries([0, 1, 2])
    fits = [
        FoundTile(LaidTile(entries[1], 0, 1, 3), 0.9, "panel 1"),
        FoundTile(LaidTile(entries[2], -1, 0, 0), 0.02),
    ]
    return entries, [LaidTile(entries[0], 0, 0, 0)], fits


def test_tiles_lie_side_by_side_and_turned(made):
    entries, around, fits = asked(made)
    pictures = CollectionPictures(entries, made[0].pixels)
    scene = find_sheet._scene(pictures, [*around, fits[0].laid], [0, 1])
    size = find_sheet.TILE
    assert scene.shape == (size, 2 * size, 3)
    inner = slice(0, size - 4)  # the corners that point at the other reach over a little
    np.testing.assert_array_equal(scene[:, inner], pictures(0, size)[:, inner])
    beside = np.rot90(pictures(1, size), 1)  # three quarters clockwise
    middle = slice(size // 4, 3 * size // 4)
    np.testing.assert_array_equal(scene[middle, size:][:, middle], beside[middle, middle])


@pytest.mark.parametrize("name", ["sheet.png", "sheet.jpg"])
def test_a_picture(made, tmp_path, name):
    _, around, fits = asked(made)
    assert write_sheet(tmp_path / name, made[0], "What fits A00", around, fits) == []
    picture = Image.open(tmp_path / name)
    assert picture.width > 4 * find_sheet.TILE and picture.height > 2 * find_sheet.TILE


def test_a_page(made, tmp_path):
    entries, around, fits = asked(made)
    write_sheet(tmp_path / "sheet.html", made[0], "What fits <A00>", around, fits)
    page = (tmp_path / "sheet.html").read_text(encoding="utf-8")
    assert "What fits &lt;A00&gt;" in page
    assert page.count("data:image/jpeg") == 2
    assert f"1. {entries[1].inventory}" in page and "turned 270°; panel 1" in page


def test_other_suffixes_are_refused(tmp_path):
    with pytest.raises(AzulejarError, match="ends in"):
        check_suffix(tmp_path / "sheet.pdf")
