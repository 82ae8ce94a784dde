"""The pile beside the panel."""

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.imaging.before_after import before_and_after
from azulejar.imaging.layout import Box, Layout
from azulejar.imaging.render import whole

GREYS = (10, 20, 30, 40, 50)


def pictures(tile, size):
    return np.full((size, size, 3), GREYS[tile % 5], np.uint8)


def test_all_tiles_in_their_order_then_the_panel():
    assembly = Assembly.of([0, 0, 1, 1, 0], [1, 0, 1, 0, 0], [1, 2, 3, 0, 0], [0, 0, 0, 0, -1])
    both, boxes = before_and_after(assembly)
    assert boxes == (Box(0, 2, 3, pile=True), Box(1, 2, 2))
    assert both.turn.tolist() == [0] * 5 + [1, 2, 3, 0, 0]
    picture = whole(pictures, both, Layout.of(boxes, 2))[..., 0]
    np.testing.assert_array_equal(
        picture[::2],
        [
            [10, 10, 20, 20, 30, 30, 255, 20, 20, 10, 10],
            [40, 40, 50, 50, 255, 255, 255, 40, 40, 30, 30],
        ],
    )


@pytest.mark.parametrize("count", [1, 2, 9, 10, 1000])
def test_the_pile_is_nearly_square(count):
    _, (pile, _) = before_and_after(Assembly.of([0] * count, range(count), [0] * count))
    assert pile.rows * pile.cols >= count
    assert 0 <= pile.cols - pile.rows <= 1


def test_the_rim_of_a_panel_stays():
    _, boxes = before_and_after(Assembly.of([1], [1], [0], size=(3, 4)))
    assert boxes[1] == Box(1, 3, 4)
