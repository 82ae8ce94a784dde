"""Shares, their gradient and their constraints, against slow and obvious versions."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from azulejar.core.joints import NOTHING
from azulejar.solvers.kernels.permutations import (
    Neighbours,
    ascend,
    centre,
    gradient,
    project,
)


def objective(share, across, down, rows, cols):
    """Sum over all places that meet and all pairs of tiles there; opposite borders meet."""
    total = 0.0
    for row, col in product(range(rows), range(cols)):
        here = share[row * cols + col]
        if cols > 1:
            total += here @ across @ share[row * cols + (col + 1) % cols]
        if rows > 1:
            total += here @ down @ share[(row + 1) % rows * cols + col]
    return total


def sides(across, down):
    matrices = (down.T, across, down, across.T)
    return tuple(Neighbours.of(csr_array(matrix)) for matrix in matrices)


def shares(random, n):
    """Doubly stochastic: a mean of permutations."""
    return np.mean([np.eye(n)[random.permutation(n)] for _ in range(3)], axis=0)


@given(st.integers(1, 3), st.integers(2, 4), st.integers(0, 2**32))
def test_the_gradient_is_that_of_the_objective(rows, cols, seed):
    random = np.random.default_rng(seed)
    n = rows * cols
    across, down = random.random((2, n, n)) * (random.random((2, n, n)) < 0.4)
    share = shares(random, n)
    found = gradient(share, np.full(n, NOTHING), sides(across, down), rows, cols)
    # The objective is quadratic, so central differences are exact.
    for place, tile in product(range(n), range(n)):
        step = np.zeros((n, n))
        step[place, tile] = 0.5
        above, below = (
            objective(share + sign * step, across, down, rows, cols) for sign in (1, -1)
        )
        assert found[place, tile] == pytest.approx(above - below, abs=1e-9)


def test_a_settled_tile_counts_in_full_and_its_place_no_more():
    random = np.random.default_rng(3)
    across, down = random.random((2, 6, 6))
    share = shares(random, 6)
    settled = np.array([NOTHING, 4, NOTHING, NOTHING, 0, NOTHING])
    found = gradient(share, settled, sides(across, down), 2, 3)
    share[1], share[4] = np.eye(6)[4], np.eye(6)[0]
    expected = gradient(share, np.full(6, NOTHING), sides(across, down), 2, 3)
    free = settled == NOTHING
    assert found[free] == pytest.approx(expected[free])
    assert not found[~free].any()


@given(st.integers(1, 12), st.integers(0, 2**32))
def test_a_centred_step_leaves_all_sums_alone(n, seed):
    block = np.random.default_rng(seed).normal(size=(n, n))
    before = block.copy()
    centre(block)
    assert np.abs([block.sum(0), block.sum(1)]).max() < 1e-9
    # What was taken away is orthogonal to all such steps: one number a row and one a column.
    taken = before - block
    assert taken == pytest.approx(taken[:1] + taken[:, :1] - taken[0, 0], abs=1e-9)


@given(st.integers(1, 12), st.integers(0, 2**32))
def test_projected_shares_add_up(n, seed):
    random = np.random.default_rng(seed)
    block = shares(random, n)
    before = block.copy()
    project(block)
    assert block == pytest.approx(before)
    step = random.normal(scale=0.2, size=(n, n))
    centre(step)
    block += step
    project(block)
    assert block.min() >= 0
    assert np.abs([block.sum(0) - 1]).max() < 0.1
    assert np.abs([block.sum(1) - 1]).max() < 0.5


@pytest.mark.parametrize(("right", "left"), [(0.6, 0.9), (0.9, 0.6)])
def test_of_several_sure_shares_the_steepest_is_settled(right, left):
    """Tile 0 lies at place 0; tile 1 fits on its right, and tile 3 on its left, at place 3."""
    across = np.zeros((4, 4))
    across[0, 1], across[3, 0] = right, left
    settled = np.array([0, NOTHING, NOTHING, NOTHING])
    share = np.full((4, 4), 1 / 3)
    free = np.array([1, 2, 3])
    found = ascend(
        share, settled, sides(across, np.zeros((4, 4))), 1, 4, free, free, 9.0, 0.99, 1e-3, 50
    )
    assert share[1, 1] > 0.99
    assert share[3, 3] > 0.99
    assert found == ((1, 1) if right > left else (3, 3))
