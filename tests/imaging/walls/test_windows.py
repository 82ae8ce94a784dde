"""Windows that lean as the lines of the photograph do."""

import cv2
import numpy as np
import pytest

from azulejar.imaging.walls.photo import Photo
from azulejar.imaging.walls.windows import windows


def ruled(slope):
    """A picture with lines that go down by ``slope`` to the right, and upright ones."""
    picture = np.full((400, 500, 3), 220, np.uint8)
    for at in range(-300, 700, 40):
        cv2.line(picture, (0, at), (500, round(at + 500 * slope)), (60, 60, 60), 2)
    for at in range(20, 500, 40):
        cv2.line(picture, (at, 0), (at, 400), (60, 60, 60), 2)
    return picture


@pytest.mark.parametrize("slope", [-0.3, 0.0, 0.2])
def test_a_window_leans_as_the_lines_in_it(slope):
    for corners in windows(Photo(ruled(slope)), 0.22):
        top_left, top_right, bottom_right, bottom_left = corners
        for left, right in ((top_left, top_right), (bottom_left, bottom_right)):
            assert abs((right - left)[1] / (right - left)[0] - slope) < 0.05
        assert abs((bottom_left - top_left)[0] / (bottom_left - top_left)[1]) < 0.05


def test_without_lines_windows_are_squares_all_over():
    found = np.array(list(windows(Photo(np.full((400, 500, 3), 128, np.uint8)), 0.22)))
    np.testing.assert_allclose(found[0], [[0, 0], [176, 0], [176, 176], [0, 176]], atol=1e-9)
    np.testing.assert_allclose(found[-1, 2], [500, 400])
    x, y = (sorted(set(found[:, 0, axis])) for axis in (0, 1))
    assert (len(x), len(y)) == (5, 4)
    assert max(np.diff(x).max(), np.diff(y).max()) < 4 / 3 * 88
