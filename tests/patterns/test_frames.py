"""Panels in a frame of one border tile and one corner tile."""

from dataclasses import replace

import numpy as np
import pytest

from azulejar import Knowns, Lock
from azulejar.patterns.designs import find_designs
from azulejar.patterns.frames import lay_frame
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut, make_puzzle

ROWS, COLS, SIZE = 5, 7, 50


@pytest.fixture(scope="module")
def framed():
    """The designs of a panel in a repeated frame, shuffled and turned; its truth."""
    grid = cut(paint_panel(ROWS, COLS, SIZE, seed=3, border=1.0), ROWS, COLS)
    grid = grid.reshape(ROWS, COLS, SIZE, SIZE, 3)
    border = grid[0, 1].copy()
    border[:, SIZE // 2 :] = border[:, : SIZE // 2][:, ::-1]  # so that it continues in itself
    down, right = np.mgrid[:SIZE, :SIZE]
    corner = border[np.minimum(down, right), np.maximum(down, right)]  # mitred
    for quarters in range(4):
        turned = np.rot90(grid, quarters)  # a view
        turned[0, 1:-1] = np.rot90(border, -quarters)
        turned[0, 0] = np.rot90(corner, -quarters)
    tiles = grid.reshape(-1, SIZE, SIZE, 3)
    pixels, truth = make_puzzle(tiles, ROWS, COLS, turned=True, seed=1)
    return find_designs(pixels, least=3), truth


def test_the_numbers_of_alike_tiles_tell_the_size(framed):
    known = lay_frame(framed[0], Knowns())
    assert (known.rows, known.cols) == (ROWS, COLS)
    assert (lay_frame(framed[0], Knowns(rows=COLS)).cols) == ROWS
    assert lay_frame(framed[0], Knowns(rows=6)) is None


def test_corners_lie_in_corners_and_outer_sides_outside(framed):
    designs, truth = framed
    outer = (truth.neighbours() < 0).reshape(-1, 4)
    locks = lay_frame(designs, Knowns()).locks
    assert len(locks) == 2 * (ROWS + COLS) - 4
    for lock in locks:
        sides = {0: lock.row == 0, 1: lock.col == COLS - 1, 2: lock.row == ROWS - 1}
        sides[3] = lock.col == 0
        found = {(side + lock.turn) % 4 for side in np.flatnonzero(outer[lock.tile])}
        assert found == {side for side, rim in sides.items() if rim}


def test_what_is_no_frame_to_the_last_tile_is_left_to_the_solver(framed):
    designs = framed[0]
    one = designs.design.copy()
    one[designs.tiles(0)[0]] = -1
    assert lay_frame(replace(designs, design=one), Knowns()) is None
    assert lay_frame(designs, Knowns(locks=(Lock(0, 1, 1),))) is None
