"""Where panels and places lie in the picture, also beside the pile of loose tiles."""

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.errors import AzulejarError
from azulejar.imaging.layout import Box, Layout, before_and_after, boxes_of, fitting_size
from azulejar.imaging.render import render_whole

GREYS = (10, 20, 30, 40, 50)
ONE = (Box(0, 2, 3),)
TWO = (Box(0, 2, 3), Box(4, 5, 1))


def test_without_joints_tiles_touch():
    layout = Layout.of(ONE, 10)
    assert (layout.width, layout.height, layout.lefts) == (30, 20, [0])
    assert layout.down == ((0, 10), (10, 10))


def test_joints_lie_between_tiles_and_are_visible_even_between_small_ones():
    layout = Layout.of(ONE, 100, joints=True)
    assert (layout.width, layout.height) == (304, 202)
    assert Layout.of(ONE, 10, joints=True).down == ((0, 10), (11, 10))


def test_half_rows_and_cols_are_half_as_wide():
    """Two halves with the joint between them are as long as a whole tile."""
    layout = Layout.of((Box(0, 2, 3, half_rows=(1,), half_cols=(0, 2)),), 50, joints=True)
    assert layout.down == ((0, 50), (51, 24))
    assert layout.across(layout.boxes[0]) == ((0, 24), (25, 50), (76, 24))
    assert (layout.width, layout.height) == (100, 75)


def test_panels_lie_half_a_tile_apart():
    layout = Layout.of(TWO, 10, joints=True)
    assert layout.lefts == [0, 32 + 5]
    assert (layout.width, layout.height, layout.rows) == (32 + 5 + 10, 54, 5)


def test_panels_that_hold_tiles_with_their_rims():
    several = Assembly.of([0, 1, 0, 9], [0, 2, 4, 9], [0] * 4, [1, 1, 3, -1])
    assert boxes_of(several) == (Box(1, 2, 3), Box(3, 1, 1))
    assert boxes_of(Assembly.of([1], [1], [0], size=(4, 3))) == (Box(0, 4, 3),)


def test_rows_and_cols_are_half_where_half_tiles_lie():
    assembly = Assembly.of([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 0, 0])
    # A quarter, a half that is turned to lie above a whole tile, a half on the left of that.
    halved = np.array([[True, True], [False, True], [False, True], [False, False]])
    assert boxes_of(assembly, halved) == (Box(0, 2, 2, half_rows=(0,), half_cols=(0,)),)
    _, (pile, panel) = before_and_after(assembly, halved)
    assert (pile.half_rows, panel.panel, panel.half_rows) == ((), 1, (0,))


def test_nothing_placed_is_an_error():
    with pytest.raises(AzulejarError, match="No tile of this assembly is placed"):
        boxes_of(Assembly.of([0], [0], [0], [-1]))


@pytest.mark.parametrize(
    ("boxes", "side", "size"), [(ONE, 50, 50), (ONE, 500, 333), (TWO, 500, 200), (ONE, 0.2, 1)]
)
def test_the_longest_side_bounds_the_size(boxes, side, size):
    assert fitting_size(boxes, side, 1000) == size


@pytest.mark.parametrize(("boxes", "size"), [(ONE, 0), (ONE, 9000), ((Box(0, 10**6, 10**6),), 1)])
def test_what_cannot_be_drawn(boxes, size):
    with pytest.raises(AzulejarError, match=f"tiles of {size} px cannot be drawn"):
        Layout.of(boxes, size)


def pictures(tile, size):
    return np.full((size, size, 3), GREYS[tile % 5], np.uint8)


def test_all_tiles_in_their_order_then_the_panel():
    assembly = Assembly.of([0, 0, 1, 1, 0], [1, 0, 1, 0, 0], [1, 2, 3, 0, 0], [0, 0, 0, 0, -1])
    both, boxes = before_and_after(assembly)
    assert boxes == (Box(0, 2, 3, pile=True), Box(1, 2, 2))
    assert both.turn.tolist() == [0] * 5 + [1, 2, 3, 0, 0]
    picture = render_whole(pictures, both, Layout.of(boxes, 2))[..., 0]
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
