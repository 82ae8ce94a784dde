"""Terms of a polynomial over a panel."""

import numpy as np

from azulejar.imaging.walls.polynomial import terms


def test_terms_make_up_any_polynomial_of_their_degree():
    basis, degrees = terms(5, 7, 3)
    assert basis.shape == (10, 6, 8)
    assert sorted(degrees) == [0, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    u, v = np.meshgrid(np.linspace(-1, 1, 8), np.linspace(-1, 1, 6))
    wanted = 0.3 - u + 2 * u * v**2 - v**3
    amounts, *_ = np.linalg.lstsq(basis.reshape(10, -1).T, wanted.ravel(), rcond=None)
    np.testing.assert_allclose(np.tensordot(amounts, basis, axes=1), wanted, atol=1e-9)


def test_terms_of_a_higher_degree_rise_towards_the_corner():
    basis, _ = terms(4, 4, 2)
    np.testing.assert_allclose(basis[:, -1, -1], 1)
