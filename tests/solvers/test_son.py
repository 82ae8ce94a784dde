"""Small loops, joined into larger ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import Joints
from azulejar.core.knowns import Knowns
from azulejar.evaluation.metrics import evaluate
from azulejar.solvers import solve
from azulejar.solvers.kernels.squares import joints_in_squares, squares_of_all_orders
from azulejar.solvers.son import Son, by_trust

ANY = 10**6


@pytest.mark.parametrize("upright", [True, False])
def test_a_panel_of_one_row_has_no_squares(make_truth, perfect_scores, upright):
    truth = make_truth(1, 9, upright)
    assembly = solve(perfect_scores(truth), Knowns(1, 9, upright), solver=Son())
    assert evaluate(assembly, truth, upright=upright).perfect


@pytest.mark.parametrize("known", [True, False])
def test_holes_stay_holes(make_truth, perfect_scores, known):
    whole = make_truth(5, 6, upright=False)
    holes = [(1, 1), (1, 2), (3, 4)]
    kept = [at not in holes for at in zip(whole.row, whole.col, strict=True)]
    truth = Assembly.of(whole.row[kept], whole.col[kept], whole.turn[kept])
    knowns = Knowns(5, 6) if known else Knowns()
    assembly = solve(perfect_scores(truth), knowns, solver=Son())
    assert evaluate(assembly, truth, upright=False).perfect


def test_squares_outvote_a_wrong_joint_that_scores_better(make_truth, perfect_scores):
    """It would tie two corners of the panel; only what lies in squares keeps them apart."""
    truth = make_truth(4, 4, upright=False)
    scores = perfect_scores(truth).scores
    place = {(r, c): t for t, (r, c) in enumerate(zip(truth.row, truth.col, strict=True))}
    top = 4 * place[0, 0] + (0 - truth.turn[place[0, 0]]) % 4
    side = 4 * place[1, 3] + (1 - truth.turn[place[1, 3]]) % 4
    scores[top, side] = scores[side, top] = 2
    wrong = Compatibility(scores, tuple(map(str, range(16))), "test")
    assembly = solve(wrong, Knowns(), solver=Son())
    assert assembly.neighbours().tolist() == truth.neighbours().tolist()


def slow_squares(partners, upright, m):
    """Every m×m square cell by cell; a tile as it lies is told by the edge that faces right."""
    edges = len(partners)
    likely = {(a, b) for a in range(edges) for b in partners[a] if b >= 0}
    nodes = [edge for edge in range(edges) if not upright or edge % 4 == 1]

    def side(node, quarters):
        return node - node % 4 + (node + quarters) % 4

    def fits(square, node):
        at = len(square)
        if any(other // 4 == node // 4 for other in square):
            return False
        if at % m and (square[-1], side(node, 2)) not in likely:
            return False
        return at < m or (side(square[at - m], 1), side(node, 3)) in likely

    squares = [()]
    for _ in range(m * m):
        squares = [(*square, node) for square in squares for node in nodes if fits(square, node)]
    return set(squares)


def spread_out(orders, order):
    """Squares of an order as edges that face right, row by row."""
    grids = orders[0].reshape(-1, 2, 2)
    for m, corners in enumerate(orders[1 : order - 1], start=3):
        whole = np.empty((len(corners), m, m), int)
        for corner, (down, right) in enumerate([(0, 0), (0, 1), (1, 0), (1, 1)]):
            whole[:, down : down + m - 1, right : right + m - 1] = grids[corners[:, corner]]
        grids = whole
    return [tuple(grid) for grid in grids.reshape(len(grids), -1).tolist()]


def some_partners(truth, rng, upright):
    """True joints, some wrong ones among them, symmetric."""
    edges = 4 * len(truth)
    likely = np.zeros((edges, edges), bool)
    met = truth.neighbours()
    likely[met >= 0, met[met >= 0]] = True
    likely |= rng.random((edges, edges)) < 2 / edges
    edge = np.arange(edges)
    likely &= edge[:, None] // 4 != edge // 4
    if upright:
        likely &= (edge[:, None] + 2) % 4 == edge % 4
    likely |= likely.T
    partners = np.full((edges, likely.sum(axis=1).max()), -1, np.int32)
    for row in range(edges):
        found = np.flatnonzero(likely[row])
        partners[row, : len(found)] = found
    return partners


@settings(max_examples=10)
@given(upright=st.booleans(), seed=st.integers(0, 2**32))
def test_squares_are_those_of_a_slow_search(make_truth, upright, seed):
    rng = np.random.default_rng(seed)
    partners = some_partners(make_truth(3, 4, upright, seed), rng, upright)
    orders = squares_of_all_orders(partners, upright, ANY)
    slow = [slow_squares(partners, upright, m) for m in (2, 3)]
    for order in (2, 3):
        found = spread_out(orders, order)
        assert len(found) == len(set(found))
        assert set(found) == slow[order - 2]
    pairs, highest = joints_in_squares(orders[:2])
    expected = {}
    for m, squares in zip((2, 3), slow, strict=True):
        for grid in squares:
            for at, node in enumerate(grid):
                base = node - node % 4
                below = base + (node + 1) % 4
                if at % m < m - 1:
                    right = grid[at + 1]
                    expected[node, right - right % 4 + (right + 2) % 4] = m
                if at < m * (m - 1):
                    other = grid[at + m]
                    expected[below, other - other % 4 + (other + 3) % 4] = m
    expected |= {(b, a): m for (a, b), m in expected.items()}
    assert dict(zip(map(tuple, pairs.tolist()), highest.tolist(), strict=True)) == expected


@pytest.mark.parametrize("upright", [True, False])
def test_a_perfect_panel_has_squares_up_to_its_height(make_truth, upright):
    truth = make_truth(4, 6, upright)
    orders = squares_of_all_orders(truth.neighbours()[:, None], upright, ANY)
    turns = 1 if upright else 4
    assert [len(corners) for corners in orders] == [turns * k for k in (3 * 5, 2 * 4, 1 * 3)]
    _, highest = joints_in_squares(orders)
    assert set(highest.tolist()) == {4}


def test_an_order_with_too_many_squares_ends_the_search(make_truth):
    partners = make_truth(4, 6, upright=True).neighbours()[:, None]
    assert [len(c) for c in squares_of_all_orders(partners, True, 16)] == [15, 8, 3]
    assert squares_of_all_orders(partners, True, 15) == []
    pairs, highest = joints_in_squares([])
    assert len(pairs) == len(highest) == 0


def test_trust_goes_by_order_and_then_by_score(noise_scores):
    joints = Joints.of(noise_scores(4), upright=False)
    pairs = np.array([[0, 5], [5, 0], [2, 9], [9, 2], [3, 14], [14, 3]], np.int32)
    trusted = by_trust(joints, pairs, np.array([2, 2, 3, 3, 2, 2], np.int32)).tolist()
    table = joints.matrix().toarray()
    assert trusted[0] == [2, 9]
    assert {tuple(one) for one in trusted[1:3]} == {(0, 5), (3, 14)}
    for part in (trusted[1:3], trusted[3:]):
        scores = [table[a, b] for a, b in part]
        assert scores == sorted(scores, reverse=True)
    assert len(trusted) == len(joints.other) // 2
    assert all(a < b for a, b in trusted)
