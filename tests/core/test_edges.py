"""Numbering of edges, and what lies beside them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.edges import (
    COL_STEP,
    ROW_STEP,
    direction_of,
    edge_strips,
    edge_towards,
    opposite,
    rotate_edge,
    rotate_place,
    turn_towards,
)

TOP, RIGHT, BOTTOM, LEFT = range(4)


def numbered(n, size):
    """Tiles in which no two pixels are alike."""
    count = n * size * size
    assert count < 2**16
    number = np.arange(count).reshape(n, size, size)
    return np.stack([number // 256, number % 256, number % 7], axis=-1).astype(np.uint8)


def beside(tile, side, depth, position):
    """The pixel at a depth under a side, counted clockwise around the tile."""
    last = len(tile) - 1
    row, col = {
        TOP: (depth, position),
        RIGHT: (position, last - depth),
        BOTTOM: (last - depth, last - position),
        LEFT: (last - position, depth),
    }[side]
    return tile[row, col]


@given(n=st.integers(1, 4), size=st.integers(1, 7), data=st.data())
def test_strips_are_read_clockwise_from_the_outermost_line(n, size, data):
    depth = data.draw(st.integers(1, size))
    pixels = numbered(n, size)
    strips = edge_strips(pixels, depth)
    assert strips.shape == (4 * n, depth, size, 3)
    for tile in range(n):
        for side in range(4):
            for line in range(depth):
                for position in range(size):
                    expected = beside(pixels[tile], side, line, position)
                    assert strips[4 * tile + side, line, position].tolist() == expected.tolist()


@given(a=st.integers(0, 3), b=st.integers(0, 3), size=st.integers(1, 6))
def test_where_edges_meet_position_p_touches_the_mirrored_position(a, b, size):
    pixels = numbered(2, size)
    left = np.rot90(pixels[0], -((RIGHT - a) % 4))
    right = np.rot90(pixels[1], -((LEFT - b) % 4))
    strips = edge_strips(pixels, 1)[:, 0]
    for position in range(size):
        assert strips[a, position].tolist() == left[position, -1].tolist()
        assert strips[4 + b, size - 1 - position].tolist() == right[position, 0].tolist()


@given(side=st.integers(0, 3), turn=st.integers(0, 3))
def test_a_turned_tile_shows_its_side_that_many_directions_further(side, turn):
    tile = numbered(1, 5)
    clockwise = np.rot90(tile, -turn, axes=(1, 2))
    shown = edge_strips(clockwise, 2)[(side + turn) % 4]
    assert np.array_equal(shown, edge_strips(tile, 2)[side])


@pytest.mark.parametrize(
    ("direction", "step"), [(TOP, (-1, 0)), (RIGHT, (0, 1)), (BOTTOM, (1, 0)), (LEFT, (0, -1))]
)
def test_steps_lead_to_the_neighbour_in_that_direction(direction, step):
    assert (ROW_STEP[direction], COL_STEP[direction]) == step
    back = opposite(direction)
    assert (ROW_STEP[back], COL_STEP[back]) == (-step[0], -step[1])


def test_upright_tiles_meet_with_opposite_sides():
    assert [opposite(side) for side in (TOP, RIGHT, BOTTOM, LEFT)] == [BOTTOM, LEFT, TOP, RIGHT]


def test_rotating_an_edge_goes_clockwise_and_stays_on_the_tile():
    assert rotate_edge(np.array([0, 3, 5, 6]), 1).tolist() == [1, 0, 6, 7]
    edges = np.arange(12)
    assert rotate_edge(rotate_edge(edges, 3), 1).tolist() == edges.tolist()


@given(tile=st.integers(0, 9), turn=st.integers(0, 3), direction=st.integers(0, 3))
def test_edge_direction_and_turn_follow_from_each_other(tile, turn, direction):
    edge = edge_towards(tile, turn, direction)
    assert edge // 4 == tile
    assert direction_of(edge, turn) == direction
    assert turn_towards(edge, direction) == turn


@given(direction=st.integers(0, 3), quarters=st.integers(-4, 8))
def test_places_are_rotated_like_directions(direction, quarters):
    turned = (direction + quarters) % 4
    place = rotate_place(int(ROW_STEP[direction]), int(COL_STEP[direction]), quarters)
    assert place == (ROW_STEP[turned], COL_STEP[turned])
