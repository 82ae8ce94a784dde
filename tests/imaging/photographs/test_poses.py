"""Squares on the table, from points on their sides."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejar.imaging.photographs.poses import corners_of, first_poses, fit_poses, outside

SHARE = np.linspace(0.1, 0.9, 6)[:, None]


def some_poses(seed):
    random = np.random.default_rng(seed)
    places = random.uniform(-4, 4, (5, 2))
    return np.column_stack([places, random.uniform(-3, 3, 5), random.uniform(-0.01, 0.01, 5)])


def on_sides(poses):
    """Points [n, 4, 6, 2] on the sides, each found slowly from its two corners."""
    return np.array(
        [
            [quad[k] + SHARE * (quad[(k + 1) % 4] - quad[k]) for k in range(4)]
            for quad in corners_of(poses)
        ]
    )


def test_corners_run_clockwise_around_the_middle():
    (quad,) = corners_of(np.array([[2.0, 3, np.pi / 2, 0.1]]))
    np.testing.assert_allclose(quad, [[2.55, 2.45], [2.55, 3.55], [1.45, 3.55], [1.45, 2.45]])


@given(st.integers(0, 1000))
def test_points_on_the_sides_are_neither_inside_nor_outside(seed):
    poses = some_poses(seed)
    np.testing.assert_allclose(outside(on_sides(poses), poses), 0, atol=1e-12)
    poses[:, 3] -= 0.02
    np.testing.assert_allclose(outside(on_sides(some_poses(seed)), poses), 0.01, atol=1e-12)


@settings(max_examples=30)
@given(st.integers(0, 1000))
def test_moved_squares_are_found_again(seed):
    poses = some_poses(seed)
    points = on_sides(poses)
    moved = corners_of(poses) + np.random.default_rng(seed).normal(0, 0.01, (5, 4, 2))
    found = fit_poses(points, np.full(points.shape[:3], 100.0), first_poses(moved), 3)
    np.testing.assert_allclose(corners_of(found), corners_of(poses), atol=2e-4)


def test_a_side_that_is_not_seen_is_held_by_the_others():
    poses = some_poses(3)
    poses[:, 3] = 0
    points, weights = on_sides(poses), np.ones((5, 4, 6))
    points[:, 1] += 0.3
    weights[:, 1] = 0
    found = fit_poses(points, weights, first_poses(corners_of(poses) + 0.01), 3)
    np.testing.assert_allclose(corners_of(found), corners_of(poses), atol=1e-4)
