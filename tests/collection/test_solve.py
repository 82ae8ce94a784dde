"""Scores among the tiles of a group."""

import numpy as np

from azulejar.collection import solve
from azulejar.collection.solve import make_job, score_job, solution_key, solve_job
from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.core.tiles import TileSet
from azulejar.measures import get_measure
from azulejar.solvers.runs import best_of


def group_scores(collection, tiles):
    return score_job(make_job(collection, tiles, Knowns(), "fast", 0))


def test_a_group_is_scored_as_if_it_were_alone(painted_museum):
    collection, truth = painted_museum
    tiles = np.flatnonzero(truth.panel == 1)[:14]
    found = group_scores(collection, tiles.tolist())
    assert found.files == tuple(map(str, tiles.tolist()))
    pixels = np.asarray(collection.pixels[tiles])
    full = get_measure("dlcm").score(TileSet(pixels, found.files))
    assert np.corrcoef(found.scores.ravel(), full.scores.ravel())[0, 1] > 0.95
    np.testing.assert_allclose(found.scores, found.scores.T, rtol=1e-4, atol=1e-8)


def test_upright_tiles_are_weighed_against_upright_rivals_alone(painted_museum):
    collection, truth = painted_museum
    tiles = np.flatnonzero(truth.panel == 1)[:14].tolist()
    found = score_job(make_job(collection, tiles, Knowns(upright=True), "fast", 0))
    side = np.arange(len(found.scores)) % 4
    assert (found.scores[(side[:, None] + 2) % 4 != side] == 0).all()
    assert (group_scores(collection, tiles).scores[(side[:, None] + 2) % 4 != side] > 0).any()


def test_what_is_solved_is_solved_again_for_another_model(painted_museum):
    collection, _ = painted_museum
    entries = collection.entries([1, 2, 3])
    keys = {solution_key(entries, model, Knowns(), "fast", 0) for model in ("one", "one", "other")}
    assert len(keys) == 2


def test_the_order_of_tiles_is_that_asked_for(painted_museum):
    collection, _ = painted_museum
    some = group_scores(collection, [4, 9, 2])
    other = group_scores(collection, [2, 4, 9])
    np.testing.assert_allclose(some.ordered(other.files).scores, other.scores, rtol=1e-4)


def test_a_frame_is_laid_as_one_and_judged_by_the_scores_as_they_were(painted_museum, monkeypatch):
    collection, truth = painted_museum
    tiles = np.flatnonzero(truth.panel == 0)
    part = Assembly.of(truth.row[tiles], truth.col[tiles], truth.turn[tiles])
    outer = part.neighbours() < 0
    searched = []

    def noted(scores, *args, **settings):
        searched.append(scores)
        return best_of(scores, *args, **settings)

    monkeypatch.setattr(solve, "best_of", noted)
    job = make_job(collection, tiles.tolist(), Knowns(), "fast", 0)
    scores, assembly, *_ = solve_job((), job)
    np.testing.assert_array_equal(scores.scores, score_job(job).scores)

    def likeliest(found):
        return found.scores[np.ix_(outer, outer)].max(axis=1).mean()

    assert likeliest(searched[0]) < 0.02
    assert likeliest(scores) > 0.1
    met = assembly.neighbours()
    assert (met == part.neighbours()).mean() > 0.85
