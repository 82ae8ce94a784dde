"""Tiles cut from a grid, and the drawing to check it by."""

import numpy as np
import pytest

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.cut import (
    GIVEN_COLOUR,
    SEEN_COLOUR,
    UNSEEN_COLOUR,
    cut_tiles,
    draw_grid,
)
from azulejar.imaging.walls.grid import Grid


def plain_grid(rows=2, cols=3, side=10.0, clear=1.0):
    crossings = np.stack(np.meshgrid(np.arange(cols + 1), np.arange(rows + 1)), axis=-1) * side
    down, across = np.full((rows, cols + 1), clear), np.full((rows + 1, cols), clear)
    return Grid(crossings.astype(float), down, across, 0.8)


def test_tiles_of_a_straight_grid_are_copies():
    picture = np.random.default_rng(0).integers(0, 256, (20, 30, 3), dtype=np.uint8)
    tiles = cut_tiles(picture, plain_grid())
    assert tiles.shape == (6, 10, 10, 3)
    np.testing.assert_array_equal(tiles[4], picture[10:20, 10:20])


def test_smaller_tiles_are_means():
    picture = np.random.default_rng(0).integers(0, 256, (20, 30, 3), dtype=np.uint8)
    tiles = cut_tiles(picture, plain_grid(), tile_size=5)
    means = picture[:10, :10].reshape(5, 2, 5, 2, 3).mean((1, 3))
    assert np.abs(tiles[0] - means).max() <= 1


def test_what_lies_outside_is_white():
    picture = np.zeros((20, 15, 3), np.uint8)
    assert (cut_tiles(picture, plain_grid())[2] == 255).all()


@pytest.mark.parametrize("size", [1, 9000])
def test_a_size_that_cannot_be_made(size):
    with pytest.raises(AzulejarError, match=f"tiles of {size} px cannot be made"):
        cut_tiles(np.zeros((20, 30, 3), np.uint8), plain_grid(), size)


@pytest.mark.parametrize(("clear", "colour"), [(1.0, SEEN_COLOUR), (0.0, UNSEEN_COLOUR)])
def test_doubtful_joints_have_another_colour(clear, colour):
    picture = np.zeros((200, 300, 3), np.uint8)
    drawn = draw_grid(picture, plain_grid(side=100.0, clear=clear))
    np.testing.assert_allclose(drawn[50, 100], colour, atol=40)
    assert not picture.any()


def test_other_panels_are_framed():
    picture = np.zeros((200, 300, 3), np.uint8)
    drawn = draw_grid(picture, others=[plain_grid(side=100.0)])
    np.testing.assert_allclose(drawn[50, 0], GIVEN_COLOUR, atol=40)
    assert not drawn[50, 100].any()
