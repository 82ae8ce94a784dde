"""How differently tiles were lit, seen at the joints that a network is sure of.

Two neighbours show the same glaze along their joint. In one photograph it has the same colour on
both sides; where every tile was photographed by itself, each under its own lamp, it has not.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import edge_strips
from azulejar.measures.calibration import Rows, log_sum_exp
from azulejar.measures.measure import blocks

Joints = tuple[NDArray[np.intp], NDArray[np.intp]]

SURE = 0.8  # the least probability of a joint that is looked at
FEWEST = 8  # joints from which a spread can be told
DEPTH = 0.08  # of a tile's side, beside an edge, whose colour is taken
DARK = 0.02  # added to colours from 0 to 1, or the logarithm would be ruled by black
ALIKE = 0.15  # difference of the logarithm of brightness at which a pixel counts e times less
NORMAL = 1.4826  # standard deviation of a normal distribution over its median deviation


def sure_joints(scores: Callable[[NDArray[np.intp]], Rows], edges: int) -> Joints:
    """Return the pairs of edges that are each other's first choice with a high probability.

    ``scores`` gives those of some edges with all: [rows, 4n], log-odds up to a factor for each row;
    minus infinity for edges that cannot be partners.
    """
    norm = np.empty(edges)
    for rows in blocks(edges):
        norm[rows] = log_sum_exp(scores(rows))
    first, log = np.empty(edges, np.intp), np.empty(edges)
    for rows in blocks(edges):
        both_ways = scores(rows) - (norm[rows, None] + norm) / 2
        first[rows] = both_ways.argmax(axis=1)
        log[rows] = both_ways.max(axis=1)
    edge = np.arange(edges)
    sure = (first[first] == edge) & (edge < first) & (log > np.log(SURE))
    return edge[sure], first[sure]


def tint_spread(pixels: NDArray[np.uint8], joints: Joints) -> float:
    """Return how far the colours of both sides of a joint typically differ, apart from brightness.

    Bright glaze that is equally bright on both sides counts most, since a painted stroke changes
    its colour from one side to the other under any light.

    Returns:
        A robust standard deviation of the logarithm of each channel; 0 if there are too few joints.
    """
    edge, other = joints
    if len(edge) < FEWEST:
        return 0.0
    depth = max(1, round(DEPTH * pixels.shape[1]))
    colour = edge_strips(pixels, depth).mean(axis=1) / 255  # [4n, S, 3]
    here, there = colour[edge], colour[other, ::-1]
    step = np.log(here + DARK) - np.log(there + DARK)
    brightness = np.minimum(here.mean(axis=2), there.mean(axis=2))
    unlike = np.log(here.mean(axis=2) + DARK) - np.log(there.mean(axis=2) + DARK)
    weight = brightness**2 * np.exp(-((unlike / ALIKE) ** 2))  # [joints, S]
    total = np.maximum(weight.sum(axis=1), 1e-9)
    step = np.einsum("jp,jpc->jc", weight, step) / total[:, None]
    tint = np.abs(step - step.mean(axis=1, keepdims=True)).ravel()
    order = np.argsort(tint)
    below = np.cumsum(np.repeat(total, 3)[order])
    return float(NORMAL * tint[order][np.searchsorted(below, below[-1] / 2)])
