"""Agreement: all tiles of a photograph as squares of about one size on one table, seen by one
lens, so that a side that is badly seen is held by the others and by the other tiles.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from azulejar.imaging.photographs.fitting import Fit
from azulejar.imaging.photographs.lens import no_lens
from azulejar.imaging.photographs.plane import Plane, leaning_plane
from azulejar.imaging.photographs.poses import (
    NOISE,
    UNEQUAL,
    Poses,
    corners_of,
    first_poses,
    fit_poses,
    normals_of,
    outside,
)
from azulejar.imaging.photographs.quads import Quad
from azulejar.imaging.photographs.sides import Side
from azulejar.imaging.photographs.walls import FOCAL, THICKNESS, Walls, walls_seen

PARTS = 6  # of a side, each seen as one point
FREE_PARTS = 3  # of these that err independently
LEAST_SEEN = 3  # readings that make a part
FULL_TRUST, LEAST_TRUST = 0.3, 0.1  # vote from which a side is believed fully, and of one without
LENS = 0.04  # strength that lenses have
FOCALS, THICKNESSES = 0.25, 0.4  # deviations of their logarithms
THINNEST = 0.003  # of a side: a wall that matters
ROUNDS, WIDE_ROUNDS = 6, 2  # of fitting, and of those that forgive more
UNKNOWNS = 8  # of lens, plane and walls


@dataclass(frozen=True)
class Agreement:
    """The table with its lens, the tiles' walls, and the corners [n, 4, 2] of the squares in
    pixels, in the order of the fits.
    """

    plane: Plane
    walls: Walls
    corners: NDArray[np.float64]


@dataclass(frozen=True)
class _Seen:
    """Points [n, 4, m, 2] on the sides of n tiles in pixels, their weights [n, 4, m], and the
    rough outlines [n, 4, 2] of the tiles in a photograph of that shape. ``faces`` [n, 4] are sides
    that have a wall outside.
    """

    points: NDArray[np.float64]
    weights: NDArray[np.float64]
    quads: NDArray[np.float64]
    faces: NDArray[np.bool_]
    shape: tuple[int, ...]


def agree(fits: Sequence[Fit], shape: tuple[int, ...]) -> Agreement:
    """The squares that explain best what was seen of all tiles in a photograph [H, W, ...].

    A side may have been seen at the foot of its wall; which were is decided tile by tile.
    """
    parts = [[_parts(each.quad, k, side) for k, side in enumerate(each.sides)] for each in fits]
    points = np.array([[part[0] for part in sides] for sides in parts])
    weights = np.array([[part[1] for part in sides] for sides in parts]) * FREE_PARTS / PARTS
    faces = np.array([[side.wall > 0 for side in each.sides] for each in fits])
    seen = _Seen(points, weights, np.array([each.quad for each in fits]), faces, shape)
    unknown = np.zeros(UNKNOWNS)
    feet = np.zeros(weights.shape[:2], bool)
    for number in range(ROUNDS):
        unknown = least_squares(_residuals, unknown, args=(seen, weights, feet), max_nfev=8).x
        plane, walls = _geometry(unknown, seen)
        scale = NOISE * (2 if number < WIDE_ROUNDS else 1)
        feet, poses = _feet(plane, walls, seen, scale)
        rest = outside(_on_faces(plane, walls, seen.points, feet), poses)
        weights = seen.weights / (1 + (rest / scale) ** 2)
    poses = _poses(plane, walls, seen, weights, feet)
    return Agreement(plane, walls, plane.pixels(corners_of(poses)))


def _parts(quad: Quad, number: int, side: Side) -> tuple[NDArray, NDArray]:
    """Points [PARTS, 2] on a side, each the middle one of those seen there, and their weights."""
    start, end = quad[number], quad[number - 3]
    along = (end - start) / np.linalg.norm(end - start)
    outward = np.array([along[1], -along[0]])
    reach, offset = (side.points - start) @ along, (side.points - start) @ outward
    points, weights = np.empty((PARTS, 2)), np.zeros(PARTS)
    for k, part in enumerate(np.array_split(np.arange(len(reach)), PARTS)):
        shown = part[side.seen[part]]
        if len(shown) >= LEAST_SEEN:
            weights[k] = len(shown) / len(part) * np.clip(side.vote / FULL_TRUST, LEAST_TRUST, 1)
            part = shown
        points[k] = start + reach[part].mean() * along + np.median(offset[part]) * outward
    return points, weights


def _geometry(unknown: NDArray[np.float64], seen: _Seen) -> tuple[Plane, Walls]:
    lens = replace(no_lens(seen.shape), strength=float(unknown[0]) * LENS)
    lengths = np.linalg.norm(seen.quads - np.roll(seen.quads, 1, axis=1), axis=2)
    plane = leaning_plane(lens, float(np.median(lengths)) / lens.radius, unknown[1:6])
    focal = FOCAL * max(seen.shape) * np.exp(FOCALS * unknown[6])
    return plane, walls_seen(plane, focal, THICKNESS * np.exp(THICKNESSES * unknown[7]))


def _residuals(
    unknown: NDArray[np.float64],
    seen: _Seen,
    weights: NDArray[np.float64],
    feet: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """What is left in deviations, once every tile lies where it fits best."""
    plane, walls = _geometry(unknown, seen)
    poses = _poses(plane, walls, seen, weights, feet)
    rest = outside(_on_faces(plane, walls, seen.points, feet), poses)
    return np.concatenate(
        [(np.sqrt(weights) * rest / NOISE).ravel(), poses[:, 3] / UNEQUAL, np.delete(unknown, 5)]
    )


def _poses(
    plane: Plane,
    walls: Walls,
    seen: _Seen,
    weights: NDArray[np.float64],
    feet: NDArray[np.bool_],
) -> Poses:
    faces = _on_faces(plane, walls, seen.points, feet)
    return fit_poses(faces, weights, first_poses(plane.flat(seen.quads)))


def _on_faces(
    plane: Plane, walls: Walls, points: NDArray[np.float64], feet: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Points [n, 4, m, 2] on the table, those of sides seen at their ``feet`` [n, 4] raised."""
    raised = points - np.where(feet[..., None, None], walls.shift(points), 0)
    return plane.flat(raised)


