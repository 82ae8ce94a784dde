"""Assemblies that are turned and shifted to lie like others."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.alignment import Motion, motion_between
from azulejar.core.assembly import Assembly


def laid(poses):
    """An assembly of (row, col, turn, panel) as they are, not moved to the top left."""
    row, col, turn, panel = np.array(poses, np.int32).reshape(-1, 4).T
    return Assembly(row, col, turn, panel)


def slow_motion(pose, motion):
    """Where one tile comes to lie."""
    row, col, turn, panel = pose
    if panel < 0:
        return pose
    for _ in range(motion.quarters):
        row, col, turn = col, -row, (turn + 1) % 4
    return row + motion.down, col + motion.right, turn, panel


def slow_agreement(poses, like, motion):
    """How many tiles a motion brings where they lie in the other assembly."""
    moved = [slow_motion(pose, motion) for pose in poses]
    pairs = zip(moved, like, strict=True)
    return sum(a[3] >= 0 and b[3] >= 0 and a[:3] == b[:3] for a, b in pairs)


pose = st.tuples(
    st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 3), st.sampled_from([0, 0, 0, -1])
)
pairs_of_poses = st.lists(st.tuples(pose, pose), min_size=1, max_size=12)
motions = st.builds(Motion, st.integers(0, 3), st.integers(-9, 9), st.integers(-9, 9))


@given(pairs_of_poses, st.sampled_from([(0,), (0, 2), (0, 1, 2, 3)]))
def test_no_other_motion_brings_more_tiles_to_their_places(pairs, quarters):
    poses, like = zip(*pairs, strict=True)
    found = motion_between(laid(poses), laid(like), quarters)
    assert found.quarters in quarters
    best = max(
        slow_agreement(poses, like, Motion(q, down, right))
        for q in quarters
        for down in range(-6, 7)
        for right in range(-6, 7)
    )
    assert slow_agreement(poses, like, found) == best


@given(st.lists(pose, min_size=1, max_size=12), motions)
def test_a_motion_moves_each_tile_as_a_slow_loop_does(poses, motion):
    moved = motion(laid(poses))
    found = zip(moved.row, moved.col, moved.turn, moved.panel, strict=True)
    for was, now in zip(poses, found, strict=True):
        expected = slow_motion(was, motion)
        assert tuple(now)[2:] == expected[2:]
        if was[3] >= 0:
            assert tuple(now) == expected


@given(st.integers(1, 5), st.integers(1, 5), motions)
def test_what_was_moved_as_a_whole_is_found_again(rows, cols, motion):
    row, col = np.divmod(np.arange(rows * cols), cols)
    panel = Assembly.of(row, col, np.arange(rows * cols))
    moved = motion(panel)
    assert motion_between(panel, moved) == motion
    assert Counter(moved.joints().ravel().tolist()) == Counter(panel.joints().ravel().tolist())


def test_only_tiles_with_a_place_in_both_have_a_say():
    panel = laid([(0, 0, 0, 0), (0, 1, 0, 0), (0, 2, 0, -1)])
    like = laid([(5, 5, 1, 0), (9, 9, 2, -1), (9, 9, 2, 0)])
    assert motion_between(panel, like) == Motion(1, 5, 5)


def test_the_least_motion_wins_where_several_are_as_good():
    panel = laid([(0, 0, 0, 0), (0, 1, 0, 0)])
    like = laid([(4, 4, 0, 0), (0, 1, 0, 0)])
    assert motion_between(panel, like) == Motion()


@pytest.mark.parametrize("quarters", [(0,), (0, 2)])
def test_nothing_moves_where_nothing_can(quarters):
    assert motion_between(laid([(0, 0, 0, 0)]), laid([(3, 3, 1, 0)]), quarters) == Motion()
