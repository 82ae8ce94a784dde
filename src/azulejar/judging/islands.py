"""Islands: the parts of an assembly whose joints are sure, instead of one forced rectangle."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from azulejar.core.assembly import Assembly
from azulejar.errors import AzulejarError

# The lowest step at which 99 % of the joints inside islands are right in the assemblies that the
# confidence was fitted on (docs/results/confidence.md).
THRESHOLD = 0.98


def islands(
    assembly: Assembly,
    joints: NDArray[np.int32],
    confidence: NDArray[np.float64],
    threshold: float = THRESHOLD,
) -> Assembly:
    """Take an assembly apart at the joints that are not sure.

    Tiles that the other joints connect, directly or through one another, make an island: a panel
    of its own, the largest first. A single tile is not placed.

    Args:
        assembly: Where the tiles lie.
        joints: Its joints as pairs of edges [m, 2].
        confidence: The probability that each joint is right [m] (see ``joint_confidence``).
        threshold: The least probability of a joint that is kept.

    Raises:
        AzulejarError: If ``threshold`` is not from 0 to 1.

    Examples:
        >>> import azulejar
        >>> tiles, truth = azulejar.practice_puzzle(4, 4, size=24)
        >>> scores = azulejar.get_measure("mgc").score(tiles)
        >>> joints, probability = azulejar.joint_confidence(scores, truth)
        >>> parts = azulejar.islands(truth, joints, probability, threshold=0.0)
        >>> set(parts.panel.tolist())  # nothing is too unsure
        {0}
    """
    check_threshold(threshold)
    n = len(assembly)
    a, b = (joints[confidence >= threshold] // 4).T
    graph = coo_array((np.ones(len(a), bool), (a, b)), shape=(n, n))
    _, part = connected_components(graph, directed=False)
    size = np.bincount(part)
    # Islands of one size are numbered by their first tiles, as the parts are.
    order = np.argsort(-size, kind="stable")
    number = np.empty(len(size), np.int32)
    number[order] = np.arange(len(size))
    number[size == 1] = -1
    return Assembly.of(assembly.row, assembly.col, assembly.turn, number[part])


def check_threshold(threshold: float) -> None:
    """Raise unless ``threshold`` is a probability."""
    if not 0 <= threshold <= 1:
        raise AzulejarError(
            "not-a-probability",
            "{value} is not a probability.",
            "Give a number from 0 to 1.",
            value=threshold,
        )
