"""The twin against loops over edges, with the encoder in torch."""

import math

import numpy as np
import pytest

from azulejar.measures.twin import as_vectors, twin_rows


@pytest.fixture
def slow_twin(network, turned_to_the_right):
    """Scores [4n, 4n]: how both edges answer each other, place by place along the joint."""

    def score(pixels):
        described = [
            network(turned_to_the_right(pixels, tile, side))
            for tile in range(len(pixels))
            for side in range(4)
        ]
        edges = len(described)
        table = np.empty((edges, edges))
        for a, (anchor_a, partner_a) in enumerate(described):
            for b, (anchor_b, partner_b) in enumerate(described):
                there = (anchor_a * partner_b).sum().item()
                back = (anchor_b * partner_a).sum().item()
                table[a, b] = there + back
        return table

    return score


def is_partner(a, b, upright):
    return a // 4 != b // 4 and (not upright or (a % 4 + 2) % 4 == b % 4)


def shares(row):
    total = sum(row.values())
    return {b: value / total for b, value in row.items()}


def slow_compatibility(table, upright):
    """Softmax, product of both directions as shares, mean of both directions."""
    edges = range(len(table))
    partners = [[b for b in edges if is_partner(a, b, upright)] for a in edges]
    soft = [shares({b: math.exp(table[a, b]) for b in partners[a]}) for a in edges]
    mutual = [shares({b: soft[a][b] * soft[b][a] for b in partners[a]}) for a in edges]
    found = np.zeros((len(table), len(table)))
    for a in edges:
        for b in partners[a]:
            found[a, b] = (mutual[a][b] + mutual[b][a]) / 2
    return found


def test_the_dissimilarity_is_the_negated_score(scorer, slow_twin, painted, tile_set):
    measure = scorer("twin")
    measure.prepare(painted(4))
    expected = slow_twin(painted(4))
    assert expected.std() > 0.1
    np.testing.assert_allclose(-measure.dissimilarity(np.arange(16)), expected, atol=1e-3)
    rows = np.array([7, 0, 7])
    np.testing.assert_allclose(-measure.dissimilarity(rows), expected[rows], atol=1e-3)


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_compatibility_equals_loops_over_partners(
    scorer, slow_twin, painted, tile_set, n, upright
):
    found = scorer("twin").score(tile_set(painted(n)), upright=upright).scores
    expected = slow_compatibility(slow_twin(painted(n)), upright)
    np.testing.assert_allclose(found, expected, rtol=2e-3, atol=1e-6)
    np.testing.assert_array_equal(found, found.T)
    assert ((found >= 0) & (found <= 1)).all()


@pytest.mark.parametrize("upright", [False, True])
def test_shares_of_a_row_add_up_to_1_before_both_directions_meet(
    scorer, painted, tile_set, upright
):
    tiles = tile_set(painted(5))
    for post in (("softmax",), ("softmax", "mutual")):
        found = scorer("twin").score(tiles, upright=upright, post=post).scores
        np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-5)


def test_beyond_the_largest_dense_the_best_are_kept(scorer, painted, tile_set, monkeypatch):
    tiles = tile_set(painted(5))
    dense = scorer("twin").score(tiles, post=("softmax",)).scores
    monkeypatch.setattr("azulejar.measures.measure.LARGEST_DENSE", 19)
    monkeypatch.setattr("azulejar.measures.measure.TOP", 6)
    top = scorer("twin").score(tiles, post=("softmax",))
    assert top.index.shape == (20, 6)
    np.testing.assert_allclose(top.scores, -np.sort(-dense, axis=1)[:, :6], rtol=1e-6)
    np.testing.assert_allclose(top.scores, np.take_along_axis(dense, top.index, 1), rtol=1e-6)


def test_several_views_count_as_their_mean():
    rng = np.random.default_rng(0)
    seen = [tuple(rng.normal(size=(8, 3, 5)).astype(np.float32) for _ in "ap") for _ in range(2)]
    anchor, partner = as_vectors(seen)
    rows = np.array([1, 6])
    each = [twin_rows(*as_vectors([view]), rows) for view in seen]
    np.testing.assert_allclose(twin_rows(anchor, partner, rows), sum(each) / 2, rtol=1e-4)
