"""Views of edges against loops over pixels, and against the numbering of edges."""

import numpy as np
import pytest
import torch

from azulejar.core.assembly import Assembly
from azulejar.core.edges import edge_strips, opposite
from azulejar.learning.views import edge_views, grid_partners, impossible_pairs


def tiles_of(n, size=6, seed=0):
    source = torch.Generator().manual_seed(seed)
    return torch.randint(0, 256, (n, 3, size, size), generator=source, dtype=torch.uint8)


def quarter_left(tile):
    """Tile [C, S, S] turned by a quarter against the clock, pixel by pixel."""
    size = tile.shape[1]
    turned = torch.empty_like(tile)
    for y in range(size):
        for x in range(size):
            turned[:, size - 1 - x, y] = tile[:, y, x]
    return turned


def test_each_view_is_the_tile_turned_until_the_edge_lies_to_the_right():
    tiles = tiles_of(3)
    seen = edge_views(tiles)
    assert seen.shape == (12, 3, 6, 6)
    for edge in range(12):
        tile, side = edge // 4, edge % 4
        expected = tiles[tile]
        # A quarter against the clock brings the bottom to the right, three bring the top there.
        for _ in range((side - 1) % 4):
            expected = quarter_left(expected)
        assert torch.equal(seen[edge], expected)


def test_the_right_rim_of_a_view_reads_as_the_strip_of_its_edge():
    tiles = tiles_of(4)
    strips = edge_strips(tiles.permute(0, 2, 3, 1).numpy(), 6)
    seen = edge_views(tiles).numpy()
    for depth in range(6):
        np.testing.assert_array_equal(
            seen[:, :, :, -1 - depth].transpose(0, 2, 1), strips[:, depth]
        )


def test_true_partners_touch_place_by_place():
    """Pixels hold their own row and column: across a joint they differ by one step."""
    rows, cols, size = 3, 4, 5
    y, x = np.mgrid[: rows * size, : cols * size]
    cells = np.stack([y, x]).reshape(2, rows, size, cols, size).transpose(1, 3, 0, 2, 4)
    seen = edge_views(torch.from_numpy(cells.reshape(-1, 2, size, size).copy()))
    partners = grid_partners(rows, cols).tolist()
    joints = [(edge, other) for edge, other in enumerate(partners) if other >= 0]
    assert len(joints) == 2 * (rows * (cols - 1) + cols * (rows - 1))
    for edge, other in joints:
        for place in range(size):
            here = seen[edge, :, place, -1]
            there = seen[other, :, size - 1 - place, -1]
            assert (here - there).abs().sum() == 1


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 4), (3, 1), (3, 4)])
def test_grid_partners_are_the_neighbours_of_the_laid_panel(rows, cols):
    laid = Assembly.of(*np.divmod(np.arange(rows * cols), cols), np.zeros(rows * cols, int))
    assert grid_partners(rows, cols).tolist() == laid.neighbours().tolist()


@pytest.mark.parametrize("upright", [True, False])
def test_impossible_pairs_are_those_of_one_tile_or_of_sides_that_never_meet(upright):
    barred = impossible_pairs(3, upright)
    for edge in range(12):
        for other in range(12):
            meets = not upright or other % 4 == opposite(edge % 4)
            assert barred[edge, other] == (edge // 4 == other // 4 or not meets)
