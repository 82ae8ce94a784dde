"""Tiles photographed one by one: as cut but for their light, and each from its own cell alone."""

import numpy as np
import pytest
from PIL import Image

from azulejar.errors import AzulejarError
from azulejar.practice.photography import LIGHT, Conditions, cut_one_by_one, photograph_tile
from azulejar.practice.puzzles import cut

ROWS, COLS, SIDE = 2, 3, 64


@pytest.fixture
def picture():
    small = np.random.default_rng(3).integers(0, 256, (4 * ROWS, 4 * COLS, 3), np.uint8)
    return np.asarray(Image.fromarray(small).resize((COLS * SIDE, ROWS * SIDE)))


def spread(tiles, cells):
    """Return by how much the brightness of the tiles differs from that of the cells."""
    return np.std(tiles.mean((1, 2)) / cells.mean((1, 2)))


def test_without_conditions_it_is_the_tile_as_cut_but_for_resampling(picture):
    cell = picture[:SIDE, :SIDE]
    tile = photograph_tile(cell, 0.05, Conditions(), np.random.default_rng(0), 50)
    assert tile.shape == (50, 50, 3)
    assert np.abs(tile.astype(int) - cut(cell, 1, 1, 0.05, 50)[0]).mean() < 1


def test_tint_alone_scales_each_channel():
    plain = np.full((SIDE, SIDE, 3), 128, np.uint8)
    tiles = [
        photograph_tile(plain, 0.05, Conditions(tint=0.08), np.random.default_rng(seed))
        for seed in range(40)
    ]
    gain = np.array([tile.mean((0, 1)) for tile in tiles]) / 128
    assert np.ptp(np.stack(tiles), axis=(1, 2)).max() == 0
    assert 0.915 < gain.min() < 0.94
    assert 1.06 < gain.max() < 1.085


def test_light_none_is_plain_cutting(picture):
    found = cut_one_by_one(picture, ROWS, COLS, 0.05, 50)
    np.testing.assert_array_equal(found, cut(picture, ROWS, COLS, 0.05, 50))


def test_the_kinds_differ_more_and_more(picture):
    cells = cut(picture, ROWS, COLS, 0.05, 50)
    found = [
        spread(cut_one_by_one(picture, ROWS, COLS, 0.05, 50, light=kind), cells) for kind in LIGHT
    ]
    assert found == sorted(found)
    assert found[-1] > 0.05


def test_a_tile_comes_from_its_own_cell_alone(picture):
    other = picture.copy()
    other[:, SIDE:] = 255 - other[:, SIDE:]
    one, two = (
        cut_one_by_one(p, ROWS, COLS, 0.0, light="strong", seed=4) for p in (picture, other)
    )
    np.testing.assert_array_equal(one[0], two[0])
    assert (one[1] != two[1]).any()


def test_the_seed_decides(picture):
    one, same, other = (
        cut_one_by_one(picture, ROWS, COLS, 0.05, light="mild", seed=seed) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


@pytest.mark.parametrize("light", ["none", "strong"])
def test_tiles_that_cannot_be_made_are_refused_in_any_light(picture, light):
    for size in (1, 10**6):
        with pytest.raises(AzulejarError, match="cannot be made"):
            cut_one_by_one(picture, ROWS, COLS, 0.05, size, light=light)


def test_an_unknown_kind_is_refused(picture):
    with pytest.raises(AzulejarError, match="There is no kind of light 'dark'") as error:
        cut_one_by_one(picture, ROWS, COLS, 0.05, light="dark")
    assert "none, mild, medium, strong" in error.value.remedy
