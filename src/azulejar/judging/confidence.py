"""How likely the joints of an assembly are right, and its tiles.

A measure says how likely two edges are neighbours when nothing else is known. An assembly tells
more: whether an edge has a better partner that is not better placed where it lies, and how likely
the joints nearby are. A logistic model combines the three.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import rotate_edge
from azulejar.measures.probability import Probabilities

RIVALS = 16  # best partners of each edge that may contest its joint
STEPS = 4  # joints over which evidence spreads

# Coefficients of 1, own, rival and surroundings (see joint_features); fitted by
# benchmarks/confidence.py, checked in docs/results/confidence.md.
WEIGHTS = np.array([6.96, 0.28, -0.68, 2.43])


@dataclass(frozen=True)
class Rivals:
    """The part of the judgement that depends on scores alone; computed once for many assemblies.

    ``partner`` [4n, k] are the best partners of each edge, -1 for none, and ``value`` [4n, k] the
    logarithms of their probabilities.
    """

    probabilities: Probabilities
    partner: NDArray[np.int32]
    value: NDArray[np.float64]

    @classmethod
    def of(cls, compatibility: Compatibility) -> "Rivals":
        """Find the rivals of every edge."""
        probabilities = Probabilities.of(compatibility)
        partner, _ = compatibility.best(RIVALS)
        edge = np.arange(len(partner))[:, None]
        return cls(probabilities, partner, probabilities.log(edge, partner))

    def best_free(self, met: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the log-probability of each edge's best free rival [4n].

        ``met`` [4n] is the edge that each edge meets, -1 for none. A rival is free if it fits the
        edge better than what it meets now.
        """
        nothing = self.probabilities.nothing
        log = self.probabilities.log(np.arange(len(met)), met)
        present = np.where(met >= 0, log, nothing)
        free = (self.partner >= 0) & (self.partner != met[:, None])
        free &= self.value > present[self.partner]
        return np.where(free, self.value, nothing).max(axis=1)


def pair_confidence(
    compatibility: Compatibility, a: NDArray[np.integer], b: NDArray[np.integer]
) -> NDArray[np.float64]:
    """Return the confidence in [0, 1] that edges ``a`` and ``b`` belong together, elementwise.

    Each pair is judged by itself, whatever the other tiles are.
    """
    return np.clip(compatibility.mutual(a, b), 0, 1)


def joint_confidence(
    compatibility: Compatibility, assembly: Assembly, rivals: Rivals | None = None
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return how likely each joint of an assembly is right.

    Args:
        compatibility: Scores of all tiles.
        assembly: Where they lie.
        rivals: Those of the compatibility, if they are computed already.

    Returns:
        The joints as pairs of edges [m, 2], and their probabilities [m].

    Examples:
        >>> import azulejar
        >>> tiles, truth = azulejar.practice_puzzle(4, 4, size=24)
        >>> scores = azulejar.get_measure("mgc").score(tiles)
        >>> joints, probability = azulejar.joint_confidence(scores, truth)
        >>> joints.shape, probability.shape
        ((24, 2), (24,))
    """
    joints, features = joint_features(compatibility, assembly, rivals)
    return joints, expit(features @ WEIGHTS)


def tile_confidence(
    compatibility: Compatibility, assembly: Assembly, rivals: Rivals | None = None
) -> NDArray[np.float64]:
    """Return how likely each tile lies right among its neighbours [n]; 0 if it meets no other.

    Args:
        compatibility: Scores of all tiles.
        assembly: Where they lie.
        rivals: Those of the compatibility, if they are computed already.

    Examples:
        >>> import azulejar
        >>> tiles, truth = azulejar.practice_puzzle(4, 4, size=24)
        >>> scores = azulejar.get_measure("mgc").score(tiles)
        >>> azulejar.tile_confidence(scores, truth).shape
        (16,)
    """
    return mean_by_tile(*joint_confidence(compatibility, assembly, rivals), len(assembly))


def mean_by_tile(
    joints: NDArray[np.int32], values: NDArray[np.floating], n: int
) -> NDArray[np.float64]:
    """Average ``values`` [m] over the joints of each of n tiles: [n]; 0 for a tile without any."""
    tiles = joints.T.ravel() // 4
    total = np.bincount(tiles, np.tile(values, 2), minlength=n)
    return total / np.maximum(np.bincount(tiles, minlength=n), 1)


def joint_features(
    compatibility: Compatibility, assembly: Assembly, rivals: Rivals | None = None
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return the joints [m, 2] and their features [m, 4].

    - 1;
    - own: logarithm of the probability of the pair alone;
    - rival: the same for the likeliest other partner of either edge, if that partner fits the
      edge better than what it meets now;
    - surroundings: mean of own over the joints nearby.
    """
    joints = assembly.joints()
    if not len(joints):
        return joints, np.empty((0, 4))
    rivals = rivals or Rivals.of(compatibility)
    met = assembly.neighbours()
    own = rivals.probabilities.log(joints[:, 0], joints[:, 1])
    rival = rivals.best_free(met)[joints].max(axis=1)
    return joints, np.stack([np.ones(len(own)), own, rival, _spread(own, joints, met)], axis=1)


def _spread(
    values: NDArray[np.float64], joints: NDArray[np.int32], met: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Average each joint with those nearby, repeatedly, so that evidence spreads."""
    nearby = _nearby(joints, met)
    there = nearby >= 0
    for _ in range(STEPS):
        total = values + np.where(there, values[nearby], 0).sum(axis=1)
        values = total / (1 + there.sum(axis=1))
    return values


def _nearby(joints: NDArray[np.int32], met: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the numbers of the joints around each joint [m, 8], -1 for none.

    They are the three others of the square of four tiles on either side, and the joints at the
    opposite sides of both tiles.
    """
    number = np.full(len(met) + 1, -1)  # the last entry serves edge -1
    number[joints] = np.arange(len(joints))[:, None]
    a, b = joints.T
    found = [number[rotate_edge(a, 2)], number[rotate_edge(b, 2)]]
    for side in (1, 3):
        beside_a, beside_b = rotate_edge(a, side), rotate_edge(b, 4 - side)
        across = met[beside_a]
        closing = np.where(across >= 0, rotate_edge(across, side), -1)
        found += [number[beside_a], number[beside_b], number[closing]]
    return np.stack(found, axis=1)
