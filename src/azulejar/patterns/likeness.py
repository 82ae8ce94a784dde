"""How alike two tiles are, whatever their light, their turn and their wear.

Copies of tiles on a coarse or a fine grid have no light: brightness counts by its logarithm, and
each colour's mean and slope are taken out. Their correlation is the likeness, 1 at most.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

COARSE, FINE = 10, 25  # rows and cols of a copy
BLACK = 48.0  # grey levels that are added before the logarithm, which would else enlarge noise
# From red, green and blue to brightness and two hues; the same painting in another colour differs.
HUE = 2.0  # weight of hues
OPPONENT = np.array(
    [[0.58, 0.58, 0.58], [0.71 * HUE, 0, -0.71 * HUE], [-0.41 * HUE, 0.82 * HUE, -0.41 * HUE]],
    np.float32,
).T
PLAIN = 0.08  # standard deviation of the logarithm, below which a tile is plain
DIRECTIONS = 48  # principal directions that are compared at first; the rest only adds distance
SHIFT = 1  # cells of the fine grid by which two photographs may be off
ROUNDING = 1e-4
CELL = 512  # tiles of a cell, about
CELLS_OF_A_TILE = 3  # in which its neighbours are sought
ROUNDS = 8  # in which the centres of cells are found
BLOCK = 512  # tiles, or pairs, handled at a time

Copies = NDArray[np.float32]
"""Tiles on a grid of cells, without light, each of length 1; plain ones are 0: [n, g, g, 3]."""


def copy_tiles(pixels: NDArray[np.uint8], cells: int) -> Copies:
    """Return copies of tiles [n, S, S, 3] on a grid of ``cells`` × ``cells``."""
    copies = np.empty((len(pixels), cells, cells, 3), np.float32)
    for i, tile in enumerate(pixels):
        copies[i] = cv2.resize(tile, (cells, cells), interpolation=cv2.INTER_AREA)
    flat = np.log(copies + BLACK).reshape(len(pixels), cells**2, 3) @ OPPONENT
    along = np.linspace(-1, 1, cells, dtype=np.float32)
    basis = np.stack([np.ones(cells**2), np.tile(along, cells), np.repeat(along, cells)], axis=1)
    basis = (basis / np.linalg.norm(basis, axis=0)).astype(np.float32)
    flat -= np.matmul(basis, np.matmul(basis.T, flat))
    length = np.sqrt((flat**2).sum(axis=(1, 2), keepdims=True))
    plain = length < PLAIN * np.sqrt(3 * cells**2)
    flat = np.where(plain, 0, flat / np.maximum(length, 1e-9))
    return np.asarray(flat.reshape(copies.shape), np.float32)


def turn_copies(copies: Copies, quarters: int) -> Copies:
    """Return copies turned by clockwise quarters."""
    return np.rot90(copies, -quarters, axes=(1, 2))


def compare_copies(one: Copies, other: Copies) -> NDArray[np.float32]:
    """Return the likeness of each pair of fine copies [pairs, g, g, 3] at the best shift."""
    size = one.shape[1]
    best = np.full(len(one), -1, np.float32)
    for down in range(-SHIFT, SHIFT + 1):
        for right in range(-SHIFT, SHIFT + 1):
            a = one[:, max(down, 0) : size + min(down, 0), max(right, 0) : size + min(right, 0)]
            b = other[:, max(-down, 0) : size - max(down, 0), max(-right, 0) : size - max(right, 0)]
            both, own, theirs = (
                np.einsum("nijk,nijk->n", x, y) for x, y in ((a, b), (a, a), (b, b))
            )
            best = np.maximum(best, both / np.sqrt(np.maximum(own * theirs, 1e-12)))
    return best


def find_near(
    copies: Copies,
    least: float,
    most: int,
    on_progress: Callable[[float], None] = lambda fraction: None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return pairs of similar coarse copies: for each tile its nearest neighbours.

    Args:
        copies: Coarse copies of n tiles; plain ones are left out.
        least: Least likeness of a pair.
        most: How many others are found for a tile at most.
        on_progress: Called with the fraction done.

    Returns:
        Tiles, other tiles, and the clockwise quarters by which the other is to be turned.
    """
    busy = np.flatnonzero(copies.any(axis=(1, 2, 3)))
    shape = len(busy), int(np.prod(copies.shape[1:]))
    basis = principal_directions(copies[busy].reshape(shape), DIRECTIONS)
    # Leaving directions out can only bring two copies nearer, so no pair is missed.
    farthest = 2 - 2 * least + ROUNDING
    turned = (turn_copies(copies[busy], turn).reshape(shape) for turn in range(4))
    factors = [distance_factors(each @ basis) for each in turned]
    found = [np.empty((4, 0))]
    cells = _divide(copies[busy])
    for number, cell in enumerate(cells):
        for start in range(0, len(cell), BLOCK):
            rows = cell[start : start + BLOCK]
            distance = np.full((len(rows), len(cell)), np.inf, np.float32)
            quarters = np.zeros(distance.shape, np.int8)
            for turn in range(4):
                here = factors[0][0][rows] @ factors[turn][1][cell].T
                quarters[here < distance] = turn
                np.minimum(distance, here, out=distance)
            distance[np.arange(len(rows)), start + np.arange(len(rows))] = np.inf
            one, other = _nearest(distance, farthest, most)
            pair = one, other
            found.append(np.stack([rows[one], cell[other], quarters[pair], distance[pair]]))
        on_progress((number + 1) / len(cells))
    one, other, turns = _best_of_cells(np.concatenate(found, axis=1), most)
    return busy[one], busy[other], turns


