"""What a person should know of a tile's picture."""

import cv2
import numpy as np
import pytest

from azulejar.imaging.photographs.quality import Quality, blur_of, glare_of, judge
from azulejar.imaging.photographs.straighten import straighten


def test_blur_grows_with_blur():
    sharp = np.kron(np.random.default_rng(0).integers(0, 256, (9, 9, 3)), np.ones((12, 12, 1)))
    sharp = sharp.astype(np.uint8)
    levels = [blur_of(sharp)] + [
        blur_of(cv2.GaussianBlur(sharp, (0, 0), sigma)) for sigma in (1, 2, 4)
    ]
    assert levels == sorted(levels)
    assert levels[0] < 0.2
    assert levels[-1] > 0.6


def test_glare_is_the_share_that_is_burnt_out():
    tile = np.full((100, 100, 3), 120, np.uint8)
    assert glare_of(tile) == 0
    tile[20:40, 30:60] = 255
    tile[80, ::2] = 255  # single bright pixels are sparkle, not glare
    assert glare_of(tile) == pytest.approx(0.06)


def test_a_note_says_it_in_words():
    assert Quality(0.2, 0.0, 0.0, 0.9, ()).note == ""
    assert Quality(0.9, 0.034, 0.021, 0.9, ()).note == (
        "blurred; glare on 3%; about 2.1% missing at the corners"
    )


def test_a_broken_corner_is_noticed(photograph, finding):
    rendered, found = photograph("dark cloth", 6), finding("dark cloth", 6)
    each = found.tiles[0]
    whole = straighten(rendered.picture, each.corners, found.lens)
    background = found.view.background
    before = judge(whole, rendered.picture, each, found.lens, background)
    broken = rendered.picture.copy()
    corner, middle = each.corners[0], each.corners.mean(axis=0)
    legs = [corner + 0.2 * (each.corners[k] - corner) for k in (1, 3)]
    away = corner + (corner - middle) * 0.05
    table = tuple(int(value) for value in np.median(rendered.picture[:15].reshape(-1, 3), axis=0))
    cv2.fillPoly(broken, [np.round([away, legs[0], legs[1]]).astype(np.int32)], table)
    after = judge(whole, broken, each, found.lens, background)
    assert after.missing > before.missing + 0.008
    assert not before.doubts
