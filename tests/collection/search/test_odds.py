"""From scores of partners to probabilities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.collection.search.odds import CALIBRATION, partner_probabilities
from azulejar.collection.search.rescoring import PartnerScores
from azulejar.measures.calibration import PowerLaw


def partner_scores(seed, edges=40, partners=5):
    """Lists of partners that need not be mutual, and some that are short."""
    rng = np.random.default_rng(seed)
    other = np.stack([rng.permutation(edges)[:partners] for _ in range(edges)]).astype(np.int32)
    other[other // 4 == np.arange(edges)[:, None] // 4] = -1
    twin = rng.normal(0, 6, other.shape).astype(np.float32)
    mgc = rng.uniform(50, 5000, other.shape).astype(np.float32)
    return PartnerScores(other, twin, mgc, rng.normal(3, 2, edges).astype(np.float32))


@given(st.integers(0, 2**16))
def test_no_pair_is_likelier_than_certain(seed):
    """Even if a partner has not the edge among its own."""
    found = partner_scores(seed)
    likely = partner_probabilities(found, PowerLaw(20.0, 2.0))
    assert ((likely >= 0) & (likely <= 1)).all()
    assert (likely[found.other < 0] == 0).all()


@given(st.integers(0, 2**16))
def test_it_is_the_mean_of_what_either_edge_says(seed):
    found, scale = partner_scores(seed), PowerLaw(20.0, 2.0)
    likely = partner_probabilities(found, scale)
    numbers = CALIBRATION
    own = [other[other >= 0] for other in found.other]
    voice = [-scale.power * np.log(found.mgc[i][found.other[i] >= 0] + scale.offset)
             for i in range(len(own))]  # fmt: skip
    share = [np.logaddexp.reduce(each) for each in voice]

    def odds(edge, rank):
        other = found.other[edge, rank]
        twin = 2 * found.twin[edge, rank] - found.norm[edge] - found.norm[other]
        pixels = -scale.power * np.log(found.mgc[edge, rank] + scale.offset)
        mgc = 2 * pixels - share[edge] - share[other]
        return np.exp(numbers["sharpness"] * (twin + numbers["mgc"] * mgc))

    def total(edge):
        ranks = np.flatnonzero(found.other[edge] >= 0)
        return sum(odds(edge, rank) for rank in ranks) + numbers["nobody"]

    for edge in range(0, len(own), 7):
        for rank in np.flatnonzero(found.other[edge] >= 0):
            pair = odds(edge, rank)
            other = found.other[edge, rank]
            back = max(total(other), pair + numbers["nobody"])
            expected = (pair / total(edge) + pair / back) / 2
            assert likely[edge, rank] == pytest.approx(expected, rel=2e-3, abs=1e-6)


def test_log_odds_of_mgc_grow_with_its_power():
    voice = PowerLaw(1.0, 2.0).log(np.array([0.0, np.e - 1, np.inf], np.float32))
    np.testing.assert_allclose(voice[:2], [0, -2], atol=1e-6)
    assert voice[2] == -np.inf
