"""What a person should know of a tile's picture."""

import cv2
import numpy as np
import pytest

from azulejar.imaging.photographs.geometry import no_lens
from azulejar.imaging.photographs.quads import side_of, straighten
from azulejar.imaging.photographs.quality import (
    BLURRED,
    Quality,
    assess_quality,
    blur_of,
    glare_of,
    missing_glaze,
)


@pytest.mark.parametrize("size", [108, 324])
def test_blur_is_told_as_a_share_of_the_side(size):
    painted = np.random.default_rng(0).integers(0, 256, (6, 6, 3)).astype(np.uint8)
    sharp = cv2.resize(painted, (size, size), interpolation=cv2.INTER_NEAREST)
    for share in (0.01, 0.02, 0.03):
        blurred = cv2.GaussianBlur(sharp, (0, 0), share * size)
        assert blur_of(blurred) == pytest.approx(share, rel=0.25)
    assert blur_of(sharp) < 0.008


def test_a_tile_without_edges_is_not_called_blurred():
    noise = np.random.default_rng(0).normal(200, 2, (200, 200, 3))
    assert blur_of(noise.astype(np.uint8)) == 0


def test_only_photographs_out_of_focus_are_called_blurred(photograph):
    rendered = photograph("dark cloth", 6)
    lens = no_lens(rendered.picture.shape)
    side = side_of(rendered.corners[0])
    softened = cv2.GaussianBlur(rendered.picture, (0, 0), 0.03 * side)
    for picture, blurred in ((rendered.picture, False), (softened, True)):
        levels = [blur_of(straighten(picture, quad, lens)) for quad in rendered.corners]
        assert [level > BLURRED for level in levels] == [blurred] * 6


def test_glare_is_the_share_that_is_burnt_out():
    tile = np.full((100, 100, 3), 120, np.uint8)
    assert glare_of(tile) == 0
    tile[20:40, 30:60] = 255
    tile[80, ::2] = 255  # single bright pixels are sparkle, not glare
    assert glare_of(tile) == pytest.approx(0.06)


def test_a_note_says_it_in_words():
    assert Quality(0.01, 0.0, 0.0, 0.9, ()).note == ""
    assert Quality(0.03, 0.034, 0.021, 0.9, ()).note == (
        "blurred; glare on 3%; about 2.1% missing at the corners"
    )


def test_a_broken_corner_is_masked_and_noticed(photograph, finding):
    rendered, found = photograph("dark cloth", 6), finding("dark cloth", 6)
    each = found.tiles[0]
    whole = straighten(rendered.picture, each.corners, found.lens)
    background = found.view.background
    before = missing_glaze(rendered.picture, each, found.lens, background)
    broken = rendered.picture.copy()
    corner, middle = each.corners[0], each.corners.mean(axis=0)
    legs = [corner + 0.2 * (each.corners[k] - corner) for k in (1, 3)]
    away = corner + (corner - middle) * 0.05
    table = tuple(int(value) for value in np.median(rendered.picture[:15].reshape(-1, 3), axis=0))
    cv2.fillPoly(broken, [np.round([away, legs[0], legs[1]]).astype(np.int32)], table)
    after = missing_glaze(broken, each, found.lens, background)
    size = len(after)
    assert after[size // 20, size // 20]
    assert not (after & ~before)[size // 4 :].any()
    assert after.mean() > before.mean() + 0.008
    assert assess_quality(whole, each, after).missing == pytest.approx(after.mean())
    assert not assess_quality(whole, each, before).doubts


def test_paint_of_the_colour_of_the_table_is_not_missing(finding, photograph):
    rendered, found = photograph("dark cloth", 6), finding("dark cloth", 6)
    each, picture = found.tiles[0], rendered.picture.copy()
    table = tuple(int(value) for value in np.median(picture[:15].reshape(-1, 3), axis=0))
    middle = each.corners.mean(axis=0)
    for share in (0.9, 0.6, 0.3):  # dark lines around the tile, one of them at its rim
        ring = np.round(middle + share * (each.corners - middle)).astype(np.int32)
        cv2.polylines(picture, [ring], True, table, 5)
    assert not missing_glaze(picture, each, found.lens, found.view.background).any()
