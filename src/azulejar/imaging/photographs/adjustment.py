"""Adjust all tiles of a photograph together, as squares of about one size on one table.

All of them are seen through one lens, so that a side that is hard to see is constrained by the
other sides and the other tiles. This is a small bundle adjustment.

The *face* of a tile is its glazed surface. Where the clay below it is visible, a side may have been
traced at its *foot*, where the clay stands on the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.geometry import (
    FOCAL,
    THICKNESS,
    ClaySides,
    Plane,
    clay_sides_seen,
    leaning_plane,
    no_lens,
)
from azulejar.imaging.photographs.outline import Outline
from azulejar.imaging.photographs.quads import UNIT, Quad
from azulejar.imaging.photographs.sides import SideTrace

PARTS = 6  # into which a side is divided, each represented by one point
FREE_PARTS = 3  # number of parts whose errors are independent
LEAST_SEEN = 3  # readings that a part must have to count
FULL_TRUST, LEAST_TRUST = 0.3, 0.1  # vote from which a side has full weight; least weight
LENS = 0.04  # standard deviation of the strength of lenses
FOCALS, THICKNESSES = 0.25, 0.4  # standard deviations of their logarithms
THINNEST = 0.003  # of a side: narrower visible clay is ignored
ROUNDS, WIDE_ROUNDS = 6, 2  # of fitting; the first of these tolerate larger errors
UNKNOWNS = 8  # parameters of lens, plane and clay sides
UNEQUAL = 0.006  # standard deviation of the tiles' sides, as a fraction of the common side
NOISE = 0.004  # standard deviation of where a side is seen, as a fraction of a side
NORMALS = np.array([[0, -1], [1, 0], [0, 1], [-1, 0]], float)  # outward: top, right, bottom, left
ALONG = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], float)
COMBINATIONS = np.array(list(product((False, True), repeat=4)))  # which sides are seen at the foot

Poses = NDArray[np.float64]
"""[n, 4]: x and y of the middle, angle in radians, relative excess of the side over the common."""


@dataclass(frozen=True)
class Adjustment:
    """The table with its lens, the tiles' clay sides, and the adjusted squares.

    ``corners`` [n, 4, 2] are in pixels, in the order of the outlines.
    """

    plane: Plane
    clay_sides: ClaySides
    corners: NDArray[np.float64]


@dataclass(frozen=True)
class _Seen:
    """What was seen of n tiles in a photograph of that ``shape``.

    ``points`` [n, 4, m, 2] lie on the sides, in pixels, with ``weights`` [n, 4, m]; ``quads``
    [n, 4, 2] are the rough outlines, and ``side`` is the median of their sides; ``faces`` [n, 4]
    marks the sides beyond which clay was seen, so that they lie on the face.
    """

    points: NDArray[np.float64]
    weights: NDArray[np.float64]
    quads: NDArray[np.float64]
    side: float
    faces: NDArray[np.bool_]
    shape: tuple[int, ...]


def adjust(outlines: Sequence[Outline], shape: tuple[int, ...]) -> Adjustment:
    """Fit the squares that best explain what was seen of all tiles in a photograph [H, W, ...].

    Whether a side was seen at its foot or on the face is decided for each tile.
    """
    from scipy.optimize import least_squares  # loaded here, since it takes long

    parts = [[_parts(each.quad, k, side) for k, side in enumerate(each.sides)] for each in outlines]
    points = np.array([[part[0] for part in sides] for sides in parts])
    weights = np.array([[part[1] for part in sides] for sides in parts]) * FREE_PARTS / PARTS
    faces = np.array([[side.clay_width > 0 for side in each.sides] for each in outlines])
    quads = np.array([each.quad for each in outlines])
    side = float(np.median(np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2)))
    seen = _Seen(points, weights, quads, side, faces, shape)
    unknown = np.zeros(UNKNOWNS)
    feet = np.zeros(weights.shape[:2], bool)
    for number in range(ROUNDS):
        unknown = least_squares(_residuals, unknown, args=(seen, weights, feet), max_nfev=8).x
        plane, clay_sides = _geometry(unknown, seen)
        scale = NOISE * (2 if number < WIDE_ROUNDS else 1)
        feet, poses = _feet(plane, clay_sides, seen, scale)
        rest = distance_outside(_on_faces(plane, clay_sides, seen.points, feet), poses)
        weights = seen.weights / (1 + (rest / scale) ** 2)
    faces = _on_faces(plane, clay_sides, seen.points, feet)
    poses = fit_poses(faces, weights, first_poses(plane.to_table(seen.quads)))
    return Adjustment(plane, clay_sides, plane.to_pixels(pose_corners(poses)))


def _parts(quad: Quad, number: int, side: SideTrace) -> tuple[NDArray, NDArray]:
    """Return points [PARTS, 2] on a side, each a median of what was seen there, and weights."""
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


def _geometry(unknown: NDArray[np.float64], seen: _Seen) -> tuple[Plane, ClaySides]:
    """Return the plane and clay sides for parameters [UNKNOWNS]; all 0 is the usual geometry."""
    lens = replace(no_lens(seen.shape), strength=float(unknown[0]) * LENS)
    plane = leaning_plane(lens, seen.side / lens.radius, unknown[1:6])
    focal = FOCAL * max(seen.shape) * np.exp(FOCALS * unknown[6])
    return plane, clay_sides_seen(plane, focal, THICKNESS * np.exp(THICKNESSES * unknown[7]))


def _residuals(
    unknown: NDArray[np.float64],
    seen: _Seen,
    weights: NDArray[np.float64],
    feet: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return the residuals in standard deviations, with every tile in its best pose."""
    plane, clay_sides = _geometry(unknown, seen)
    faces = _on_faces(plane, clay_sides, seen.points, feet)
    poses = fit_poses(faces, weights, first_poses(plane.to_table(seen.quads)))
    rest = distance_outside(faces, poses)
    return np.concatenate(
        [(np.sqrt(weights) * rest / NOISE).ravel(), poses[:, 3] / UNEQUAL, np.delete(unknown, 5)]
    )


