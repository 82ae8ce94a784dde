"""From tiles to a compatibility: blocks, top-k, masks and very few tiles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.errors import AzulejarError
from azulejar.measures import DEFAULT_MEASURE, MEASURES, get_measure
from azulejar.measures.measure import Measure, apply_row_steps
from azulejar.measures.postprocess import check_steps, minmax, symmetric

POSTS = [(), ("minmax",), ("ratio", "minmax", "symmetric"), ("likelihood", "symmetric")]
LEARNED_POSTS = [(), ("minmax",), ("minmax", "symmetric"), ("softmax", "mutual", "symmetric")]
PIXEL = ["ssd", "mgc", "l1"]
LEARNED = ["twin", "dlcm", "red"]
WITH_POSTS = [(name, post) for name in PIXEL for post in POSTS]
WITH_POSTS += [(name, post) for name in LEARNED for post in LEARNED_POSTS]


class Table(Measure):
    """Dissimilarities that are given beforehand."""

    name = "table"

    def __init__(self, dissimilarities):
        self.table = dissimilarities

    def prepare(self, pixels):
        assert 4 * len(pixels) == len(self.table)

    def dissimilarity(self, rows):
        return self.table[rows].copy()


@pytest.fixture
def score(tile_set):
    """Score n tiles by a table of random dissimilarities."""

    def score(n, seed=0, **options):
        table = np.random.default_rng(seed).gamma(3, 5, (4 * n, 4 * n))
        pixels = np.zeros((n, 2, 2, 3), np.uint8)
        return Table(table).score(tile_set(pixels), **options), table

    return score


def is_partner(a, b, upright):
    return a // 4 != b // 4 and (not upright or (a % 4 + 2) % 4 == b % 4)


def mask(n, upright):
    edges = range(4 * n)
    return np.array([[is_partner(a, b, upright) for b in edges] for a in edges])


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_without_steps_the_score_is_the_negated_dissimilarity(score, n, upright):
    found, table = score(n, upright=upright, post=())
    for a in range(4 * n):
        partners = [b for b in range(4 * n) if is_partner(a, b, upright)]
        low = min(-table[a, b] for b in partners)
        for b in range(4 * n):
            expected = -table[a, b] if b in partners else low
            assert found.scores[a, b] == np.float32(expected)


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("post", POSTS)
def test_what_is_no_partner_holds_the_row_s_minimum(score, post, upright):
    # Before both directions are averaged; afterwards the other row's minimum counts as well.
    row_post = tuple(name for name in post if name != "symmetric")
    found, _ = score(4, upright=upright, post=row_post)
    low = found.scores.min(axis=1, keepdims=True)
    partner = mask(4, upright)
    assert (np.where(partner, low, found.scores) == low).all()
    assert found.scores.dtype == np.float32
    assert found.index is None


@pytest.mark.parametrize("upright", [False, True])
def test_steps_see_partners_alone(score, upright):
    found, table = score(4, upright=upright, post=("minmax",))
    rows = np.where(mask(4, upright), -table, -np.inf)
    expected = np.where(mask(4, upright), minmax(rows), 0)
    np.testing.assert_allclose(found.scores, expected, rtol=1e-6)


def test_symmetric_comes_last_and_only_when_asked_for(score):
    one_way, _ = score(4, post=("likelihood",))
    both, _ = score(4)
    np.testing.assert_array_equal(both.scores, symmetric(one_way).scores)
    assert not np.array_equal(one_way.scores, one_way.scores.T)


@pytest.mark.parametrize("post", POSTS)
@pytest.mark.parametrize("block", [1, 50, 100])
def test_blocks_give_the_same_as_one_block(score, monkeypatch, post, block):
    whole, _ = score(5, post=post)
    monkeypatch.setattr("azulejar.measures.measure.BLOCK", block)
    parts, _ = score(5, post=post)
    np.testing.assert_array_equal(parts.scores, whole.scores)


@pytest.mark.parametrize("name", PIXEL + LEARNED)
def test_blocks_give_the_same_for_each_measure(pixels_of, tile_set, scorer, monkeypatch, name):
    tiles = tile_set(pixels_of(4))
    whole = scorer(name).score(tiles)
    monkeypatch.setattr("azulejar.measures.measure.BLOCK", 60)
    # The softmax over float32 inner products of twin magnifies the order of their sums.
    rtol = 5e-5 if name == "twin" else 1e-5
    np.testing.assert_allclose(scorer(name).score(tiles).scores, whole.scores, rtol=rtol, atol=1e-7)


@given(
    k=st.integers(1, 12),
    upright=st.booleans(),
    post=st.sampled_from([(), ("minmax",), ("likelihood",)]),
    seed=st.integers(0, 99),
)
def test_beyond_the_largest_dense_only_the_best_are_kept(tile_set, k, upright, post, seed):
    table = np.random.default_rng(seed).gamma(3, 5, (20, 20))
    tiles = tile_set(np.zeros((5, 2, 2, 3), np.uint8))
    dense = Table(table).score(tiles, upright=upright, post=post)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("azulejar.measures.measure.LARGEST_DENSE", 19)
        patch.setattr("azulejar.measures.measure.TOP", k)
        top = Table(table).score(tiles, upright=upright, post=post)
    assert top.index.shape == top.scores.shape == (20, k)
    for edge in range(20):
        np.testing.assert_array_equal(top.scores[edge], np.sort(dense.scores[edge])[::-1][:k])
        np.testing.assert_array_equal(top.scores[edge], dense.scores[edge, top.index[edge]])
        assert len(set(top.index[edge].tolist())) == k


def test_the_largest_dense_is_dense_still(score, monkeypatch):
    monkeypatch.setattr("azulejar.measures.measure.LARGEST_DENSE", 20)
    monkeypatch.setattr("azulejar.measures.measure.TOP", 4)
    assert score(5)[0].index is None
    assert score(6)[0].index.shape == (24, 4)


def test_top_k_is_made_symmetric_too(score, monkeypatch):
    dense, _ = score(5)
    monkeypatch.setattr("azulejar.measures.measure.LARGEST_DENSE", 4)
    monkeypatch.setattr("azulejar.measures.measure.TOP", 9)
    top, _ = score(5)
    one_way, _ = score(5, post=("likelihood",))
    lists = [set(row) for row in one_way.index.tolist()]
    mutual = [(a, b) for a in range(20) for b in lists[a] if a in lists[b]]
    assert len(mutual) > 20
    for a, b in mutual:
        assert top.pairs(a, b) == pytest.approx(dense.pairs(a, b), rel=1e-6)


def test_progress_rises_to_1(score, monkeypatch):
    monkeypatch.setattr("azulejar.measures.measure.BLOCK", 50)
    told = []
    score(5, on_progress=told.append)
    assert told == pytest.approx([i / 10 for i in range(1, 11)])


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize(("name", "post"), WITH_POSTS)
def test_one_tile_has_no_partner(pixels_of, tile_set, scorer, name, post, upright):
    found = scorer(name).score(tile_set(pixels_of(1)), post=post, upright=upright)
    np.testing.assert_array_equal(found.scores, np.zeros((4, 4)))
    assert (found.best(1)[0] == -1).all()


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("name", [*PIXEL, "twin"])
def test_two_tiles_have_each_other(pixels_of, tile_set, scorer, name, upright):
    found = scorer(name).score(tile_set(pixels_of(2)), upright=upright)
    assert found.measure == name
    partner, value = found.best(4, upright)
    if upright:
        assert partner[:, 0].tolist() == [6, 7, 4, 5, 2, 3, 0, 1]
        np.testing.assert_allclose(value[:, 0], 1)
    else:
        np.testing.assert_allclose(found.scores[:4, 4:].sum() / 4, 1, rtol=1e-6)
        assert {tuple(sorted(row)) for row in partner.tolist()} == {(0, 1, 2, 3), (4, 5, 6, 7)}


@pytest.mark.parametrize(("name", "post"), WITH_POSTS)
def test_plain_tiles_that_are_all_alike_get_finite_scores(tile_set, scorer, name, post):
    found = scorer(name).score(tile_set(np.full((3, 4, 4, 3), 200, np.uint8)), post=post)
    assert np.isfinite(found.scores).all()


@pytest.mark.parametrize("name", PIXEL)
def test_the_true_neighbour_of_a_smooth_picture_scores_best(tile_set, name):
    y, x = np.mgrid[:8, :24]
    waves = [np.sin(x / 5 + y / 3), np.cos(x / 4 - y / 2), np.sin(y / 2 + x / 9)]
    picture = (np.stack(waves, axis=-1) * 90 + 128).astype(np.uint8)
    tiles = np.stack([picture[:, :8], picture[:, 8:16], picture[:, 16:]])
    best = get_measure(name).score(tile_set(tiles)).best(1)[0][:, 0]
    assert (best[1], best[7], best[5], best[11]) == (7, 1, 11, 5)


def test_the_table_of_measures(scorer):
    learned = {"dlcm", "twin", "red", "green", "blue", "rgb", "dlcm-paper"}
    assert set(MEASURES) == {"ssd", "mgc", "l1", *learned}
    assert {name for name in MEASURES if MEASURES[name].learned} == learned
    assert all(scorer(name).name == name for name in MEASURES)
    with pytest.raises(AzulejarError, match="no measure 'nonsense'") as refused:
        get_measure("nonsense")
    for name in MEASURES:
        assert name in refused.value.remedy


def test_every_measure_s_own_steps_suit_it():
    for measure in MEASURES.values():
        check_steps(measure.post, measure.learned)
        check_steps(measure.rank_post, measure.learned)
    assert DEFAULT_MEASURE == "dlcm"


@pytest.mark.parametrize("name", PIXEL)
@pytest.mark.parametrize("setting", [{"model": "best"}, {"device": "cuda"}, {"device": "gpu"}])
def test_settings_of_networks_are_refused_where_there_is_none(name, setting):
    with pytest.raises(AzulejarError, match=f"measure {name} has no network") as refused:
        get_measure(name, **setting)
    assert "choose dlcm" in refused.value.remedy


@pytest.mark.parametrize("post", [("softmax",), ("minmax", "likelihood"), ("nonsense",)])
def test_wrong_steps_are_refused_before_any_work(score, post):
    with pytest.raises(AzulejarError, match="step"):
        score(2, post=post, on_progress=pytest.fail)


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("steps", [("minmax",), ("ratio",), ("likelihood", "minmax")])
def test_steps_afterwards_give_the_same_as_at_once(score, upright, steps):
    raw, _ = score(5, upright=upright, post=())
    at_once, _ = score(5, upright=upright, post=steps)
    after = apply_row_steps(steps, raw, upright)
    assert after.scores == pytest.approx(at_once.scores, rel=1e-3, abs=1e-5)
