"""The streaming TIFF against two readers."""

import numpy as np
import pytest
import tifffile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from azulejar.imaging import tiff


def noise(height, width):
    return np.random.default_rng(0).integers(0, 256, (height, width, 3), np.uint8)


def write(path, picture, cuts=(), profile=None):
    height, width = picture.shape[:2]
    bands = [band for band in np.split(picture, sorted(cuts)) if len(band)]
    tiff.write_tiff(path, width, height, bands, profile)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    height=st.integers(1, 70),
    width=st.integers(1, 70),
    cuts=st.sets(st.integers(1, 69), max_size=4),
)
def test_any_bands_come_back_as_they_were(tmp_path, height, width, cuts):
    picture = noise(height, width)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiff, "BLOCK", 16)
        write(tmp_path / "a.tif", picture, [cut for cut in cuts if cut < height])
    with Image.open(tmp_path / "a.tif") as image:
        np.testing.assert_array_equal(np.asarray(image), picture)


def test_blocks_profile_and_kind_of_file(tmp_path, monkeypatch):
    picture = noise(300, 520)
    write(tmp_path / "small.tif", picture, [100], profile=b"colours")
    monkeypatch.setattr(tiff, "SMALL_BYTES", 1000)
    write(tmp_path / "big.tif", picture, [100])
    with (
        tifffile.TiffFile(tmp_path / "small.tif") as small,
        tifffile.TiffFile(tmp_path / "big.tif") as big,
    ):
        assert (small.is_bigtiff, big.is_bigtiff) == (False, True)
        assert small.pages[0].is_tiled
        assert small.pages[0].iccprofile == b"colours"
    with Image.open(tmp_path / "big.tif") as image:
        np.testing.assert_array_equal(np.asarray(image), picture)


def test_the_bytes_do_not_depend_on_the_threads(tmp_path, monkeypatch):
    picture = noise(600, 700)
    for threads in ("1", "3"):
        monkeypatch.setenv("AZULEJAR_THREADS", threads)
        write(tmp_path / f"{threads}.tif", picture, [200])
    assert (tmp_path / "1.tif").read_bytes() == (tmp_path / "3.tif").read_bytes()
