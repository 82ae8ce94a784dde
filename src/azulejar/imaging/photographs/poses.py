"""Poses: where squares lie on the table and how they are turned, from points on their sides."""

import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.quads import UNIT

UNEQUAL = 0.006  # deviation of the tiles' sides from the common one, as a fraction
NOISE = 0.004  # deviation of what is seen of a side from where it lies, in sides
NORMALS = np.array([[0, -1], [1, 0], [0, 1], [-1, 0]], float)  # outward: top, right, bottom, left
ALONG = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], float)

Poses = NDArray[np.float64]
"""[n, 4]: middle x, y, angle in radians, and by which fraction the side exceeds the common one."""


def first_poses(quads: NDArray[np.float64]) -> Poses:
    """Poses of about square quads [n, 4, 2] on the table."""
    middles = quads.mean(axis=1)
    as_numbers = (quads - middles[:, None]) @ np.array([1, 1j])
    turned = as_numbers / ((UNIT - 0.5) @ np.array([1, 1j]))
    return np.column_stack([middles, np.angle(turned.sum(axis=1)), np.zeros(len(quads))])


def corners_of(poses: Poses) -> NDArray[np.float64]:
    """Corners [n, 4, 2] on the table."""
    half = (UNIT - 0.5) * (1 + poses[:, 3])[:, None, None]
    return poses[:, None, :2] + np.einsum("nij,ncj->nci", _turns(poses), half)


def normals_of(poses: Poses) -> NDArray[np.float64]:
    """Outward normals [n, 4, 2] of the sides on the table."""
    return np.einsum("nij,sj->nsi", _turns(poses), NORMALS)


def outside(points: NDArray[np.float64], poses: Poses) -> NDArray[np.float64]:
    """How far points [n, 4, m, 2], m on each side, lie outside of their sides [n, 4, m]."""
    away = points - poses[:, None, None, :2]
    out = np.einsum("nsmi,nsi->nsm", away, normals_of(poses))
    return out - (1 + poses[:, 3])[:, None, None] / 2


def fit_poses(
    points: NDArray[np.float64], weights: NDArray[np.float64], poses: Poses, rounds: int = 2
) -> Poses:
    """The poses on whose sides points [n, 4, m, 2] of weights [n, 4, m] lie best.

    Sides may differ from the common one as tiles do. A step of Gauss and Newton a round.
    """
    count = len(points)
    trust = (NOISE / UNEQUAL) ** 2
    weight = weights.reshape(count, -1)
    for _ in range(rounds):
        away = points - poses[:, None, None, :2]
        along = np.einsum("nsmi,nsi->nsm", away, np.einsum("nij,sj->nsi", _turns(poses), ALONG))
        normals = np.broadcast_to(normals_of(poses)[:, :, None], points.shape)
        slope = np.concatenate(
            [normals, -along[..., None], np.full((*along.shape, 1), 0.5)], axis=-1
        ).reshape(count, -1, 4)
        rest = outside(points, poses).reshape(count, -1)
        matrix = np.einsum("npi,np,npj->nij", slope, weight, slope) + 1e-6 * np.eye(4)
        wanted = np.einsum("npi,np,np->ni", slope, weight, rest)
        matrix[:, 3, 3] += trust
        wanted[:, 3] -= trust * poses[:, 3]
        poses = poses + np.linalg.solve(matrix, wanted[..., None])[..., 0]
    return poses


def _turns(poses: Poses) -> NDArray[np.float64]:
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    return np.moveaxis(np.array([[cos, -sin], [sin, cos]]), 2, 0)
