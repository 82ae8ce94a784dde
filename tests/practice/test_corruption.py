"""Tiles taken away and painting lost."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.render import HATCHING, render
from azulejar.practice.corruption import break_corners, stain, take_away
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut, make_puzzle

SIZE = 40
ROWS, COLS = 5, 6


@pytest.fixture(scope="module")
def picture() -> NDArray[np.uint8]:
    return paint_panel(ROWS, COLS, SIZE)


@pytest.fixture(scope="module")
def puzzle(picture: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], Assembly]:
    return make_puzzle(cut(picture, ROWS, COLS), ROWS, COLS, turned=True, seed=3)


def lost(pixels: NDArray[np.uint8], share: float, seed: int = 0) -> NDArray[np.bool_]:
    return (stain(pixels, share, seed) != pixels).any(axis=3)


@pytest.mark.parametrize(("fraction", "left"), [(0.0, 30), (0.001, 29), (0.1, 27), (0.5, 15)])
def test_the_truth_still_fits_the_tiles(picture, puzzle, fraction: float, left: int) -> None:
    pixels, truth = take_away(*puzzle, fraction, seed=1)
    assert len(pixels) == len(truth) == left
    shown = render(TileSet(pixels, tuple(map(str, range(left)))), truth)
    assert shown.shape == picture.shape
    same = (shown == picture).all(axis=2).reshape(ROWS, SIZE, COLS, SIZE)
    in_place = same.all(axis=(1, 3))
    assert in_place.sum() == left
    hatched = np.isin(shown, HATCHING).all(axis=2).reshape(ROWS, SIZE, COLS, SIZE)
    assert (hatched.all(axis=(1, 3)) == ~in_place).all()


@settings(max_examples=60)
@given(
    rows=st.integers(1, 5), cols=st.integers(1, 5), fraction=st.floats(0, 1), seed=st.integers(0, 9)
)
def test_the_frame_stays_while_four_tiles_do(
    rows: int, cols: int, fraction: float, seed: int
) -> None:
    cells = np.arange(rows * cols, dtype=np.uint8)[:, None, None, None] + np.zeros((4, 4, 3), int)
    pixels, truth = make_puzzle(cells.astype(np.uint8), rows, cols, turned=False, seed=seed)
    left, rest = take_away(pixels, truth, fraction, seed)
    assert len(left) >= 1
    if len(left) >= 4:
        assert (rest.rows, rest.cols) == (rows, cols)
        assert (rest.row * cols + rest.col == left[:, 0, 0, 0]).all()


def test_more_taken_away_is_less_of_the_same(puzzle) -> None:
    pixels, truth = puzzle
    few, _ = take_away(pixels, truth, 0.1, seed=1)
    again, _ = take_away(pixels, truth, 0.1, seed=1)
    other, _ = take_away(pixels, truth, 0.1, seed=2)
    fewer, _ = take_away(pixels, truth, 0.4, seed=1)
    np.testing.assert_array_equal(few, again)
    assert not np.array_equal(few, other)
    assert {tile.tobytes() for tile in fewer} < {tile.tobytes() for tile in few}


@pytest.mark.parametrize("share", [0.0, 0.05, 0.2, 0.5, 1.0])
def test_every_tile_loses_the_same_share(puzzle, share: float) -> None:
    pixels, _ = puzzle
    before = pixels.copy()
    np.testing.assert_allclose(lost(pixels, share).mean(axis=(1, 2)), share, atol=0.01)
    np.testing.assert_array_equal(pixels, before)


def test_the_seed_decides_on_the_stains(puzzle) -> None:
    pixels, _ = puzzle
    np.testing.assert_array_equal(stain(pixels, 0.2, 1), stain(pixels, 0.2, 1))
    assert (lost(pixels, 0.2, 1) != lost(pixels, 0.2, 2)).any(axis=(1, 2)).all()
    masks = lost(pixels, 0.2).reshape(len(pixels), -1)
    assert len(np.unique(masks, axis=0)) == len(pixels)


def test_stains_grow_with_the_share() -> None:
    black = np.zeros((20, SIZE, SIZE, 3), np.uint8)
    assert not (lost(black, 0.1) & ~lost(black, 0.3)).any()


def test_stains_lie_anywhere_and_hang_together() -> None:
    masks = lost(np.zeros((200, SIZE, SIZE, 3), np.uint8), 0.15)
    cover = masks.mean(axis=0)
    assert cover.min() > 0.03 and cover.max() < 0.35
    for side in (masks[:, 0], masks[:, -1], masks[:, :, 0], masks[:, :, -1]):
        assert 0.1 < side.any(axis=1).mean() < 0.9
    # In a blob most neighbours share their fate; in scattered noise 2 · 0.15 · 0.85 would not.
    assert (masks[:, 1:] != masks[:, :-1]).mean() < 0.06


def test_clay_is_warm_and_some_tiles_are_merely_dirty() -> None:
    tiles = stain(np.zeros((100, SIZE, SIZE, 3), np.uint8), 0.2, 0).astype(float)
    mean = tiles.sum(axis=(1, 2)) / (tiles > 0).any(axis=3).sum(axis=(1, 2))[:, None]
    assert (mean[:, 0] > mean[:, 2]).all()
    bright = mean[:, 0] > 165
    assert 0.3 < bright.mean() < 0.7


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_impossible_shares(puzzle, share: float) -> None:
    with pytest.raises(AzulejarError, match="cannot be lost"):
        stain(puzzle[0], share, 0)
    with pytest.raises(AzulejarError, match="cannot be lost"):
        take_away(*puzzle, share, 0)


def test_broken_corners_are_transparent_and_of_their_number(puzzle) -> None:
    broken = break_corners(puzzle[0], 12, seed=4)
    assert (broken[..., :3] == puzzle[0]).all()
    gone = broken[..., 3] == 0
    assert gone[:, [0, 0, -1, -1], [0, -1, 0, -1]].sum() == 12
    assert not gone[:, SIZE // 2 - 2 : SIZE // 2 + 2].any()
    assert 0.002 < gone.mean() < 12 / len(broken) * 0.04
    with pytest.raises(AzulejarError, match="30 tiles cannot lose 121 corners"):
        break_corners(puzzle[0], 121, seed=4)
