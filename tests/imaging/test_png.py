"""The streaming PNG against Pillow's reader."""

import io
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from azulejar.imaging import png


def written(picture, cuts=(), profile=None):
    """The picture as PNG bytes, given in bands that end at the ``cuts``."""
    file = io.BytesIO()
    bands = np.split(picture, sorted(cuts))
    height, width = picture.shape[:2]
    png.write_png(file, width, height, [band for band in bands if len(band)], profile)
    return file.getvalue()


def noise(height, width, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


@given(
    height=st.integers(1, 40),
    width=st.integers(1, 30),
    cuts=st.sets(st.integers(1, 39), max_size=4),
    part=st.integers(1, 500),
)
def test_any_bands_come_back_as_they_were(height, width, cuts, part):
    picture = noise(height, width)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(png, "PART_BYTES", part)
        data = written(picture, [cut for cut in cuts if cut < height])
    with Image.open(io.BytesIO(data)) as image:
        image.verify()  # every chunk's checksum
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(data))), picture)


def test_the_stream_is_one_zlib_stream_with_its_checksum():
    data, stream = written(noise(300, 2000), [100]), b""
    at = 8
    while at < len(data):
        length = int.from_bytes(data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            stream += data[at + 8 : at + 8 + length]
        at += 12 + length
    assert len(zlib.decompress(stream)) == 300 * (1 + 3 * 2000)


def test_the_bytes_do_not_depend_on_the_threads(monkeypatch):
    picture = noise(500, 1500)
    monkeypatch.setenv("AZULEJAR_THREADS", "1")
    alone = written(picture, [200])
    monkeypatch.setenv("AZULEJAR_THREADS", "3")
    assert written(picture, [200]) == alone


def test_smooth_pictures_get_small():
    across, down = np.meshgrid(np.arange(512), np.arange(512))
    smooth = np.stack([across // 2, down // 2, (across + down) // 4], 2).astype(np.uint8)
    assert len(written(smooth)) < smooth.size / 7


def test_a_colour_profile_is_kept():
    data = written(noise(4, 4), profile=b"colours")
    assert Image.open(io.BytesIO(data)).info["icc_profile"] == b"colours"
