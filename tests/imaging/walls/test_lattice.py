"""Lattices through the crossings of two combs."""

import numpy as np
import pytest

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.comb import Comb
from azulejar.imaging.walls.lattice import _homography
from azulejar.imaging.walls.photo import project_points

CORNERS = np.array([[100, 50], [300, 50], [300, 250], [100, 250]], np.float64)


def comb(period, start=-1.0):
    return Comb(slant=0.0, fan=0.0, chirp=0.0, period=period, start=start, gain=1.0)


def test_tiles_lie_between_the_joints():
    found = project_points(_homography(CORNERS, comb(0.5), comb(0.5)), np.array([[0.0, 0], [4, 2]]))
    np.testing.assert_allclose(found, [[100, 50], [300, 150]], atol=1e-3)


def test_joints_that_hardly_cross_are_no_lattice():
    with pytest.raises(AzulejarError, match="No grid of tiles"):
        _homography(CORNERS, comb(5.0, start=0.0), comb(5.0, start=0.0))
