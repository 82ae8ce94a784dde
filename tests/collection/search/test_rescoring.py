"""Pairs of edges, scored from what is stored, against the measures themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.collection.search.rescoring import _fill_mgc, _fill_twin, mgc_arrays
from azulejar.measures.mgc import MGC


@given(st.integers(0, 2**16), st.integers(1, 5))
def test_twin_scores_are_both_inner_products(seed, partners):
    rng = np.random.default_rng(seed)
    descriptions = rng.integers(-127, 128, (12, 2, 1600), np.int8)
    scales = rng.random((12, 2), np.float32)
    edges = rng.integers(0, 12, 4)
    others = rng.integers(-1, 12, (4, partners)).astype(np.int32)
    found = np.empty(others.shape, np.float32)
    _fill_twin(descriptions, scales, edges, others, found)
    full = descriptions.astype(np.float64) * scales[..., None]
    for i, edge in enumerate(edges):
        for rank, other in enumerate(others[i]):
            if other < 0:
                assert found[i, rank] == -np.inf
                continue
            expected = full[edge, 0] @ full[other, 1] + full[edge, 1] @ full[other, 0]
            assert found[i, rank] == pytest.approx(expected, rel=1e-4, abs=1e-2)


@given(st.integers(0, 2**16))
def test_mgc_scores_are_those_of_the_measure(seed):
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 200, (5, 1, 1, 3))
    pixels = np.clip(base + rng.integers(0, 56, (5, 10, 10, 3)), 0, 255).astype(np.uint8)
    edges = np.arange(20)
    others = np.tile(edges.astype(np.int32), (20, 1))
    found = np.empty((20, 20), np.float32)
    _fill_mgc(*mgc_arrays(pixels), edges, others, found)
    measure = MGC()
    measure.prepare(pixels)
    np.testing.assert_allclose(found, measure.dissimilarity(edges), rtol=1e-3)


def test_no_partner_has_an_infinite_dissimilarity():
    arrays = mgc_arrays(np.zeros((1, 5, 5, 3), np.uint8))
    found = np.empty((1, 1), np.float32)
    none = np.array([[-1]], np.int32)
    _fill_mgc(*arrays, np.array([0]), none, found)
    assert found[0, 0] == np.inf
