"""Reliefs: tiles that mirror each other across a joint are recognised."""

import cv2
import numpy as np
import pytest

from azulejar.core.edges import turn_picture
from azulejar.imaging.mirroring import Reliefs

RIGHT, LEFT = np.array([1]), np.array([4 + 3])


def painted(seed, rows=40, cols=40):
    """Smooth paint, as of brushes."""
    noise = np.random.default_rng(seed).random((rows, cols, 3))
    blurred = cv2.GaussianBlur(noise, (0, 0), 3)
    return np.uint8(255 * (blurred - blurred.min()) / np.ptp(blurred))


def likeness(one, other, edge=RIGHT, met=LEFT):
    return float(Reliefs.of(np.stack([one, other])).likeness(edge, met)[0])


def test_a_tile_and_its_mirror_image_are_alike_however_they_are_turned():
    tile = painted(0)
    mirrored = tile[:, ::-1]
    assert likeness(tile, mirrored) == pytest.approx(1, abs=0.02)
    for turn in range(4):
        turned = turn_picture(mirrored, turn)
        met = 4 + (LEFT - 4 + turn) % 4  # the same side of the picture is another of the file
        assert likeness(tile, turned, met=met) == pytest.approx(1, abs=0.02)
        assert likeness(tile, turned, met=4 + (met - 3) % 4) < 0.8


def test_neighbours_are_not_alike():
    panel = painted(1, 40, 80)
    assert likeness(panel[:, :40], panel[:, 40:]) < 0.5


def test_mouldings_that_run_across_the_joint_and_faint_pictures_say_nothing():
    moulding = np.repeat(painted(2)[:, :1], 40, axis=1)
    assert likeness(moulding, moulding) == pytest.approx(0, abs=0.05)
    faint = np.uint8(120 + painted(3) / 64)
    assert likeness(faint, faint[:, ::-1]) < 0.1
