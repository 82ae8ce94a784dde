"""All tiles of a photograph as squares of one size, seen by one lens."""

from dataclasses import replace

import numpy as np
import pytest

from azulejar.imaging.photographs.agreement import agree
from azulejar.imaging.photographs.fitting import Fit
from azulejar.imaging.photographs.lens import no_lens
from azulejar.imaging.photographs.plane import Plane
from azulejar.imaging.photographs.poses import corners_of
from azulejar.imaging.photographs.sides import Side
from azulejar.imaging.photographs.walls import walls_seen

SHAPE = (1000, 1500, 3)
SIDE = 150  # pixels
SHARE = np.linspace(0.06, 0.94, 48)[:, None]


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
        points = plane.pixels(flat[k] + SHARE * (flat[(k + 1) % 4] - flat[k]))
        shift = (shifts or {}).get(k)
        points = shift(points) if shift else points
        points = points + random.normal(0, 0.3, points.shape)
        sides.append(Side(points, np.ones(48, bool), 1.0, vote if shift else 1.0))
    return Fit(plane.pixels(flat), tuple(sides))


def worst(plane, agreement, poses):
    """The farthest that a corner lies from its true place, in sides."""
    true = plane.pixels(corners_of(poses))
    return np.linalg.norm(agreement.corners - true, axis=2).max() / SIDE


def test_lens_and_corners_are_found(plane, poses):
    agreement = agree([seen(plane, flat) for flat in corners_of(poses)], SHAPE)
    assert agreement.plane.lens.strength == pytest.approx(0.03, abs=0.004)
    assert worst(plane, agreement, poses) < 0.005


def test_a_faint_side_seen_elsewhere_is_put_right_by_the_others(plane, poses):
    moved = {1: lambda points: points + np.array([9.0, 4.0])}
    fits = [
        seen(plane, flat, moved if k in (2, 7) else None, vote=0.05)
        for k, flat in enumerate(corners_of(poses))
    ]
    assert worst(plane, agree(fits, SHAPE), poses) < 0.02  # of 0.065


def test_sides_seen_at_the_foot_of_their_wall_are_raised(plane, poses):
    walls = walls_seen(plane, 1.2 * SHAPE[1], 0.1)
    equal = poses * [1, 1, 1, 0]  # a small tile seen at its foot looks like a large one
    fits, widest = [], 0.0
    for k, flat in enumerate(corners_of(equal)):
        widths = shown_walls(plane.pixels(flat), walls)
        widest = max(widest, *widths)
        feet = {j: lambda points: points + walls.shift(points) for j in range(4) if widths[j]}
        fits.append(seen(plane, flat, feet if k % 3 == 0 else None))
    assert widest > 0.025 * SIDE
    assert worst(plane, agree(fits, SHAPE), equal) < 0.5 * widest / SIDE


def shown_walls(quad, walls):
    """Width in pixels of the wall that is seen at each side."""
    along = np.roll(quad, -1, axis=0) - quad
    outward = np.column_stack([along[:, 1], -along[:, 0]]) / SIDE
    return [walls.width(quad[k] + along[k] / 2, outward[k]) for k in range(4)]


def test_a_single_tile_stays_where_it_was_seen(plane, poses):
    flat = corners_of(poses)[5]
    straight = replace(plane, lens=no_lens(SHAPE), lean=np.zeros(2))
    agreement = agree([seen(straight, flat)], SHAPE)
    assert worst(straight, agreement, poses[5:6]) < 0.01
