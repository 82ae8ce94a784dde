"""Tiles beyond the sides of a grid."""

import cv2
import numpy as np
import pytest

from azulejar.imaging.walls.beyond import shares, supported
from azulejar.imaging.walls.photo import Photo
from azulejar.imaging.walls.refine import followed, seen
from azulejar.imaging.walls.warp import Warp


def larger_by_two(photo, crossings):
    """The warp through the crossings of a part of a panel and of two more tiles all round."""
    rows, cols = len(crossings) - 1, len(crossings[0]) - 1
    numbers = np.stack(np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0)), axis=-1)
    homography, _ = cv2.findHomography(numbers.reshape(-1, 2), crossings.reshape(-1, 2))
    return followed(photo, Warp.flat(homography, rows, cols).cropped(-2, -2, -2, -2))


def test_only_sides_where_the_panel_goes_on_are_supported(wall):
    picture, crossings = wall
    photo = Photo(picture)
    warp = larger_by_two(photo, crossings[:5, 2:])
    sides = supported(photo, warp, seen(photo, warp), 2, 0.75)
    assert sides.tolist() == [True, False, False, True]


def test_what_lies_outside_the_photograph_supports_nothing(wall):
    picture, crossings = wall
    warp = larger_by_two(Photo(picture), crossings[:4, 2:])
    clear = (np.ones((warp.rows, warp.cols + 1)), np.ones((warp.rows + 1, warp.cols)))
    end = int(crossings[4, :, 1].min())
    whole, cut_off = (
        supported(Photo(part), warp, clear, 2, 0.75) for part in (picture, picture[:end])
    )
    assert whole[3]
    assert not cut_off[3]
    assert whole[0] == cut_off[0]


@pytest.mark.parametrize("tiles", [1, 2])
def test_the_shares_of_a_side_are_those_of_its_own_joints_and_of_those_between(tiles):
    random = np.random.default_rng(0)
    down, across = random.uniform(size=(5, 8)), random.uniform(size=(6, 7))
    ends_and_ribs = [
        (down[:, :tiles], across[:, :tiles]),
        (across[:tiles], down[:tiles]),
        (down[:, -tiles:], across[:, -tiles:]),
        (across[-tiles:], down[-tiles:]),
    ]
    for side, (ends, ribs) in enumerate(ends_and_ribs):
        found = shares((down, across), side, slice(0, tiles), slice(None))
        assert found == pytest.approx((ends.mean(), ribs.mean()))
