"""Photographs of painted tiles, rendered small."""

import numpy as np
import pytest

from azulejar.imaging.photographs.find import find_tiles
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut
from azulejar.practice.scenes import SCENES, render_scene

SHAPE = (480, 720)


@pytest.fixture(scope="session")
def painted():
    """Twenty tiles of a painted panel."""
    return cut(paint_panel(4, 5, tile=96), 4, 5)


@pytest.fixture(scope="session")
def photograph(painted):
    """A function that renders so many painted tiles; the same scene is rendered once."""
    kept = {}

    def render(kind, count, seed=0, shape=SHAPE):
        key = kind, count, seed, shape
        if key not in kept:
            picked = np.random.default_rng(seed).choice(len(painted), count, replace=False)
            kept[key] = render_scene(SCENES[kind], painted[picked], shape, seed)
        return kept[key]

    return render


@pytest.fixture(scope="session")
def finding(photograph):
    """A function that finds the tiles of such a photograph, once."""
    kept = {}

    def find(*scene):
        if scene not in kept:
            kept[scene] = find_tiles(photograph(*scene).picture)
        return kept[scene]

    return find
