"""Every kind of picture file that people have, against what it must look like."""

import struct
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import pytest
import tifffile
from numpy.typing import NDArray
from PIL import Image, ImageCms, ImageOps

from azulejar.errors import AzulejarError
from azulejar.imaging.picture import (
    read_picture,
    read_tile,
    resize_square,
    write_picture,
)

Pixels = NDArray[np.uint8]
ByteOrder = Literal["<", ">"]


@pytest.fixture
def rgb() -> Pixels:
    return np.random.default_rng(1).integers(0, 256, (12, 20, 3), dtype=np.uint8)


def deep(pixels: Pixels) -> NDArray[np.uint16]:
    """The same picture in 16 bits, with noise below what 8 bits hold."""
    noise = np.random.default_rng(2).integers(0, 256, pixels.shape, dtype=np.uint16)
    return pixels.astype(np.uint16) * 256 + noise


def grey(pixels: Pixels) -> Pixels:
    return np.repeat(pixels[..., :1], 3, axis=2)


@pytest.mark.parametrize("name", ["a.png", "A.TIF", "a.tiff", "a.bmp", "azulejo de São João.PNG"])
def test_lossless_kinds_are_read_exactly(tmp_path: Path, rgb: Pixels, name: str) -> None:
    Image.fromarray(rgb).save(tmp_path / name)
    np.testing.assert_array_equal(read_picture(tmp_path / name), rgb)


def test_webp(tmp_path: Path, rgb: Pixels) -> None:
    Image.fromarray(rgb).save(tmp_path / "a.webp", lossless=True)
    np.testing.assert_array_equal(read_picture(tmp_path / "a.webp"), rgb)


def test_avif(tmp_path: Path) -> None:
    Image.new("RGB", (30, 20), (30, 60, 200)).save(tmp_path / "a.avif", quality=95)
    read = read_picture(tmp_path / "a.avif")
    np.testing.assert_allclose(read, np.broadcast_to((30, 60, 200), (20, 30, 3)), atol=3)


def test_jpeg(tmp_path: Path) -> None:
    Image.new("RGB", (30, 20), (30, 60, 200)).save(tmp_path / "a.JPG", quality=95)
    read = read_picture(tmp_path / "a.JPG")
    assert read.shape == (20, 30, 3)
    assert read.dtype == np.uint8
    np.testing.assert_allclose(read, np.broadcast_to((30, 60, 200), read.shape), atol=3)


def test_a_wrong_suffix_does_no_harm(tmp_path: Path, rgb: Pixels) -> None:
    Image.fromarray(rgb).save(tmp_path / "a.jpg", "PNG")
    np.testing.assert_array_equal(read_picture(tmp_path / "a.jpg"), rgb)


def test_the_result_may_be_written_to(tmp_path: Path, rgb: Pixels) -> None:
    Image.fromarray(rgb).save(tmp_path / "a.png")
    read_picture(tmp_path / "a.png")[0, 0] = 0


@pytest.mark.parametrize("compression", [None, "zlib"])
@pytest.mark.parametrize("byteorder", ["<", ">"])
def test_16_bit_rgb_tiff(
    tmp_path: Path, rgb: Pixels, byteorder: ByteOrder, compression: str | None
) -> None:
    path = tmp_path / "a.tif"
    tifffile.imwrite(
        path, deep(rgb), photometric="rgb", byteorder=byteorder, compression=compression
    )
    np.testing.assert_array_equal(read_picture(path), rgb)


@pytest.mark.parametrize("byteorder", ["<", ">"])
def test_16_bit_tiff_of_separate_planes(tmp_path: Path, rgb: Pixels, byteorder: ByteOrder) -> None:
    planes = np.moveaxis(deep(rgb), 2, 0)
    path = tmp_path / "a.tif"
    tifffile.imwrite(path, planes, photometric="rgb", planarconfig="separate", byteorder=byteorder)
    np.testing.assert_array_equal(read_picture(path), rgb)