def _on_faces(
    plane: Plane, clay_sides: ClaySides, points: NDArray[np.float64], feet: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return points [n, 4, m, 2] on the table, moved from foot to face where ``feet`` [n, 4]."""
    raised = points - np.where(feet[..., None, None], clay_sides.shift(points), 0)
    return plane.to_table(raised)


def _feet(
    plane: Plane, clay_sides: ClaySides, seen: _Seen, scale: float
) -> tuple[NDArray[np.bool_], Poses]:
    """Return which sides [n, 4] were seen at the foot, and the poses that follow from it.

    All combinations are tried for each tile: a wrong decision moves the tile halfway, which hides
    half of the error, so that sides cannot be judged one by one.
    """
    first = first_poses(plane.to_table(seen.quads))
    deep = plane.to_table(seen.points + clay_sides.shift(seen.points)) - plane.to_table(seen.points)
    clay_width = np.einsum("nsmi,nsi->ns", deep, pose_normals(first)) / PARTS
    count, times = len(first), len(COMBINATIONS)
    tried = np.repeat(COMBINATIONS, count, axis=0)
    faces = _on_faces(plane, clay_sides, np.tile(seen.points, (times, 1, 1, 1)), tried)
    own, poses = np.tile(seen.weights, (times, 1, 1)), np.tile(first, (times, 1))
    weights = own
    for _ in range(4):
        poses = fit_poses(faces, weights, poses, 1)
        rest = distance_outside(faces, poses)
        weights = own / (1 + (rest / scale) ** 2)
    misfit = (own * np.log1p((rest / scale) ** 2)).sum(axis=(1, 2))
    cost = misfit * (scale / NOISE) ** 2 + (poses[:, 3] / UNEQUAL) ** 2
    no_feet = np.tile(seen.faces | (clay_width < THINNEST), (times, 1))
    cost[(tried & no_feet).any(axis=1)] = np.inf
    best = cost.reshape(times, count).argmin(axis=0) * count + np.arange(count)
    return tried[best], poses[best]


def first_poses(quads: NDArray[np.float64]) -> Poses:
    """Return the poses of roughly square quads [n, 4, 2] on the table."""
    middles = quads.mean(axis=1)
    as_numbers = (quads - middles[:, None]) @ np.array([1, 1j])
    turned = as_numbers / ((UNIT - 0.5) @ np.array([1, 1j]))
    return np.column_stack([middles, np.angle(turned.sum(axis=1)), np.zeros(len(quads))])


def pose_corners(poses: Poses) -> NDArray[np.float64]:
    """Return the corners [n, 4, 2] on the table."""
    half = (UNIT - 0.5) * (1 + poses[:, 3])[:, None, None]
    return poses[:, None, :2] + np.einsum("nij,ncj->nci", _turns(poses), half)


def pose_normals(poses: Poses) -> NDArray[np.float64]:
    """Return the outward normals [n, 4, 2] of the sides on the table."""
    return np.einsum("nij,sj->nsi", _turns(poses), NORMALS)


def distance_outside(points: NDArray[np.float64], poses: Poses) -> NDArray[np.float64]:
    """Return how far points [n, 4, m, 2], m for each side, lie outside of it: [n, 4, m]."""
    return _outside(points - poses[:, None, None, :2], pose_normals(poses), poses)


def _outside(
    away: NDArray[np.float64], normals: NDArray[np.float64], poses: Poses
) -> NDArray[np.float64]:
    """Return ``distance_outside`` for points relative to the middle and outward normals."""
    return np.einsum("nsmi,nsi->nsm", away, normals) - (1 + poses[:, 3])[:, None, None] / 2


def fit_poses(
    points: NDArray[np.float64], weights: NDArray[np.float64], poses: Poses, rounds: int = 2
) -> Poses:
    """Fit poses to the points [n, 4, m, 2] on their sides, with weights [n, 4, m].

    The side of each tile may differ slightly from the common one. Each round is a Gauss-Newton
    step, beginning at ``poses``.
    """
    count = len(points)
    trust, ridge = (NOISE / UNEQUAL) ** 2, 1e-6 * np.eye(4)
    weight = weights.reshape(count, -1)
    grown = np.full((*weights.shape, 1), 0.5)
    for _ in range(rounds):
        away = points - poses[:, None, None, :2]
        turns = _turns(poses)
        along = np.einsum("nsmi,nsi->nsm", away, np.einsum("nij,sj->nsi", turns, ALONG))
        normals = np.einsum("nij,sj->nsi", turns, NORMALS)
        slope = np.concatenate(
            [
                np.broadcast_to(normals[:, :, None], points.shape),
                -along[..., None],
                grown,
            ],
            axis=-1,
        ).reshape(count, -1, 4)
        rest = _outside(away, normals, poses).reshape(count, -1)
        matrix = np.einsum("npi,np,npj->nij", slope, weight, slope) + ridge
        wanted = np.einsum("npi,np,np->ni", slope, weight, rest)
        matrix[:, 3, 3] += trust
        wanted[:, 3] -= trust * poses[:, 3]
        poses = poses + np.linalg.solve(matrix, wanted[..., None])[..., 0]
    return poses


def _turns(poses: Poses) -> NDArray[np.float64]:
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    return np.array([[cos, -sin], [sin, cos]]).transpose(2, 0, 1)
