"""From the places of single tiles to probabilities of joints."""

import numpy as np
import pytest

from azulejar import Compatibility
from azulejar.core.edges import COL_STEP, ROW_STEP, edge_towards
from azulejar.reference.guidance import OVERLOOKED, reweigh, tile_places
from azulejar.reference.tile_likeness import Likeness, Weights, fit_weights

N, ROWS, COLS = 3, 2, 2


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def test_scores_are_multiplied_by_the_chance_that_tiles_lie_side_by_side(rng):
    places = rng.random((N, 4, ROWS, COLS))
    places *= 0.8 / places.sum(axis=(1, 2, 3), keepdims=True)
    scores = rng.random((4 * N, 4 * N)).astype(np.float32)
    files = tuple(map(str, range(N)))
    found = reweigh(Compatibility(scores, files, "x"), places).scores

    ratio = np.full((4 * N, 4 * N), 1 - 0.8**2)
    poses = [(q, r, c) for q in range(4) for r in range(ROWS) for c in range(COLS)]
    for a in range(N):
        for b in range(N):
            for one in poses:
                for other in poses:
                    for way in range(4):
                        if (one[1] + ROW_STEP[way], one[2] + COL_STEP[way]) == other[1:]:
                            here, there = (
                                edge_towards(a, one[0], way),
                                edge_towards(b, other[0], way + 2),
                            )
                            ratio[here, there] += 4 * N * places[a][one] * places[b][other]
    apart = np.arange(4 * N)[:, None] // 4 != np.arange(4 * N) // 4
    expected = (scores + OVERLOOKED / (4 * N) * apart) * ratio
    expected *= scores.sum(axis=1, keepdims=True) / expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected, rtol=1e-4)


def test_places_that_are_not_shown_are_no_tile_s_and_places_are_not_taken_twice(rng):
    shown = np.array([[True, True, False]])
    like = np.zeros((2, 4, 1, 3), np.float32)
    like[:, 0, 0, 0] = 1  # both tiles want the first place
    share = tile_places(Likeness(like, 0 * like, shown), Weights(20, 0))
    assert share[..., 2].max() == 0
    assert share.sum(axis=(0, 1)).max() <= 1.05
    assert (share.sum(axis=(1, 2, 3)) < 1).all()
    upright = tile_places(Likeness(like, 0 * like, shown), Weights(0, 0), upright=True)
    assert upright[:, 1:].max() == 0 and upright[:, 0, 0, :2].min() > 0


def test_weights_grow_with_what_the_picture_tells(rng):
    shown = np.ones((3, 4), bool)
    noise = rng.normal(0, 0.1, (40, 4, 3, 4)).astype(np.float32)
    at = rng.integers(0, 48, 40)
    told = noise.copy()
    told.reshape(40, -1)[np.arange(40), at] += 0.5
    tiles, group = np.arange(40), np.zeros(40, int)
    weights, gains = fit_weights(Likeness(told, noise, shown), tiles, at, group)
    assert weights.contours > 10 > weights.tones
    assert 2 < gains.mean() < np.log(48)
    _, nothing = fit_weights(Likeness(noise, noise, shown), tiles, at, group)
    assert nothing.mean() < 0.2