@pytest.mark.parametrize("byteorder", ["<", ">"])
def test_16_bit_grey_tiff(tmp_path: Path, rgb: Pixels, byteorder: ByteOrder) -> None:
    tifffile.imwrite(tmp_path / "a.tif", deep(rgb)[..., 0], byteorder=byteorder)
    np.testing.assert_array_equal(read_picture(tmp_path / "a.tif"), grey(rgb))


def test_16_bit_grey_tiff_with_white_as_zero(tmp_path: Path, rgb: Pixels) -> None:
    tifffile.imwrite(tmp_path / "a.tif", 65535 - deep(rgb)[..., 0], photometric="miniswhite")
    np.testing.assert_array_equal(read_picture(tmp_path / "a.tif"), grey(rgb))


def test_16_bit_grey_tiff_of_one_separate_plane(tmp_path: Path, rgb: Pixels) -> None:
    path = tmp_path / "a.tif"
    Image.fromarray(deep(rgb)[..., 0]).save(path, tiffinfo={284: 2})
    np.testing.assert_array_equal(read_picture(path), grey(rgb))


def test_16_bit_png(tmp_path: Path, rgb: Pixels) -> None:
    cv2.imwrite(str(tmp_path / "rgb.png"), deep(rgb)[..., ::-1])
    cv2.imwrite(str(tmp_path / "grey.png"), deep(rgb)[..., 0])
    np.testing.assert_array_equal(read_picture(tmp_path / "rgb.png"), rgb)
    np.testing.assert_array_equal(read_picture(tmp_path / "grey.png"), grey(rgb))


def test_32_bits_are_refused_with_the_remedy(tmp_path: Path) -> None:
    tifffile.imwrite(tmp_path / "a.tif", np.ones((9, 9), np.float32))
    with pytest.raises(AzulejarError, match=r"a\.tif has 32 bits.*8 or 16 bits"):
        read_picture(tmp_path / "a.tif")


def test_greyscale_and_bilevel(tmp_path: Path, rgb: Pixels) -> None:
    Image.fromarray(rgb[..., 0]).save(tmp_path / "grey.png")
    Image.fromarray(rgb[..., 0] > 127).save(tmp_path / "bits.png")
    np.testing.assert_array_equal(read_picture(tmp_path / "grey.png"), grey(rgb))
    np.testing.assert_array_equal(read_picture(tmp_path / "bits.png"), (grey(rgb) > 127) * 255)


def test_alpha_lies_on_white(tmp_path: Path) -> None:
    rgba = np.zeros((1, 3, 4), np.uint8)
    rgba[0, :, :3] = 10, 20, 200
    rgba[0, :, 3] = 0, 128, 255
    Image.fromarray(rgba).save(tmp_path / "a.png")
    opaque, alpha = rgba[..., :3].astype(float), rgba[..., 3:] / 255
    expected = opaque * alpha + 255 * (1 - alpha)
    np.testing.assert_allclose(read_picture(tmp_path / "a.png"), expected, atol=1)


def test_grey_with_alpha(tmp_path: Path) -> None:
    Image.merge("LA", [Image.new("L", (2, 2), 40), Image.new("L", (2, 2), 0)]).save(
        tmp_path / "a.png"
    )
    assert (read_picture(tmp_path / "a.png") == 255).all()


def test_palette_with_and_without_a_transparent_colour(tmp_path: Path) -> None:
    picture = Image.new("P", (2, 1))
    picture.putpalette([0, 0, 200, 250, 240, 10])
    picture.putpixel((1, 0), 1)
    picture.save(tmp_path / "opaque.png")
    picture.save(tmp_path / "clear.gif", transparency=1)
    assert read_picture(tmp_path / "opaque.png").tolist() == [[[0, 0, 200], [250, 240, 10]]]
    assert read_picture(tmp_path / "clear.gif").tolist() == [[[0, 0, 200], [255, 255, 255]]]


