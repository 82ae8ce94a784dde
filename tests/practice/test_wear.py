"""Wear must be bounded, each tile's own, and grow with its strength."""

import numpy as np
import pytest
from numpy.typing import NDArray

from azulejar.practice.wear import WEAR, Wear, age_tiles

SIZE = 64


def _rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def _change(before: NDArray[np.generic], after: NDArray[np.generic]) -> NDArray[np.float64]:
    return np.abs(after.astype(float) - before.astype(float))


@pytest.fixture
def tiles() -> NDArray[np.uint8]:
    """Forty tiles with slow waves in blue and white, [40, 64, 64, 3]."""
    y, x = np.mgrid[:SIZE, :SIZE] / SIZE
    phase, pitch = _rng().uniform(0, 6, (2, 40, 1, 1))
    ink = 0.5 + 0.5 * np.sin((3 + pitch) * x + (9 - pitch) * y + phase)
    white, blue = np.array([240, 240, 235]), np.array([30, 60, 140])
    return (white + ink[..., None] * (blue - white)).astype(np.uint8)


def test_strength_zero_leaves_tiles_as_they_are(tiles: NDArray[np.uint8]) -> None:
    aged = age_tiles(tiles, _rng(), 0.0)
    assert np.array_equal(aged, tiles)
    assert aged is not tiles


@pytest.mark.parametrize("wear", WEAR)
def test_each_wear_vanishes_with_its_strength(wear: Wear, tiles: NDArray[np.uint8]) -> None:
    tile = tiles[0].astype(np.float32)
    assert _change(tile, wear(tile, _rng(), 1e-3)).max() < 0.5


@pytest.mark.parametrize("wear", WEAR)
def test_each_wear_leaves_a_mark(wear: Wear, tiles: NDArray[np.uint8]) -> None:
    rng = _rng()
    changes = [_change(tile, wear(tile.astype(np.float32), rng, 1.0)).max() for tile in tiles]
    assert max(changes) > 4


def test_shape_type_and_input_are_kept(tiles: NDArray[np.uint8]) -> None:
    before = tiles.copy()
    aged = age_tiles(tiles, _rng())
    assert aged.shape == tiles.shape
    assert aged.dtype == np.uint8
    assert np.array_equal(tiles, before)


def test_wear_grows_with_strength(tiles: NDArray[np.uint8]) -> None:
    worn = [_change(tiles, age_tiles(tiles, _rng(), s)).mean() for s in (0.25, 0.5, 1.0)]
    assert 0 < worn[0] < worn[1] < worn[2]


def test_a_worn_tile_stays_readable(tiles: NDArray[np.uint8]) -> None:
    aged = age_tiles(tiles, _rng())
    change = _change(tiles, aged)
    assert change.mean() < 14
    assert np.median(change[:, 3:-3, 3:-3], axis=(1, 2, 3)).max() < 35
    chipped = (aged[..., 0].astype(int) - aged[..., 2] > 40).mean()
    assert 0 < chipped < 0.02


def test_grime_lies_along_the_joint(tiles: NDArray[np.uint8]) -> None:
    change = _change(tiles, age_tiles(tiles, _rng())).mean((0, 3))
    rim = np.ones((SIZE, SIZE), bool)
    rim[1:-1, 1:-1] = False
    assert change[rim].mean() > 1.5 * change[3:-3, 3:-3].mean()


def test_every_tile_ages_on_its_own(tiles: NDArray[np.uint8]) -> None:
    twins = np.stack([tiles[0], tiles[0]])
    one, other = age_tiles(twins, _rng())
    assert _change(one, other).mean() > 1


def test_seed_decides_the_wear(tiles: NDArray[np.uint8]) -> None:
    aged, again, other = (age_tiles(tiles, _rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(aged, again)
    assert not np.array_equal(aged, other)


def test_tiles_age_alike_at_any_size(tiles: NDArray[np.uint8]) -> None:
    large = tiles.repeat(2, axis=1).repeat(2, axis=2)
    small_change = _change(tiles, age_tiles(tiles, _rng())).mean()
    large_change = _change(large, age_tiles(large, _rng())).mean()
    assert large_change == pytest.approx(small_change, rel=0.25)
