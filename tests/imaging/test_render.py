"""The picture of an assembly, with holes, several panels and full pictures."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from azulejar.assembly import Assembly
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import load_tiles
from azulejar.imaging.render import HATCHING, render
from azulejar.tiles import TileSet

SIDE = 8


def plain(*greys: int) -> TileSet:
    pixels = np.stack([np.full((SIDE, SIDE, 3), grey, np.uint8) for grey in greys])
    return TileSet(pixels, tuple(f"{i}.png" for i in range(len(greys))))


def places(picture: NDArray[np.uint8], size: int = SIDE) -> list[list[list[int]]]:
    """The grey values found at each place of the panel."""
    rows, cols = picture.shape[0] // size, picture.shape[1] // size
    return [
        [
            np.unique(picture[r * size : (r + 1) * size, c * size : (c + 1) * size]).tolist()
            for c in range(cols)
        ]
        for r in range(rows)
    ]


def test_turns_are_clockwise() -> None:
    tile = np.zeros((1, SIDE, SIDE, 3), np.uint8)
    tile[0, 0] = 255  # side 0, the top, is white
    for turn in range(4):
        picture = render(TileSet(tile, ("a.png",)), Assembly.of([0], [0], [turn]))
        lines = [picture[0], picture[:, -1], picture[-1], picture[:, 0]]
        assert [bool((line == 255).all()) for line in lines] == [d == turn for d in range(4)]


def test_holes_are_hatched_and_unplaced_tiles_left_out() -> None:
    assembly = Assembly.of([0, 1, 0], [0, 1, 5], [0, 0, 0], [0, 0, -1])
    hole = sorted(HATCHING)
    assert places(render(plain(10, 20, 30), assembly)) == [[[10], hole], [hole, [20]]]


def test_panels_lie_side_by_side_with_a_white_gap() -> None:
    assembly = Assembly.of([0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 2])
    picture = render(plain(10, 20, 30), assembly)
    assert picture.shape == (2 * SIDE, 2 * SIDE + SIDE // 2, 3)
    assert (picture[:SIDE, :SIDE] == 10).all()
    assert (picture[SIDE:, :SIDE] == 20).all()
    assert (picture[:, SIDE : SIDE + SIDE // 2] == 255).all()
    assert (picture[:SIDE, -SIDE:] == 30).all()
    assert (picture[SIDE:, -SIDE:] == 255).all()


def test_nothing_placed_is_an_error() -> None:
    with pytest.raises(AzulejarError, match="No tile of this assembly is placed"):
        render(plain(10), Assembly.of([0], [0], [0], [-1]))


@pytest.mark.parametrize("size", [0, -3, 20_000])
def test_impossible_sizes(size: int) -> None:
    with pytest.raises(AzulejarError, match=f"tiles of {size} px cannot be drawn"):
        render(plain(10), Assembly.of([0], [0], [0]), size)


def test_a_given_size_is_obeyed() -> None:
    picture = render(plain(10, 20), Assembly.of([0, 0], [0, 1], [0, 0]), 5)
    assert places(picture, 5) == [[[10], [20]]]


def test_full_pictures_are_read_again(tmp_path: Path) -> None:
    originals = np.random.default_rng(0).integers(0, 256, (2, 200, 200, 3), dtype=np.uint8)
    for i, original in enumerate(originals):
        Image.fromarray(original).save(tmp_path / f"{i}.png")
    tiles = load_tiles(tmp_path)
    assert tiles.size == 64
    side_by_side = Assembly.of([0, 0], [0, 1], [0, 1])
    expected = np.concatenate([originals[0], np.rot90(originals[1], -1)], axis=1)
    np.testing.assert_array_equal(render(tiles, side_by_side), expected)
    working = np.concatenate([tiles.pixels[0], np.rot90(tiles.pixels[1], -1)], axis=1)
    np.testing.assert_array_equal(render(tiles, side_by_side, 64), working)


def test_a_long_panel_is_reduced_to_8000_px() -> None:
    n = 2500
    tiles = plain(*([99] * n))
    picture = render(tiles, Assembly.of(np.arange(n), np.zeros(n), np.zeros(n)))
    assert picture.shape == (7500, 3, 3)
    assert (picture == 99).all()
