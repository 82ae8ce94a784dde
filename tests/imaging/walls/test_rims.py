"""Rows and cols at the rim of a grid that do not belong to it."""

import cv2
import numpy as np
import pytest

from azulejar.imaging.walls.photo import Photo
from azulejar.imaging.walls.refine import refined
from azulejar.imaging.walls.rims import without_gaps, without_other_tiles, without_unseen
from azulejar.imaging.walls.warp import Warp
from azulejar.practice.painting import paint_panel

ROWS, COLS, SIDE = 6, 8, 48


def clear_but(side, share):
    """How clearly joints are seen: all but those along a side, 0 left, 1 top, 2 right, 3 bottom."""
    down, across = np.ones((ROWS, COLS + 1)), np.ones((ROWS + 1, COLS))
    part = down if side % 2 == 0 else across.T
    part[:, 0 if side < 2 else -1] = share
    return down, across


@pytest.mark.parametrize("side", range(4))
def test_a_rim_that_is_not_seen_is_taken_away(side):
    homography = np.diag([50.0, 50.0, 1.0])
    whole = Warp.flat(homography, ROWS, COLS)
    warp, clear = without_unseen(whole, clear_but(side, 0.2))
    beyond = [int(side == one) for one in range(4)]
    expected = whole.cropped(*beyond)
    np.testing.assert_allclose(warp.crossings(), expected.crossings(), atol=1e-6)
    assert clear[0].shape == (warp.rows, warp.cols + 1)
    assert clear[1].shape == (warp.rows + 1, warp.cols)
    assert min(part.min() for part in clear) == 1


def test_a_rim_that_is_seen_stays():
    whole = Warp.flat(np.diag([50.0, 50.0, 1.0]), ROWS, COLS)
    warp, _ = without_unseen(whole, clear_but(1, 0.6))
    assert (warp.rows, warp.cols) == (ROWS, COLS)


@pytest.mark.parametrize(
    ("row", "col", "beyond"),
    [
        (2, None, (0, 3, 0, 0)),
        (6, None, (0, 0, 0, 3)),
        (None, 1, (2, 0, 0, 0)),
        (None, 8, (0, 0, 2, 0)),
        (2, 8, (0, 3, 2, 0)),
    ],
)
def test_the_larger_part_stays_where_a_gap_divides_two_panels(row, col, beyond):
    whole = Warp.flat(np.diag([50.0, 50.0, 1.0]), 9, 10)
    down, across = np.full((9, 11), 0.9), np.full((10, 10), 0.9)
    if row is not None:
        down[row] = 0.3
    if col is not None:
        across[:, col] = 0.35
    warp, clear = without_gaps(whole, (down, across))
    np.testing.assert_allclose(warp.crossings(), whole.cropped(*beyond).crossings(), atol=1e-6)
    assert clear[0].shape == (warp.rows, warp.cols + 1)
    assert clear[1].shape == (warp.rows + 1, warp.cols)
    assert min(part.min() for part in clear) == 0.9


def flat_through(crossings):
    rows, cols = len(crossings) - 1, len(crossings[0]) - 1
    numbers = np.stack(np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0)), axis=-1)
    homography, _ = cv2.findHomography(numbers.reshape(-1, 2), crossings.reshape(-1, 2))
    return Warp.flat(homography, rows, cols)


def test_all_rows_of_a_panel_stay(wall):
    picture, crossings = wall
    photo = Photo(picture)
    warp, _ = without_other_tiles(photo, *refined(photo, flat_through(crossings)))
    assert (warp.rows, warp.cols) == (len(crossings) - 1, len(crossings[0]) - 1)


def test_a_frieze_of_other_tiles_is_left_out():
    frieze = round(0.88 * SIDE)  # a row of tiles that are lower
    panel = paint_panel(ROWS, COLS, SIDE, 0)
    wall = np.concatenate([panel[:frieze], panel]).astype(np.float64)
    wall[:2] = 20
    for line in frieze + SIDE * np.arange(ROWS + 1):
        wall[line - 1 : line + 1] += 0.2 * (150 - wall[line - 1 : line + 1])
    for line in SIDE * np.arange(COLS + 1):
        wall[:, max(0, line - 1) : line + 1] = 150
    wall += np.random.default_rng(0).normal(0, 4, wall.shape)
    wall = cv2.copyMakeBorder(wall, *[SIDE] * 4, cv2.BORDER_CONSTANT, value=(190,) * 3)
    photo = Photo(np.clip(wall, 0, 255).astype(np.uint8))
    col, row = np.meshgrid(np.arange(COLS + 1.0), np.arange(ROWS + 1.0))
    crossings = np.stack([SIDE * (col + 1), SIDE * (row + 1) + frieze], axis=-1)
    larger, clear = refined(photo, flat_through(crossings).cropped(0, -1, 0, 0))
    assert without_unseen(larger, clear)[0].rows == ROWS + 1
    warp, _ = without_other_tiles(photo, larger, clear)
    assert (warp.rows, warp.cols) == (ROWS, COLS)
    off = np.linalg.norm(warp.crossings() - crossings, axis=-1)
    assert off.max() < 0.05 * SIDE
