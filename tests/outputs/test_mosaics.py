import base64
import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from azulejar.core.assembly import Assembly
from azulejar.core.tiles import TileSet
from azulejar.outputs.mosaics import EMPTY, data_uri, draw_mosaic, tile_grid, tile_uri

# Quarters of a tile whose upper half is white, by clockwise turn.
WHITE_ABOVE = np.array(
    [[[255, 255], [0, 0]], [[0, 255], [0, 255]], [[0, 0], [255, 255]], [[255, 0], [255, 0]]]
)


@pytest.fixture
def tiles():
    pixels = np.zeros((3, 16, 16, 3), np.uint8)
    pixels[:, :8] = 255
    return TileSet(pixels, ("a.png", "b.png", "c.png"))


def decoded(uri):
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(uri.partition(",")[2]))))


def test_tiles_are_turned_clockwise_and_holes_grey(tiles):
    assembly = Assembly.of([0, 1, 1], [0, 0, 1], [0, 1, 3])
    places = tile_grid(assembly, 0)
    assert places.tolist() == [[0, -1], [1, 2]]
    quarters = draw_mosaic(tiles, assembly.turn, places, 99)[4::8, 4::8, 0]
    hole = np.full((2, 2), EMPTY)
    expected = np.block([[WHITE_ABOVE[0], hole], [WHITE_ABOVE[1], WHITE_ABOVE[3]]])
    assert quarters.tolist() == expected.tolist()


def test_half_tiles_lie_in_the_middle_of_their_places(tiles):
    white = np.full_like(tiles.pixels, 255)
    halved = np.array([[False, False], [False, True], [True, True]])
    some = replace(tiles, pixels=white, halved=halved)
    shown = draw_mosaic(some, np.array([0, 1, 0], np.int32), np.array([[0, 1, 2]]), 99)[..., 0]
    whole, turned, quarter = np.split(shown == 255, 3, axis=1)
    assert whole.all()
    assert turned.any(axis=1).tolist() == [4 <= row < 12 for row in range(16)]
    assert turned[4:12].all()
    assert (quarter.sum(), quarter[4:12, 4:12].all()) == (64, True)


def test_a_mosaic_stays_within_the_longest_side(tiles):
    places = np.array([[0, 1, 2]])
    assert draw_mosaic(tiles, np.zeros(3, np.int32), places, 30).shape == (10, 30, 3)
    assert draw_mosaic(tiles, np.zeros(3, np.int32), places, 999).shape == (16, 48, 3)


def test_a_data_uri_holds_the_picture_scaled_down():
    assert decoded(data_uri(np.zeros((50, 200, 3), np.uint8), 100)).shape == (25, 100, 3)
    assert decoded(data_uri(np.zeros((50, 20, 3), np.uint8), 100)).shape == (50, 20, 3)


@pytest.mark.parametrize("turn", range(4))
def test_a_tile_by_itself_is_shown_turned(tiles, turn):
    picture = decoded(tile_uri(tiles.pixels[0], turn, 96))
    assert np.allclose(picture[4::8, 4::8, 0], WHITE_ABOVE[turn], atol=8)
