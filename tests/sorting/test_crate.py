"""Whole crates: from scores to groups, and from groups to panels."""

import threading

import numpy as np
import pytest

from azulejar.core.knowns import Knowns
from azulejar.solvers import PRESETS
from azulejar.sorting import STRAY, solve_crate, sort_tiles


def shares_groups(groups, truth):
    """Whether two tiles share a group if and only if they share a panel; strays in none."""
    same = (groups.panel[:, None] == groups.panel) & (groups.panel >= 0)
    return bool((same == ((truth.panel[:, None] == truth.panel) & (truth.panel >= 0))).all())


@pytest.mark.parametrize("panels", [None, 3])
@pytest.mark.parametrize("seed", range(3))
def test_panels_are_told_apart(mixed_panels, perfect_scores, panels, seed):
    truth = mixed_panels((5, 6), (4, 4), (7, 3), seed=seed)
    groups = sort_tiles(perfect_scores(truth, seed), panels=panels)
    assert groups.panels == 3
    assert shares_groups(groups, truth)
    assert np.bincount(groups.panel).tolist() == [30, 21, 16]


def test_tiles_of_no_panel_are_strays(mixed_panels, perfect_scores):
    truth = mixed_panels((5, 6), (4, 5), strays=3)
    groups = sort_tiles(perfect_scores(truth))
    assert shares_groups(groups, truth)
    assert (groups.panel == STRAY).sum() == 3


def test_probabilities_are_high_where_all_is_clear(mixed_panels, perfect_scores):
    truth = mixed_panels((5, 6), (4, 5))
    groups = sort_tiles(perfect_scores(truth))
    assert groups.probability.min() > 0.5
    assert groups.probability.max() <= 1


def test_what_is_known_to_belong_together_does(mixed_panels, perfect_scores):
    truth = mixed_panels((5, 6), (4, 5))
    one, other = (np.flatnonzero(truth.panel == panel)[0] for panel in (0, 1))
    groups = sort_tiles(perfect_scores(truth), together=[(int(one), int(other))])
    assert groups.panels == 1


def test_what_is_known_to_be_apart_is(mixed_panels, perfect_scores):
    truth = mixed_panels((1, 30))
    order = np.argsort(truth.col)
    apart = [(int(order[14]), int(order[15]))]
    groups = sort_tiles(perfect_scores(truth), apart=apart)
    assert groups.panel[apart[0][0]] != groups.panel[apart[0][1]]


def test_upright_tiles(mixed_panels, perfect_scores):
    truth = mixed_panels((5, 6), (4, 5))
    upright = type(truth)(truth.row, truth.col, np.zeros_like(truth.turn), truth.panel)
    groups = sort_tiles(perfect_scores(upright), upright=True)
    assert shares_groups(groups, truth)


def test_the_order_of_the_tiles_does_not_matter(mixed_panels, perfect_scores):
    truth = mixed_panels((5, 6), (4, 5), strays=2)
    scores = perfect_scores(truth)
    order = np.random.default_rng(5).permutation(len(truth))
    groups, other = sort_tiles(scores), sort_tiles(scores.take(order))
    np.testing.assert_array_equal(other.panel, groups.panel[order])
    np.testing.assert_allclose(other.probability, groups.probability[order], atol=1e-6)


def test_one_tile_is_a_panel(as_scores):
    assert sort_tiles(as_scores(np.zeros((4, 4)))).panel.tolist() == [0]


def solved(truth, scores, **options):
    groups = sort_tiles(scores)
    return groups, solve_crate(scores, groups, lambda tiles: Knowns(), PRESETS["fast"], **options)


def test_each_panel_is_put_together_by_itself(mixed_panels, perfect_scores):
    truth = mixed_panels((4, 5), (3, 4), strays=2)
    groups, assembly = solved(truth, perfect_scores(truth))
    np.testing.assert_array_equal(assembly.neighbours(), truth.neighbours())
    assert (assembly.panel[truth.panel < 0] == -1).all()
    np.testing.assert_array_equal(assembly.panel, np.where(groups.panel == STRAY, -1, groups.panel))


def test_progress_goes_from_panel_to_panel(mixed_panels, perfect_scores):
    truth = mixed_panels((4, 5), (3, 4))
    told = []
    solved(truth, perfect_scores(truth), on_progress=lambda *now: told.append(now))
    assert told == sorted(told)
    assert {panel for panel, _ in told} == {0, 1}


def test_a_search_that_is_stopped_still_places_all(mixed_panels, perfect_scores):
    truth = mixed_panels((4, 5), (3, 4))
    stop = threading.Event()
    stop.set()
    _, assembly = solved(truth, perfect_scores(truth), stop=stop)
    assert (assembly.panel >= 0).all()
