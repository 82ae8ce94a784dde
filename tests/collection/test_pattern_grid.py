"""The grid of a wall whose joints are not seen, by the patterns that it shows."""

import cv2
import numpy as np
import pytest

from azulejar.collection.pattern_grid import find_pattern_grid
from azulejar.collection.patterns import CollectionPatterns
from azulejar.patterns.finding import find_patterns
from azulejar.practice.painting import paint_panel
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut
from azulejar.practice.wear import age_tiles

BY_NAME = {design.name: design for design in DESIGNS}


@pytest.fixture(scope="module")
def kept():
    """Two patterns, one of which shows nothing along its edges."""
    names = ("camellia", "trellis")
    tiles = [cut(paint_pattern(BY_NAME[name], 6, 6, 50), 6, 6) for name in names]
    found = find_patterns(np.concatenate(tiles))
    return CollectionPatterns(tuple(str(number) for number in range(len(found))), found)


@pytest.mark.parametrize(("name", "turn"), [("camellia", 0), ("camellia", 1), ("trellis", 0)])
def test_a_wall_without_joints_is_found_by_its_pattern(kept, name, turn):
    wall = np.rot90(paint_pattern(BY_NAME[name], 5, 6, 60, seed=4), turn)
    wall = np.ascontiguousarray(np.pad(wall, ((50, 50), (50, 50), (0, 0)), constant_values=180))
    height, width = wall.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = corners + np.array([[9, 4], [-6, 8], [2, -7], [3, 5]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, moved)
    told = []
    grid = find_pattern_grid(kept, cv2.warpPerspective(wall, matrix, (width, height)), told.append)
    assert (grid.rows, grid.cols) == ((6, 5) if turn else (5, 6))
    seen = cv2.perspectiveTransform(grid.crossings, np.linalg.inv(matrix))
    places = np.stack(np.meshgrid(np.arange(grid.cols + 1), np.arange(grid.rows + 1)), axis=-1)
    assert np.abs(seen - (50 + 60 * places)).max() < 0.06 * 60
    assert told == sorted(told)


@pytest.mark.parametrize("seed", [0, 2])
def test_what_is_like_a_tile_beside_the_wall_is_left_out(seed):
    """Of a worn wall, plaster beside some tiles is like another tile."""
    kept = find_patterns(cut(paint_pattern(BY_NAME["whirl"], 8, 8, 50), 8, 8))
    painted = cut(paint_pattern(BY_NAME["whirl"], 5, 6, 60, seed=4), 5, 6)
    worn = age_tiles(painted, np.random.default_rng(seed), 0.7).reshape(5, 6, 60, 60, 3)
    wall = worn.swapaxes(1, 2).reshape(300, 360, 3)
    wall = np.pad(wall, ((50, 50), (50, 50), (0, 0)), constant_values=205)
    grid = find_pattern_grid(CollectionPatterns(("1",), kept), wall)
    assert (grid.rows, grid.cols) == (5, 6)


def test_what_shows_no_stored_pattern_has_no_grid(kept):
    assert find_pattern_grid(kept, paint_panel(5, 6, 50)) is None
    assert find_pattern_grid(kept, np.full((200, 300, 3), 120, np.uint8)) is None
    assert find_pattern_grid(kept, np.full((10, 12, 3), 120, np.uint8)) is None
