"""Outer sides of frames, found in made-up scores."""

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import Joints
from azulejar.core.knowns import Knowns
from azulejar.evaluation.metrics import evaluate
from azulejar.measures.outer_sides import find_outer_sides
from azulejar.measures.postprocess import by_outer_sides
from azulejar.solvers import solve

ROWS, COLS = 5, 6
SURE = 0.9  # of a joint inside
SHARED = 0.8  # by all partners of an edge that looks like others


def panel_truth(rows=ROWS, cols=COLS):
    """Tiles of a panel, each turned in some way."""
    row, col = np.divmod(np.arange(rows * cols), cols)
    return Assembly.of(row, col, np.random.default_rng(3).integers(0, 4, rows * cols))


def compatibility(scores):
    np.maximum(scores, 1e-5, out=scores)
    files = tuple(str(tile) for tile in range(len(scores) // 4))
    return Compatibility(scores.astype(np.float32), files, "made up")


def scores_of(truth, framed):
    """Sure joints inside; the ends of border tiles fit each other, and so do their outer sides."""
    met = truth.neighbours()
    edges = np.arange(len(met))
    scores = np.zeros((len(met), len(met)))
    inside = met >= 0
    scores[edges[inside], met[inside]] = SURE
    outer = ~inside
    if framed:
        apart = edges[:, None] // 4 != edges // 4
        fit = outer[:, None] & outer & apart
        scores = np.where(fit, SHARED / fit.sum(axis=1).max(), scores)
        # An end with the rim clockwise of it fits every end with the rim on the other hand.
        first = inside & outer[edges - edges % 4 + (edges + 1) % 4]
        second = inside & outer[edges - edges % 4 + (edges + 3) % 4]
        ends = (first[:, None] & second) | (second[:, None] & first)
        fit = ends & apart & (scores < SURE)
        scores[fit] = 0.02
    return compatibility(scores)


def find(scores):
    return find_outer_sides(Joints.of(scores, upright=False))


def test_outer_sides_and_corners_of_a_frame_are_found():
    truth = panel_truth()
    found = find(scores_of(truth, framed=True))
    assert found is not None
    np.testing.assert_array_equal(found > 0.5, truth.neighbours() < 0)


def test_nothing_is_claimed_without_a_frame():
    assert find(scores_of(panel_truth(), framed=False)) is None


def test_nothing_is_claimed_of_tiles_that_are_all_alike():
    n = ROWS * COLS
    tile = np.arange(4 * n) // 4
    assert find(compatibility((tile[:, None] != tile) / (4.0 * n))) is None


def test_nothing_is_claimed_of_plain_tiles_in_the_middle():
    """Sides of sky fit each other as outer sides do, but all sides of a tile are sky."""
    truth = panel_truth()
    scores = scores_of(truth, framed=False).scores.copy()
    sky = (truth.row > 0) & (truth.row < 4) & (truth.col > 0) & (truth.col < 5)
    edge = np.flatnonzero(np.repeat(sky, 4))
    scores[np.ix_(edge, edge)] = SHARED / len(edge)
    assert find(compatibility(scores)) is None


def test_outer_sides_meet_nothing_and_joints_inside_stay():
    truth = panel_truth()
    before = scores_of(truth, framed=True)
    after = by_outer_sides(before, upright=False)
    outer = truth.neighbours() < 0
    assert after.scores[outer].max() < before.scores[outer].max() / 50
    a, b = truth.joints().T
    assert (after.scores[a, b] > 0.95 * before.scores[a, b]).all()
    np.testing.assert_allclose(after.scores, after.scores.T, rtol=1e-4)


def test_a_border_tile_is_not_joined_where_its_rim_would_break_off():
    truth = panel_truth()
    before = scores_of(truth, framed=True)
    edges = np.arange(4 * len(truth))
    outer = truth.neighbours() < 0
    beside_rim = ~outer & outer[edges - edges % 4 + (edges + 1) % 4]
    inside = ~outer & ~outer[edges - edges % 4 + (edges + 1) % 4]
    inside &= ~outer[edges - edges % 4 + (edges + 3) % 4]
    a, b = edges[beside_rim][0], edges[inside & (edges // 4 != edges[beside_rim][0] // 4)][0]
    before.scores[a, b] = before.scores[b, a] = 0.05
    after = by_outer_sides(before, upright=False)
    assert after.scores[a, b] < 0.01


def test_scores_without_a_frame_stay_as_they_are():
    scores = scores_of(panel_truth(), framed=False)
    assert by_outer_sides(scores, upright=False) is scores


def test_lists_of_the_best_pairs_get_the_same_scores():
    dense = scores_of(panel_truth(), framed=True)
    k = 60
    index = np.argsort(-dense.scores, axis=1, kind="stable")[:, :k].astype(np.int32)
    listed = Compatibility(
        np.take_along_axis(dense.scores, index, 1), dense.files, dense.measure, index
    )
    found, wanted = by_outer_sides(listed, upright=False), by_outer_sides(dense, upright=False)
    assert found.index is not None
    expected = np.take_along_axis(wanted.scores, found.index, 1)
    np.testing.assert_allclose(found.scores, expected, rtol=0.02, atol=1e-4)
    assert (np.diff(found.scores, axis=1) <= 0).all()


@pytest.mark.parametrize("seed", range(2))
def test_a_frame_is_laid_as_a_frame(seed):
    """Though two borders fit each other better than one fits the scene."""
    truth = panel_truth()
    scores = scores_of(truth, framed=True)
    met = truth.neighbours()
    outer = met < 0
    border = outer.reshape(-1, 4).any(axis=1)
    scores.scores[np.ix_(outer, outer)] *= 5
    for edge in np.flatnonzero(~outer & border[np.arange(len(met)) // 4]):
        along = border[met[edge] // 4]
        scores.scores[edge, met[edge]] = scores.scores[met[edge], edge] = 0.02 if along else 0.01

    def outer_sides_inside(scores, named=()):
        knowns = Knowns(outer=tuple(named))
        assembly = solve(scores, knowns, preset="fast", seed=seed)
        return int((assembly.neighbours()[outer] >= 0).sum())

    assert outer_sides_inside(scores) > 0
    assert outer_sides_inside(by_outer_sides(scores, upright=False)) == 0
    assert outer_sides_inside(scores, np.flatnonzero(outer)) == 0


@pytest.mark.parametrize("runs", [1, 2])
def test_a_side_that_is_wrongly_named_keeps_its_joint(runs):
    truth = panel_truth()
    sure = scores_of(truth, framed=False)
    wrong = np.flatnonzero(truth.neighbours() >= 0)[::12]
    found = solve(sure, Knowns(outer=tuple(wrong)), preset="fast", runs=runs)
    assert evaluate(found, truth, upright=False).perfect
