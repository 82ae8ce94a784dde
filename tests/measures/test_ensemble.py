"""How much MGC counts beside the network, by what it knows about sure joints."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from azulejar.core.assembly import Assembly
from azulejar.measures.ensemble import (
    EXPECTED,
    EXPECTED_JOINTS,
    KNOWS,
    WEIGHT,
    Ensemble,
    exclusive_factors,
    share_known,
)
from azulejar.practice.photography import cut_one_by_one
from azulejar.weights import load_model

ROWS, COLS = 5, 6
CALIBRATION = {"sharpness": 0.6, "nobody": 0.02}
SURE = 12.0  # the score that a network gives the joints it is sure of


@pytest.fixture(scope="module")
def panel():
    """A picture whose colours run on across every joint."""
    colours = np.random.default_rng(0).integers(0, 256, (3 * ROWS, 3 * COLS, 3), np.uint8)
    return np.asarray(Image.fromarray(colours).resize((40 * COLS, 40 * ROWS), Image.BICUBIC))


@pytest.fixture(scope="module")
def partner():
    """The true partner of each edge of tiles that lie row by row, or -1."""
    row, col = np.divmod(np.arange(ROWS * COLS), COLS)
    return Assembly.of(row, col, np.zeros(ROWS * COLS, int)).neighbours()


@pytest.fixture
def sure_network(partner):
    """A network that knows every joint."""

    def scores(rows):
        found = np.zeros((len(rows), len(partner)))
        known = partner[rows] >= 0
        found[known, partner[rows][known]] = SURE
        return found

    return scores


def pairs(partner):
    edge = np.flatnonzero(partner > np.arange(len(partner)))
    return edge, partner[edge]


@pytest.mark.parametrize("certain", [0.0, 0.5, 1.0])
def test_what_is_known_is_the_share_of_what_could_be_known(partner, certain):
    """The logarithm of the partner's probability is a share of that of a guess."""
    edges = len(partner)
    partners = edges - 4
    likely = partners ** (certain - 1)
    rest = np.log((1 - likely) / (partners - 1)) if certain < 1 else -np.inf

    def scores(rows):
        found = np.full((len(rows), edges), rest)
        found[rows[:, None] // 4 == np.arange(edges) // 4] = -np.inf
        known = partner[rows] >= 0
        found[known, partner[rows][known]] = np.log(likely)
        return found + rows[:, None]  # a factor for each edge changes nothing

    joints = pairs(partner)
    count = len(joints[0])
    expected = (certain * count + EXPECTED * EXPECTED_JOINTS) / (count + EXPECTED_JOINTS)
    assert share_known(scores, edges, joints, partners) == pytest.approx(expected)


def test_without_sure_joints_or_rivals_the_expected_is_assumed(partner):
    nothing = np.empty(0, np.intp), np.empty(0, np.intp)

    def scores(rows):
        return np.zeros((len(rows), len(partner)))

    assert share_known(scores, len(partner), nothing, 116) == EXPECTED
    assert share_known(scores, len(partner), pairs(partner), 1) == EXPECTED


def weight_of(tiles, network):
    return Ensemble(network, tiles, CALIBRATION).weights["mgc"]


def test_mgc_counts_less_the_more_edges_are_worn(panel, sure_network):
    trims = (0.0, 0.1, 0.15)
    whole, worn, gone = (
        weight_of(cut_one_by_one(panel, ROWS, COLS, trim), sure_network) for trim in trims
    )
    assert whole == WEIGHT[1]
    assert WEIGHT[1] > worn > WEIGHT[0]
    assert gone == WEIGHT[0]


def test_mgc_counts_less_where_every_tile_has_its_own_light(panel, sure_network):
    as_cut = cut_one_by_one(panel, ROWS, COLS, 0.05)
    lit = cut_one_by_one(panel, ROWS, COLS, 0.05, light="strong", seed=1)
    assert weight_of(lit, sure_network) < 0.25 < weight_of(as_cut, sure_network)


def test_the_weight_grows_with_what_mgc_knows(panel, sure_network, monkeypatch):
    tiles = cut_one_by_one(panel, ROWS, COLS, 0.05)
    middle = sum(KNOWS) / 2
    for known, expected in ((-1, WEIGHT[0]), (middle, sum(WEIGHT) / 2), (1, WEIGHT[1])):
        monkeypatch.setattr("azulejar.measures.ensemble.share_known", lambda *_, k=known: k)
        assert weight_of(tiles, sure_network) == pytest.approx(expected)


@pytest.mark.parametrize("model", ["best", "light"])
def test_shipped_models_leave_the_weight_to_the_tiles(panel, sure_network, model):
    calibration = load_model(model).card["calibration"]
    whole, worn = (
        Ensemble(sure_network, cut_one_by_one(panel, ROWS, COLS, trim), calibration)
        for trim in (0.0, 0.15)
    )
    assert (whole.weights["mgc"], worn.weights["mgc"]) == (WEIGHT[1], WEIGHT[0])


def probabilities(odds, nobody=0.02):
    """Of all pairs, from a symmetric matrix of odds."""
    rival = np.tile(np.arange(len(odds)), (len(odds), 1))
    factor = exclusive_factors(rival, odds, np.zeros(len(odds)), nobody, 0.0)
    return odds * factor[:, None] * factor, nobody * factor


@given(st.integers(0, 1000), st.integers(2, 12))
def test_probabilities_of_an_edge_and_of_no_neighbour_add_up_to_1(seed, edges):
    odds = np.exp(np.random.default_rng(seed).normal(-2, 2, (edges, edges)))
    odds = np.triu(odds, 1) + np.triu(odds, 1).T
    found, none = probabilities(odds)
    np.testing.assert_allclose(found, found.T)
    np.testing.assert_allclose(found.sum(axis=1) + none, 1, rtol=0.02)


def test_a_rival_that_has_a_partner_of_its_own_counts_for_less():
    odds = np.zeros((4, 4))
    for a, b, value in ((0, 1, 1.0), (1, 2, 0.1), (2, 3, 0.1)):
        odds[a, b] = odds[b, a] = value
    found, _ = probabilities(odds)
    assert found[2, 3] > 0.8 > 0.2 > found[2, 1]


def test_rivals_beyond_the_likeliest_count_together():
    odds = np.array([[0.5, 0.2], [0.5, 0.3], [0.2, 0.1], [0.3, 0.1]])
    rival = np.array([[1, 2], [0, 3], [0, 3], [1, 2]])
    alone, beside = (exclusive_factors(rival, odds, np.full(4, r), 0.02, 0.0) for r in (0.0, 0.4))
    assert (beside < alone).all()
