import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly, Place
from azulejar.core.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.judging.candidates import UNFIT, alternatives_for, candidates_for, surroundings
from azulejar.judging.confidence import tile_confidence
from azulejar.measures.probability import FLOOR

STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]  # above, right, below, left
N = 14


@pytest.fixture
def compatibility():
    """Probabilities: each row adds up to 1."""
    rng = np.random.default_rng(4)
    scores = rng.random((4 * N, 4 * N)) ** 6
    scores /= scores.sum(axis=1, keepdims=True)
    return Compatibility(scores.astype(np.float32), tuple(f"{i}.png" for i in range(N)), "test")


@pytest.fixture
def assembly():
    """3 × 3 with holes in its middle and a corner, a second panel, and five loose tiles."""
    turn = np.random.default_rng(3).integers(0, 4, N)
    row = [0, 0, 0, 1, 1, 2, 2, 0, 1, 0, 0, 0, 0, 0]
    col = [0, 1, 2, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    return Assembly.of(row, col, turn, [0] * 7 + [1, 1] + [-1] * 5)


def slow_odds(scores, assembly, place, tile, turn):
    """Odds of one tile by a loop over its sides."""
    odds = 1.0
    for direction, (down, along) in enumerate(STEPS):
        for other in range(len(assembly)):
            there = (assembly.panel[other], assembly.row[other], assembly.col[other])
            if there == (place.panel, place.row + down, place.col + along):
                a = 4 * tile + (direction - turn) % 4
                b = 4 * other + (direction + 2 - assembly.turn[other]) % 4
                odds *= ((float(scores[a, b]) + float(scores[b, a])) / 2 + FLOOR) / UNFIT
    return odds


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("place", [Place(0, 1, 1), Place(0, 2, 2), Place(0, -1, 0), Place(1, 0, 1)])
def test_candidates_equal_a_slow_loop(compatibility, assembly, place, upright):
    loose = list(range(9, N))
    found, none = candidates_for(compatibility, assembly, place, loose, upright=upright)
    turns = range(1 if upright else 4)
    odds = {(tile, turn): slow_odds(compatibility.scores, assembly, place, tile, turn)
            for tile in loose for turn in turns}  # fmt: skip
    total = 1 + sum(odds.values())
    best = {tile: max(turns, key=lambda turn: odds[tile, turn]) for tile in loose}
    order = sorted(loose, key=lambda tile: -odds[tile, best[tile]])
    assert [each.tile for each in found] == order
    assert [each.turn for each in found] == [best[tile] for tile in order]
    expected = [odds[tile, best[tile]] / total for tile in order]
    assert [each.probability for each in found] == pytest.approx(expected, rel=1e-4)
    assert none == pytest.approx(1 / total, rel=1e-4)


def test_the_tile_that_was_taken_out_comes_first(perfect_scores):
    truth = Assembly.of(*np.divmod(np.arange(20), 5), np.arange(20) % 4)
    panel = np.where(np.arange(20) == 7, -1, 0)
    laid = Assembly(truth.row, truth.col, truth.turn, panel.astype(np.int32))
    scores = perfect_scores(truth, other=0.001)
    found, none = candidates_for(scores, laid, Place(0, 1, 2), list(range(20)))
    assert (found[0].tile, found[0].turn) == (7, truth.turn[7])
    assert found[0].probability > 0.99
    assert none < 0.01
    assert min(joint for joint in found[0].joints) > 0.9


def test_where_nothing_fits_none_is_likely(perfect_scores):
    truth = Assembly.of([0, 0, 0, 5], [0, 1, 2, 5], [0] * 4, [0, 0, 0, -1])
    _, none = candidates_for(perfect_scores(truth, other=1e-5), truth, Place(0, 1, 1), [3])
    assert none > 0.9


def test_joints_are_told_by_direction(compatibility, assembly):
    found, _ = candidates_for(compatibility, assembly, Place(0, 2, 2), [9, 10])
    assert [joint is None for joint in found[0].joints] == [False, True, True, False]


def test_tiles_around_the_hole_are_no_candidates(compatibility, assembly):
    found, _ = candidates_for(compatibility, assembly, Place(0, 1, 1), list(range(N)))
    assert {each.tile for each in found} == set(range(N)) - {1, 3, 4, 6}


@given(st.integers(-2, 5), st.integers(-2, 5), st.integers(0, 3))
def test_edges_around_a_place_face_it(row, col, quarters):
    laid = Assembly.of(*np.divmod(np.arange(12), 4), np.arange(12)).turned(quarters)
    try:
        around = surroundings(laid, Place(0, row, col))
    except AzulejarError:
        near = np.abs(laid.row - row) + np.abs(laid.col - col)
        assert not (near == 1).any()
        return
    for direction, edge in around.items():
        tile = edge // 4
        assert (laid.row[tile] - row, laid.col[tile] - col) == STEPS[direction]
        assert (edge + laid.turn[tile]) % 4 == (direction + 2) % 4


@pytest.mark.parametrize("row", [-6, 10**30])
def test_a_place_that_no_panel_has_is_refused(compatibility, assembly, row):
    with pytest.raises(AzulejarError, match="No tile lies beside row"):
        candidates_for(compatibility, assembly, Place(0, row, 1))


def test_a_place_far_from_the_panel_is_refused(compatibility, assembly):
    with pytest.raises(AzulejarError, match="No tile lies beside row 10, col 2"):
        candidates_for(compatibility, assembly, Place(0, 9, 1), [9])


def test_no_candidates_at_all(compatibility, assembly):
    assert candidates_for(compatibility, assembly, Place(0, 1, 1), []) == ([], 1.0)


@pytest.mark.parametrize(
    ("joint", "expected"), [(0.01, 1 / 2), (0.03, 3 / 4), (0.1, 10 / 11), (0.0025, 1 / 5)]
)
def test_a_joint_of_one_percent_says_nothing(joint, expected):
    """The odds of a tile are the joint's probability over 0.01, against 1 for none."""
    scores = np.zeros((8, 8), np.float32)
    scores[4 * 0 + 1, 4 * 1 + 3] = scores[4 * 1 + 3, 4 * 0 + 1] = joint - FLOOR
    laid = Assembly.of([0, 0], [0, 0], [0, 0], [0, -1])
    pair = Compatibility(scores, ("a.png", "b.png"), "test")
    (found,), none = candidates_for(pair, laid, Place(0, 0, 1), [1], upright=True)
    assert found.probability == pytest.approx(expected, rel=1e-4)
    assert none == pytest.approx(1 - expected, rel=1e-4)


@pytest.mark.parametrize("upright", [False, True])
def test_a_tile_in_its_place_is_as_likely_as_its_confidence(compatibility, assembly, upright):
    if upright:
        assembly = Assembly.of(assembly.row, assembly.col, np.zeros(N), assembly.panel)
    place, everything = Place(0, 0, 1), list(range(N))
    ranked, none = candidates_for(compatibility, assembly, place, everything, upright=upright)
    others = alternatives_for(compatibility, assembly, 1, upright=upright)
    assert others == [each for each in ranked if each.tile != 1]
    sure = tile_confidence(compatibility, assembly)[1]
    turns = range(1 if upright else 4)
    odds = {(tile, turn): slow_odds(compatibility.scores, assembly, place, tile, turn)
            for tile in everything if tile not in (0, 2) for turn in turns}  # fmt: skip
    del odds[1, int(assembly.turn[1])]
    total = 1 + sum(odds.values())
    for each in others:
        share = odds[each.tile, each.turn] / total
        assert each.probability == pytest.approx((1 - sure) * share, rel=1e-4)
    assert none == pytest.approx((1 - sure) / total, rel=1e-4)


def test_if_only_others_are_tried_the_tile_that_lies_there_is_none_of_them(compatibility, assembly):
    place, loose = Place(0, 0, 1), list(range(9, N))
    ranked, none = candidates_for(compatibility, assembly, place, loose)
    assert none >= tile_confidence(compatibility, assembly)[1]
    assert sum(each.probability for each in ranked) + none <= 1 + 1e-9


def test_alternatives_from_top_k_scores_are_those_from_dense_ones(compatibility, assembly):
    index, value = compatibility.best(4 * N)
    top = Compatibility(value, compatibility.files, "test", index)
    found, dense = (alternatives_for(scores, assembly, 1) for scores in (top, compatibility))
    assert [(each.tile, each.turn) for each in found] == [(each.tile, each.turn) for each in dense]


def test_a_tile_without_neighbours_has_no_alternatives(compatibility, assembly):
    with pytest.raises(AzulejarError, match="No tile lies beside"):
        alternatives_for(compatibility, assembly, 10)


def test_two_tiles_have_no_alternatives():
    compatibility = Compatibility(np.ones((8, 8), np.float32), ("a", "b"), "test")
    assert alternatives_for(compatibility, Assembly.of([0, 0], [0, 1], [0, 0]), 0) == []
