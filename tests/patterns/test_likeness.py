"""The nearest copies, sought in cells of similar ones."""

import numpy as np
import pytest

from azulejar.patterns import likeness
from azulejar.patterns.likeness import _turn_free, copy_tiles, find_near


@pytest.fixture(scope="module")
def pairs():
    """The copies of 200 random tiles, each followed by itself in a turn, with noise; its turn."""
    rng = np.random.default_rng(0)
    few = rng.integers(0, 256, (200, 5, 5, 3))
    turn = rng.integers(0, 4, 200)
    again = np.stack([np.rot90(tile, quarters) for tile, quarters in zip(few, turn, strict=True)])
    tiles = np.stack([few, again + rng.normal(0, 8, few.shape)], axis=1).reshape(400, 5, 5, 3)
    large = np.clip(tiles, 0, 255).astype(np.uint8).repeat(10, axis=1).repeat(10, axis=2)
    return copy_tiles(large, likeness.COARSE), turn


def test_neighbours_are_found_in_cells_as_among_all(pairs, monkeypatch):
    copies, turn = pairs
    monkeypatch.setattr(likeness, "CELL", 16)
    one, other, quarters = find_near(copies, 0.8, 4)
    found = dict(zip(zip(one.tolist(), other.tolist(), strict=True), quarters, strict=True))
    assert len(found) == len(one) == 400
    assert all(found[2 * i, 2 * i + 1] == turn[i] for i in range(200))


def test_turned_copies_share_a_vector_that_is_no_farther_from_others(pairs):
    copies = pairs[0]
    key = _turn_free(copies)
    assert np.allclose(key, _turn_free(likeness.turn_copies(copies, 1)), atol=1e-5)
    distance = ((copies[::2] - copies[-2::-2]) ** 2).sum(axis=(1, 2, 3))
    assert (((key[::2] - key[-2::-2]) ** 2).sum(axis=1) <= distance + 1e-4).all()
