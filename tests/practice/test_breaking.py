"""Painted tiles broken into fragments."""

import numpy as np
import pytest

from azulejar.errors import AzulejarError
from azulejar.practice.breaking import break_some, break_tile, centred

TILE = np.arange(128 * 128 * 3, dtype=np.uint8).reshape(128, 128, 3)


@pytest.mark.parametrize("count", [2, 5])
def test_fragments_share_the_tile_among_them(count):
    found = break_tile(TILE, count, np.random.default_rng(count))
    masks = np.array([each[..., 3] > 0 for each in found])
    assert len(found) == count
    assert (masks.sum(axis=0) <= 1).all()
    assert 0.85 < masks.any(axis=0).mean() < 1
    assert all((each[..., :3] == TILE).all() for each in found)


def test_a_fragment_is_moved_to_the_middle_whole():
    fragment = break_tile(TILE, 3, np.random.default_rng(1))[0]
    moved = centred(fragment)
    assert (moved[..., 3] > 0).sum() == (fragment[..., 3] > 0).sum()
    rows = np.flatnonzero(moved[..., 3].any(axis=1))
    assert abs(rows[0] + rows[-1] - 127) <= 1


def test_some_tiles_are_broken_and_the_others_left_whole():
    pieces = break_some(np.stack([TILE] * 5), 2, seed=0)
    assert [piece.shape[2] for piece in pieces[:3]] == [3, 3, 3]
    assert 4 <= len(pieces[3:]) <= 10
    assert all(piece.shape[2] == 4 for piece in pieces[3:])


def test_a_tile_is_not_broken_into_one():
    with pytest.raises(AzulejarError, match="cannot be broken into 1 fragments"):
        break_tile(TILE, 1, np.random.default_rng(0))