def _feet(plane: Plane, walls: Walls, seen: _Seen, scale: float) -> tuple[NDArray[np.bool_], Poses]:
    """Which sides [n, 4] were seen at their feet, and the poses if that is so.

    Every combination is tried for every tile, as a wrong one moves the tile half the way.
    """
    first = first_poses(plane.flat(seen.quads))
    none = np.zeros(seen.weights.shape[:2], bool)
    deep = plane.flat(seen.points + walls.shift(seen.points)) - plane.flat(seen.points)
    wall = np.einsum("nsmi,nsi->ns", deep, normals_of(first)) / PARTS
    best, feet, poses = np.full(len(first), np.inf), none, first
    for combination in product((False, True), repeat=4):
        tried = none | np.array(combination)
        faces = _on_faces(plane, walls, seen.points, tried)
        pose, weights = first, seen.weights
        for _ in range(4):
            pose = fit_poses(faces, weights, pose, 1)
            rest = outside(faces, pose)
            weights = seen.weights / (1 + (rest / scale) ** 2)
        strays = (seen.weights * np.log1p((rest / scale) ** 2)).sum(axis=(1, 2))
        cost = strays * (scale / NOISE) ** 2 + (pose[:, 3] / UNEQUAL) ** 2
        cost[(tried & (seen.faces | (wall < THINNEST))).any(axis=1)] = np.inf
        better = cost < best
        best = np.where(better, cost, best)
        feet = np.where(better[:, None], tried, feet)
        poses = np.where(better[:, None], pose, poses)
    return feet, poses