def _divide(copies: Copies) -> list[NDArray[np.int64]]:
    """Divide coarse copies into overlapping cells of similar ones, in any turn, by k-means."""
    count = len(copies) // CELL
    if count < 2 * CELLS_OF_A_TILE:
        return [np.arange(len(copies))]
    key = _turn_free(copies)
    key = key @ principal_directions(key, DIRECTIONS)
    sample = key[:: max(1, len(key) // (32 * count))]
    centre = sample[:: len(sample) // count][:count].copy()
    for _ in range(ROUNDS):
        nearest = (distance_factors(sample)[0] @ distance_factors(centre)[1].T).argmin(axis=1)
        size = np.bincount(nearest, minlength=count)
        total = np.zeros_like(centre)
        np.add.at(total, nearest, sample)
        centre[size > 0] = total[size > 0] / size[size > 0, None]
    centres = distance_factors(centre)[1].T
    own = np.empty((len(key), CELLS_OF_A_TILE), np.int64)
    for start in range(0, len(key), BLOCK):
        rows = slice(start, start + BLOCK)
        distance = distance_factors(key[rows])[0] @ centres
        own[rows] = np.argpartition(distance, CELLS_OF_A_TILE, axis=1)[:, :CELLS_OF_A_TILE]
    order = np.argsort(own.ravel(), kind="stable")
    cells = np.split(order // CELLS_OF_A_TILE, np.cumsum(np.bincount(own.ravel()))[:-1])
    return [cell for cell in cells if len(cell)]


def _turn_free(copies: Copies) -> NDArray[np.float32]:
    """Return vectors that are the same for a copy in any turn [n, 9 g² / 4].

    Of the four cells that quarter turns exchange they hold the magnitudes of the discrete Fourier
    transform, so that two copies are never nearer in any turn than their vectors.
    """
    half = copies.shape[1] // 2
    a, b, c, d = (turn_copies(copies, turn)[:, :half, :half] for turn in range(4))
    parts = ((a + b + c + d) / 2, np.abs(a - b + c - d) / 2, np.hypot(a - c, b - d) / np.sqrt(2))
    return np.concatenate([part.reshape(len(copies), -1) for part in parts], axis=1)


def _best_of_cells(
    pairs: NDArray[np.float64], most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the ``most`` nearest others of each tile, each pair once.

    ``pairs`` [4, m] are tiles, other tiles, quarters and distances, some of them several times.
    """
    one, other, turns = pairs[:3].astype(np.int64)
    order = np.lexsort((other, pairs[3], one))
    one, other, turns = one[order], other[order], turns[order]
    fresh = np.ones(len(one), bool)
    fresh[1:] = (np.diff(one) != 0) | (np.diff(other) != 0)
    one, other, turns = one[fresh], other[fresh], turns[fresh]
    rank = np.arange(len(one)) - np.searchsorted(one, one)
    return one[rank < most], other[rank < most], turns[rank < most]


def _nearest(
    distance: NDArray[np.float32], farthest: float, most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return row and col of the ``most`` smallest distances of each row, up to ``farthest``."""
    near = distance <= farthest
    for row in np.flatnonzero(near.sum(axis=1) > most):
        near[row] = False
        near[row, np.argpartition(distance[row], most)[:most]] = True
    one, other = np.nonzero(near)
    return one, other


def principal_directions(copies: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """Return orthonormal directions [d, count] in which vectors [n, d] differ most."""
    _, vectors = np.linalg.eigh(copies.T.astype(np.float64) @ copies)
    return vectors[:, -count:].astype(np.float32)


def distance_factors(
    vectors: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return two matrices [n, d + 2] whose product is the squared distances of vectors [n, d]."""
    length = (vectors**2).sum(axis=1, keepdims=True)
    one = np.ones_like(length)
    return np.hstack([-2 * vectors, length, one]), np.hstack([vectors, one, length])
