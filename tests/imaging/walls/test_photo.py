"""Thin lines that may be joints."""

import cv2
import numpy as np

from azulejar.imaging.walls.photo import ridges

SIDE = 16


def slow_ridges(view, smooth, side):
    """Smoothed, less what is beside, over what is usual: one after the other."""
    smoothed = cv2.GaussianBlur(view, (0, 0), sigmaX=smooth, sigmaY=0.01)
    ridge = smoothed.copy()
    ridge[:, 2:-2] -= (smoothed[:, :-4] + smoothed[:, 4:]) / 2
    return ridge / (cv2.blur(np.abs(ridge), (side + 1, side + 1)) + 1)


def test_both_channels_at_once_are_as_each_by_itself():
    view = np.random.default_rng(0).uniform(0, 255, (60, 90, 2)).astype(np.float32)
    both = ridges(view, 0.7, SIDE)
    inside = np.s_[:, SIDE:-SIDE]
    for channel in range(2):
        slow = slow_ridges(np.ascontiguousarray(view[..., channel]), 0.7, SIDE)
        np.testing.assert_allclose(both[inside][..., channel], slow[inside], atol=1e-3)


def test_a_line_that_runs_down_stands_out():
    view = np.full((40, 60), 100, np.float32)
    view[:, 30] = 160
    ridge = ridges(view, 1.0, SIDE)
    assert (ridge.argmax(axis=1) == 30).all()
    assert (ridges(200 - view, 1.0, SIDE).argmin(axis=1) == 30).all()
