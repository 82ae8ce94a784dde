"""Panels to disk: kinds of file, colours, and nothing half-written."""

import numpy as np
import pytest
from PIL import Image

from azulejar.core.assembly import Assembly
from azulejar.errors import AzulejarError
from azulejar.imaging import writing
from azulejar.imaging.layout import Layout, boxes_of
from azulejar.imaging.render import whole
from azulejar.imaging.writing import write_panel

ASSEMBLY = Assembly.of([0, 1, 1], [0, 0, 2], [0, 1, 2])
LAYOUT = Layout.of(boxes_of(ASSEMBLY), 16, joints=True)


def pictures(tile, size):
    ramp = np.arange(size * size * 3, dtype=np.uint8).reshape(size, size, 3)
    return ramp + np.uint8(40 * tile)


@pytest.mark.parametrize("name", ["a.png", "a.tif", "b/a.TIFF"])
def test_the_same_pixels_in_every_lossless_kind(tmp_path, name):
    done = []
    write_panel(tmp_path / name, pictures, ASSEMBLY, LAYOUT, on_progress=done.append)
    with Image.open(tmp_path / name) as image:
        np.testing.assert_array_equal(np.asarray(image), whole(pictures, ASSEMBLY, LAYOUT))
    assert done == sorted(done)
    assert done[-1] == 1


@pytest.mark.parametrize("name", ["a.png", "a.tif", "a.jpg"])
def test_the_profile_is_kept(tmp_path, name):
    write_panel(tmp_path / name, pictures, ASSEMBLY, LAYOUT, profile=b"colours")
    with Image.open(tmp_path / name) as image:
        assert image.info["icc_profile"] == b"colours"


@pytest.mark.parametrize(("limit", "value"), [("JPEG_SIDE", 40), ("MAX_PIXELS", 1000)])
def test_a_jpeg_has_limits_that_a_png_has_not(tmp_path, monkeypatch, limit, value):
    monkeypatch.setattr(writing, limit, value)
    with pytest.raises(AzulejarError, match="A JPEG of 50 × 33 px cannot be written"):
        write_panel(tmp_path / "a.jpg", pictures, ASSEMBLY, LAYOUT)
    write_panel(tmp_path / "a.png", pictures, ASSEMBLY, LAYOUT)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.png"]


@pytest.mark.parametrize("name", ["a.png", "a.tif", "a.jpg"])
def test_what_breaks_in_the_middle_leaves_what_was_there(tmp_path, name):
    def broken(tile, size):
        if tile == 2:
            raise AzulejarError("The file is broken.", "Replace it.")
        return pictures(tile, size)

    (tmp_path / name).write_text("mine")
    with pytest.raises(AzulejarError, match="broken"):
        write_panel(tmp_path / name, broken, ASSEMBLY, LAYOUT)
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"
