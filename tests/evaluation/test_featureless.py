"""Joints without features."""

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.tiles import TileSet
from azulejar.evaluation.featureless import find_plain, share_featureless

SIZE = 30
ROW = Assembly.of([0, 0, 0], [0, 1, 2], [0, 0, 0])


def painted(random, *plain_sides):
    """A tile with strokes all over, but for a third along the plain sides."""
    tile = random.integers(0, 2, (3, SIZE // 5, SIZE // 5)).repeat(5, 1).repeat(5, 2) * 200
    tile = np.moveaxis(tile, 0, 2).astype(np.uint8)
    for side in plain_sides:
        np.rot90(tile, side)[:10] = 230
    return tile


@pytest.fixture
def random():
    return np.random.default_rng(4)


def share(*tiles):
    return share_featureless(TileSet(np.stack(tiles), ("a", "b", "c")), ROW)


def test_both_sides_have_to_be_plain(random):
    assert share(*(painted(random) for _ in range(3))) == 0
    assert share(painted(random, 1), painted(random), painted(random)) == 0
    assert share(painted(random, 1), painted(random, 3), painted(random)) == 0.5


def test_noise_and_a_gradient_are_no_strokes(random):
    plain = np.full((1, SIZE, SIZE, 3), 200.0) - np.arange(SIZE)[:, None]
    noisy = plain + random.normal(0, 4, plain.shape)
    assert find_plain(noisy.astype(np.uint8)).all()
    stroke = plain.copy()
    stroke[:, 3:6, :, 2] = 150
    assert find_plain(stroke.astype(np.uint8)).tolist() == [False] * 2 + [True] + [False]


@pytest.mark.parametrize("quarters", range(4))
def test_an_exact_copy_cannot_be_told_from_its_original(random, quarters):
    first, other = painted(random), painted(random)
    assert share(first, other, np.rot90(first, quarters)) == 1
    assert share(first, np.rot90(first, quarters), other) == 1


def test_a_tile_alone_has_no_joint(random):
    alone = TileSet(painted(random)[None], ("a",))
    assert share_featureless(alone, Assembly.of([0], [0], [0])) == 0
