"""Places, turns, and which edges meet."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly

STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]  # top, right, bottom, left


@st.composite
def assemblies(draw, full=False):
    """Tiles strewn over one or two panels, with holes; some are not placed."""
    places = draw(
        st.lists(
            st.tuples(st.integers(0, 1), st.integers(-3, 2), st.integers(-2, 3)),
            unique=True,
            min_size=1,
            max_size=14,
        )
    )
    n = len(places)
    turn = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    placed = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    panel = [p if full or there else -1 for (p, _, _), there in zip(places, placed, strict=True)]
    return Assembly.of([r for _, r, _ in places], [c for _, _, c in places], turn, panel)


def slow_neighbours(assembly):
    """For each edge the edge it meets, by comparing every tile with every other."""
    met = [-1] * (4 * len(assembly))
    for a in range(len(assembly)):
        for b in range(len(assembly)):
            if assembly.panel[a] < 0 or assembly.panel[a] != assembly.panel[b]:
                continue
            step = (assembly.row[b] - assembly.row[a], assembly.col[b] - assembly.col[a])
            if step in STEPS:
                direction = STEPS.index(step)
                own = (direction - assembly.turn[a]) % 4
                other = ((direction + 2) % 4 - assembly.turn[b]) % 4
                met[4 * a + own] = 4 * b + other
    return met


@given(assemblies())
def test_neighbours_equal_a_double_loop_over_tiles(assembly):
    assert assembly.neighbours().tolist() == slow_neighbours(assembly)


@given(assemblies())
def test_joints_hold_each_meeting_once_with_the_lower_edge_first(assembly):
    expected = {(a, b) for a, b in enumerate(slow_neighbours(assembly)) if a < b}
    joints = [tuple(joint) for joint in assembly.joints().tolist()]
    assert len(joints) == len(set(joints))
    assert set(joints) == expected
    assert assembly.joints().shape == (len(expected), 2)


@given(assemblies(), st.integers(-5, 5))
def test_turning_the_whole_changes_no_joint(assembly, quarters):
    assert assembly.turned(quarters).neighbours().tolist() == assembly.neighbours().tolist()


@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 4))
def test_turning_the_whole_is_turning_the_picture(rows, cols, quarters):
    row, col = np.divmod(np.arange(rows * cols), cols)
    assembly = Assembly.of(row, col, np.arange(rows * cols) % 4)
    turned = assembly.turned(quarters)
    picture = np.empty((turned.rows, turned.cols), int)
    picture[turned.row, turned.col] = np.arange(rows * cols)
    expected = np.rot90(np.arange(rows * cols).reshape(rows, cols), -quarters)
    assert picture.tolist() == expected.tolist()
    assert turned.turn.tolist() == [(t + quarters) % 4 for t in assembly.turn]


@given(assemblies(full=True))
def test_four_quarters_are_a_full_turn(assembly):
    around = assembly.turned(1).turned(1).turned(2)
    for name in ("row", "col", "turn", "panel"):
        assert getattr(around, name).tolist() == getattr(assembly, name).tolist()


@given(assemblies())
def test_each_panel_s_box_starts_at_0_0(assembly):
    for panel in {int(p) for p in assembly.panel if p >= 0}:
        here = assembly.panel == panel
        assert assembly.row[here].min() == 0
        assert assembly.col[here].min() == 0
    placed = assembly.panel >= 0
    assert assembly.rows == max((int(r) + 1 for r in assembly.row[placed]), default=0)
    assert assembly.cols == max((int(c) + 1 for c in assembly.col[placed]), default=0)


def test_of_keeps_distances_and_takes_turns_modulo_four():
    row, col = [5, 4, 9, 9], [-2, -1, 0, 1]
    assembly = Assembly.of(row, col, [4, -1, 6, 3], [0, 0, 2, 2])
    assert assembly.row.tolist() == [1, 0, 0, 0]
    assert assembly.col.tolist() == [0, 1, 0, 1]
    assert assembly.turn.tolist() == [0, 3, 2, 3]
    assert (row, col) == ([5, 4, 9, 9], [-2, -1, 0, 1])
    assert Assembly.of([0, 0], [0, 1], [0, 0]).panel.tolist() == [0, 0]


def test_of_leaves_the_caller_s_arrays_alone():
    row = np.array([3, 4], np.int32)
    Assembly.of(row, row, row)
    assert row.tolist() == [3, 4]


def test_tiles_that_are_not_placed_count_for_nothing():
    assembly = Assembly.of([0, 0, 7], [0, 1, 9], [0, 0, 0], [0, 0, -1])
    assert (len(assembly), assembly.rows, assembly.cols) == (3, 1, 2)
    assert assembly.joints().tolist() == [[1, 7]]


def test_no_tiles():
    nothing = Assembly.of([], [], [])
    assert (len(nothing), nothing.rows, nothing.cols) == (0, 0, 0)
    assert nothing.joints().shape == (0, 2)


def test_a_known_size_keeps_the_empty_places_at_the_rim():
    assembly = Assembly.of([1, 2], [1, 1], [0, 3], size=(4, 5))
    assert (assembly.rows, assembly.cols, assembly.box(0)) == (4, 5, (4, 5))
    turned = assembly.turned(1)
    assert turned.size == (5, 4)
    assert (turned.row.tolist(), turned.col.tolist()) == ([1, 1], [2, 1])
    back = turned.turned(3)
    assert (back.row.tolist(), back.col.tolist()) == ([1, 2], [1, 1])


@given(assemblies())
def test_a_box_is_as_large_as_its_tiles_need(assembly):
    for panel in set(assembly.panel.tolist()) - {-1}:
        here = assembly.panel == panel
        assert assembly.box(panel) == (assembly.row[here].max() + 1, assembly.col[here].max() + 1)
