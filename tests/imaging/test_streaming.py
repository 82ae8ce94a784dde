"""Picture files written band by band: kinds, colours, and nothing half-written."""

import io
import zlib

import numpy as np
import pytest
import tifffile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from azulejar.core.assembly import Assembly
from azulejar.errors import AzulejarError
from azulejar.imaging import streaming
from azulejar.imaging.layout import Layout, boxes_of
from azulejar.imaging.render import render_whole
from azulejar.imaging.streaming import render_to_file

ASSEMBLY = Assembly.of([0, 1, 1], [0, 0, 2], [0, 1, 2])
LAYOUT = Layout.of(boxes_of(ASSEMBLY), 16, joints=True)


def noise(height, width):
    return np.random.default_rng(0).integers(0, 256, (height, width, 3), np.uint8)


def pictures(tile, size):
    ramp = np.arange(size * size * 3, dtype=np.uint8).reshape(size, size, 3)
    return ramp + np.uint8(40 * tile)


@pytest.mark.parametrize("name", ["a.png", "a.tif", "b/a.TIFF"])
def test_the_same_pixels_in_every_lossless_kind(tmp_path, name):
    done = []
    render_to_file(tmp_path / name, pictures, ASSEMBLY, LAYOUT, on_progress=done.append)
    with Image.open(tmp_path / name) as image:
        np.testing.assert_array_equal(np.asarray(image), render_whole(pictures, ASSEMBLY, LAYOUT))
    assert done == sorted(done)
    assert done[-1] == 1


@pytest.mark.parametrize("name", ["a.png", "a.tif", "a.jpg"])
def test_the_profile_is_kept(tmp_path, name):
    render_to_file(tmp_path / name, pictures, ASSEMBLY, LAYOUT, profile=b"colours")
    with Image.open(tmp_path / name) as image:
        assert image.info["icc_profile"] == b"colours"


@pytest.mark.parametrize(("limit", "value"), [("JPEG_SIDE", 40), ("MAX_PIXELS", 1000)])
def test_a_jpeg_has_limits_that_a_png_has_not(tmp_path, monkeypatch, limit, value):
    monkeypatch.setattr(streaming, limit, value)
    with pytest.raises(AzulejarError, match="A JPEG of 50 × 33 px cannot be written"):
        render_to_file(tmp_path / "a.jpg", pictures, ASSEMBLY, LAYOUT)
    render_to_file(tmp_path / "a.png", pictures, ASSEMBLY, LAYOUT)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.png"]


@pytest.mark.parametrize("name", ["a.png", "a.tif", "a.jpg"])
def test_what_breaks_in_the_middle_leaves_what_was_there(tmp_path, name):
    def broken(tile, size):
        if tile == 2:
            raise AzulejarError("file-broken", "The file is broken.", "Replace it.")
        return pictures(tile, size)

    (tmp_path / name).write_text("mine")
    with pytest.raises(AzulejarError, match="broken"):
        render_to_file(tmp_path / name, broken, ASSEMBLY, LAYOUT)
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


def png_of(picture, cuts=(), profile=None):
    """The picture as PNG bytes, given in bands that end at the ``cuts``."""
    file = io.BytesIO()
    bands = np.split(picture, sorted(cuts))
    height, width = picture.shape[:2]
    streaming.write_png(file, width, height, [band for band in bands if len(band)], profile)
    return file.getvalue()


@given(
    height=st.integers(1, 40),
    width=st.integers(1, 30),
    cuts=st.sets(st.integers(1, 39), max_size=4),
    part=st.integers(1, 500),
)
def test_any_bands_of_a_png_come_back_as_they_were(height, width, cuts, part):
    picture = noise(height, width)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streaming, "PNG_PART_BYTES", part)
        data = png_of(picture, [cut for cut in cuts if cut < height])
    with Image.open(io.BytesIO(data)) as image:
        image.verify()  # every chunk's checksum
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(data))), picture)


def test_a_png_is_one_zlib_stream_with_its_checksum():
    data, stream = png_of(noise(300, 2000), [100]), b""
    at = 8
    while at < len(data):
        length = int.from_bytes(data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            stream += data[at + 8 : at + 8 + length]
        at += 12 + length
    assert len(zlib.decompress(stream)) == 300 * (1 + 3 * 2000)


def test_the_bytes_of_a_png_do_not_depend_on_the_threads(monkeypatch):
    picture = noise(500, 1500)
    monkeypatch.setenv("AZULEJAR_THREADS", "1")
    alone = png_of(picture, [200])
    monkeypatch.setenv("AZULEJAR_THREADS", "3")
    assert png_of(picture, [200]) == alone


def test_smooth_pictures_make_small_pngs():
    across, down = np.meshgrid(np.arange(512), np.arange(512))
    smooth = np.stack([across // 2, down // 2, (across + down) // 4], 2).astype(np.uint8)
    assert len(png_of(smooth)) < smooth.size / 7


def test_a_png_keeps_its_colour_profile():
    data = png_of(noise(4, 4), profile=b"colours")
    assert Image.open(io.BytesIO(data)).info["icc_profile"] == b"colours"


def save_tiff(path, picture, cuts=(), profile=None):
    height, width = picture.shape[:2]
    bands = [band for band in np.split(picture, sorted(cuts)) if len(band)]
    streaming.write_tiff(path, width, height, bands, profile)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    height=st.integers(1, 70),
    width=st.integers(1, 70),
    cuts=st.sets(st.integers(1, 69), max_size=4),
)
def test_any_bands_of_a_tiff_come_back_as_they_were(tmp_path, height, width, cuts):
    picture = noise(height, width)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streaming, "TIFF_BLOCK", 16)
        save_tiff(tmp_path / "a.tif", picture, [cut for cut in cuts if cut < height])
    with Image.open(tmp_path / "a.tif") as image:
        np.testing.assert_array_equal(np.asarray(image), picture)


def test_a_tiff_has_blocks_its_profile_and_is_big_only_if_it_must(tmp_path, monkeypatch):
    picture = noise(300, 520)
    save_tiff(tmp_path / "small.tif", picture, [100], profile=b"colours")
    monkeypatch.setattr(streaming, "SMALL_TIFF_BYTES", 1000)
    save_tiff(tmp_path / "big.tif", picture, [100])
    with (
        tifffile.TiffFile(tmp_path / "small.tif") as small,
        tifffile.TiffFile(tmp_path / "big.tif") as big,
    ):
        assert (small.is_bigtiff, big.is_bigtiff) == (False, True)
        assert small.pages[0].is_tiled
        assert small.pages[0].iccprofile == b"colours"
    with Image.open(tmp_path / "big.tif") as image:
        np.testing.assert_array_equal(np.asarray(image), picture)


def test_the_bytes_of_a_tiff_do_not_depend_on_the_threads(tmp_path, monkeypatch):
    picture = noise(600, 700)
    for threads in ("1", "3"):
        monkeypatch.setenv("AZULEJAR_THREADS", threads)
        save_tiff(tmp_path / f"{threads}.tif", picture, [200])
    assert (tmp_path / "1.tif").read_bytes() == (tmp_path / "3.tif").read_bytes()
