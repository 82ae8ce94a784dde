"""Fragments of painted tiles, turned any way."""

import cv2
import numpy as np
import pytest

from azulejar.imaging.fragments.poses import Fragment
from azulejar.practice.breaking import break_tile, centred
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut

SIDE = 96


@pytest.fixture(scope="session")
def painted_tiles():
    """Four tiles of a painted panel."""
    return cut(paint_panel(4, 4, tile=SIDE), 4, 4)[4:8]


@pytest.fixture(scope="session")
def fragments(painted_tiles):
    """Fragments named a_1 …: two of the first tile, three of the second, and one of another."""
    random = np.random.default_rng(5)
    found = []
    for name, tile, count in zip("abc", painted_tiles, (2, 3, 2), strict=False):
        for number, piece in enumerate(break_tile(tile, count, random), 1):
            room = SIDE // 2
            wide = np.pad(centred(piece), ((room, room), (room, room), (0, 0)))
            middle = (len(wide) - 1) / 2
            turn = cv2.getRotationMatrix2D((middle, middle), random.uniform(0, 360), 1)
            turned = cv2.warpAffine(wide, turn, wide.shape[1::-1])
            found.append(Fragment(f"{name}_{number}.png", turned, SIDE))
    return found[:6]
