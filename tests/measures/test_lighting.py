"""How differently tiles were lit, on tiles and joints whose light is known."""

import numpy as np
import pytest

from azulejar.measures import lighting
from azulejar.measures.lighting import sure_joints, tint_spread
from azulejar.measures.measure import Measure
from azulejar.practice.painting import paint_panel

ROWS, COLS, SIZE = 5, 6, 40


@pytest.fixture(scope="module")
def tiles():
    """Tiles [30, 40, 40, 3] of a painted panel, row by row."""
    panel = np.asarray(paint_panel(ROWS, COLS, SIZE))
    cells = panel.reshape(ROWS, SIZE, COLS, SIZE, 3).transpose(0, 2, 1, 3, 4)
    return cells.reshape(-1, SIZE, SIZE, 3)


@pytest.fixture
def joints():
    """All true joints from left to right and from top to bottom."""
    tile = np.arange(ROWS * COLS).reshape(ROWS, COLS)
    edge = np.concatenate([4 * tile[:, :-1].ravel() + 1, 4 * tile[:-1].ravel() + 2])
    other = np.concatenate([4 * tile[:, 1:].ravel() + 3, 4 * tile[1:].ravel()])
    return edge, other


def lit(tiles, factors):
    """Tiles whose channels are multiplied by factors [n, 3], dark enough not to be clipped."""
    return (tiles * 0.7 * factors[:, None, None, :]).round().clip(0, 255).astype(np.uint8)


def test_tiles_of_one_photograph_have_little_spread(tiles, joints):
    assert tint_spread(tiles, joints) < 0.015


@pytest.mark.parametrize("tint", [0.04, 0.08])
def test_the_spread_is_that_of_the_light(tiles, joints, tint):
    factors = 1 + np.random.default_rng(0).uniform(-tint, tint, (len(tiles), 3))
    # The difference of two tiles, less the mean of three channels, of even distributions.
    expected = tint / 3**0.5 * (2 * 2 / 3) ** 0.5
    assert tint_spread(lit(tiles, factors), joints) == pytest.approx(expected, rel=0.3)


def test_brightness_alone_is_no_tint(tiles, joints):
    gain = np.random.default_rng(0).uniform(0.9, 1.1, (len(tiles), 1))
    assert tint_spread(lit(tiles, np.repeat(gain, 3, 1)), joints) < 0.015


def test_few_joints_tell_nothing(tiles, joints):
    factors = 1 + np.random.default_rng(0).uniform(-0.1, 0.1, (len(tiles), 3))
    few = tuple(side[: lighting.FEWEST - 1] for side in joints)
    assert tint_spread(lit(tiles, factors), few) == 0


def test_joints_are_sure_where_both_edges_prefer_each_other():
    anchor = np.zeros((12, 3), np.float32)
    anchor[[1, 7]] = [9, 0, 0]  # a sure pair
    anchor[[2, 8]] = [0, 0.3, 0]  # each other's first choice, but hardly likelier than others
    anchor[[5, 6, 10]] = [0, 0, 9]  # three that look alike

    def scores(rows):
        found = 2 * (anchor[rows] @ anchor.T)
        found[Measure.barred(rows, 12, upright=False)] = -np.inf
        return found

    edge, other = sure_joints(scores, 12)
    assert (edge.tolist(), other.tolist()) == ([1], [7])
