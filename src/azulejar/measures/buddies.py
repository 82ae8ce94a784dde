"""DNN-buddies: a network's word on best buddies (Sholomon, David and Netanyahu, ICANN 2016).

The network sees the two lines of pixels on either side of a joint and says how likely it is to be
true. It was trained on true joints and on their strongest rivals, so it knows what fits by chance.
The source lets a genetic algorithm trust the pairs that it confirms; here these pairs get more
probable, for any solver. As there, a pair of which it is not convinced stays what it was.
"""

import numpy as np
from numpy.typing import NDArray

from azulejar.core.compatibility import BLOCK, Compatibility
from azulejar.core.edges import edge_strips
from azulejar.core.joints import best_buddies
from azulejar.core.tiles import TileSet
from azulejar.imaging.picture import resize_square
from azulejar.measures.runtime import Runtime
from azulejar.weights import load_model

MODEL = GRAPH = "buddies"
SIZE, DEPTH = 28, 2  # pixels: of a tile, and of it beside a joint, as the network sees them
SUREST = 0.99  # probability that the network is believed at most


def by_dnn_buddies(compatibility: Compatibility, tiles: TileSet, upright: bool) -> Compatibility:
    """Raise the probability of best buddies that the network confirms; scores are probabilities.

    By Bayes' rule, the odds of a pair are multiplied by those that the network gives, if these are
    better than even. What it gains, the other partners of both edges lose.
    """
    first, _ = compatibility.best(1, upright)
    buddy = best_buddies(first[:, 0])
    edge = np.flatnonzero(buddy > np.arange(len(buddy)))
    other = buddy[edge]
    odds = np.maximum(joint_odds(tiles.pixels, edge, other), 1)
    before = np.clip(compatibility.mutual(edge, other), 0, 1 - 1e-6)
    after = odds * before / (odds * before + 1 - before)
    gain = np.ones(len(buddy), np.float32)
    gain[edge] = gain[other] = (1 - after) / (1 - before)
    scores, index = compatibility.scores.copy(), compatibility.index
    step = max(1, BLOCK // scores.shape[1])
    for start in range(0, len(scores), step):
        rows = slice(start, start + step)
        others = gain[None] if index is None else gain[index[rows]]
        scores[rows] *= (gain[rows, None] + others) / 2
    for one, two in ((edge, other), (other, edge)):
        place = two if index is None else (index[one] == two[:, None]).argmax(axis=1)
        scores[one, place] = after
    return compatibility.with_scores(scores)


def joint_odds(
    pixels: NDArray[np.uint8], edge: NDArray[np.integer], other: NDArray[np.integer]
) -> NDArray[np.float64]:
    """Return the network's odds that edges of the tiles [n, S, S, 3] meet the edges ``other``."""
    if pixels.shape[1] != SIZE:
        pixels = np.stack([resize_square(tile, SIZE) for tile in pixels])
    strips = (edge_strips(pixels, DEPTH) / 255).astype(np.float32)
    # Either of the two may lie on the left.
    left, right = np.concatenate([edge, other]), np.concatenate([other, edge])
    score = np.empty(len(left), np.float32)
    Runtime(load_model(MODEL), "cpu").run(
        GRAPH, len(left), lambda part: (across(strips, left[part], right[part]),), (score,)
    )
    limit = np.log(SUREST / (1 - SUREST))
    return np.exp(np.clip(score.reshape(2, -1).mean(axis=0, dtype=np.float64), -limit, limit))


def across(
    strips: NDArray[np.float32], left: NDArray[np.integer], right: NDArray[np.integer]
) -> NDArray[np.float32]:
    """Return the lines of pixels across joints, as if the edges ``left`` faced right.

    ``strips`` as ``edge_strips`` gives them; the result is [m, 3, 28, 4], from left to right.
    """
    beside = strips[left][:, ::-1], strips[right][:, :, ::-1]
    return np.ascontiguousarray(np.concatenate(beside, 1).transpose(0, 3, 2, 1))
