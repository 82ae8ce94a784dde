"""Half tiles are shown to measures as squares, and sides meet sides of their own length."""

import numpy as np
import pytest

from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.measures.half_sides import score_by_length, show_as_square

TILE = np.arange(8 * 8 * 3, dtype=np.uint8).reshape(8, 8, 3)
HALVED = np.array([[False, False], [True, False], [True, True]])
HALF = [*[False] * 4, False, True, False, True, *[True] * 4]


def test_a_square_of_two_halves_or_four_quarters():
    np.testing.assert_array_equal(show_as_square(TILE, False, False), TILE)
    half = show_as_square(TILE, True, False)
    np.testing.assert_array_equal(half[:4], half[4:])
    assert len(np.unique(half[0], axis=0)) == 8
    quarter = show_as_square(TILE, True, True)
    np.testing.assert_array_equal(quarter[:4, :4], quarter[4:, 4:])
    assert show_as_square(TILE[:7, :7], True, True).shape == (7, 7, 3)


def test_half_a_side_takes_its_share():
    """Of a half tile that has lost its edges, three eighths of a whole side are left."""
    shown = show_as_square(TILE, False, True, 0.375)
    np.testing.assert_array_equal(shown[:, :3], shown[:, 5:])
    np.testing.assert_array_equal(shown[:, 3], shown[:, 2])
    np.testing.assert_array_equal(shown[:, 4], shown[:, 5])


@pytest.mark.parametrize("listed", [False, True])
def test_sides_of_different_lengths_do_not_meet(listed):
    index = np.tile(np.arange(11, -1, -1, dtype=np.int32), (12, 1)) if listed else None

    def score(tiles):
        assert tiles.halved is None
        return Compatibility(np.ones((12, 12), np.float32), tiles.files, "all alike", index)

    tiles = TileSet(np.stack([TILE] * 3), ("a", "b", "c"), halved=HALVED)
    found = score_by_length(tiles, score)
    assert (found.measure, found.files) == ("all alike", tiles.files)
    np.testing.assert_array_equal(found.dense(), np.equal.outer(HALF, HALF))