@pytest.mark.parametrize("suffix", ["jpg", "tif"])
def test_cmyk(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    Image.new("CMYK", (16, 16), (255, 255, 0, 0)).save(path)
    read = read_picture(path)
    np.testing.assert_allclose(read, np.broadcast_to((0, 0, 255), read.shape), atol=6)


@pytest.mark.parametrize("suffix", ["jpg", "tif", "png", "webp"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation(tmp_path: Path, orientation: int, suffix: str) -> None:
    stored = Image.new("RGB", (48, 32), "white")
    stored.paste((200, 0, 0), (0, 0, 16, 16))
    stored.paste((0, 0, 200), (32, 0, 48, 16))
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored.save(tmp_path / f"a.{suffix}", exif=exif, quality=95)
    reference = stored.copy()
    reference.getexif()[0x0112] = orientation
    expected = np.asarray(ImageOps.exif_transpose(reference))
    read = read_picture(tmp_path / f"a.{suffix}")
    assert read.shape == ((32, 48, 3) if orientation < 5 else (48, 32, 3))
    np.testing.assert_allclose(read[4::8, 4::8], expected[4::8, 4::8], atol=40)


def test_orientation_of_uncompressed_tiffs(tmp_path: Path, rgb: Pixels) -> None:
    turned_right = [(274, "H", 1, 6, True)]
    planes = np.moveaxis(deep(rgb), 2, 0)
    tifffile.imwrite(
        tmp_path / "planes.tif",
        planes,
        photometric="rgb",
        planarconfig="separate",
        extratags=turned_right,
    )
    for name, pixels in (("grey8", rgb[..., 0]), ("grey16", planes[0])):
        tifffile.imwrite(tmp_path / f"{name}.tif", pixels, extratags=turned_right)
        read = read_picture(tmp_path / f"{name}.tif")
        np.testing.assert_array_equal(read, np.rot90(grey(rgb), -1))
    np.testing.assert_array_equal(read_picture(tmp_path / "planes.tif"), np.rot90(rgb, -1))


def test_a_damaged_exif_block_does_not_hide_the_orientation(tmp_path: Path) -> None:
    # Resolution (0x011a) must be a fraction; as a text, the block cannot be written back.
    exif = b"Exif\0\0II*\0\x08\0\0\0\x02\0" + struct.pack(
        "<HHI4sHHIII", 0x0112, 3, 1, b"\6\0\0\0", 0x011A, 2, 4, 0x00313233, 0
    )
    Image.new("RGB", (48, 32)).save(tmp_path / "a.jpg", exif=exif)
    assert read_picture(tmp_path / "a.jpg").shape == (48, 32, 3)


def srgb_with_red_and_green_swapped() -> bytes:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile.replace(b"rXYZ", b"????").replace(b"gXYZ", b"rXYZ").replace(b"????", b"gXYZ")


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
def test_colour_profile_is_applied(tmp_path: Path, mode: str) -> None:
    red = Image.new("RGB", (4, 4), (255, 0, 0)).convert(mode)
    red.save(tmp_path / "a.png", icc_profile=srgb_with_red_and_green_swapped())
    read = read_picture(tmp_path / "a.png")
    np.testing.assert_allclose(read, np.broadcast_to((0, 255, 0), read.shape), atol=3)


def test_srgb_profile_changes_nothing(tmp_path: Path, rgb: Pixels) -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    Image.fromarray(rgb).save(tmp_path / "a.png", icc_profile=srgb)
    np.testing.assert_array_equal(read_picture(tmp_path / "a.png"), rgb)


@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
@pytest.mark.parametrize("profile", [b"rubbish", srgb_with_red_and_green_swapped()[:300]])
def test_broken_profile_is_left_aside(tmp_path: Path, mode: str, profile: bytes) -> None:
    plain = Image.new(mode, (8, 8), 90)
    plain.save(tmp_path / "plain.tif")
    plain.save(tmp_path / "a.tif", icc_profile=profile)
    np.testing.assert_array_equal(
        read_picture(tmp_path / "a.tif"), read_picture(tmp_path / "plain.tif")
    )


def test_profile_of_another_mode_is_left_aside(tmp_path: Path) -> None:
    Image.new("L", (8, 8), 90).save(
        tmp_path / "a.png", icc_profile=srgb_with_red_and_green_swapped()
    )
    assert (read_picture(tmp_path / "a.png") == 90).all()


def test_read_tile_keeps_the_pixels_at_their_own_size(tmp_path: Path, rgb: Pixels) -> None:
    square = rgb[:, :12]
    Image.fromarray(square).save(tmp_path / "a.png")
    np.testing.assert_array_equal(read_tile(tmp_path / "a.png", 12), square)


def test_read_tile_of_a_big_jpeg_looks_like_the_whole_picture_reduced(tmp_path: Path) -> None:
    y, x = np.mgrid[:800, :760]
    waves = 128 + 100 * np.sin(x / 40)[..., None] * np.sin(y / 60)[..., None] * np.ones(3)
    Image.fromarray(waves.astype(np.uint8)).save(tmp_path / "a.jpg", quality=95)
    expected = resize_square(read_picture(tmp_path / "a.jpg"), 32)
    np.testing.assert_allclose(read_tile(tmp_path / "a.jpg", 32), expected, atol=4.0)


def test_resampled_averages_instead_of_skipping(rgb: Pixels) -> None:
    checks = np.indices((64, 64)).sum(0) % 2 * np.uint8(255)
    small = resize_square(np.repeat(checks[..., None], 3, 2).astype(np.uint8), 8)
    np.testing.assert_allclose(small, 127.5, atol=2)


@pytest.mark.parametrize("name", ["a.png", "b.TIF", "sub/c.tiff"])
def test_written_picture_comes_back(tmp_path: Path, rgb: Pixels, name: str) -> None:
    write_picture(tmp_path / name, rgb)
    np.testing.assert_array_equal(read_picture(tmp_path / name), rgb)
    assert [p.name for p in (tmp_path / name).parent.iterdir()] == [Path(name).name]


def test_written_jpeg_is_a_jpeg(tmp_path: Path, rgb: Pixels) -> None:
    write_picture(tmp_path / "a.jpg", rgb)
    with Image.open(tmp_path / "a.jpg") as picture:
        assert picture.format == "JPEG"


def test_unknown_suffix_is_not_written(tmp_path: Path, rgb: Pixels) -> None:
    with pytest.raises(AzulejarError, match=r"a\.xyz.*\.png, \.jpg"):
        write_picture(tmp_path / "a.xyz", rgb)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("deep", [False, True])
def test_a_tile_whose_content_was_read_already(tmp_path, deep):
    path = tmp_path / "tile.tif"
    pixels = np.random.default_rng(0).integers(0, 65536 if deep else 256, (3, 30, 30))
    kind = np.uint16 if deep else np.uint8
    tifffile.imwrite(path, pixels.astype(kind), photometric="rgb", planarconfig="separate")
    content = path.read_bytes()
    path_alone = tmp_path / "gone.tif"
    np.testing.assert_array_equal(read_tile(path_alone, 20, content=content), read_tile(path, 20))


def test_missing_glaze_is_white_to_people_and_no_colour_to_measures(tmp_path: Path) -> None:
    rgba = np.zeros((8, 8, 4), np.uint8)
    rgba[:4] = 10, 20, 200, 255
    rgba[4:] = 200, 150, 20, 255
    rgba[6:, 6:] = 255, 0, 0, 0
    write_picture(tmp_path / "a.png", rgba)
    np.testing.assert_array_equal(
        read_picture(tmp_path / "a.png", alpha=True)[..., 3], rgba[..., 3]
    )
    assert (read_tile(tmp_path / "a.png", 8)[6:, 6:] == 255).all()
    filled = read_tile(tmp_path / "a.png", 8, fill=True)
    assert (filled[4:] == (200, 150, 20)).all()
    assert (filled[:4] == (10, 20, 200)).all()
    # Made smaller, no hidden colour of the missing part shows through.
    assert (read_tile(tmp_path / "a.png", 4, fill=True)[..., 0] <= 204).all()
    rgba[..., 3] = 0
    write_picture(tmp_path / "b.png", rgba)
    with pytest.raises(AzulejarError, match=r"b\.png is transparent all over"):
        read_tile(tmp_path / "b.png", 8, fill=True)
