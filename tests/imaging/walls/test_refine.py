"""Lattices are laid on their joints."""

import cv2
import numpy as np
import pytest

from azulejar.imaging.walls.photo import WallPhoto
from azulejar.imaging.walls.refine import fit_bend, polynomial_terms, refine


@pytest.mark.parametrize("seed", [0, 1])
def test_a_lattice_off_at_its_corners_finds_its_joints(wall, seed):
    photo, crossings = wall
    random = np.random.default_rng(seed)
    corners = crossings[[0, 0, -1, -1], [0, -1, -1, 0]]
    off = corners + random.uniform(-0.13, 0.13, (4, 2)) * 48
    numbers = np.array([[0, 0], [8, 0], [8, 6], [0, 6]], np.float32)
    homography = cv2.getPerspectiveTransform(numbers, off.astype(np.float32))
    warp = fit_bend(WallPhoto(photo), homography, 6, 8)
    left = np.linalg.norm(warp.crossings() - crossings, axis=-1) / 48
    assert np.median(left) < 0.04
    warp, clear = refine(WallPhoto(photo), warp)
    left = np.linalg.norm(warp.crossings() - crossings, axis=-1) / 48
    assert left.max() < 0.05
    assert min(part.mean() for part in clear) > 0.8


def test_terms_make_up_any_polynomial_of_their_degree():
    basis, degrees = polynomial_terms(5, 7, 3)
    assert basis.shape == (10, 6, 8)
    assert sorted(degrees) == [0, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    u, v = np.meshgrid(np.linspace(-1, 1, 8), np.linspace(-1, 1, 6))
    wanted = 0.3 - u + 2 * u * v**2 - v**3
    amounts, *_ = np.linalg.lstsq(basis.reshape(10, -1).T, wanted.ravel(), rcond=None)
    np.testing.assert_allclose(np.tensordot(amounts, basis, axes=1), wanted, atol=1e-9)


def test_terms_of_a_higher_degree_rise_towards_the_corner():
    basis, _ = polynomial_terms(4, 4, 2)
    np.testing.assert_allclose(basis[:, -1, -1], 1)
