"""Pictures and panels as training takes them."""

import numpy as np
import pytest
import torch
from PIL import Image

from azulejar.errors import AzulejarError
from azulejar.learning.pictures import (
    load_panels,
    load_squares,
    picture_files,
    trim_tiles,
)


def ignore(fraction):
    pass


def gradient(width, height):
    """Red rises to the right, green downwards."""
    x, y = (255 * (np.arange(length) + 0.5) / length for length in (width, height))
    x, y = np.meshgrid(x, y)
    return Image.fromarray(np.stack([x, y, 0 * x], 2).round().astype(np.uint8))


def squares_of(folder, cpu):
    squares, weights = load_squares([folder], cpu, ignore)
    assert squares.dtype == torch.uint8
    assert squares.shape == (len(weights), 3, 640, 640)
    return squares, weights


@pytest.mark.parametrize(
    ("size", "starts"),
    [
        ((640, 640), [0]),
        ((100, 100), [0]),
        ((700, 640), [30]),
        ((1000, 640), [0, 360]),
        ((640, 1000), [0, 360]),
        ((2240, 640), [0, 800, 1600]),
        ((640, 2240), [0, 800, 1600]),
        ((4480, 1280), [0, 800, 1600]),
        ((30, 160), [0, 1387, 2773]),
    ],
)
def test_squares_cover_a_picture_from_end_to_end(tmp_path, cpu, size, starts):
    gradient(*size).save(tmp_path / "a.png")
    squares, weights = squares_of(tmp_path, cpu)
    assert len(squares) == len(starts)
    np.testing.assert_allclose(weights, 1 / len(starts))
    length = 640 * max(size) / min(size)
    along, across = (0, 1) if size[0] > size[1] else (1, 0)
    for square, start in zip(squares.float(), starts, strict=True):
        lines = square[along].mean(0 if along == 0 else 1)
        expected = 255 * (start + torch.arange(640) + 0.5) / length
        np.testing.assert_allclose(lines, expected, atol=5)
        span = square[across].mean(1 if along == 0 else 0)
        np.testing.assert_allclose(span, 255 * (torch.arange(640) + 0.5) / 640, atol=5)


@pytest.mark.parametrize("mode", ["L", "RGBA", "P", "CMYK", "1"])
def test_pictures_of_any_mode_become_rgb(tmp_path, cpu, mode):
    suffix = "jpg" if mode == "CMYK" else "png"
    gradient(640, 640).convert(mode).save(tmp_path / f"a.{suffix}")
    squares, _ = squares_of(tmp_path, cpu)
    with Image.open(tmp_path / f"a.{suffix}") as opened:
        expected = np.asarray(opened.convert("RGB")).transpose(2, 0, 1)
    np.testing.assert_array_equal(squares[0], expected)


def test_every_picture_weighs_the_same(tmp_path, cpu):
    for name, size in {"a": (640, 640), "b": (2240, 640), "c": (640, 1000)}.items():
        gradient(*size).save(tmp_path / f"{name}.png")
    heard = []
    _, weights = load_squares([tmp_path], cpu, heard.append)
    np.testing.assert_allclose(weights, [1, 1 / 3, 1 / 3, 1 / 3, 1 / 2, 1 / 2])
    assert heard == [1 / 3, 2 / 3, 1]


def test_pictures_are_found_in_folders_within_folders_in_a_fixed_order(tmp_path):
    for name in ("b/z.JPG", "b/a/y.png", "a.webp", "notes.txt"):
        (tmp_path / "x" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "x" / name).touch()
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "last.tif").touch()
    found = picture_files([tmp_path / "x", tmp_path / "w"])
    names = [path.relative_to(tmp_path).as_posix() for path in found]
    assert names == ["x/a.webp", "x/b/a/y.png", "x/b/z.JPG", "w/last.tif"]


def test_folders_without_pictures_are_refused(tmp_path, cpu):
    with pytest.raises(AzulejarError, match="hold no pictures"):
        load_squares([tmp_path], cpu, ignore)
    with pytest.raises(AzulejarError, match=r"no folder .*nowhere"):
        load_squares([tmp_path / "nowhere"], cpu, ignore)


def test_a_file_that_is_no_picture_is_named(tmp_path, cpu):
    (tmp_path / "broken__2x2.png").write_bytes(b"no picture")
    with pytest.raises(AzulejarError, match=r"broken__2x2\.png is no picture"):
        load_squares([tmp_path], cpu, ignore)
    with pytest.raises(AzulejarError, match=r"broken__2x2\.png is no picture"):
        load_panels(tmp_path)


def test_panels_are_cut_by_the_size_in_their_names(tmp_path):
    pixels = np.random.default_rng(0).integers(0, 256, (2 * 64, 3 * 64, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "church__2x3.png")
    (panel,) = load_panels(tmp_path)
    assert (panel.name, panel.rows, panel.cols) == ("church__2x3", 2, 3)
    for row in range(2):
        for col in range(3):
            cell = pixels[64 * row : 64 * row + 64, 64 * col : 64 * col + 64]
            np.testing.assert_array_equal(panel.cells[row, col], cell.transpose(2, 0, 1))


def test_cells_of_another_size_are_brought_to_64_pixels(tmp_path):
    """Each cell of a flat colour stays so, away from its joints."""
    colours = np.random.default_rng(0).integers(0, 256, (4, 5, 3), dtype=np.uint8)
    Image.fromarray(colours.repeat(100, 0).repeat(90, 1)).save(tmp_path / "a__4x5.png")
    (panel,) = load_panels(tmp_path)
    assert panel.cells.shape == (4, 5, 3, 64, 64)
    inner = panel.cells[..., 8:-8, 8:-8]
    np.testing.assert_array_equal(inner, np.broadcast_to(colours[..., None, None], inner.shape))


@pytest.mark.parametrize("name", ["church.png", "church_2x3.png", "a__2x3_x.png", "a__0x3.png"])
def test_panels_that_do_not_say_their_size_are_refused(tmp_path, name):
    gradient(192, 128).save(tmp_path / name)
    with pytest.raises(AzulejarError, match=r"how many tiles .*church__8x12\.jpg"):
        load_panels(tmp_path)


def test_a_folder_without_panels_is_refused(tmp_path):
    with pytest.raises(AzulejarError, match="holds no panels"):
        load_panels(tmp_path)


@pytest.mark.parametrize("trim", [0.0, 0.03, 0.07])
def test_trimmed_tiles_are_pillow_s(noise_panel, trim):
    panel = noise_panel(2, 3)
    tiles = trim_tiles(panel, trim)
    assert tiles.shape == (6, 3, 50, 50)
    assert tiles.dtype == torch.uint8
    for tile in range(6):
        cell = Image.fromarray(panel.cells[tile // 3, tile % 3].transpose(1, 2, 0).copy())
        box = (64 * trim, 64 * trim, 64 - 64 * trim, 64 - 64 * trim)
        expected = cell.resize((50, 50), Image.Resampling.BICUBIC, box)
        np.testing.assert_array_equal(tiles[tile], np.asarray(expected).transpose(2, 0, 1))
