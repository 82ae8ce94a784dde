import threading

import numpy as np

from azulejar.core.knowns import Knowns
from azulejar.solvers import PRESETS
from azulejar.sorting import STRAY, sort_tiles
from azulejar.sorting.solving import solve_groups


def solved(truth, scores, **options):
    groups = sort_tiles(scores)
    return groups, solve_groups(scores, groups, lambda tiles: Knowns(), PRESETS["fast"], **options)


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
