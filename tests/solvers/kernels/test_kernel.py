"""The growing kernel: its grid against a dict, its box against counting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.solvers.kernels.kernel import (
    FREE,
    LEFT,
    NOTHING,
    POSITION,
    edge_facing,
    facing,
    is_free,
    is_open,
    new_kernel,
    put,
    tile_at,
    write_met,
)

STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]
far = st.integers(-(2**20), 2**20)
near = st.integers(-3, 3)


def grid(coordinate, most=20):
    """Different places, of which the first is 0, 0, where every kernel starts."""
    places = st.lists(st.tuples(coordinate, coordinate), unique=True, max_size=most)
    return places.map(lambda found: [(0, 0), *(place for place in found if place != (0, 0))])


def laid(places, turns=None, rows=0, cols=0, upright=False):
    kernel = new_kernel(len(places), rows, cols, upright)
    for tile, (row, col) in enumerate(places):
        put(kernel, tile, row, col, 0 if turns is None else turns[tile])
    return kernel


@given(grid(near) | grid(far))
def test_the_grid_is_a_dict_from_place_to_tile(places):
    kernel = new_kernel(len(places), 0, 0, False)
    slow = {}
    for tile, place in enumerate(places):
        assert tile_at(kernel, *place) == NOTHING
        put(kernel, tile, *place, 0)
        slow[place] = tile
        for row, col in list(slow):
            for down, along in [(0, 0), *STEPS]:
                there = (row + down, col + along)
                assert tile_at(kernel, *there) == slow.get(there, NOTHING)


@given(st.permutations(range(9)))
def test_the_pool_holds_the_tiles_that_are_left(order):
    kernel = new_kernel(9, 0, 0, False)
    placed, pool, _, now = kernel
    left = set(range(9))
    for col, tile in enumerate(order):
        assert is_free(kernel, tile)
        put(kernel, tile, 0, col, col % 4)
        left.remove(tile)
        assert now[LEFT] == len(left)
        assert set(pool[FREE, : now[LEFT]].tolist()) == left
        assert {t for t in range(9) if is_free(kernel, t)} == left
        for position in range(now[LEFT]):
            assert pool[POSITION, pool[FREE, position]] == position
        assert placed[tile].tolist() == [0, col, col % 4]


def slow_is_open(places, place, rows, cols, upright):
    """Nothing lies there, and all places together fit the panel, on its side if turned."""
    if place in places:
        return False
    if not rows:
        return True
    height, width = (max(axis) - min(axis) + 1 for axis in zip(*places, place, strict=True))
    boxes = [(rows, cols)] if upright else [(rows, cols), (cols, rows)]
    return any(height <= high and width <= wide for high, wide in boxes)


@given(
    places=grid(st.integers(-1, 2), most=5),
    place=st.tuples(near, near),
    size=st.tuples(st.integers(1, 5), st.integers(1, 5)) | st.just((0, 0)),
    upright=st.booleans(),
)
def test_a_place_is_open_if_the_box_can_take_it(places, place, size, upright):
    kernel = laid(places, None, *size, upright)
    assert is_open(kernel, *place) == slow_is_open(places, place, *size, upright)


@pytest.mark.parametrize("upright", [False, True])
def test_only_a_panel_of_turned_tiles_may_lie_on_its_side(upright):
    """Of 2 rows × 4 cols, three tiles in a column are too many unless it lies on its side."""
    kernel = laid([(0, 0), (1, 0)], None, 2, 4, upright)
    assert is_open(kernel, 2, 0) == (not upright)
    assert is_open(kernel, 0, 3)
    assert not is_open(kernel, 0, 4)


def test_once_on_its_side_the_box_stays_so():
    kernel = laid([(0, 0), (1, 0), (2, 0)], None, 2, 4, False)
    assert [col for col in range(-3, 4) if is_open(kernel, 1, col)] == [-1, 1]
    assert [row for row in range(-4, 8) if is_open(kernel, row, 0)] == [-1, 3]


@given(row=near, col=near, turn=st.integers(0, 3), side=st.integers(0, 3))
def test_an_edge_faces_the_neighbour_in_its_turned_direction(row, col, turn, side):
    kernel = laid([(9, 9), (row, col)], [0, turn])
    direction, there, along = facing(kernel, 4 + side)
    assert direction == (side + turn) % 4
    assert (there - row, along - col) == STEPS[direction]


@given(grid(near), st.randoms(use_true_random=False))
def test_edges_meet_as_in_an_assembly(places, random):
    turns = [random.randrange(4) for _ in places]
    kernel = laid(places, turns)
    met = np.full(4 * len(places), 99, np.int32)
    write_met(kernel, met)
    expected = Assembly.of(*zip(*places, strict=True), turns).neighbours()
    assert met.tolist() == expected.tolist()


def test_the_edge_that_looks_at_a_place():
    """Tile 1 lies right of the place and is turned by 90°, so its bottom looks left."""
    kernel = laid([(0, 0), (0, 2)], [0, 1])
    assert [edge_facing(kernel, direction, 0, 1) for direction in range(4)] == [
        NOTHING, 6, NOTHING, 1,
    ]  # fmt: skip
