"""How sure an assembly is of its joints and its tiles."""

import numpy as np
from numpy.typing import NDArray

from azulejar.assembly import Assembly
from azulejar.compatibility import Compatibility


def pair_confidence(
    compatibility: Compatibility, a: NDArray[np.int32], b: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Confidence in [0, 1] that edges ``a`` and ``b`` belong together, element by element."""
    return np.clip(mutual_scores(compatibility, a, b), 0, 1)


def joint_confidence(
    compatibility: Compatibility, assembly: Assembly
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """The assembly's joints [m, 2], as edge pairs, and the confidence in each [m]."""
    joints = assembly.joints()
    return joints, pair_confidence(compatibility, joints[:, 0], joints[:, 1])


def tile_confidence(compatibility: Compatibility, assembly: Assembly) -> NDArray[np.float64]:
    """Mean confidence of each tile's joints [n]; 0 for a tile that meets no other."""
    joints, confidence = joint_confidence(compatibility, assembly)
    tiles = joints.T.ravel() // 4
    total = np.bincount(tiles, np.tile(confidence, 2), minlength=len(assembly))
    count = np.bincount(tiles, minlength=len(assembly))
    return total / np.maximum(count, 1)


def fitness(compatibility: Compatibility, assembly: Assembly) -> float:
    """Sum of the compatibilities of all joints: a chromosome's fitness (paper, section 3)."""
    joints = assembly.joints()
    return float(mutual_scores(compatibility, joints[:, 0], joints[:, 1]).sum())


def mutual_scores(
    compatibility: Compatibility, a: NDArray[np.integer], b: NDArray[np.integer]
) -> NDArray[np.float64]:
    """Mean of the scores of a pair seen from either edge."""
    there, back = compatibility.pairs(a, b), compatibility.pairs(b, a)
    return (there.astype(np.float64) + back) / 2
