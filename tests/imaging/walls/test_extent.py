"""How far a grid reaches: rims, tiles beyond, confidence, and grids twice too fine."""

import cv2
import numpy as np
import pytest

from azulejar.imaging.walls.extent import (
    find_coarser,
    grid_confidence,
    seen_shares,
    supported_sides,
    trim_gaps,
    trim_other_tiles,
    trim_unseen,
)
from azulejar.imaging.walls.photo import WallPhoto
from azulejar.imaging.walls.refine import fit_polynomial, read_clarity, refine
from azulejar.imaging.walls.warp import Warp
from azulejar.practice.painting import paint_panel

ROWS, COLS, SIDE = 6, 8, 48
FINE_DOWN, FINE_ACROSS = (8, 11), (9, 10)  # shapes of the joints of 8 × 10 tiles


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
    warp, clear = trim_unseen(whole, clear_but(side, 0.2))
    beyond = [int(side == one) for one in range(4)]
    expected = whole.cropped(*beyond)
    np.testing.assert_allclose(warp.crossings(), expected.crossings(), atol=1e-6)
    assert clear[0].shape == (warp.rows, warp.cols + 1)
    assert clear[1].shape == (warp.rows + 1, warp.cols)
    assert min(part.min() for part in clear) == 1


def test_a_rim_that_is_seen_stays():
    whole = Warp.flat(np.diag([50.0, 50.0, 1.0]), ROWS, COLS)
    warp, _ = trim_unseen(whole, clear_but(1, 0.6))
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
    warp, clear = trim_gaps(whole, (down, across))
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
    photo = WallPhoto(picture)
    warp, _ = trim_other_tiles(photo, *refine(photo, flat_through(crossings)))
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
    photo = WallPhoto(np.clip(wall, 0, 255).astype(np.uint8))
    col, row = np.meshgrid(np.arange(COLS + 1.0), np.arange(ROWS + 1.0))
    crossings = np.stack([SIDE * (col + 1), SIDE * (row + 1) + frieze], axis=-1)
    larger, clear = refine(photo, flat_through(crossings).cropped(0, -1, 0, 0))
    assert trim_unseen(larger, clear)[0].rows == ROWS + 1
    warp, _ = trim_other_tiles(photo, larger, clear)
    assert (warp.rows, warp.cols) == (ROWS, COLS)
    off = np.linalg.norm(warp.crossings() - crossings, axis=-1)
    assert off.max() < 0.05 * SIDE


def larger_by_two(photo, crossings):
    """The warp through the crossings of a part of a panel and of two more tiles all round."""
    rows, cols = len(crossings) - 1, len(crossings[0]) - 1
    numbers = np.stack(np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0)), axis=-1)
    homography, _ = cv2.findHomography(numbers.reshape(-1, 2), crossings.reshape(-1, 2))
    return fit_polynomial(photo, Warp.flat(homography, rows, cols).cropped(-2, -2, -2, -2))


def test_only_sides_where_the_panel_goes_on_are_supported(wall):
    picture, crossings = wall
    photo = WallPhoto(picture)
    warp = larger_by_two(photo, crossings[:5, 2:])
    sides = supported_sides(photo, warp, read_clarity(photo, warp), 2, 0.75)
    assert sides.tolist() == [True, False, False, True]


def test_what_lies_outside_the_photograph_supports_nothing(wall):
    picture, crossings = wall
    warp = larger_by_two(WallPhoto(picture), crossings[:4, 2:])
    clear = (np.ones((warp.rows, warp.cols + 1)), np.ones((warp.rows + 1, warp.cols)))
    end = int(crossings[4, :, 1].min())
    whole, cut_off = (
        supported_sides(WallPhoto(part), warp, clear, 2, 0.75) for part in (picture, picture[:end])
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
        found = seen_shares((down, across), side, slice(0, tiles), slice(None))
        assert found == pytest.approx((ends.mean(), ribs.mean()))


@pytest.fixture
def clear():
    return np.full((6, 10), 0.9), np.full((7, 9), 0.8)


def test_the_worse_direction_counts(clear):
    assert grid_confidence(clear) == pytest.approx(0.8)


def test_joints_that_are_lost_in_one_corner_count_in_full(clear):
    clear[0][4:, 7:] = 0.3
    assert grid_confidence(clear) == pytest.approx(0.3)


def test_a_grid_may_be_smaller_than_its_parts():
    assert grid_confidence((np.full((1, 2), 0.7), np.full((2, 1), 0.6))) == pytest.approx(0.6)


@pytest.mark.parametrize("left", [0, 1])
@pytest.mark.parametrize("top", [0, 1])
def test_joints_among_painted_lines_are_told(left, top):
    down, across = np.full(FINE_DOWN, 0.6), np.full(FINE_ACROSS, 0.7)
    down[:, left::2] = across[top::2] = 0.95
    assert find_coarser((down, across)) == (left, top)


def test_joints_that_are_all_alike_stay():
    random = np.random.default_rng(0)
    clear = random.uniform(0.6, 1, FINE_DOWN), random.uniform(0.6, 1, FINE_ACROSS)
    assert find_coarser(clear) is None


def test_a_pattern_in_one_direction_tells_nothing():
    down, across = np.full(FINE_DOWN, 0.6), np.full(FINE_ACROSS, 0.7)
    down[:, ::2] = 0.95
    assert find_coarser((down, across)) is None


def test_too_few_rows_tell_nothing():
    down, across = np.full((4, 11), 0.6), np.full((5, 10), 0.6)
    down[:, ::2] = across[::2] = 0.95
    assert find_coarser((down, across)) is None
