"""Joints between tiles that mirror each other lose most of their weight."""

import numpy as np
import pytest

from azulejar.core.joints import Joints
from azulejar.imaging.mirroring import Reliefs
from azulejar.sorting.mirrors import LOWEST, weigh_mirrored


def row_of(pictures, score):
    """Tiles in a row: each one's right side meets the left of the next, with a score for each."""
    n = len(pictures)
    other = np.full(4 * n, -1)
    other[1:-4:4], other[7::4] = np.arange(7, 4 * n, 4), np.arange(1, 4 * n - 4, 4)
    start = np.concatenate([[0], np.cumsum(other >= 0)]).astype(np.int32)
    met = other[other >= 0].astype(np.int32)
    first = np.minimum(np.flatnonzero(other >= 0) // 4, met // 4)
    return Joints(start, met, score[first].astype(np.float32))


@pytest.mark.parametrize(("mirrored", "lowered"), [(50, 50), (1, 0)])
def test_mirrored_joints_are_lowered_where_unsure_ones_often_mirror(mirrored, lowered):
    noise = np.random.default_rng(0).integers(0, 256, (400, 8, 8, 3), np.uint8)
    tiles = noise.repeat(4, axis=1).repeat(4, axis=2)
    for pair in range(mirrored):
        tiles[2 * pair + 1] = tiles[2 * pair, :, ::-1]
    joints = row_of(tiles, np.where(np.arange(399) < 100, 0.3, 0.9))
    weighed = weigh_mirrored(joints, Reliefs.of(tiles))
    left = (weighed.score / joints.score)[joints.edge % 4 == 1]
    np.testing.assert_allclose(left[: 2 * lowered : 2], LOWEST, rtol=1e-5)
    assert (left[100:] == 1).mean() > 0.9  # the sure ones
    assert lowered or (left == 1).all()


def test_without_sure_joints_nothing_tells_what_is_usual():
    tiles = np.zeros((4, 16, 16, 3), np.uint8)
    joints = row_of(tiles, np.full(3, 0.3))
    assert weigh_mirrored(joints, Reliefs.of(tiles)) is joints
