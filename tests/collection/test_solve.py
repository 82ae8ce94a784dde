"""Scores among the tiles of a group."""

import numpy as np

from azulejar.collection import solve
from azulejar.collection.solve import make_job, score_job
from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.core.tiles import TileSet
from azulejar.measures import get_measure


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


def test_the_order_of_tiles_is_that_asked_for(painted_museum):
    collection, _ = painted_museum
    some = group_scores(collection, [4, 9, 2])
    other = group_scores(collection, [2, 4, 9])
    np.testing.assert_allclose(some.ordered(other.files).scores, other.scores, rtol=1e-4)


def test_the_outer_sides_of_a_frame_are_kept_apart(painted_museum, monkeypatch):
    collection, truth = painted_museum
    tiles = np.flatnonzero(truth.panel == 0)
    part = Assembly.of(truth.row[tiles], truth.col[tiles], truth.turn[tiles])
    outer = part.neighbours() < 0

    def likeliest():
        return group_scores(collection, tiles.tolist()).scores[np.ix_(outer, outer)].max(axis=1)

    assert likeliest().mean() < 0.02
    monkeypatch.setattr(solve, "by_outer_sides", lambda scores, upright: scores)
    assert likeliest().mean() > 0.1
