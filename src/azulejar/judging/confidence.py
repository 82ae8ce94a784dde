"""How likely the joints of an assembly are right, and its tiles: one number for all that is shown.

A logistic model weighs the evidence for and against each joint (``evidence``), and the products of
any two kinds of it. Its weights are in ``confidence.json``, which benchmarks/confidence.py fits;
docs/results/confidence.md shows how far they can be believed.

A tile lies right if at least half of its joints are right. The joints of one tile stand or fall
together, so the probability of that is the one in the middle of theirs.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.judging.evidence import Rivals, joint_evidence, most_believed


@dataclass(frozen=True)
class ConfidenceModel:
    """The weights of a logistic model of evidence.

    ``weights`` has one for "1", one for each kind of evidence by its name, and one for each product
    of two kinds, such as "lead * size". ``ranges`` are the least and the largest value of each kind
    that the weights were fitted on; what lies outside counts as if it lay at the end.
    """

    weights: dict[str, float]
    ranges: dict[str, tuple[float, float]]

    def probability(self, evidence: dict[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the probability that each joint is right [m]."""
        known = {name: np.clip(value, *self.ranges[name]) for name, value in evidence.items()}
        terms = products(known)
        return expit(sum(self.weights[name] * value for name, value in terms.items()))


def products(evidence: dict[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
    """Return 1, every kind of evidence, and the products of any two kinds, by name [m]."""
    pairs = combinations_with_replacement(evidence, 2)
    return (
        {"1": np.ones(len(next(iter(evidence.values()))))}
        | evidence
        | {f"{one} * {other}": evidence[one] * evidence[other] for one, other in pairs}
    )


MODEL = ConfidenceModel(
    **json.loads(resources.files(__package__).joinpath("confidence.json").read_text("utf-8"))
)


def joint_confidence(
    compatibility: Compatibility,
    assembly: Assembly,
    rivals: Rivals | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return how likely each joint of an assembly is right.

    Args:
        compatibility: Scores of all tiles.
        assembly: Where they lie.
        rivals: Those of the compatibility, if they are computed already. If they know of tiles that
            are alike, no joint is likelier than that it is this one of them.

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
    joints = assembly.joints()
    if not len(joints):
        return joints, np.empty(0)
    rivals = rivals or Rivals.of(compatibility)
    evidence = joint_evidence(rivals, assembly, joints)
    confidence = weigh_evidence(evidence, most_believed(rivals, assembly, joints))
    if rivals.copies is not None:
        confidence = np.minimum(confidence, 1 / rivals.copies[joints // 4].max(axis=1))
    return joints, confidence


def weigh_evidence(
    evidence: dict[str, NDArray[np.float64]],
    most: NDArray[np.float64],
    model: ConfidenceModel = MODEL,
) -> NDArray[np.float64]:
    """Return the probability that each joint is right [m], at most that in ``most`` [m]."""
    return np.minimum(model.probability(evidence), most)


def tile_confidence(
    compatibility: Compatibility,
    assembly: Assembly,
    rivals: Rivals | None = None,
) -> NDArray[np.float64]:
    """Return how likely each tile lies right among its neighbours [n]; 0 if it meets no other.

    Args:
        compatibility: Scores of all tiles.
        assembly: Where they lie.
        rivals: As in ``joint_confidence``.

    Examples:
        >>> import azulejar
        >>> tiles, truth = azulejar.practice_puzzle(4, 4, size=24)
        >>> scores = azulejar.get_measure("mgc").score(tiles)
        >>> azulejar.tile_confidence(scores, truth).shape
        (16,)
    """
    judged = joint_confidence(compatibility, assembly, rivals)
    return middle_by_tile(*judged, len(assembly))


def middle_by_tile(
    joints: NDArray[np.int32], confidence: NDArray[np.floating], n: int
) -> NDArray[np.float64]:
    """Return the probability that at least half of each tile's joints are right [n].

    Of a tile's joints it is the second likeliest of three or four, the likeliest of two or one;
    0 for a tile without joints.
    """
    return _ranked_by_tile(joints, confidence, n, lambda count: (count + 1) // 2)


def second_by_tile(
    joints: NDArray[np.int32], values: NDArray[np.floating], n: int
) -> NDArray[np.float64]:
    """Return the second largest value of each tile's joints [n]; 0 for tiles with fewer."""
    return _ranked_by_tile(joints, values, n, lambda count: np.where(count > 1, 2, 0))


def _ranked_by_tile(
    joints: NDArray[np.int32],
    values: NDArray[np.floating],
    n: int,
    rank: Callable[[NDArray[np.int64]], NDArray[np.int64]],
) -> NDArray[np.float64]:
    """Return the value of that rank among each tile's joints, counted from 1 [n]; 0 for rank 0."""
    tile, value = joints.ravel() // 4, np.repeat(values, 2)
    order = np.lexsort((-value, tile))
    count = np.bincount(tile, minlength=n)
    wanted = rank(count)
    has = (wanted > 0) & (count > 0)
    found = np.zeros(n)
    found[has] = value[order][(np.cumsum(count) - count + wanted - 1)[has]]
    return found
