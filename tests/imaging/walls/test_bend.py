"""A lattice that is off by much is bent back onto its joints."""

import cv2
import numpy as np
import pytest

from azulejar.imaging.walls.bend import bent
from azulejar.imaging.walls.photo import Photo
from azulejar.imaging.walls.refine import refined


@pytest.mark.parametrize("seed", [0, 1])
def test_a_lattice_off_at_its_corners_finds_its_joints(wall, seed):
    photo, crossings = wall
    random = np.random.default_rng(seed)
    corners = crossings[[0, 0, -1, -1], [0, -1, -1, 0]]
    off = corners + random.uniform(-0.13, 0.13, (4, 2)) * 48
    numbers = np.array([[0, 0], [8, 0], [8, 6], [0, 6]], np.float32)
    homography = cv2.getPerspectiveTransform(numbers, off.astype(np.float32))
    warp = bent(Photo(photo), homography, 6, 8)
    left = np.linalg.norm(warp.crossings() - crossings, axis=-1) / 48
    assert np.median(left) < 0.04
    warp, clear = refined(Photo(photo), warp)
    left = np.linalg.norm(warp.crossings() - crossings, axis=-1) / 48
    assert left.max() < 0.05
    assert min(part.mean() for part in clear) > 0.8
