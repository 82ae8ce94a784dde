"""Keys and the index over them."""

import numpy as np
import pytest

from azulejar.collection.search import index
from azulejar.collection.search.index import Keys, build_index, pack_index, unpack_index
from azulejar.errors import AzulejarError


@pytest.fixture
def edges():
    """Descriptions of edges in pairs that resemble each other, and their scales."""
    rng = np.random.default_rng(0)
    basis = rng.normal(0, 1, (40, 1600))
    anchor = rng.normal(0, 1, (300, 40)) @ basis
    partner = anchor.reshape(150, 2, 1600)[:, ::-1].reshape(300, 1600)
    full = np.stack([anchor, partner + rng.normal(0, 1, partner.shape)], 1)
    scales = np.abs(full).max(axis=2) / 127 / 100
    return np.rint(full / 100 / scales[..., None]).astype(np.int8), scales.astype(np.float32)


def test_keys_keep_the_score_up_to_how_edges_fit_everybody(edges):
    descriptions, scales = edges
    full = descriptions.astype(np.float64) * scales[..., None]
    score = full[:, 0] @ full[:, 1].T
    score = score + score.T
    keys = Keys.of(descriptions, scales)
    found = (keys.keys[:, :-1] * keys.signs[:-1]) @ keys.keys[:, :-1].T
    # 80 directions are all there is in these descriptions but for a little noise.
    assert np.corrcoef(found.ravel(), score.ravel())[0, 1] > 0.999


def test_the_last_number_takes_off_from_what_fits_everybody(edges):
    descriptions, scales = edges
    keys = Keys.of(descriptions, scales).keys
    crowd = (keys[:, :-1] * Keys.of(descriptions, scales).signs[:-1]) @ keys[:, :-1].T
    fit = np.log(np.exp(crowd).mean(axis=0))
    np.testing.assert_allclose(keys[:, -1], -index.PENALTY * fit, rtol=1e-3, atol=1e-3)


def test_an_exact_index_is_nothing_but_its_keys(edges):
    keys = Keys.of(*edges)
    assert len(pack_index(keys)) == 0
    found = unpack_index(pack_index(keys), keys.keys).search(keys.keys[:5], 3)
    expected = np.argsort(-(keys.keys[:5] @ keys.keys.T), axis=1)[:, :3]
    np.testing.assert_array_equal(found[1], expected)


def test_large_collections_get_lists(edges, monkeypatch):
    monkeypatch.setattr(index, "LARGEST_EXACT", 20)
    keys = Keys.of(*edges)
    packed = pack_index(keys)
    assert len(packed)
    opened = unpack_index(packed, keys.keys)
    assert opened.ntotal == 300
    np.testing.assert_array_equal(packed, pack_index(keys))
    everywhere = build_index(keys, exact=True).search(keys.keys[:50], 1)[1]
    assert (opened.search(keys.keys[:50], 1)[1] == everywhere).mean() > 0.5


def test_without_faiss_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "faiss", None)
    with pytest.raises(AzulejarError, match=r"azulejar\[large\]"):
        index.import_faiss()
