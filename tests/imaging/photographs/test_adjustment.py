"""All tiles of a photograph as squares of one size, seen by one lens."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.imaging.photographs.adjustment import (
    adjust,
    distance_outside,
    first_poses,
    fit_poses,
    pose_corners,
)
from azulejar.imaging.photographs.geometry import Plane, clay_sides_seen, no_lens
from azulejar.imaging.photographs.outline import Outline
from azulejar.imaging.photographs.sides import SideTrace

SHAPE = (1000, 1500, 3)
SIDE = 150  # pixels
SHARE = np.linspace(0.06, 0.94, 48)[:, None]
POSE_SHARE = np.linspace(0.1, 0.9, 6)[:, None]


@pytest.fixture(scope="module")
def plane():
    """A table seen at a slant through a lens."""
    lens = replace(no_lens(SHAPE), strength=0.03)
    return Plane(lens, np.array([0.02, -0.08]), np.eye(2) * lens.radius / SIDE)


@pytest.fixture(scope="module")
def poses():
    """Twelve tiles of nearly one size, anyhow turned."""
    random = np.random.default_rng(0)
    places = np.array([(x, y) for y in (-1.8, 0, 1.8) for x in (-3, -1, 1, 3)])
    return np.column_stack([places, random.uniform(-3, 3, 12), random.normal(0, 0.004, 12)])


def seen(plane, flat, shifts=None, vote=1.0):
    """A fit of a tile, some of whose sides were seen, with that vote, where ``shifts`` puts them:
    functions of points by side.
    """
    sides, random = [], np.random.default_rng(1)
    for k in range(4):
        points = plane.to_pixels(flat[k] + SHARE * (flat[(k + 1) % 4] - flat[k]))
        shift = (shifts or {}).get(k)
        points = shift(points) if shift else points
        points = points + random.normal(0, 0.3, points.shape)
        sides.append(SideTrace(points, np.ones(48, bool), 1.0, vote if shift else 1.0))
    return Outline(plane.to_pixels(flat), tuple(sides))


def worst(plane, adjusted, poses):
    """The farthest that a corner lies from its true place, in sides."""
    true = plane.to_pixels(pose_corners(poses))
    return np.linalg.norm(adjusted.corners - true, axis=2).max() / SIDE


def test_lens_and_corners_are_found(plane, poses):
    adjusted = adjust([seen(plane, flat) for flat in pose_corners(poses)], SHAPE)
    assert adjusted.plane.lens.strength == pytest.approx(0.03, abs=0.004)
    assert worst(plane, adjusted, poses) < 0.005


def test_a_faint_side_seen_elsewhere_is_put_right_by_the_others(plane, poses):
    moved = {1: lambda points: points + np.array([9.0, 4.0])}
    fits = [
        seen(plane, flat, moved if k in (2, 7) else None, vote=0.05)
        for k, flat in enumerate(pose_corners(poses))
    ]
    assert worst(plane, adjust(fits, SHAPE), poses) < 0.02  # of 0.065


def test_sides_seen_at_their_foot_are_raised(plane, poses):
    clay_sides = clay_sides_seen(plane, 1.2 * SHAPE[1], 0.1)
    equal = poses * [1, 1, 1, 0]  # a small tile seen at its foot looks like a large one
    fits, widest = [], 0.0
    for k, flat in enumerate(pose_corners(equal)):
        widths = shown_clay(plane.to_pixels(flat), clay_sides)
        widest = max(widest, *widths)
        feet = {j: lambda points: points + clay_sides.shift(points) for j in range(4) if widths[j]}
        fits.append(seen(plane, flat, feet if k % 3 == 0 else None))
    assert widest > 0.025 * SIDE
    assert worst(plane, adjust(fits, SHAPE), equal) < 0.5 * widest / SIDE


def shown_clay(quad, clay_sides):
    """Width in pixels of the clay that is seen at each side."""
    along = np.roll(quad, -1, axis=0) - quad
    outward = np.column_stack([along[:, 1], -along[:, 0]]) / SIDE
    return [clay_sides.width(quad[k] + along[k] / 2, outward[k]) for k in range(4)]


def test_a_single_tile_stays_where_it_was_seen(plane, poses):
    flat = pose_corners(poses)[5]
    straight = replace(plane, lens=no_lens(SHAPE), lean=np.zeros(2))
    adjusted = adjust([seen(straight, flat)], SHAPE)
    assert worst(straight, adjusted, poses[5:6]) < 0.01


def some_poses(seed):
    random = np.random.default_rng(seed)
    places = random.uniform(-4, 4, (5, 2))
    return np.column_stack([places, random.uniform(-3, 3, 5), random.uniform(-0.01, 0.01, 5)])


def on_sides(poses):
    """Points [n, 4, 6, 2] on the sides, each found slowly from its two corners."""
    return np.array(
        [
            [quad[k] + POSE_SHARE * (quad[(k + 1) % 4] - quad[k]) for k in range(4)]
            for quad in pose_corners(poses)
        ]
    )


def test_corners_run_clockwise_around_the_middle():
    (quad,) = pose_corners(np.array([[2.0, 3, np.pi / 2, 0.1]]))
    np.testing.assert_allclose(quad, [[2.55, 2.45], [2.55, 3.55], [1.45, 3.55], [1.45, 2.45]])


@given(st.integers(0, 1000))
def test_points_on_the_sides_are_neither_inside_nor_outside(seed):
    poses = some_poses(seed)
    np.testing.assert_allclose(distance_outside(on_sides(poses), poses), 0, atol=1e-12)
    poses[:, 3] -= 0.02
    np.testing.assert_allclose(
        distance_outside(on_sides(some_poses(seed)), poses), 0.01, atol=1e-12
    )


@given(st.integers(0, 1000))
def test_moved_squares_are_found_again(seed):
    poses = some_poses(seed)
    points = on_sides(poses)
    moved = pose_corners(poses) + np.random.default_rng(seed).normal(0, 0.01, (5, 4, 2))
    found = fit_poses(points, np.full(points.shape[:3], 100.0), first_poses(moved), 3)
    np.testing.assert_allclose(pose_corners(found), pose_corners(poses), atol=2e-4)


def test_a_side_that_is_not_seen_is_held_by_the_others():
    poses = some_poses(3)
    poses[:, 3] = 0
    points, weights = on_sides(poses), np.ones((5, 4, 6))
    points[:, 1] += 0.3
    weights[:, 1] = 0
    found = fit_poses(points, weights, first_poses(pose_corners(poses) + 0.01), 3)
    np.testing.assert_allclose(pose_corners(found), pose_corners(poses), atol=1e-4)
