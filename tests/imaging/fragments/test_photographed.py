"""Fragments beside whole tiles in a photograph."""

from dataclasses import replace

import numpy as np
import pytest

from azulejar.imaging.fragments.photographed import find_fragments
from azulejar.imaging.photographs.find import find_tiles
from azulejar.practice.breaking import break_tile, centred
from azulejar.practice.scenes import SCENES, render_scene


def test_fragments_are_cut_out_along_their_glaze(painted_tiles):
    broken = break_tile(painted_tiles[0], 2, np.random.default_rng(2))
    things = [*painted_tiles[1:], *map(centred, broken)]
    photo = render_scene(SCENES["wood"], things, (330, 440), 3)
    detection = find_tiles(photo.picture)
    assert len(detection.tiles) == 3
    found = find_fragments(photo.picture, detection)
    areas = sorted(each.fragment.area for each in found)
    true = sorted((piece[..., 3] > 0).mean() for piece in broken)
    assert areas == pytest.approx(true, rel=0.15)
    middles = photo.corners[3:].mean(axis=1)
    for each in found:
        side = np.ptp(photo.corners[3], axis=0).max()
        away = np.linalg.norm(middles - each.outline.mean(axis=0), axis=1).min()
        assert away < 0.3 * side
        corner = each.fragment.picture[[0, 0, -1, -1], [0, -1, 0, -1], 3]
        assert (corner == 0).all()
    # The same outlines, as faint as grain of wood or a stain, are no fragments.
    faint = replace(detection.view.background, difference=detection.view.background.difference / 30)
    stained = replace(detection, view=replace(detection.view, background=faint))
    assert find_fragments(photo.picture, stained) == []
